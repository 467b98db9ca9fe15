#include "navmesh_parts.h"

#include <cmath>
#include <limits>
#include <string>

#include "stream_parts.h"

namespace maniple::substrate::detail {

SubstrateHeader read_navmesh_head(core::ByteReader& reader, StreamKind kind,
                                  std::size_t& goal_count) {
    const SubstrateHeader header = read_header(reader, kind);
    refuse_mode(reader, header, StreamMode::kGrid);
    goal_count = read_goals(reader);
    return header;
}

// implements: SYNC-027, O-SYNC-23
void read_params_guard(core::ByteReader& reader) {
    const std::size_t at = reader.at();
    const std::int32_t size = reader.i32();
    if (size != static_cast<std::int32_t>(nav::kMeshParamsBytes)) {
        reader.fail(ErrorCode::kParamsMismatch, at,
                    "navmesh parameters of " + std::to_string(size) + " bytes, this build has " +
                        std::to_string(nav::kMeshParamsBytes));
    }
}

// implements: O-SYNC-26
void read_area_costs(core::ByteReader& reader) {
    for (std::size_t area = 0; area < kAreaCostCount; ++area) {
        const std::size_t at = reader.at();
        const float cost = reader.f32();
        if (!(cost >= 0 && cost <= std::numeric_limits<float>::max())) {
            reader.fail(ErrorCode::kBadValue, at,
                        "the cost of area " + std::to_string(area) + " is below 0 or no number");
        }
        if (!reader.ok()) return;
    }
}

AreaCosts load_area_costs(const std::uint8_t* in) {
    AreaCosts costs;
    for (std::size_t area = 0; area < kAreaCostCount; ++area) {
        costs[area] = core::load_le<float>(in + 4 * area);
    }
    return costs;
}

// implements: SYNC-014, SYNC-020, SYNC-027, SYNC-028, O-SYNC-09, O-SYNC-25, O-SYNC-28, O-SYNC-30
std::vector<nav::MeshTile> read_tiles(core::ByteReader& reader, std::int64_t count,
                                      std::int32_t slots_end, std::int32_t blob_bytes_min) {
    std::vector<nav::MeshTile> tiles;
    std::int32_t slot_before = -1;
    for (std::int64_t i = 0; i < count && reader.ok(); ++i) {
        const std::size_t at = reader.at();
        const std::int32_t slot = reader.i32();
        if (slot <= slot_before || slot >= slots_end) {
            reader.fail(ErrorCode::kBadValue, at,
                        "slot " + std::to_string(slot) + " after slot " +
                            std::to_string(slot_before) + ", slots end at " +
                            std::to_string(slots_end));
        }
        slot_before = slot;
        const std::size_t size_at = reader.at();
        const std::int32_t size = reader.i32();
        if (size < blob_bytes_min) {
            reader.fail(ErrorCode::kBadValue, size_at,
                        "a tile of " + std::to_string(size) + " bytes");
        } else if (size > kTileBytesMax) {
            reader.fail(ErrorCode::kOverCap, size_at,
                        "a tile of " + std::to_string(size) + " bytes, the limit is " +
                            std::to_string(kTileBytesMax));
        }
        if (!reader.ok()) break;
        tiles.push_back({slot, reader.bytes(static_cast<std::uint64_t>(size))});
    }
    if (reader.ok()) reader.expect_end();
    return tiles;
}

void write_tile(core::ByteWriter& writer, const nav::MeshTile& tile) {
    writer.i32(tile.slot);
    writer.i32(static_cast<std::int32_t>(tile.blob.size()));
    writer.bytes(tile.blob);
}

}  // namespace maniple::substrate::detail
