#include <utility>

#include "maniple/core/assert.h"

#include "client_impl.h"

/// A client whose field was refused its substrate stands still and asks for the full stream.
namespace maniple::net {

// implements: NET-009, NET-011, NET-021, O-NET-04
void LockstepClient::substrate_refused(Tick tick, std::string field) {
    Impl& c = *impl_;
    MANIPLE_ASSERT(c.phase_ == ClientPhase::kPlaying);
    MANIPLE_ASSERT(tick == c.given_);
    MANIPLE_ASSERT(tick == c.executed_ + 1);
    c.phase_ = ClientPhase::kWaitingStream;
    c.stream_wait_ = {std::move(field), 0, 0};
}

void LockstepClient::repaired() {
    Impl& c = *impl_;
    if (c.phase_ != ClientPhase::kWaitingStream) return;
    c.phase_ = ClientPhase::kPlaying;
    c.given_ = c.executed_;
}

// implements: O-NET-04
void LockstepClient::Impl::ask_for_stream(std::int64_t now_ms) {
    StreamWait& wait = stream_wait_;
    if (wait.tries > 0 && now_ms - wait.asked_ms < kStreamRepeatMs) return;
    if (wait.tries == kStreamTriesMax) return ask_for_snapshot();
    ++wait.tries;
    wait.asked_ms = now_ms;
    encode_message(StreamRequest{executed_ + 1, wait.field}, outgoing_);
}

/// An answer that nobody waits for any more says nothing; one that does not unpack is a try lost.
void LockstepClient::Impl::take_stream(const FieldStream& stream) {
    if (phase_ != ClientPhase::kWaitingStream || stream.tick != executed_ + 1 ||
        stream.field != stream_wait_.field) {
        return;
    }
    if (stream.raw_bytes == 0) return ask_for_snapshot();
    Result<Bytes> raw = config_.unpack(stream.packed, stream.raw_bytes);
    if (raw) requests_.push_back(ImportStream{stream.tick, stream.field, std::move(*raw)});
}

void LockstepClient::Impl::ask_for_snapshot() {
    phase_ = ClientPhase::kWaitingSnapshot;
    encode_message(SnapshotRequest{}, outgoing_);
}

}  // namespace maniple::net
