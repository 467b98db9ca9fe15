#include "maniple/substrate/stream_history.h"

#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/substrate/delta.h"

namespace maniple::substrate {
namespace {

/// What turns `from` into `to`: a delta, the full stream, or nothing where they are equal.
core::Bytes way_between(const CheckedStream& from, const CheckedStream& to) {
    Result<DeltaBuild> delta = build_substrate_delta(from.view(), to.view());
    if (delta) return std::move(delta->bytes);
    return {to.bytes().begin(), to.bytes().end()};
}

void take_way(CheckedStream& stream, const core::Bytes& way) {
    if (way.empty()) return;
    if (peek_stream_kind(way) == StreamKind::kFull) {
        Result<CheckedStream> whole = CheckedStream::check(way);
        MANIPLE_ASSERT(whole.has_value());
        stream = std::move(*whole);
        return;
    }
    const Result<DeltaView> delta = DeltaView::check(way);
    MANIPLE_ASSERT(delta.has_value());
    apply_delta(stream, *delta);
}

}  // namespace

StreamHistory::StreamHistory(std::int32_t tick, CheckedStream stream)
    : newest_tick_(tick), newest_(std::move(stream)) {}

// implements: NET-002, O-SNAP-10, O-NET-09
void StreamHistory::push(std::int32_t tick, CheckedStream next) {
    MANIPLE_ASSERT(tick >= newest_tick_);
    older_.push_back({newest_tick_, way_between(next, newest_)});
    newest_tick_ = tick;
    newest_ = std::move(next);
    if (version_count() > kHistoryVersionsMax) older_.pop_front();
}

Result<CheckedStream> StreamHistory::at(std::int32_t tick) const {
    const std::int32_t oldest = older_.empty() ? newest_tick_ : older_.front().tick;
    if (tick < oldest) {
        return refuse(ErrorCode::kNotFound, "the substrate of tick " + std::to_string(tick) +
                                                " is forgotten, the oldest is of tick " +
                                                std::to_string(oldest));
    }
    CheckedStream stream = newest_;
    std::int32_t since = newest_tick_;
    for (auto older = older_.rbegin(); since > tick; ++older) {
        take_way(stream, older->way_back);
        since = older->tick;
    }
    return stream;
}

void StreamHistory::forget_before(std::int32_t tick) {
    while (!older_.empty()) {
        const std::int32_t next_tick = older_.size() == 1 ? newest_tick_ : older_[1].tick;
        if (next_tick > tick) return;
        older_.pop_front();
    }
}

}  // namespace maniple::substrate
