#include "maniple/net/lockstep_server.h"

#include <algorithm>
#include <tuple>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "server_impl.h"

namespace maniple::net {
namespace {

struct PlannedCommand {
    std::uint32_t order = 0;
    ClientIndex client;
    std::size_t place = 0;  ///< In the client's share: the last word, so that the order is total.
    sim::Command command;
};

}  // namespace

// implements: O-NET-15
bool LockstepServer::Impl::pace_allows(Tick tick, std::int64_t now_ms) const {
    for (const auto& [index, client] : clients_) {
        if (!client.in_match() || !heeded(client, now_ms)) continue;
        if (client.state == ClientState::kCatchingUp) {
            if (tick > client.pace_server + (client.executed - client.pace_client) / 2) {
                return false;
            }
        } else if (tick > client.executed + config_.lead_ticks) {
            return false;
        }
    }
    return true;
}

/// A client may keep one tick waiting for silent_ms, not every tick after it too.
bool LockstepServer::Impl::shares_ready(Tick tick, std::int64_t now_ms) {
    const bool waited = now_ms - waiting_ms_ >= config_.silent_ms;
    for (auto& [index, client] : clients_) {
        if (client.state != ClientState::kLive || !heard(client, now_ms)) continue;
        if (client.shares_late || client.shares.contains(tick)) continue;
        if (!waited) return false;
        client.shares_late = true;
    }
    return true;
}

/// What the client sent for the tick, or else what the host plays for it.
std::vector<PlanCommand> LockstepServer::Impl::share_of(const ServerClient* client, Tick tick,
                                                        ClientIndex index) const {
    if (client == nullptr || !client->shares.contains(tick)) return config_.plan_share(tick, index);
    Result<std::vector<PlanCommand>> share = decode_share(tick, client->shares.at(tick));
    MANIPLE_ASSERT(share.has_value());
    return *std::move(share);
}

// implements: O-NET-14, O-NET-12, NET-015
/// The tick's commands in order and stamped.
std::vector<sim::Command> LockstepServer::Impl::collect(Tick tick) {
    std::vector<sim::Command> commands;
    if (auto own = server_commands_.extract(tick)) commands = std::move(own.mapped());
    std::vector<PlannedCommand> planned;
    for (std::int32_t i = 1; i <= config_.client_count; ++i) {
        const ClientIndex index{i};
        const ServerClient* client = find(index);
        std::vector<PlanCommand> share = share_of(client, tick, index);
        for (std::size_t place = 0; place < share.size(); ++place) {
            PlanCommand& c = share[place];
            planned.push_back({c.order, index, place, std::move(c.command)});
        }
    }
    std::sort(planned.begin(), planned.end(), [](const auto& a, const auto& b) {
        return std::tie(a.order, a.client, a.place) < std::tie(b.order, b.client, b.place);
    });
    for (PlannedCommand& p : planned) commands.push_back(std::move(p.command));
    for (sim::Command& command : commands) {
        command.tick = tick;
        command.server_exec_sequence = ++sequence_;
    }
    return commands;
}

// implements: O-NET-16
void LockstepServer::Impl::keep_frame(Tick tick, const std::vector<sim::Command>& commands) {
    ServerFrame frame;
    std::vector<FrameCommand> wire;
    for (const sim::Command& command : commands) {
        FrameCommand& out = wire.emplace_back();
        if (command.byte_payload.size() <= kInlinePayloadBytesMax) {
            out.command = command;
            continue;
        }
        out.command = {command.type,
                       command.tick,
                       command.server_exec_sequence,
                       command.issuer_slot,
                       command.target,
                       command.params,
                       {}};
        FramePayload& payload = frame.payloads.emplace_back();
        payload.key = core::xxh3_64(command.byte_payload);
        payload.packed = config_.pack(command.byte_payload);
        out.payload =
            PayloadRef{payload.key, static_cast<std::uint32_t>(command.byte_payload.size()),
                       static_cast<std::uint32_t>(payload.packed.size())};
    }
    frame.record = encode_frame(wire);
    for (auto& [index, client] : clients_) {
        if (client.in_match()) send_payloads(client, tick, frame);
    }
    frames_.emplace(tick, std::move(frame));
    forget_frames(tick - kTicksKept);
}

/// A client that still needs one of them gets a snapshot when it is heard again.
void LockstepServer::Impl::forget_frames(Tick through) {
    frames_.erase(frames_.begin(), frames_.upper_bound(through));
    for (auto& [index, client] : clients_) {
        if (client.in_match() && client.window.acked() < through) {
            client.state = ClientState::kFallenBehind;
        }
    }
}

void LockstepServer::Impl::send_payloads(ServerClient& client, Tick tick,
                                         const ServerFrame& frame) {
    for (const FramePayload& payload : frame.payloads) {
        encode_message(Payload{tick, payload.key, payload.packed}, client.outgoing);
    }
}

ServerClient* LockstepServer::Impl::find(ClientIndex client) {
    const auto found = clients_.find(client);
    return found == clients_.end() ? nullptr : &found->second;
}

LockstepServer::LockstepServer(ServerConfig config)
    : impl_(std::make_unique<Impl>(std::move(config))) {}
LockstepServer::~LockstepServer() = default;
LockstepServer::LockstepServer(LockstepServer&&) noexcept = default;
LockstepServer& LockstepServer::operator=(LockstepServer&&) noexcept = default;

bool LockstepServer::add_client(ClientIndex client, std::int64_t now_ms) {
    if (client.value < 1 || client.value > impl_->config_.client_count) return false;
    const auto [at, added] = impl_->clients_.try_emplace(client);
    if (added) at->second.heard_ms = at->second.progressed_ms = now_ms;
    return added;
}

void LockstepServer::remove_client(ClientIndex client) { impl_->clients_.erase(client); }

void LockstepServer::accept(ClientIndex index) {
    ServerClient* client = impl_->find(index);
    if (!client || client->state != ClientState::kAsking) return;
    const bool wait = impl_->last_tick_ > 0;
    client->state = wait ? ClientState::kWaitingSnapshot : ClientState::kLive;
    encode_message(Welcome{wait}, client->outgoing);
    if (wait) impl_->requests_.push_back(SendSnapshot{index});
}

void LockstepServer::refuse_client(ClientIndex index, ErrorCode code, const std::string& reason) {
    ServerClient* client = impl_->find(index);
    if (!client) return;
    client->state = ClientState::kConnected;
    encode_message(Refuse{code, reason.substr(0, kReasonBytesMax)}, client->outgoing);
}

void LockstepServer::submit_server_commands(Tick tick, std::vector<sim::Command> commands) {
    MANIPLE_ASSERT(tick > impl_->last_tick_);
    auto& own = impl_->server_commands_[tick];
    for (sim::Command& command : commands) own.push_back(std::move(command));
}

// implements: O-NET-02
Tick LockstepServer::submit_on_arrival(std::vector<sim::Command> commands) {
    const ServerConfig& config = impl_->config_;
    MANIPLE_ASSERT(config.input_delay_ticks >= 1);
    const bool is_large = std::ranges::any_of(commands, [](const sim::Command& command) {
        return command.byte_payload.size() > kInlinePayloadBytesMax;
    });
    const Tick tick =
        impl_->last_tick_ + config.input_delay_ticks + (is_large ? config.defer_ticks : 0);
    submit_server_commands(tick, std::move(commands));
    return tick;
}

// implements: O-NET-13
std::optional<TickInputs> LockstepServer::next_tick(std::int64_t now_ms) {
    Impl& s = *impl_;
    const Tick tick = s.last_tick_ + 1;
    if (s.executed_tick_ < s.last_tick_ || !s.pace_allows(tick, now_ms)) return std::nullopt;
    if (s.waiting_tick_ != tick) {
        s.waiting_tick_ = tick;
        s.waiting_ms_ = now_ms;
    }
    if (!s.shares_ready(tick, now_ms)) return std::nullopt;
    TickInputs inputs{tick, s.collect(tick)};
    s.keep_frame(tick, inputs.commands);
    s.last_tick_ = tick;
    for (auto& [index, client] : s.clients_) s.advance_share_ack(client);
    return inputs;
}

// implements: NET-020
void LockstepServer::executed(Tick tick, std::uint64_t hash) {
    Impl& s = *impl_;
    MANIPLE_ASSERT(tick == s.executed_tick_ + 1);
    MANIPLE_ASSERT(tick == s.last_tick_);
    s.executed_tick_ = tick;
    s.hashes_.emplace(tick, hash);
    s.hashes_.erase(s.hashes_.begin(), s.hashes_.upper_bound(tick - kTicksKept));
    for (auto& [index, client] : s.clients_) s.compare_hashes(index, client);
}

void LockstepServer::request_tree(ClientIndex index, Tick tick, Bytes tree) {
    ServerClient* client = impl_->find(index);
    if (!client) return;
    client->rows_awaited = true;
    encode_message(TreeRequest{tick, std::move(tree)}, client->outgoing);
}

// implements: NET-013, O-SNAP-14
Result<void> LockstepServer::send_snapshot(ClientIndex index, Tick tick, Tick gap_end,
                                           Bytes snapshot) {
    MANIPLE_ASSERT(gap_end >= tick);
    Impl& s = *impl_;
    ServerClient* client = s.find(index);
    if (!client || client->state <= ClientState::kAsking) {
        return refuse(ErrorCode::kNotFound, "no such client waits for a snapshot");
    }
    if (gap_end > s.executed_tick_ || tick < s.last_tick_ - kTicksKept) {
        return refuse(ErrorCode::kNotFound, "the frames after the snapshot are not kept");
    }
    client->state = ClientState::kCatchingUp;
    client->repair_open = false;
    client->shares_late = false;
    ++client->epoch;
    client->executed = tick;
    client->hashes_acked = tick;
    client->hashes_agreed = tick;
    client->hashes.clear();
    client->window.restart(gap_end);
    client->pace_server = s.last_tick_;
    client->pace_client = tick;
    s.advance_share_ack(*client);
    encode_message(Snapshot{client->epoch, tick, gap_end, std::move(snapshot)}, client->outgoing);
    for (auto at = s.frames_.upper_bound(gap_end); at != s.frames_.end(); ++at) {
        s.send_payloads(*client, at->first, at->second);
    }
    return {};
}

// implements: NET-009, O-NET-04
void LockstepServer::send_stream(ClientIndex index, Tick tick, const std::string& field,
                                 ByteSpan stream) {
    ServerClient* client = impl_->find(index);
    if (!client) return;
    FieldStream message{tick, field, static_cast<std::uint32_t>(stream.size()), {}};
    if (!stream.empty()) message.packed = impl_->config_.pack(stream);
    encode_message(message, client->outgoing);
}

void LockstepServer::finish(Tick tick, std::uint64_t hash) {
    for (auto& [index, client] : impl_->clients_) {
        if (client.in_match()) encode_message(Final{tick, hash}, client.outgoing);
    }
}

void LockstepServer::abort(const std::string& reason) {
    for (auto& [index, client] : impl_->clients_) {
        encode_message(Abort{reason.substr(0, kReasonBytesMax)}, client.outgoing);
    }
}

std::vector<std::pair<ClientIndex, Bytes>> LockstepServer::poll_datagrams(std::int64_t now_ms) {
    Impl& s = *impl_;
    std::vector<std::pair<ClientIndex, Bytes>> out;
    for (auto& [index, client] : s.clients_) {
        if (!client.in_match()) continue;
        FramesDatagram frames{client.epoch, client.hashes_acked, client.shares_acked, {}};
        const Tick first = client.window.first_due(s.last_tick_, now_ms);
        const Tick end = std::min(s.last_tick_, client.window.acked() + kRecordsAheadMax);
        const std::size_t slices_max = kPollDatagramsMax;
        for (Tick tick = first; tick <= end && frames.slices.size() < slices_max; ++tick) {
            append_slices(tick, s.frames_.at(tick).record, frames.slices);
            client.window.sent_through(tick);
        }
        if (frames.slices.empty() && !client.ack_due) continue;
        client.ack_due = false;
        for (Bytes& bytes : encode_frames(frames)) out.emplace_back(index, std::move(bytes));
    }
    return out;
}

std::vector<std::pair<ClientIndex, Bytes>> LockstepServer::poll_streams() {
    std::vector<std::pair<ClientIndex, Bytes>> out;
    for (auto& [index, client] : impl_->clients_) {
        if (!client.outgoing.empty()) out.emplace_back(index, std::move(client.outgoing));
        client.outgoing.clear();
    }
    return out;
}

std::vector<ServerRequest> LockstepServer::poll_requests(std::int64_t now_ms) {
    for (auto& [index, client] : impl_->clients_) {
        const std::int64_t free_ms = client.repairs_paid_ms - kRepairsAtOnce * kRepairSpacingMs;
        if (!client.repair_due || now_ms <= free_ms) continue;
        impl_->requests_.push_back(*std::exchange(client.repair_due, std::nullopt));
        client.repairs_paid_ms = std::max(client.repairs_paid_ms, now_ms) + kRepairSpacingMs;
    }
    return std::exchange(impl_->requests_, {});
}

Tick LockstepServer::last_tick() const { return impl_->last_tick_; }

Tick LockstepServer::client_tick(ClientIndex client) const {
    const ServerClient* found = impl_->find(client);
    return found && found->in_match() ? found->executed : -1;
}

bool LockstepServer::all_agree_at(Tick tick) const {
    return std::all_of(impl_->clients_.begin(), impl_->clients_.end(), [tick](const auto& entry) {
        return !entry.second.in_match() || entry.second.hashes_agreed >= tick;
    });
}

}  // namespace maniple::net
