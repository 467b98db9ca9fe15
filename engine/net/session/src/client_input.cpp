#include <algorithm>
#include <utility>

#include "client_impl.h"

namespace maniple::net {
namespace {

/// Frames ahead of the executed tick; more than a server keeps for a joiner.
constexpr Tick kFramesAheadMax = 1100;
/// Packed bytes of payloads that wait for their tick.
constexpr std::size_t kPayloadBytesMax = std::size_t{1} << 30;
/// Of payloads that wait, however small.
constexpr std::size_t kPayloadsMax = 1U << 16;

}  // namespace

Result<void> LockstepClient::on_datagram(ByteSpan bytes, std::int64_t now_ms) {
    Impl& c = *impl_;
    const Result<FramesDatagram> frames = decode_frames(bytes);
    if (!frames) return refuse(frames.error());
    if (frames->epoch == c.epoch_ && frames->hashes_acked > c.executed_) {
        return refuse(ErrorCode::kBadValue, 2, "hashes acknowledged that were not sent");
    }
    for (const Slice& slice : frames->slices) {
        if (!c.assembler_.fits(slice)) {
            return refuse(ErrorCode::kBadValue, "a part of another record of the same tick");
        }
    }
    std::map<Tick, std::vector<FrameCommand>> whole;
    for (const Slice& slice : frames->slices) {
        const bool wanted = slice.tick > c.frames_ && !c.frame_commands_.contains(slice.tick) &&
                            slice.tick <= c.frames_ + kRecordsAheadMax &&
                            slice.tick <= c.executed_ + kFramesAheadMax;
        if (!wanted) continue;
        const std::optional<Bytes> record = c.assembler_.add(slice);
        if (!record) continue;
        auto commands = decode_frame(slice.tick, *record);
        if (!commands) return refuse(commands.error());
        whole.emplace(slice.tick, std::move(*commands));
    }
    c.report_due_ |= !frames->slices.empty();
    c.frame_commands_.merge(whole);
    while (c.frame_commands_.contains(c.frames_ + 1)) ++c.frames_;
    c.assembler_.drop_through(c.frames_);
    if (frames->epoch == c.epoch_) {
        for (; c.hashes_acked_ < frames->hashes_acked && !c.hashes_.empty(); ++c.hashes_acked_) {
            c.hashes_.pop_front();
        }
    }
    c.window_.acknowledge(std::min(frames->shares_acked, c.shares_made_), now_ms);
    c.shares_.erase(c.shares_.begin(), c.shares_.upper_bound(c.window_.acked()));
    return {};
}

Result<void> LockstepClient::on_stream(ByteSpan bytes) {
    Impl& c = *impl_;
    if (c.phase_ == ClientPhase::kClosed) return refuse(ErrorCode::kPeerLost, "closed");
    c.reader_.push(bytes);
    while (true) {
        Result<std::optional<StreamMessage>> message = c.reader_.next();
        if (message && !*message) return {};
        const Result<void> done =
            message ? c.on_message(std::move(**message)) : refuse(message.error());
        if (done) continue;
        c.close(done.error().code, done.error().message);
        return done;
    }
}

// implements: SNAP-039
Result<void> LockstepClient::Impl::on_message(StreamMessage message) {
    if (const auto* welcome = std::get_if<Welcome>(&message)) {
        if (phase_ != ClientPhase::kJoining) {
            return refuse(ErrorCode::kBadValue, "a second Welcome");
        }
        phase_ = welcome->wait_for_snapshot ? ClientPhase::kWaitingSnapshot : ClientPhase::kPlaying;
        if (phase_ == ClientPhase::kPlaying) make_shares();
    } else if (const auto* refusal = std::get_if<Refuse>(&message)) {
        close(refusal->code, refusal->reason);
    } else if (const auto* abort = std::get_if<Abort>(&message)) {
        close(ErrorCode::kCancelled, abort->reason);
    } else if (phase_ == ClientPhase::kJoining) {
        return refuse(ErrorCode::kNotReady, "a message before Welcome");
    } else if (auto* payload = std::get_if<Payload>(&message)) {
        return take_payload(std::move(*payload));
    } else if (auto* snapshot = std::get_if<Snapshot>(&message)) {
        phase_ = ClientPhase::kWaitingSnapshot;
        snapshot_epoch_ = snapshot->epoch;
        snapshot_gap_end_ = snapshot->gap_end;
        requests_.push_back(RestoreSnapshot{snapshot->tick, std::move(snapshot->bytes)});
    } else if (auto* tree = std::get_if<TreeRequest>(&message)) {
        phase_ = ClientPhase::kWaitingSnapshot;
        requests_.push_back(CompareTree{tree->tick, std::move(tree->tree)});
    } else if (const auto* final = std::get_if<Final>(&message)) {
        phase_ = ClientPhase::kFinished;
        requests_.push_back(MatchFinished{final->tick, final->hash});
    } else if (const auto* stream = std::get_if<FieldStream>(&message)) {
        take_stream(*stream);
    }
    return {};
}

Result<void> LockstepClient::Impl::take_payload(Payload payload) {
    const std::size_t size = payload.packed.size();
    const std::pair key(payload.tick, payload.key);
    if (payloads_.contains(key)) return {};
    if (payload_bytes_ + size > kPayloadBytesMax || payloads_.size() >= kPayloadsMax) {
        return refuse(ErrorCode::kOverCap, "too many payloads wait for their ticks");
    }
    payloads_.emplace(key, std::move(payload.packed));
    payload_bytes_ += size;
    return {};
}

}  // namespace maniple::net
