#include "maniple/substrate/navmesh_stream.h"

#include <algorithm>
#include <string>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "navmesh_parts.h"
#include "stream_parts.h"

namespace maniple::substrate {
namespace {

nav::MeshParams read_params(core::ByteReader& reader) {
    detail::read_params_guard(reader);
    const std::size_t at = reader.at();
    const core::ByteSpan bytes = reader.bytes(nav::kMeshParamsBytes);
    if (!reader.ok()) return {};
    const nav::MeshParams params = nav::load_mesh_params(bytes.data());
    if (std::optional<Error> error = nav::check_mesh_params(params)) {
        reader.fail(error->code, at + error->at_byte, std::move(error->message));
    }
    return params;
}

std::int32_t read_tile_count(core::ByteReader& reader, const nav::MeshParams& params) {
    const std::size_t at = reader.at();
    const std::int32_t count = reader.i32();
    if (count < 0) {
        reader.fail(ErrorCode::kBadValue, at, std::to_string(count) + " tiles declared");
    } else if (count > params.tiles_max) {
        reader.fail(ErrorCode::kOverCap, at,
                    std::to_string(count) + " tiles declared, the limit is " +
                        std::to_string(params.tiles_max));
    }
    return count;
}

/// Every tile by itself, then all of them beside each other.
Result<std::size_t> check_tiles(const nav::MeshParams& params, std::span<const nav::MeshTile> tiles,
                                core::ByteSpan stream) {
    const auto offset_of = [&](const nav::MeshTile& tile) {
        return static_cast<std::size_t>(tile.blob.data() - stream.data());
    };
    std::vector<nav::TileSummary> summaries;
    summaries.reserve(tiles.size());
    std::size_t polygons = 0;
    for (const nav::MeshTile& tile : tiles) {
        const Result<nav::TileSummary> summary = nav::check_tile(tile.blob, params);
        if (!summary) {
            return refuse(summary.error().code, offset_of(tile) + summary.error().at_byte,
                          "slot " + std::to_string(tile.slot) + ": " + summary.error().message);
        }
        summaries.push_back(*summary);
        polygons += static_cast<std::size_t>(summary->polygon_count);
    }
    if (const auto conflict = nav::find_tile_conflict(summaries)) {
        const nav::MeshTile& tile = tiles[conflict->tile_index];
        return refuse(ErrorCode::kBadTile, offset_of(tile),
                      "slot " + std::to_string(tile.slot) + ": " + conflict->message);
    }
    return polygons;
}

}  // namespace

// implements: SYNC-020, SYNC-044, O-SYNC-07, O-SYNC-24
Result<NavMeshView> NavMeshView::check(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    NavMeshView view;
    view.bytes_ = bytes;
    view.header_ = detail::read_navmesh_head(reader, StreamKind::kFull, view.goal_count_);
    view.params_ = read_params(reader);
    detail::read_area_costs(reader);
    const std::int32_t count = read_tile_count(reader, view.params_);
    view.tiles_ = detail::read_tiles(reader, count, view.params_.tiles_max, 1);
    if (!reader.ok()) return refuse(reader.error());
    if (auto error = detail::check_content_hash(bytes, view.header_)) return refuse(*error);
    const Result<std::size_t> polygons = check_tiles(view.params_, view.tiles_, bytes);
    if (!polygons) return refuse(polygons.error());
    view.polygon_count_ = *polygons;
    return view;
}

std::vector<GoalCm> NavMeshView::goals() const {
    return detail::load_goals(bytes_.data() + kFullGoalCountOffset + 4, goal_count_);
}

AreaCosts NavMeshView::area_costs() const {
    return detail::load_area_costs(area_cost_bytes().data());
}

Result<NavMeshStream> NavMeshStream::check(core::Bytes bytes) {
    Result<NavMeshView> view = NavMeshView::check(bytes);
    if (!view) return refuse(std::move(view.error()));
    return NavMeshStream(std::move(bytes), std::move(*view));
}

// implements: SYNC-020, SYNC-021, SYNC-022, O-SYNC-12
Result<NavMeshStream> NavMeshStream::write(const NavMeshContent& content) {
    MANIPLE_ASSERT(content.goals.size() <= static_cast<std::size_t>(kGoalsMax));
    std::size_t size = kFullGoalCountOffset + 4 + kGoalBytes * content.goals.size() + 4 +
                       nav::kMeshParamsBytes + kAreaCostBytes + 4;
    for (const nav::MeshTile& tile : content.tiles) size += kTileHeadBytes + tile.blob.size();
    core::Bytes bytes;
    bytes.reserve(size);
    core::ByteWriter writer(bytes);
    writer.u32(kFullMagic);
    writer.u32(kFullVersion);
    writer.u8(static_cast<std::uint8_t>(StreamMode::kNavMesh));
    writer.u32(0);  // The content hash, known when the rest is written.
    detail::write_identity_and_goals(writer, content.identity, content.goals);
    writer.i32(static_cast<std::int32_t>(nav::kMeshParamsBytes));
    bytes.resize(bytes.size() + nav::kMeshParamsBytes);
    nav::store_mesh_params(bytes.data() + bytes.size() - nav::kMeshParamsBytes, content.params);
    for (const float cost : content.area_costs) writer.f32(cost);
    writer.i32(static_cast<std::int32_t>(content.tiles.size()));
    for (const nav::MeshTile& tile : content.tiles) detail::write_tile(writer, tile);
    core::store_le(bytes.data() + kHashOffset, content_hash(bytes));
    return check(std::move(bytes));
}

}  // namespace maniple::substrate
