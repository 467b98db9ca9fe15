#include "maniple/substrate/navmesh_delta.h"

#include <algorithm>
#include <string>

#include "maniple/core/hash.h"

#include "navmesh_parts.h"
#include "stream_parts.h"

namespace maniple::substrate {
namespace {

/// Calls visit(slot, base blob, next blob) for the union of two ascending lists of tiles, slots
/// ascending; the blob of a missing tile is empty.
template <typename Visit>
void for_slots(std::span<const nav::MeshTile> base, std::span<const nav::MeshTile> next,
               Visit&& visit) {
    auto b = base.begin();
    auto n = next.begin();
    while (b != base.end() || n != next.end()) {
        if (n == next.end() || (b != base.end() && b->slot < n->slot)) {
            visit(b->slot, b->blob, core::ByteSpan());
            ++b;
        } else if (b == base.end() || n->slot < b->slot) {
            visit(n->slot, core::ByteSpan(), n->blob);
            ++n;
        } else {
            visit(n->slot, b->blob, n->blob);
            ++b;
            ++n;
        }
    }
}

// implements: SYNC-034
std::vector<nav::MeshTile> find_changed_tiles(const NavMeshView& base, const NavMeshView& next) {
    std::vector<nav::MeshTile> changed;
    for_slots(base.tiles(), next.tiles(),
              [&](std::int32_t slot, core::ByteSpan before, core::ByteSpan after) {
                  if (!detail::equal_bytes(before, after)) changed.push_back({slot, after});
              });
    return changed;
}

std::optional<Error> difference_in_kind(const NavMeshView& base, const NavMeshView& next) {
    if (base.identity() != next.identity()) return detail::identity_drift();
    if (!detail::equal_bytes(base.params_bytes(), next.params_bytes())) {
        return Error{ErrorCode::kParamsMismatch, next.params_offset() + 4,
                     "the navmesh parameters differ from the base"};
    }
    return std::nullopt;
}

// implements: SYNC-027, SYNC-028
core::Bytes write_delta(const NavMeshView& base, const NavMeshView& next,
                        std::span<const nav::MeshTile> changed) {
    core::Bytes bytes;
    core::ByteWriter writer(bytes);
    detail::write_delta_head(writer, next.bytes(), next.header(), base.version(),
                             next.goal_count());
    writer.i32(static_cast<std::int32_t>(nav::kMeshParamsBytes));
    writer.bytes(next.area_cost_bytes());
    writer.u32(static_cast<std::uint32_t>(changed.size()));
    for (const nav::MeshTile& tile : changed) detail::write_tile(writer, tile);
    return bytes;
}

/// The delta's own tiles against the parameters of the mesh that they come into.
std::optional<Error> check_new_tiles(const nav::MeshParams& params, const NavMeshDeltaView& delta) {
    for (const nav::MeshTile& tile : delta.changed_tiles()) {
        if (tile.slot >= params.tiles_max) {
            return Error{ErrorCode::kBadValue, delta.offset_of(tile) - kTileHeadBytes,
                         "slot " + std::to_string(tile.slot) + " of a mesh of " +
                             std::to_string(params.tiles_max)};
        }
        if (tile.blob.empty()) continue;
        const Result<nav::TileSummary> summary = nav::check_tile(tile.blob, params);
        if (!summary) {
            return Error{summary.error().code, delta.offset_of(tile) + summary.error().at_byte,
                         "slot " + std::to_string(tile.slot) + ": " + summary.error().message};
        }
    }
    return std::nullopt;
}

}  // namespace

// implements: SYNC-027, O-SYNC-25, O-SYNC-30
Result<NavMeshDeltaView> NavMeshDeltaView::check(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    NavMeshDeltaView view;
    view.bytes_ = bytes;
    view.header_ = detail::read_navmesh_head(reader, StreamKind::kDelta, view.goal_count_);
    detail::read_params_guard(reader);
    detail::read_area_costs(reader);
    const std::size_t count_at = reader.at();
    const std::uint32_t count = reader.u32();
    if (count > static_cast<std::uint32_t>(nav::kMeshTilesMax)) {
        reader.fail(ErrorCode::kOverCap, count_at,
                    std::to_string(count) + " changed tiles declared, the limit is " +
                        std::to_string(nav::kMeshTilesMax));
    }
    view.tiles_ = detail::read_tiles(reader, count, nav::kMeshTilesMax, 0);
    if (!reader.ok()) return refuse(reader.error());
    return view;
}

std::vector<GoalCm> NavMeshDeltaView::goals() const {
    return detail::load_goals(bytes_.data() + kDeltaGoalCountOffset + 4, goal_count_);
}

AreaCosts NavMeshDeltaView::area_costs() const {
    return detail::load_area_costs(bytes_.data() + params_offset() + 4);
}

// implements: SYNC-030, SYNC-032, SYNC-034, SYNC-035, SYNC-037, SYNC-038, O-SYNC-05
Result<DeltaBuild> build_substrate_delta(const NavMeshView& base, const NavMeshView& next) {
    if (const std::optional<Error> error = difference_in_kind(base, next)) return refuse(*error);
    const std::vector<nav::MeshTile> changed = find_changed_tiles(base, next);
    DeltaBuild build;
    build.changed_tiles = changed.size();
    build.goals_changed = base.goals() != next.goals();
    build.costs_changed = !detail::equal_bytes(base.area_cost_bytes(), next.area_cost_bytes());
    build.any_change = build.changed_tiles != 0 || build.goals_changed || build.costs_changed;
    if (build.any_change) build.bytes = write_delta(base, next, changed);
    return build;
}

// implements: SYNC-051, SYNC-053, O-SYNC-14, O-SYNC-15, O-SYNC-18, O-SYNC-27
Result<NavMeshStream> apply_delta(const NavMeshView& standing, const NavMeshDeltaView& delta) {
    if (auto error = detail::check_base(delta.header(), standing.version(), standing.identity())) {
        return refuse(*error);
    }
    if (auto error = check_new_tiles(standing.params(), delta)) return refuse(*error);

    // Which tile a slot holds is decided for all slots at once: a tile that moves from one slot to
    // another meets no trace of itself.
    std::vector<nav::MeshTile> tiles;
    auto changed = delta.changed_tiles().begin();
    for_slots(standing.tiles(), delta.changed_tiles(),
              [&](std::int32_t slot, core::ByteSpan before, core::ByteSpan after) {
                  const bool is_changed =
                      changed != delta.changed_tiles().end() && changed->slot == slot;
                  if (is_changed) ++changed;
                  const core::ByteSpan blob = is_changed ? after : before;
                  if (!blob.empty()) tiles.push_back({slot, blob});
              });
    const std::vector<GoalCm> goals = delta.goals();
    const AreaCosts costs = delta.area_costs();
    Result<NavMeshStream> next =
        NavMeshStream::write({standing.identity(), goals, standing.params(), costs, tiles});
    if (!next) {
        // Every tile is sound by itself, so two of them conflict.
        return refuse(next.error().code, delta.tile_count_offset(), next.error().message);
    }
    if (next->version() != delta.header().content_hash) {
        return refuse(detail::bad_new_hash(delta.header(), next->version()));
    }
    return next;
}

}  // namespace maniple::substrate
