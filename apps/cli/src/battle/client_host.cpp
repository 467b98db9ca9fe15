#include "client_host.h"

#include <algorithm>
#include <unistd.h>
#include <utility>
#include <variant>

#include "maniple/net/clock.h"
#include "maniple/net/payload_codec.h"
#include "maniple/sim/desync.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::cli {
namespace {

/// Ticks executed before the links are looked at again.
constexpr int kTicksOfOnePump = 8;
constexpr int kRestoresMax = 3;
/// A goodbye that does not get out by then is given up.
constexpr std::int64_t kGoodbyeMs = 3000;

}  // namespace

ClientHost::ClientHost(const BattleSetup& setup, net::ClientIndex index, net::ClientLinks& links,
                       core::Executor& executor, HashTraceWriter& trace,
                       std::unique_ptr<core::Background> worker)
    : setup_(setup),
      index_(index),
      links_(links),
      executor_(executor),
      trace_(trace),
      beside_ticks_(std::move(worker)),
      session_({.identity = setup.identity,
                .client = index,
                .name = "bot " + std::to_string(index.value),
                .plan_lead_ticks = plan_lead_ticks(setup.options),
                .plan_share =
                    [this](sim::Tick tick) {
                        auto share = share_of(setup_, tick, index_);
                        if (!share.empty()) share_sent_us_.emplace(tick, net::monotonic_us());
                        return share;
                    },
                .unpack = net::unpack_payload,
                .holds_payload =
                    [this](const sim::Command& command) {
                        return world_ && world_->holds_substrate(command);
                    }}),
      started_us_(net::monotonic_us()) {
    outcome_.index = index.value;
    outcome_.name = "bot " + std::to_string(index.value);
    outcome_.pid = static_cast<std::int32_t>(::getpid());
    if (setup.options.joins_late(index.value)) return;
    auto world = make_start_world(setup, executor, beside_ticks_.get());
    if (world) {
        world_ = std::move(*world);
    } else {
        fail(world.error().message);
    }
}

void ClientHost::fail(const std::string& why) {
    if (outcome_.error.empty()) outcome_.error = why;
    leave();
}

void ClientHost::leave() {
    if (over_) return;
    over_ = true;
    over_since_ms_ = net::monotonic_ms();
    session_.leave();
}

bool ClientHost::pump(int wait_ms) {
    take_events(wait_ms);
    for (auto& request : session_.poll_requests()) {
        std::visit([this](auto& r) { handle(r); }, request);
    }
    if (!over_) execute_frames();
    send();
    const bool said =
        links_.unsent_bytes() == 0 || net::monotonic_ms() - over_since_ms_ > kGoodbyeMs;
    return !(over_ && said);
}

void ClientHost::take_events(int wait_ms) {
    for (net::LinkEvent& event : links_.poll(over_ ? 0 : wait_ms)) {
        Result<void> taken;
        switch (event.kind) {
            case net::LinkEvent::Kind::kConnected: break;
            case net::LinkEvent::Kind::kDatagram:
                taken = session_.on_datagram(event.bytes, net::monotonic_ms());
                break;
            case net::LinkEvent::Kind::kStream: taken = session_.on_stream(event.bytes); break;
            case net::LinkEvent::Kind::kLost:
                if (!over_) fail("the server is lost");
                break;
        }
        // A session that closed says why in a request.
        if (!taken && session_.phase() != net::ClientPhase::kClosed) {
            fail("the server sent " + describe(taken.error(), "bytes that are refused"));
        }
    }
}

void ClientHost::handle(net::RestoreSnapshot& request) {
    auto snapshot =
        snapshot::decode_snapshot(*setup_.definition, request.bytes, snapshot::Policy::kJoin);
    auto world = snapshot ? snapshot::restore(setup_.definition, std::move(*snapshot), executor_,
                                              core::null_log(), {}, beside_ticks_.get())
                          : Result<std::unique_ptr<sim::World>>(refuse(snapshot.error()));
    if (!world || (*world)->tick() != request.tick) {
        if (++failed_restores_ >= kRestoresMax) {
            fail("no snapshot restores: " + (world ? "of another tick" : world.error().message));
        } else {
            session_.restore_failed();
        }
        return;
    }
    failed_restores_ = 0;
    waiting_.reset();
    world_ = std::move(*world);
    if (!played_) outcome_.joined_at_tick = request.tick;
    session_.restored(request.tick);
}

void ClientHost::handle(net::ImportStream& request) {
    if (world_->repair_substrate(request.field, request.stream)) session_.repaired();
}

