#include "server_host.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>
#include <variant>

#include "maniple/net/clock.h"
#include "maniple/net/payload_codec.h"
#include "maniple/sim/desync.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::cli {
namespace {

/// Peers that show no progress for this long are given up (O-NET-15).
constexpr std::int64_t kPeersWaitMs = 10'000;
constexpr std::int64_t kGoodbyeMs = 5000;
/// Of an MPSS frame (docs/formats/snapshot.md).
constexpr std::size_t kFrameRawSizeOffset = 8;
/// A battle tells at which tick a client joined or was repaired, so that each gets a capture of the
/// tick it asks at; copying the state costs less than playing a gap.
constexpr snapshot::CachePolicy kSnapshots{.gap_ticks_max = 0};

}  // namespace

ServerHost::ServerHost(BattleSetup& setup, net::ServerLinks& links, core::Executor& executor,
                       HashTraceWriter& trace, const std::string& replay_path,
                       std::unique_ptr<core::Background> worker)
    : setup_(setup),
      links_(links),
      executor_(executor),
      trace_(trace),
      script_(*setup.ground.script, rebuilds_),
      worker_(std::move(worker)),
      beside_ticks_(prepared_, *worker_),
      session_(
          {.identity = setup.identity,
           .client_count = setup.options.clients,
           .lead_ticks = kPaceLeadTicks,
           .plan_share = [this](sim::Tick tick,
                                net::ClientIndex client) { return share_of(setup_, tick, client); },
           .pack = net::pack_payload}),
      snapshots_(kSnapshots),
      packer_(setup.definition),
      statistics_(setup.ground.script->make_way_meter()),
      last_tick_(setup.options.ticks),
      waiting_since_ms_(net::monotonic_ms()) {
    outcome_.pid = static_cast<std::int32_t>(::getpid());
    for (std::int32_t i = 1; i <= setup.options.clients; ++i) clients_[{i}] = {};
    begin(replay_path);
}

void ServerHost::begin(const std::string& replay_path) {
    auto world = make_start_world(setup_, executor_, &beside_ticks_);
    if (!world) return fail(world.error().message, battle_file::EndReason::kStopped);
    world_ = std::move(*world);
    auto recorder = Recorder::create(
        replay_path, battle_header(setup_.ground, *world_, setup_.options.units), *world_);
    if (!recorder) {
        return fail(describe(recorder.error(), replay_path), battle_file::EndReason::kStopped);
    }
    recorder_ = std::move(*recorder);
    script_.prepare_change(world_->tick(), last_tick_, *worker_);
}

bool ServerHost::pump(int wait_ms) {
    take_events(wait_ms);
    take_requests();
    serve_snapshots();
    bool formed = false;
    if (phase_ == Phase::kPlaying) formed = form_tick();
    if (phase_ == Phase::kAwaitingPeers) await_peers();
    send();
    if (formed) take_requests();
    if (phase_ == Phase::kGoodbye) say_goodbye();
    return phase_ != Phase::kOver;
}

void ServerHost::stop() {
    if (phase_ != Phase::kPlaying) return;
    outcome_.stopped = true;
    last_tick_ = session_.last_tick();
    if (!waiting_) end_playing();
}

void ServerHost::end_playing() {
    phase_ = Phase::kAwaitingPeers;
    waiting_since_ms_ = net::monotonic_ms();
    // Now: who asked for the end may not wait for the peers.
    if (outcome_.stopped) end_recording(battle_file::EndReason::kStopped);
}

void ServerHost::end_recording(battle_file::EndReason reason) {
    if (!recorder_ || std::exchange(recording_ended_, true)) return;
    const Result<void> ended = recorder_->end(reason);
    // After a failed write this is the same error again.
    if (!ended && outcome_.error.empty()) outcome_.error = "replay: " + ended.error().message;
}

void ServerHost::take_events(int wait_ms) {
    for (net::LinkEvent& event : links_.poll(wait_ms)) {
        const net::ClientIndex client{static_cast<std::int32_t>(event.client)};
        const std::int64_t now_ms = net::monotonic_ms();
        Result<void> taken;
        switch (event.kind) {
            case net::LinkEvent::Kind::kConnected: session_.add_client(client, now_ms); break;
            case net::LinkEvent::Kind::kDatagram:
                taken = session_.on_datagram(client, event.bytes, now_ms);
                break;
            case net::LinkEvent::Kind::kStream:
                taken = session_.on_stream(client, event.bytes, now_ms);
                break;
            case net::LinkEvent::Kind::kLost: lose(client, "is lost"); break;
        }
        if (!taken && !clients_[client].left) {
            lose(client, "sent " + describe(taken.error(), "bytes that are refused"));
        }
    }
}

