#include "maniple/substrate/grid_import.h"

#include <optional>
#include <string>

#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/grid_records.h"

#include "delta_fit.h"
#include "grid_columns.h"

namespace maniple::substrate {
namespace {

// implements: SYNC-048, O-SYNC-08, O-SYNC-16
bool has_version(const nav::FlowField& field, std::uint32_t version) {
    return field.synced() && field.substrate_version() == version;
}

detail::StandingHead head_of(const nav::FlowField& field) {
    const nav::GridSubstrate& ground = field.substrate();
    return {field.substrate_version(), detail::identity_of(ground.geometry),
            detail::shape_of(ground.geometry), detail::goals_of(ground)};
}

std::optional<Error> check_goal_count(std::size_t count, std::size_t at_byte) {
    if (count <= kImportGoalsMax) return std::nullopt;
    return Error{ErrorCode::kOverCap, at_byte,
                 std::to_string(count) + " goals, a field tells " +
                     std::to_string(kImportGoalsMax) + " apart"};
}

/// The field's ground with the delta's cells and goals.
nav::GridSubstrate patched_ground(const nav::FlowField& field, const DeltaView& delta) {
    nav::GridSubstrate ground = field.substrate();
    const GridColumns columns = detail::columns_of(ground);
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        unpack_record(delta.cell_record(i), columns, delta.cell_index(i));
    }
    detail::set_goals(ground, delta.goals());
    return ground;
}

}  // namespace

// implements: SYNC-005
Result<ImportReport> import_substrate(nav::FlowField& field, core::ByteSpan bytes) {
    if (peek_stream_kind(bytes) == StreamKind::kDelta) return import_delta_substrate(field, bytes);
    return import_full_substrate(field, bytes);
}

// implements: SYNC-043, SYNC-044, O-SYNC-15
Result<ImportReport> import_full_substrate(nav::FlowField& field, core::ByteSpan bytes) {
    const Result<CheckedView> stream = CheckedView::check(bytes);
    if (!stream) return refuse(stream.error());
    return import_full_substrate(field, *stream);
}

// implements: SYNC-047, SYNC-050, SYNC-056, SYNC-059
Result<ImportReport> import_full_substrate(nav::FlowField& field, const CheckedView& stream) {
    const std::uint32_t version = stream.version();
    if (has_version(field, version)) return ImportReport{StreamKind::kFull, version, false, 0};
    if (const auto error = check_goal_count(stream.goal_count(), kFullGoalCountOffset)) {
        return refuse(*error);
    }
    field.set_substrate(read_grid_stream(stream));
    field.mark_synced(version);
    return ImportReport{StreamKind::kFull, version, true, 0};
}

// implements: SYNC-051, SYNC-052, SYNC-054, SYNC-055, O-SYNC-15
Result<ImportReport> import_delta_substrate(nav::FlowField& field, core::ByteSpan bytes) {
    const Result<DeltaView> delta = DeltaView::check(bytes);
    if (!delta) return refuse(delta.error());
    const std::uint32_t version = delta->header().content_hash;
    if (!field.synced()) {
        return refuse(ErrorCode::kNotReady,
                      "field " + field.name() + " never had a full stream; a delta needs one");
    }
    if (has_version(field, version)) return ImportReport{StreamKind::kDelta, version, false, 0};

    if (const auto error = check_goal_count(delta->goal_count(), kDeltaGoalCountOffset)) {
        return refuse(*error);
    }

    const ConstGridColumns columns = detail::columns_of(field.substrate());
    const auto old_record = [&](std::uint32_t cell) {
        detail::Record record;
        pack_records(columns.cell(cell), record.data());
        return record;
    };
    if (const std::optional<Error> error = detail::check_fit(head_of(field), *delta, old_record)) {
        return refuse(*error);
    }
    field.set_substrate(patched_ground(field, *delta));
    field.mark_synced(version);
    return ImportReport{StreamKind::kDelta, version, true, delta->changed_cells()};
}

}  // namespace maniple::substrate
