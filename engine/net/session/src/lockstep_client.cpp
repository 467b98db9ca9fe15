#include "maniple/net/lockstep_client.h"

#include <algorithm>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "client_impl.h"

namespace maniple::net {
namespace {

/// Frames and payloads kept behind the executed tick: a repair may start a little behind it.
constexpr Tick kTicksKeptBehind = 64;
/// Hashes the server has not acknowledged; a client stops executing above it.
constexpr std::size_t kHashesOpenMax = 1024;
/// A report goes out this often even when it says nothing new.
constexpr std::int64_t kReportMs = 20;

}  // namespace

LockstepClient::LockstepClient(ClientConfig config)
    : impl_(std::make_unique<Impl>(std::move(config))) {
    const ClientConfig& c = impl_->config_;
    encode_message(Hello{kProtocolVersion, c.identity, c.client, c.name}, impl_->outgoing_);
}
LockstepClient::~LockstepClient() = default;
LockstepClient::LockstepClient(LockstepClient&&) noexcept = default;
LockstepClient& LockstepClient::operator=(LockstepClient&&) noexcept = default;

bool LockstepClient::Impl::payloads_here(Tick tick) const {
    const std::vector<FrameCommand>& commands = frame_commands_.at(tick);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!commands[i].payload || payloads_.contains({tick, commands[i].payload->key})) continue;
        if (!can_do_without(commands, i)) return false;
    }
    return true;
}

// implements: NET-016, O-NET-05
bool LockstepClient::Impl::can_do_without(const std::vector<FrameCommand>& commands,
                                          std::size_t index) const {
    const sim::Command& command = commands[index].command;
    // What comes before it in the tick may move its target away from where it stands now.
    const auto end = commands.begin() + static_cast<std::ptrdiff_t>(index);
    const bool is_first = std::none_of(commands.begin(), end, [&](const FrameCommand& before) {
        return before.command.target == command.target;
    });
    return is_first && config_.holds_payload && config_.holds_payload(command);
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

// implements: O-NET-11
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
        if (!from.payload || !c.payloads_.contains({tick, from.payload->key})) continue;
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

// implements: NET-013, NET-014
void LockstepClient::restored(Tick tick) {
    Impl& c = *impl_;
    c.phase_ = ClientPhase::kPlaying;
    c.epoch_ = c.snapshot_epoch_;
    c.executed_ = tick;
    c.given_ = tick;
    // Frames after the gap that are already here stay: a frame never changes. The restored state
    // has the gap's commands queued at their ticks.
    const Tick gap_end = c.snapshot_gap_end_;
    c.frame_commands_.erase(c.frame_commands_.begin(), c.frame_commands_.upper_bound(gap_end));
    for (Tick at = tick + 1; at <= gap_end; ++at) c.frame_commands_[at] = {};
    c.frames_ = gap_end;
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

void LockstepClient::restore_failed() { impl_->ask_for_snapshot(); }

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

Bytes LockstepClient::poll_stream(std::int64_t now_ms) {
    if (impl_->phase_ == ClientPhase::kWaitingStream) impl_->ask_for_stream(now_ms);
    return std::exchange(impl_->outgoing_, {});
}

std::vector<ClientRequest> LockstepClient::poll_requests() {
    return std::exchange(impl_->requests_, {});
}

ClientPhase LockstepClient::phase() const { return impl_->phase_; }
Tick LockstepClient::executed_tick() const { return impl_->executed_; }
Tick LockstepClient::frames_tick() const { return impl_->frames_; }

}  // namespace maniple::net
