#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

/// Navmesh tiles as Detour bakes them (navmesh version 7, 32-bit polygon references, 32-bit
/// floats, little-endian), read from untrusted bytes. Detour's own loader checks nothing: what
/// passes here, and only that, may be handed to it.
namespace maniple::nav {

inline constexpr std::size_t kMeshParamsBytes = 28;
inline constexpr std::int32_t kMeshTilesMax = 65'536;
inline constexpr std::int32_t kTilePolygonsMax = 65'536;
/// Tiles over each other at one (x, y): Detour's neighbour lists end there.
inline constexpr std::size_t kTileLayersMax = 32;
/// Bits of a polygon reference left for the salt.
inline constexpr int kSaltBitsMin = 10;
/// Least edge of a tile, metres: a query box spans a bounded number of them.
inline constexpr float kTileSizeMin = 1.0F / 64.0F;
/// Largest magnitude of any coordinate, radius or size.
inline constexpr float kMeshValueMax = 1e7F;

inline constexpr std::size_t kMeshAreaCount = 64;
/// What crossing a metre of each area costs, by area id; finite or FLT_MAX, at least 0. Area 0 is
/// the null area: its polygons are blocked whatever it costs (O-NAVM-11).
using AreaCosts = std::array<float, kMeshAreaCount>;

/// dtNavMeshParams.
struct MeshParams {
    std::array<float, 3> origin{};  ///< Recast coordinates, Y up.
    float tile_width = 1;           ///< Along X.
    float tile_height = 1;          ///< Along Z.
    std::int32_t tiles_max = 1;     ///< Slots are below it.
    std::int32_t polygons_max = 1;  ///< In one tile.
};

/// The parameters at `in`, kMeshParamsBytes long, unchecked.
[[nodiscard]] MeshParams load_mesh_params(const std::uint8_t* in);
void store_mesh_params(std::uint8_t* out, const MeshParams& params);

/// Bits that a polygon reference has for the salt: 32 less those of tile and polygon, at most 31.
[[nodiscard]] int salt_bits(const MeshParams& params);

/// @return nothing for parameters that Detour can be initialised with, else kBadValue with the byte
/// inside the 28.
[[nodiscard]] std::optional<Error> check_mesh_params(const MeshParams& params);

/// A tile blob and the slot it belongs to; the bytes are somebody else's.
struct MeshTile {
    std::int32_t slot = 0;
    core::ByteSpan blob;
};

/// Where a tile lies in the mesh, and how many polygons it has.
struct TileSummary {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t layer = 0;
    std::int32_t polygon_count = 0;
};

/// Checks a tile blob on its own (docs/formats/substrate.md §2.5, O-SYNC-24): header, section
/// sizes, every index, polygon edge and BV node. Nothing is allocated.
/// @return summary, or kBadTile with the byte in the blob.
[[nodiscard]] Result<TileSummary> check_tile(core::ByteSpan blob, const MeshParams& params);

/// A tile that cannot stand beside the others.
struct TileConflict {
    std::size_t tile_index = 0;
    std::string message;
};
/// Checks the tiles of one mesh against each other: one tile at each (x, y, layer), at most
/// kTileLayersMax at each (x, y). @return the conflict of the lowest index.
[[nodiscard]] std::optional<TileConflict> find_tile_conflict(std::span<const TileSummary> tiles);

}  // namespace maniple::nav
