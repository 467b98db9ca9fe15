#include <algorithm>

#include "maniple/sim/world.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::sim {
namespace {

Result<substrate::CheckedStream> standing_after(
    const std::optional<substrate::CheckedStream>& standing, core::ByteSpan bytes) {
    if (substrate::peek_stream_kind(bytes) != substrate::StreamKind::kDelta) {
        return substrate::CheckedStream::check(core::Bytes(bytes.begin(), bytes.end()));
    }
    auto delta = substrate::DeltaView::check(bytes);
    if (!delta) return refuse(std::move(delta.error()));
    if (!standing) {
        return refuse(ErrorCode::kBaseMismatch, "a delta for a field that was never synced");
    }
    if (auto misfit = substrate::check_delta_fits(standing->view(), *delta)) {
        return refuse(std::move(*misfit));
    }
    substrate::CheckedStream next = *standing;
    substrate::apply_delta(next, *delta);
    return next;
}

}  // namespace

World::PlayedField* World::find_played(std::string_view name) {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const PlayedField& p) { return p.field->name() == name; });
    return found == fields_.end() ? nullptr : &*found;
}

nav::FlowField* World::find_field(std::string_view name) {
    PlayedField* played = find_played(name);
    return played == nullptr ? nullptr : played->field.get();
}

const nav::FlowField* World::find_field(std::string_view name) const {
    for (const PlayedField& played : fields_) {
        if (played.field->name() == name) return played.field.get();
    }
    return nullptr;
}

core::ByteSpan World::substrate_stream(std::string_view field_name) const {
    for (const PlayedField& played : fields_) {
        if (played.field->name() == field_name && played.stream) return played.stream->bytes();
    }
    return {};
}

// implements: SYNC-043, SYNC-044, SYNC-048, SYNC-050, SYNC-054, O-SYNC-15
Result<void> World::import_substrate(std::string_view field_name, core::ByteSpan stream) {
    PlayedField* played = find_played(field_name);
    if (played == nullptr) {
        return refuse(ErrorCode::kUnknownName,
                      "no field is named '" + std::string(field_name) + "'");
    }
    auto next = standing_after(played->stream, stream);
    if (!next) return refuse(std::move(next.error()));
    if (next->view().goal_count() >= nav::FieldSolution::kNoGoal) {
        return refuse(ErrorCode::kOverCap, "more goals than a field can label");
    }
    const bool redelivered = played->stream && played->stream->version() == next->version();
    if (!redelivered) played->field->set_substrate(substrate::read_grid_stream(next->view()));
    played->field->mark_synced(next->version());
    played->stream = std::move(*next);
    return {};
}

}  // namespace maniple::sim
