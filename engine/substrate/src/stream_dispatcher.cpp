#include "maniple/substrate/stream_dispatcher.h"

#include <utility>

#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

namespace maniple::substrate {

template <class Stream>
StreamDispatcher<Stream>::StreamDispatcher(Stream start, DispatchConfig config)
    : config_(config), history_(0, std::move(start)) {}

// implements: NET-001, NET-003, O-NET-08, O-NET-09
template <class Stream>
std::optional<Dispatch> StreamDispatcher<Stream>::dispatch(std::int32_t tick, Stream next) {
    std::optional<Dispatch> chosen = choose(next);
    note(tick, std::move(next), chosen);
    return chosen;
}

template <class Stream>
void StreamDispatcher<Stream>::note(std::int32_t tick, Stream next,
                                    const std::optional<Dispatch>& chosen) {
    if (!chosen) {
        ++figures_.skipped;
        return;
    }
    DispatchFigures::Sent& sent =
        chosen->kind == StreamKind::kFull ? figures_.full : figures_.delta;
    ++sent.count;
    sent.bytes += static_cast<std::int64_t>(chosen->payload.size());
    history_.push(tick, std::move(next));
}

// implements: NET-003, NET-004, NET-005, NET-006, O-NET-03
template <class Stream>
std::optional<Dispatch> StreamDispatcher<Stream>::choose(const Stream& next) const {
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

template class StreamDispatcher<CheckedStream>;
template class StreamDispatcher<NavMeshStream>;

}  // namespace maniple::substrate
