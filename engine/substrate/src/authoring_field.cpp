#include "maniple/substrate/authoring_field.h"

#include <utility>

#include "maniple/core/assert.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::substrate {

// implements: O-NET-01
AuthoringField::AuthoringField(std::string name, nav::FieldConfig config, CheckedStream start,
                               DispatchConfig dispatch)
    : field_(std::move(name), config), config_(dispatch), history_(0, std::move(start)) {
    field_.set_substrate(read_grid_stream(history_.newest().view()));
}

// implements: NET-001, NET-003, O-NET-08, O-NET-09
std::optional<Dispatch> AuthoringField::rebuild(std::int32_t tick) {
    Result<CheckedStream> next = export_substrate(field_);
    MANIPLE_ASSERT(next.has_value());
    std::optional<Dispatch> dispatch = choose(*next);
    if (!dispatch) {
        ++figures_.skipped;
        return dispatch;
    }
    DispatchFigures::Sent& sent =
        dispatch->kind == StreamKind::kFull ? figures_.full : figures_.delta;
    ++sent.count;
    sent.bytes += static_cast<std::int64_t>(dispatch->payload.size());
    history_.push(tick, std::move(*next));
    return dispatch;
}

// implements: NET-003, NET-004, NET-005, NET-006, O-NET-03
std::optional<Dispatch> AuthoringField::choose(const CheckedStream& next) const {
    const auto whole = [&] {
        return Dispatch{StreamKind::kFull, next.version(),
                        core::Bytes(next.bytes().begin(), next.bytes().end())};
    };
    if (config_.mode == DispatchMode::kFull) return whole();
    Result<DeltaBuild> delta = build_substrate_delta(history_.newest().view(), next.view());
    if (!delta) return whole();
    if (!delta->any_change) return std::nullopt;
    const double limit = config_.delta_share_max * static_cast<double>(next.bytes().size());
    const bool small = static_cast<double>(delta->bytes.size()) < limit;
    if (config_.mode == DispatchMode::kAuto && !small) return whole();
    return Dispatch{StreamKind::kDelta, next.version(), std::move(delta->bytes)};
}

}  // namespace maniple::substrate
