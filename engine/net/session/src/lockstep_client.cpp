#include "maniple/net/lockstep_client.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "records.h"

namespace maniple::net {
namespace {

/// Frames and payloads kept behind the executed tick: a repair may start a little behind it.
constexpr Tick kTicksKeptBehind = 64;
/// Frames ahead of the executed tick; more than a server keeps for a joiner.
constexpr Tick kFramesAheadMax = 1100;
/// Hashes the server has not acknowledged; a client stops executing above it.
constexpr std::size_t kHashesOpenMax = 1024;
/// Packed bytes of payloads that wait for their tick.
constexpr std::size_t kPayloadBytesMax = std::size_t{1} << 30;
/// A report goes out this often even when it says nothing new.
constexpr std::int64_t kReportMs = 20;

}  // namespace

class LockstepClient::Impl {
  public:
    explicit Impl(ClientConfig config) : config_(std::move(config)) {}

    [[nodiscard]] Result<void> on_message(StreamMessage message);
    [[nodiscard]] Result<void> take_payload(Payload payload);
    [[nodiscard]] Result<void> fill_payload(Tick tick, const PayloadRef& ref, Bytes& out) const;
    [[nodiscard]] bool payloads_here(Tick tick) const;
    void make_shares();
    void forget_old();
    void close(ErrorCode code, const std::string& reason) {
        phase_ = ClientPhase::kClosed;
        requests_.push_back(MatchClosed{code, reason});
    }

    ClientConfig config_;
    ClientPhase phase_ = ClientPhase::kJoining;
    StreamReader reader_{StreamReceiver::kClient};
    Bytes outgoing_;
    std::vector<ClientRequest> requests_;
    std::uint8_t epoch_ = 0;
    std::uint8_t snapshot_epoch_ = 0;  ///< Of the snapshot that is being restored.
    Tick executed_ = 0;
    Tick given_ = 0;  ///< The last tick next_frame() gave out.
    Tick frames_ = 0;
    std::map<Tick, std::vector<FrameCommand>> frame_commands_;
    RecordAssembler assembler_;
    std::map<std::pair<Tick, std::uint64_t>, Bytes> payloads_;  ///< Packed, by tick and key.
    std::size_t payload_bytes_ = 0;
    std::deque<std::uint64_t> hashes_;  ///< Not acknowledged, from hashes_acked_ + 1 on.
    Tick hashes_acked_ = 0;
    std::map<Tick, Bytes> shares_;  ///< Records not acknowledged.
    Tick shares_made_ = 0;
    SendWindow window_;
    bool report_due_ = true;
    std::int64_t reported_ms_ = 0;
};

LockstepClient::LockstepClient(ClientConfig config)
    : impl_(std::make_unique<Impl>(std::move(config))) {
    const ClientConfig& c = impl_->config_;
    encode_message(Hello{kProtocolVersion, c.identity.registry_digest, c.identity.map_digest,
                         c.client, c.name},
                   impl_->outgoing_);
}
LockstepClient::~LockstepClient() = default;
LockstepClient::LockstepClient(LockstepClient&&) noexcept = default;
LockstepClient& LockstepClient::operator=(LockstepClient&&) noexcept = default;

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
        requests_.push_back(RestoreSnapshot{snapshot->tick, std::move(snapshot->bytes)});
    } else if (auto* tree = std::get_if<TreeRequest>(&message)) {
        phase_ = ClientPhase::kWaitingSnapshot;
        requests_.push_back(CompareTree{tree->tick, std::move(tree->tree)});
    } else if (const auto* final = std::get_if<Final>(&message)) {
        phase_ = ClientPhase::kFinished;
        requests_.push_back(MatchFinished{final->tick, final->hash});
    }
    return {};
}

Result<void> LockstepClient::Impl::take_payload(Payload payload) {
    const std::size_t size = payload.packed.size();
    if (payload_bytes_ + size > kPayloadBytesMax) {
        return refuse(ErrorCode::kOverCap, "too many payloads wait for their ticks");
    }
    if (payloads_.emplace(std::pair(payload.tick, payload.key), std::move(payload.packed)).second) {
        payload_bytes_ += size;
    }
    return {};
}

bool LockstepClient::Impl::payloads_here(Tick tick) const {
    const auto& commands = frame_commands_.at(tick);
    return std::all_of(commands.begin(), commands.end(), [&](const FrameCommand& c) {
        return !c.payload || payloads_.contains({tick, c.payload->key});
    });
}

// implements: O-NET-16
Result<void> LockstepClient::Impl::fill_payload(Tick tick, const PayloadRef& ref,
                                                Bytes& out) const {
    const Bytes& packed = payloads_.at({tick, ref.key});
    if (packed.size() != ref.packed_bytes) {
        return refuse(ErrorCode::kBadValue, "a payload of another size than its frame says");
    }
    Result<Bytes> raw = config_.unpack(packed, ref.raw_bytes);
    if (!raw) return refuse(raw.error());
    if (raw->size() != ref.raw_bytes || core::xxh3_64(*raw) != ref.key) {
        return refuse(ErrorCode::kBadHash, "a payload that does not hash to its key");
    }
    out = std::move(*raw);
    return {};
}

