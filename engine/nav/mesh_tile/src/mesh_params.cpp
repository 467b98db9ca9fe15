#include <algorithm>
#include <bit>
#include <cmath>

#include "maniple/nav/mesh_tile.h"

namespace maniple::nav {
namespace {

constexpr std::size_t kSizeOffset = 12;
constexpr std::size_t kTilesMaxOffset = 20;
constexpr std::size_t kPolygonsMaxOffset = 24;

/// Bits that number `count` things.
int bits_for(std::int32_t count) {
    return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(count) - 1));
}

Error bad(std::size_t at, std::string message) {
    return {ErrorCode::kBadValue, at, std::move(message)};
}

}  // namespace

MeshParams load_mesh_params(const std::uint8_t* in) {
    MeshParams params;
    for (std::size_t i = 0; i < 3; ++i) params.origin[i] = core::load_le<float>(in + 4 * i);
    params.tile_width = core::load_le<float>(in + kSizeOffset);
    params.tile_height = core::load_le<float>(in + kSizeOffset + 4);
    params.tiles_max = core::load_le<std::int32_t>(in + kTilesMaxOffset);
    params.polygons_max = core::load_le<std::int32_t>(in + kPolygonsMaxOffset);
    return params;
}

void store_mesh_params(std::uint8_t* out, const MeshParams& params) {
    for (std::size_t i = 0; i < 3; ++i) core::store_le(out + 4 * i, params.origin[i]);
    core::store_le(out + kSizeOffset, params.tile_width);
    core::store_le(out + kSizeOffset + 4, params.tile_height);
    core::store_le(out + kTilesMaxOffset, params.tiles_max);
    core::store_le(out + kPolygonsMaxOffset, params.polygons_max);
}

int salt_bits(const MeshParams& params) {
    return std::min(31, 32 - bits_for(params.tiles_max) - bits_for(params.polygons_max));
}

// implements: O-SYNC-23, O-SYNC-24
std::optional<Error> check_mesh_params(const MeshParams& params) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(std::abs(params.origin[i]) <= kMeshValueMax)) {
            return bad(4 * i, "the mesh's origin is not finite, or over 1e7");
        }
    }
    const float sizes[] = {params.tile_width, params.tile_height};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!(sizes[i] >= kTileSizeMin && sizes[i] <= kMeshValueMax)) {
            return bad(kSizeOffset + 4 * i, "the tile size lies outside 1/64 to 1e7");
        }
    }
    if (params.tiles_max < 1 || params.tiles_max > kMeshTilesMax) {
        return bad(kTilesMaxOffset, std::to_string(params.tiles_max) +
                                        " tiles at most, expected 1 to " +
                                        std::to_string(kMeshTilesMax));
    }
    if (params.polygons_max < 1 || params.polygons_max > kTilePolygonsMax) {
        return bad(kPolygonsMaxOffset, std::to_string(params.polygons_max) +
                                           " polygons at most, expected 1 to " +
                                           std::to_string(kTilePolygonsMax));
    }
    if (salt_bits(params) < kSaltBitsMin) {
        return bad(kTilesMaxOffset, "tiles and polygons leave " +
                                        std::to_string(salt_bits(params)) +
                                        " bits of a reference for the salt, at least " +
                                        std::to_string(kSaltBitsMin) + " are needed");
    }
    return std::nullopt;
}

}  // namespace maniple::nav