void ServerHost::take_requests() {
    for (auto& request : session_.poll_requests(net::monotonic_ms())) {
        std::visit([this](auto& r) { handle(r); }, request);
    }
}

void ServerHost::handle(net::ClientWants& request) {
    Client& client = clients_[request.client];
    client.here = true;
    client.live = tick() == 0;
    waiting_since_ms_ = net::monotonic_ms();
    session_.accept(request.client);
}

void ServerHost::handle(net::SendSnapshot& request) { want_snapshot(request.client); }

// implements: NET-009, O-NET-04
void ServerHost::handle(net::SendStream& request) {
    const auto stream = setup_.ground.script->stream_at(request.field, request.tick);
    session_.send_stream(request.client, request.tick, request.field,
                         stream ? core::ByteSpan(*stream) : core::ByteSpan());
}

// implements: NET-020
void ServerHost::handle(net::DesyncFound& request) {
    Client& client = clients_[request.client];
    client.live = false;
    client.repairing = outcome_.desyncs.size();
    DesyncRecord& desync = outcome_.desyncs.emplace_back();
    desync.client = request.client.value;
    desync.tick = request.tick;
    desync.detected_after_ticks = session_.last_tick() - request.tick;
    const sim::TickHistory::Entry* entry = world_->history().find(request.tick);
    if (entry == nullptr) return want_snapshot(request.client);
    client.asked = *entry;
    session_.request_tree(request.client, request.tick, sim::encode_desync_question(*entry));
}

void ServerHost::handle(net::RowsReceived& request) {
    Client& client = clients_[request.client];
    if (client.asked && client.repairing && client.asked->tree.tick == request.tick) {
        const auto named = sim::name_desync(*setup_.definition, *client.asked, request.rows);
        if (named) {
            DesyncRecord& desync = outcome_.desyncs[*client.repairing];
            desync.fragment = named->fragment;
            desync.uid = named->uid.value;
            desync.field = named->field;
            const auto json = [](const auto& value) { return nlohmann::json(value); };
            desync.server_value = std::visit(json, named->server_value);
            desync.client_value = std::visit(json, named->client_value);
        }
    }
    client.asked.reset();
    want_snapshot(request.client);
}

void ServerHost::handle(net::ClientLive& request) {
    Client& client = clients_[request.client];
    client.live = true;
    const sim::Tick own = request.tick - client.snapshot_tick;
    const sim::Tick server = session_.last_tick() - client.server_tick_then;
    if (client.repairing) {
        outcome_.desyncs[*client.repairing].repaired_at_tick = client.snapshot_tick;
        client.repairing.reset();
    } else if (server > 0) {
        outcome_.catch_ups.push_back({request.client.value, double(own) / double(server)});
    }
}

void ServerHost::handle(net::ClientLeft& request) {
    if (phase_ == Phase::kGoodbye || phase_ == Phase::kOver) {
        clients_[request.client].left = true;
    } else {
        lose(request.client, request.reason.empty() ? "left" : "gave up: " + request.reason);
    }
}

void ServerHost::want_snapshot(net::ClientIndex client) {
    clients_[client].live = false;
    wanting_.push_back(client);
}

// implements: NET-007, NET-010, NET-013, SNAP-020, SNAP-035, SNAP-037, SNAP-038
void ServerHost::serve_snapshots() {
    if (const auto packed = packer_.poll()) {
        outcome_.snapshot_bytes =
            core::load_le<std::uint64_t>(packed->frame.data() + kFrameRawSizeOffset);
        outcome_.snapshot_packed_bytes = packed->frame.size();
        for (const net::ClientIndex client : std::exchange(packed_for_, {})) {
            send_snapshot(client, *packed);
        }
    }
    if (packer_.busy() || wanting_.empty() || tick() == 0 || waiting_) return;
    const std::int64_t before = net::monotonic_us();
    snapshots_.refresh(*world_);
    outcome_.snapshot_capture_ms = static_cast<double>(net::monotonic_us() - before) / 1000;
    auto snapshot = snapshots_.dispatch(*world_, [this](std::string_view field, sim::Tick tick) {
        return setup_.ground.script->stream_at(field, tick);
    });
    if (!snapshot && snapshot.error().code == ErrorCode::kNotReady) return;
    if (!snapshot) return fail(snapshot.error().message, battle_file::EndReason::kStopped);
    packer_.start(std::move(*snapshot), tick(), *background_);
    packed_for_ = std::exchange(wanting_, {});
}