Result<std::optional<TickInputs>> LockstepClient::next_frame() {
    Impl& c = *impl_;
    const Tick tick = c.executed_ + 1;
    if (c.phase_ != ClientPhase::kPlaying || c.given_ == tick || tick > c.frames_ ||
        c.hashes_.size() >= kHashesOpenMax || !c.payloads_here(tick)) {
        return std::nullopt;
    }
    TickInputs inputs{tick, {}};
    for (const FrameCommand& from : c.frame_commands_.at(tick)) {
        sim::Command& command = inputs.commands.emplace_back(from.command);
        if (!from.payload) continue;
        const Result<void> filled = c.fill_payload(tick, *from.payload, command.byte_payload);
        if (filled) continue;
        c.close(filled.error().code, filled.error().message);
        return refuse(filled.error());
    }
    c.given_ = tick;
    return std::optional<TickInputs>(std::move(inputs));
}

void LockstepClient::executed(Tick tick, std::uint64_t hash) {
    Impl& c = *impl_;
    MANIPLE_ASSERT(tick == c.executed_ + 1);
    MANIPLE_ASSERT(tick == c.given_);
    c.executed_ = tick;
    c.hashes_.push_back(hash);
    c.report_due_ = true;
    c.make_shares();
    c.forget_old();
}

// implements: NET-014
void LockstepClient::restored(Tick tick) {
    Impl& c = *impl_;
    c.phase_ = ClientPhase::kPlaying;
    c.epoch_ = c.snapshot_epoch_;
    c.executed_ = tick;
    c.given_ = tick;
    // Frames from tick + 1 on that are already here stay: a frame never changes.
    c.frame_commands_.erase(c.frame_commands_.begin(), c.frame_commands_.upper_bound(tick));
    c.frames_ = tick;
    while (c.frame_commands_.contains(c.frames_ + 1)) ++c.frames_;
    c.assembler_.drop_through(c.frames_);
    c.hashes_.clear();
    c.hashes_acked_ = tick;
    if (c.shares_made_ < tick) c.shares_.clear();
    c.shares_made_ = std::max(c.shares_made_, tick);
    c.window_.acknowledge(tick, 0);
    c.shares_.erase(c.shares_.begin(), c.shares_.upper_bound(tick));
    c.report_due_ = true;
    c.make_shares();
    c.forget_old();
}

void LockstepClient::restore_failed() { encode_message(SnapshotRequest{}, impl_->outgoing_); }

void LockstepClient::reply_tree(Tick tick, Bytes rows) {
    encode_message(TreeReply{tick, std::move(rows)}, impl_->outgoing_);
}

void LockstepClient::leave() { encode_message(Bye{}, impl_->outgoing_); }

// implements: O-NET-14
void LockstepClient::Impl::make_shares() {
    for (; shares_made_ < executed_ + config_.plan_lead_ticks; ++shares_made_) {
        const Tick tick = shares_made_ + 1;
        shares_.emplace(tick, encode_share(config_.plan_share(tick)));
    }
}

void LockstepClient::Impl::forget_old() {
    const Tick old = executed_ - kTicksKeptBehind;
    frame_commands_.erase(frame_commands_.begin(), frame_commands_.upper_bound(old));
    while (!payloads_.empty() && payloads_.begin()->first.first <= old) {
        payload_bytes_ -= payloads_.begin()->second.size();
        payloads_.erase(payloads_.begin());
    }
}

std::vector<Bytes> LockstepClient::poll_datagrams(std::int64_t now_ms) {
    Impl& c = *impl_;
    if (c.phase_ == ClientPhase::kJoining || c.phase_ == ClientPhase::kClosed) return {};
    ReportDatagram report{c.epoch_, c.frames_, c.executed_, c.hashes_acked_ + 1, {}, {}};
    const Tick first = c.window_.first_due(c.shares_made_, now_ms);
    const Tick end = std::min(c.shares_made_, c.window_.acked() + kRecordsAheadMax);
    for (Tick tick = first; tick <= end && report.slices.size() < kPollDatagramsMax; ++tick) {
        append_slices(tick, c.shares_.at(tick), report.slices);
        c.window_.sent_through(tick);
    }
    if (report.slices.empty() && !c.report_due_ && now_ms - c.reported_ms_ < kReportMs) return {};
    c.report_due_ = false;
    c.reported_ms_ = now_ms;
    const std::size_t hashes = std::min(c.hashes_.size(), kReportHashesMax);
    report.hashes.assign(c.hashes_.begin(),
                         c.hashes_.begin() + static_cast<std::ptrdiff_t>(hashes));
    return encode_report(report);
}

Bytes LockstepClient::poll_stream() { return std::exchange(impl_->outgoing_, {}); }

std::vector<ClientRequest> LockstepClient::poll_requests() {
    return std::exchange(impl_->requests_, {});
}

ClientPhase LockstepClient::phase() const { return impl_->phase_; }
Tick LockstepClient::executed_tick() const { return impl_->executed_; }
Tick LockstepClient::frames_tick() const { return impl_->frames_; }

}  // namespace maniple::net
