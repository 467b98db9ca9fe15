#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/nav/mesh_tile.h"

/// Bakes navmesh tiles with Recast for tests and benchmarks. What it bakes depends on the C
/// library; nothing may expect certain bytes of it.
namespace maniple::tests {

/// An off-mesh connection, in metres of the mesh.
struct BakedLink {
    std::array<float, 3> from;
    std::array<float, 3> to;
    bool both_ways = true;
};

struct BakeSettings {
    int tiles_x = 4;
    int tiles_z = 4;
    int tile_cells = 16;
    float cell_size = 0.5F;  ///< Metres.
    /// Height of the ground at a corner of the cells, metres; an edge over 0.9 m cannot be climbed.
    std::function<float(int x, int z)> height = nullptr;
    /// A second floor over the ground, where it is not negative at all four corners of a cell.
    std::function<float(int x, int z)> floor = nullptr;
    /// Area of the walkable ground in a cell; without it Recast's own, 63. 0 is the null area.
    std::function<int(int x, int z)> area = nullptr;
    /// Adds one off-mesh connection inside every tile.
    bool off_mesh = false;
    /// More of them; each belongs to the tile it begins in.
    std::vector<BakedLink> links = {};
};

struct BakedMesh {
    nav::MeshParams params;
    std::vector<std::int32_t> slots;  ///< Ascending.
    std::vector<core::Bytes> blobs;   ///< As dtCreateNavMeshData emitted them.

    /// Views of the blobs; they end with the mesh.
    [[nodiscard]] std::vector<nav::MeshTile> tiles() const;
};

/// Ridged ground with square pillars that a seed decides.
[[nodiscard]] std::function<float(int x, int z)> pillars(std::uint32_t seed);

/// Tile (x, z) comes into slot x + tiles_x · z; tiles without ground are left out.
[[nodiscard]] BakedMesh bake(const BakeSettings& settings);

}  // namespace maniple::tests