void ClientHost::handle(net::CompareTree& request) {
    core::Bytes reply;
    if (world_)
        reply =
            sim::answer_desync(*setup_.definition, world_->history(), request.tick, request.tree);
    session_.reply_tree(request.tick, std::move(reply));
}

void ClientHost::handle(net::MatchFinished& request) {
    if (!world_ || world_->tick() != request.tick) {
        fail("the battle ended at a tick this client has not executed");
        return;
    }
    leave();
}

void ClientHost::handle(net::MatchClosed& request) {
    fail(request.reason.empty() ? std::string(error_code_name(request.code)) : request.reason);
}

void ClientHost::execute_frames() {
    for (int ticks = 0; ticks < kTicksOfOnePump; ++ticks) {
        if (!waiting_) take_frame();
        // The link is served meanwhile.
        if (!waiting_ || world_->must_wait()) return;
        execute(*std::exchange(waiting_, std::nullopt));
        if (over_) return;
    }
}

void ClientHost::take_frame() {
    auto inputs = session_.next_frame();
    if (!inputs || !*inputs) return;  // a refusal closes the session, which says why
    for (const sim::Command& command : (*inputs)->commands) {
        if (auto queued = world_->queue(command); !queued) return fail(queued.error().message);
    }
    waiting_ = std::move(**inputs);
}

void ClientHost::execute(const net::TickInputs& inputs) {
    sim::StepHooks hooks;
    const auto& orders = setup_.options.corruptions;
    if (std::any_of(orders.begin(), orders.end(), [&](const CorruptionOrder& order) {
            // One for a tick before it could join waits for its first own tick.
            const bool waited = !played_ && order.tick < inputs.tick;
            return order.client == index_.value && (order.tick == inputs.tick || waited);
        })) {
        hooks.before_hash = [this](sim::World& world) { corrupt(world); };
    }
    const std::int64_t before = net::monotonic_us();
    const auto hash = world_->step(hooks);
    if (!hash && !world_->refused_field().empty()) {
        return session_.substrate_refused(inputs.tick, world_->refused_field());
    }
    if (!hash) return fail(hash.error().message);
    const std::int64_t now = net::monotonic_us();
    tick_ms_.push_back(static_cast<double>(now - before) / 1000);
    if (!played_) outcome_.join_ms = static_cast<double>(now - started_us_) / 1000;
    played_ = true;
    if (const auto sent = share_sent_us_.find(inputs.tick); sent != share_sent_us_.end()) {
        latencies_ms_.push_back(static_cast<double>(now - sent->second) / 1000);
        share_sent_us_.erase(share_sent_us_.begin(), std::next(sent));
    }
    if (auto written = trace_.write(inputs.tick, *hash); !written) {
        return fail("hash trace: " + written.error().message);
    }
    session_.executed(inputs.tick, *hash);
}

/// Flips the lowest bit of the health of the unit with the most of it, so that the difference does
/// not go by itself within the next ticks.
void ClientHost::corrupt(sim::World& world) const {
    skirmish::Unit* best = nullptr;
    for (std::uint16_t i = 0; i < world.definition().templates().size(); ++i) {
        const sim::TemplateId id{i};
        if (world.group(id).find_column(world.definition().fragment_id<skirmish::Unit>()) ==
            nullptr) {
            continue;
        }
        for (skirmish::Unit& unit : world.column<skirmish::Unit>(id)) {
            if (best == nullptr || unit.health > best->health) best = &unit;
        }
    }
    if (best != nullptr) best->health ^= 1;
}

void ClientHost::send() {
    for (const core::Bytes& bytes : session_.poll_datagrams(net::monotonic_ms())) {
        links_.send_datagram(bytes);
    }
    const core::Bytes bytes = session_.poll_stream(net::monotonic_ms());
    if (!bytes.empty()) links_.send_stream(bytes);
}

const ClientOutcome& ClientHost::outcome() {
    if (world_) {
        outcome_.final_tick = world_->tick();
        const auto* entry = world_->history().find(world_->tick());
        outcome_.final_hash = entry ? entry->tree.root : 0;
    }
    outcome_.bytes_in = links_.traffic().bytes_in;
    outcome_.bytes_out = links_.traffic().bytes_out;
    outcome_.command_latency_ms = percentiles_of(latencies_ms_);
    outcome_.tick_ms = percentiles_of(tick_ms_);
    return outcome_;
}

}  // namespace maniple::cli