void ServerHost::send_snapshot(net::ClientIndex index, const snapshot::PackedSnapshot& packed) {
    Client& client = clients_[index];
    if (client.left) return;
    client.snapshot_tick = packed.tick;
    client.server_tick_then = session_.last_tick();
    if (auto sent = session_.send_snapshot(index, packed.tick, packed.gap_end, packed.frame);
        !sent) {
        lose(index, "cannot be given a snapshot: " + sent.error().message);
    }
}

/// The battle begins with all who are to be there; the late joiner must have asked a second of
/// battle after its tick at the latest.
bool ServerHost::may_form(sim::Tick tick, std::int64_t now_ms) {
    for (const auto& [index, client] : clients_) {
        const bool late = setup_.options.joins_late(index.value);
        const bool due = !late || tick > *setup_.options.late_join + kPaceLeadTicks;
        if (client.here || !due) continue;
        if (now_ms - waiting_since_ms_ > kPeersWaitMs) lose(index, "did not come", true);
        return false;
    }
    waiting_since_ms_ = now_ms;
    if (tick == 1) first_tick_ms_ = now_ms;
    const std::int64_t due_ms =
        first_tick_ms_ + std::int64_t{tick - 1} * 1000 / world_->config().tick_rate_hz;
    return !setup_.options.realtime || now_ms >= due_ms;
}

// implements: ASY-013, O-SYNC-13
bool ServerHost::form_tick() {
    announce_change();
    if (!waiting_) form_inputs();
    // The links are served meanwhile.
    if (!waiting_ || tick_waits_.note(world_->must_wait())) return false;
    execute(*std::exchange(waiting_, std::nullopt));
    // Behind what the tick itself needed of the worker.
    script_.prepare_change(world_->tick(), last_tick_, *worker_);
    if (phase_ == Phase::kPlaying && world_->tick() >= last_tick_) end_playing();
    return true;
}

/// The next mesh is computed as soon as its tiles are baked.
void ServerHost::announce_change() {
    const core::ByteSpan change = script_.next_change();
    if (!change.empty() && !announced_) world_->announce_substrate(skirmish::kFieldName, change);
    announced_ = !change.empty();
}

void ServerHost::form_inputs() {
    const sim::Tick tick = world_->tick() + 1;
    const std::int64_t now_ms = net::monotonic_ms();
    if (!may_form(tick, now_ms)) return;
    if (submitted_ < tick) {
        if (tick_waits_.note(!script_.is_ready(tick))) return;
        session_.submit_server_commands(tick, script_.server_commands_at(tick));
        submitted_ = tick;
        announced_ = announced_ && !script_.next_change().empty();
    }
    auto inputs = session_.next_tick(now_ms);
    if (!inputs) return;
    // The frame is on its way while this server computes.
    send();
    for (const sim::Command& command : inputs->commands) {
        if (auto queued = world_->queue(command); !queued) {
            return fail(queued.error().message, battle_file::EndReason::kStopped);
        }
    }
    waiting_ = std::move(*inputs);
}

void ServerHost::execute(const net::TickInputs& inputs) {
    const std::int64_t before = net::monotonic_us();
    const auto hash = world_->step();
    outcome_.tick_times_ms.push_back(static_cast<double>(net::monotonic_us() - before) / 1000);
    if (!hash) return fail(hash.error().message, battle_file::EndReason::kStopped);
    outcome_.ticks = inputs.tick;
    outcome_.final_hash = *hash;
    if (auto written = trace_.write(inputs.tick, *hash); !written) {
        return fail("hash trace: " + written.error().message, battle_file::EndReason::kStopped);
    }
    session_.executed(inputs.tick, *hash);
    snapshots_.executed(*world_, inputs.commands);
    if (auto recorded = recorder_->record(*world_, inputs.commands, *hash); !recorded) {
        return fail("replay: " + recorded.error().message, battle_file::EndReason::kStopped);
    }
    count_streams(inputs);
    statistics_.observe(*world_);
    const sim::Tick ticks = setup_.options.ticks;
    if (inputs.tick == ticks / 3 || inputs.tick == ticks * 2 / 3) take_view();
}

void ServerHost::count_streams(const net::TickInputs& inputs) {
    for (const sim::Command& command : inputs.commands) {
        if (command.type != sim::kCommandRebuildFlowField) continue;
        const bool delta =
            substrate::peek_stream_kind(command.byte_payload) == substrate::StreamKind::kDelta;
        StreamCount& count = delta ? outcome_.delta_streams : outcome_.full_streams;
        ++count.count;
        count.bytes += command.byte_payload.size();
    }
}

