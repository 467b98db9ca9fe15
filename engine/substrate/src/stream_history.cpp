#include "maniple/substrate/stream_history.h"

#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

namespace maniple::substrate {
namespace {

/// What turns `from` into `to`: a delta, the full stream, or nothing where they are equal.
template <class Stream>
core::Bytes way_between(const Stream& from, const Stream& to) {
    Result<DeltaBuild> delta = build_substrate_delta(from.view(), to.view());
    if (delta) return std::move(delta->bytes);
    return {to.bytes().begin(), to.bytes().end()};
}

void take_delta(CheckedStream& stream, const core::Bytes& bytes) {
    const Result<DeltaView> delta = DeltaView::check(bytes);
    MANIPLE_ASSERT(delta.has_value());
    apply_delta(stream, *delta);
}
void take_delta(NavMeshStream& stream, const core::Bytes& bytes) {
    const Result<NavMeshDeltaView> delta = NavMeshDeltaView::check(bytes);
    MANIPLE_ASSERT(delta.has_value());
    Result<NavMeshStream> applied = apply_delta(stream.view(), *delta);
    MANIPLE_ASSERT(applied.has_value());
    stream = std::move(*applied);
}

template <class Stream>
Stream read_verified(core::ByteSpan bytes) {
    Result<Stream> whole = Stream::check({bytes.begin(), bytes.end()});
    MANIPLE_ASSERT(whole.has_value());
    return std::move(*whole);
}

CheckedStream copy_of(const CheckedStream& stream) { return stream; }
NavMeshStream copy_of(const NavMeshStream& stream) {
    return read_verified<NavMeshStream>(stream.bytes());
}

template <class Stream>
void take_way(Stream& stream, const core::Bytes& way) {
    if (way.empty()) return;
    if (peek_stream_kind(way) == StreamKind::kFull) {
        stream = read_verified<Stream>(way);
    } else {
        take_delta(stream, way);
    }
}

}  // namespace

template <class Stream>
BasicStreamHistory<Stream>::BasicStreamHistory(std::int32_t tick, Stream stream)
    : newest_tick_(tick), newest_(std::move(stream)) {}

// implements: NET-002, O-SNAP-10, O-NET-09
template <class Stream>
void BasicStreamHistory<Stream>::push(std::int32_t tick, Stream next) {
    MANIPLE_ASSERT(tick >= newest_tick_);
    older_.push_back({newest_tick_, way_between(next, newest_)});
    newest_tick_ = tick;
    newest_ = std::move(next);
    if (version_count() > kHistoryVersionsMax) older_.pop_front();
}

template <class Stream>
Result<Stream> BasicStreamHistory<Stream>::at(std::int32_t tick) const {
    const std::int32_t oldest = older_.empty() ? newest_tick_ : older_.front().tick;
    if (tick < oldest) {
        return refuse(ErrorCode::kNotFound, "the substrate of tick " + std::to_string(tick) +
                                                " is forgotten, the oldest is of tick " +
                                                std::to_string(oldest));
    }
    Stream stream = copy_of(newest_);
    std::int32_t since = newest_tick_;
    for (auto older = older_.rbegin(); since > tick; ++older) {
        take_way(stream, older->way_back);
        since = older->tick;
    }
    return stream;
}

template <class Stream>
void BasicStreamHistory<Stream>::forget_before(std::int32_t tick) {
    while (!older_.empty()) {
        const std::int32_t next_tick = older_.size() == 1 ? newest_tick_ : older_[1].tick;
        if (next_tick > tick) return;
        older_.pop_front();
    }
}

template class BasicStreamHistory<CheckedStream>;
template class BasicStreamHistory<NavMeshStream>;

}  // namespace maniple::substrate
