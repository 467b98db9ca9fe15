#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::terrain {

/// Recast coordinates: metres, Y up.
struct MeshBox {
    std::array<float, 3> low;
    std::array<float, 3> high;
};

struct AreaBox {
    MeshBox box;
    std::uint8_t area;
};

/// Off-mesh connections as Detour takes them, one entry each.
struct ConnectionColumns {
    std::vector<float> ends;  ///< Six numbers each.
    std::vector<float> radius;
    std::vector<std::uint8_t> both_ways;
    std::vector<std::uint8_t> area;
};

/// Numbers of a bake in Recast's units: cells and metres.
struct TileRules {
    float cell = 0;
    float cell_height = 0;
    float slope_deg = 0;
    float agent_height = 0;
    float agent_radius = 0;
    float climb = 0;
    std::int32_t height_cells = 0;
    std::int32_t climb_cells = 0;
    std::int32_t radius_cells = 0;
    std::int32_t border_cells = 0;
    std::int32_t tile_cells = 0;
    std::int32_t polygons_max = 0;
    std::int32_t region_cells_min = 64;      ///< Smaller islands of ground are left out.
    std::int32_t region_cells_merged = 400;  ///< Smaller regions join a neighbour where they can.
};

/// One tile to be baked: its place, and what reaches into it or its border.
struct TileInput {
    std::int32_t x = 0;
    std::int32_t z = 0;
    MeshBox bounds;  ///< Without the border; its heights are the mesh's.
    std::span<const float> vertices;
    std::vector<int> corners;  ///< Three a triangle.
    std::vector<AreaBox> areas;
    std::vector<AreaBox> obstacles;
    ConnectionColumns connections;  ///< Detour keeps those that begin in the tile.
};

/// Bakes a tile. @return the blob of dtCreateNavMeshData, empty where there is nothing to stand on;
/// kOverCap for more polygons or vertices than a tile may have.
[[nodiscard]] Result<core::Bytes> bake_tile(const TileInput& input, const TileRules& rules);

}  // namespace maniple::terrain