void ServerHost::take_view() {
    if (setup_.options.report.empty()) return;
    MapView& view = outcome_.views.emplace_back();
    view.tick = world_->tick();
    const nav::GridGeometry& geometry = world_->find_field(skirmish::kFieldName)->geometry();
    const bool on_grid = setup_.ground.mode == battle_file::Mode::kGrid;
    const auto whole = [](double cm) { return static_cast<std::int32_t>(std::lround(cm)); };
    for (const std::string_view key : skirmish::kTemplateKeys) {
        const auto id = setup_.definition->find_template(key);
        const auto positions = std::as_const(*world_).column<skirmish::Position>(*id);
        const auto units = std::as_const(*world_).column<skirmish::Unit>(*id);
        for (std::size_t row = 0; row < units.size(); ++row) {
            const Vec2d place = positions[row].cm();
            const nav::GridCoord at = on_grid ? geometry.world_to_grid(place).coord
                                              : nav::GridCoord{whole(place.x), whole(place.y)};
            view.units.insert(view.units.end(), {at.x, at.y, units[row].team});
        }
    }
}

bool ServerHost::all_peers_done() const {
    return session_.all_agree_at(tick()) &&
           std::all_of(clients_.begin(), clients_.end(), [this](const auto& entry) {
               const bool expected = entry.second.here || !outcome_.stopped;
               return !expected ||
                      (entry.second.live && session_.client_tick(entry.first) == tick());
           });
}

// implements: O-NET-15
void ServerHost::await_peers() {
    const std::int64_t now_ms = net::monotonic_ms();
    if (all_peers_done()) {
        take_view();
        session_.finish(tick(), outcome_.final_hash);
        end_recording(battle_file::EndReason::kFinished);
        phase_ = Phase::kGoodbye;
        waiting_since_ms_ = now_ms;
        return;
    }
    std::int64_t progress = 0;
    for (const auto& [index, client] : clients_) progress += session_.client_tick(index);
    if (progress != peers_progress_) {
        peers_progress_ = progress;
        waiting_since_ms_ = now_ms;
    }
    if (now_ms - waiting_since_ms_ <= kPeersWaitMs) return;
    for (const auto& [index, client] : clients_) {
        if (client.live && session_.client_tick(index) >= tick()) continue;
        lose(index, "did not reach tick " + std::to_string(tick()));
        return;
    }
    fail("the peers do not agree", battle_file::EndReason::kStopped);
}

void ServerHost::say_goodbye() {
    const bool all_left = std::all_of(clients_.begin(), clients_.end(), [](const auto& entry) {
        return !entry.second.here || entry.second.left;
    });
    if (all_left || net::monotonic_ms() - waiting_since_ms_ > kGoodbyeMs) phase_ = Phase::kOver;
}

void ServerHost::lose(net::ClientIndex client, const std::string& why, bool missed) {
    send();  // a refusal that is on its way
    session_.remove_client(client);
    links_.drop(static_cast<std::uint32_t>(client.value));
    // Before its Hello was accepted it was a stranger, and its seat is free again.
    if (!clients_[client].here && !missed) return;
    clients_[client].left = true;
    if (phase_ == Phase::kGoodbye || phase_ == Phase::kOver) return;
    outcome_.lost_clients.push_back(client.value);
    fail("client " + std::to_string(client.value) + " " + why, battle_file::EndReason::kPeerLost);
}

void ServerHost::fail(const std::string& why, battle_file::EndReason reason) {
    if (!outcome_.error.empty()) return;
    outcome_.error = why;
    session_.abort("the battle is over: " + why);
    end_recording(reason);
    phase_ = Phase::kGoodbye;
    waiting_since_ms_ = net::monotonic_ms();
}

void ServerHost::send() {
    for (const auto& [client, bytes] : session_.poll_datagrams(net::monotonic_ms())) {
        links_.send_datagram(static_cast<std::uint32_t>(client.value), bytes);
    }
    for (const auto& [client, bytes] : session_.poll_streams()) {
        links_.send_stream(static_cast<std::uint32_t>(client.value), bytes);
    }
}

const ServerOutcome& ServerHost::outcome() {
    outcome_.tick_ms = percentiles_of(outcome_.tick_times_ms);
    rebuilds_.add_prepared(take_ended(prepared_));
    outcome_.rebuild = figures_of(rebuilds_);
    const skirmish::BattleFigures& figures = statistics_.figures();
    outcome_.spawned.assign(figures.spawned.begin(), figures.spawned.end());
    outcome_.alive.assign(figures.alive.begin(), figures.alive.end());
    outcome_.units_stuck = figures.units_stuck;
    outcome_.moves_judged = figures.moves_judged;
    outcome_.half_way_in_time = figures.half_way_in_time;
    if (recorder_) {
        outcome_.replay_bytes = recorder_->writer().bytes_written();
        outcome_.replay_steps = recorder_->writer().steps();
        outcome_.replay_keyframes = recorder_->writer().keyframes();
    }
    return outcome_;
}

}  // namespace maniple::cli
