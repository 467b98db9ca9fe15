#pragma once

#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/core/random.h"
#include "maniple/net/lockstep_client.h"
#include "maniple/net/lockstep_server.h"

namespace maniple::net::test {

/// A pure plan: command `order` of a tick belongs to client 1 + order % clients.
inline std::vector<PlanCommand> plan_of(Tick tick, ClientIndex client, std::int32_t clients) {
    std::vector<PlanCommand> share;
    for (std::uint32_t order = 0; order < static_cast<std::uint32_t>(tick % 5); ++order) {
        if (1 + static_cast<std::int32_t>(order) % clients != client.value) continue;
        PlanCommand& c = share.emplace_back();
        c.order = order;
        c.command.type = 70;
        c.command.tick = tick;
        c.command.set("order", std::int64_t{order});
        // Now and then a share that needs several datagrams.
        if (tick % 7 == 0) c.command.set("pad", std::string(3000, 'x'));
    }
    return share;
}

/// What a side of the match simulates.
struct Peer {
    virtual ~Peer() = default;
    /// @return false if the field `refused_field` refused its substrate: nothing was executed.
    virtual bool execute(const TickInputs& inputs) = 0;
    /// The newest snapshot, and its tick; its gap reaches to the tick executed last.
    [[nodiscard]] virtual Bytes save() = 0;
    [[nodiscard]] virtual Tick saved_tick(Tick executed) const { return executed; }
    virtual bool load(ByteSpan snapshot) = 0;
    virtual bool repair(const ImportStream&) { return false; }
    [[nodiscard]] virtual bool holds(const sim::Command&) const { return false; }

    std::uint64_t hash = 1;
    std::vector<Tick> ticks;
    std::string refused_field;
};

/// A toy simulation: a hash over everything executed.
struct ToyPeer final : Peer {
    bool execute(const TickInputs& inputs) override {
        Bytes bytes;
        core::ByteWriter out(bytes);
        for (const sim::Command& command : inputs.commands) sim::encode_command(command, out);
        hash = core::xxh3_64(bytes, core::mix(hash, inputs.tick));
        ticks.push_back(inputs.tick);
        return true;
    }
    Bytes save() override {
        Bytes bytes;
        core::ByteWriter(bytes).u64(hash);
        return bytes;
    }
    bool load(ByteSpan snapshot) override {
        hash = core::load_le<std::uint64_t>(snapshot.data());
        return true;
    }
};
/// What all sides of a match say they have.
inline const MatchIdentity kIdentity{7, 8, 20, {{"Ground", 9}, {"Sky", 10}}};
using MakePeer = std::function<std::unique_ptr<Peer>()>;

/// Delays every datagram by 1 to `jitter_ms` ms and loses some; seeded.
class LossyLink {
  public:
    LossyLink(std::int32_t seed, double loss, std::uint32_t jitter_ms)
        : random_(seed), loss_(loss), jitter_ms_(jitter_ms) {}
    void send(Bytes bytes, std::int64_t now_ms) {
        if (random_.next_fraction() < static_cast<float>(loss_)) return;
        flying_.emplace(now_ms + 1 + random_.next_below(jitter_ms_), std::move(bytes));
    }
    std::optional<Bytes> receive(std::int64_t now_ms) {
        if (flying_.empty() || flying_.begin()->first > now_ms) return std::nullopt;
        Bytes bytes = std::move(flying_.begin()->second);
        flying_.erase(flying_.begin());
        return bytes;
    }

  private:
    core::RandomStream random_;
    double loss_;
    std::uint32_t jitter_ms_;
    std::multimap<std::int64_t, Bytes> flying_;
};

/// One client with its links to and from the server.
struct Seat {
    ClientIndex index;
    LockstepClient client;
    std::unique_ptr<Peer> peer;
    LossyLink up;
    LossyLink down;
    bool muted = false;   ///< Sends no datagrams.
    bool asleep = false;  ///< Does nothing at all.
    int ticks_a_step = 4;
    std::optional<Tick> corrupt_at;
    std::function<void(TickInputs&)> tamper;  ///< Spoils what the client executes.
    std::function<void(ImportStream&)> tamper_stream;
    int streams = 0;  ///< Full streams that arrived.
};

/// A server and its clients in one process over seeded links; one step is one millisecond.
class MemoryMatch {
  public:
    MemoryMatch(
        std::int32_t clients, double loss,
        MakePeer make_peer = [] { return std::make_unique<ToyPeer>(); })
        : own(make_peer()), clients_(clients), loss_(loss), make_peer_(std::move(make_peer)) {
        ServerConfig config;
        config.identity = kIdentity;
        config.client_count = clients;
        config.plan_share = [this](Tick tick, ClientIndex index) {
            played_for.push_back({tick, index});
            return plan_of(tick, index, clients_);
        };
        config.pack = [](ByteSpan raw) { return Bytes(raw.begin(), raw.end()); };
        server.emplace(std::move(config));
    }

    Seat& join(std::int32_t number, MatchIdentity identity = kIdentity) {
        const ClientIndex index{number};
        ClientConfig config;
        config.identity = std::move(identity);
        config.client = index;
        config.name = "bot";
        config.plan_share = [index, n = clients_](Tick tick) { return plan_of(tick, index, n); };
        config.unpack = [](ByteSpan packed, std::size_t) -> Result<Bytes> {
            return Bytes(packed.begin(), packed.end());
        };
        std::unique_ptr<Peer> peer = make_peer_();
        config.holds_payload = [this, index](const sim::Command& command) {
            return find(index)->peer->holds(command);
        };
        EXPECT_TRUE(server->add_client(index, now_ms));
        seats.push_back({index,
                         LockstepClient(std::move(config)),
                         std::move(peer),
                         LossyLink(number, loss_, 30),
                         LossyLink(-number, loss_, 30),
                         false,
                         false,
                         4,
                         std::nullopt,
                         {},
                         {},
                         0});
        return seats.back();
    }

    void step(Tick last) {
        ++now_ms;
        for (auto& [index, bytes] : server->poll_streams()) {
            if (Seat* seat = find(index)) static_cast<void>(seat->client.on_stream(bytes));
        }
        for (auto& [index, bytes] : server->poll_datagrams(now_ms)) {
            EXPECT_LE(bytes.size(), kDatagramBytesMax);
            if (Seat* seat = find(index)) seat->down.send(std::move(bytes), now_ms);
        }
        for (Seat& seat : seats) {
            if (!seat.asleep) step_client(seat);
        }
        for (ServerRequest& request : server->poll_requests(now_ms)) answer(request);
        if (server->last_tick() >= last) return;
        const Tick next = server->last_tick() + 1;
        if (server_commands && submitted_ < next) {
            server->submit_server_commands(next, server_commands(next));
            submitted_ = next;
        }
        if (const auto inputs = server->next_tick(now_ms)) {
            EXPECT_TRUE(own->execute(*inputs));
            own_hashes.push_back(own->hash);
            server->executed(inputs->tick, own->hash);
        }
    }
    void run(Tick last, int steps_max) {
        for (int i = 0; i < steps_max && !done(last); ++i) step(last);
    }
    bool done(Tick last) const { return server->last_tick() >= last && server->all_agree_at(last); }

    std::optional<LockstepServer> server;
    std::deque<Seat> seats;
    std::unique_ptr<Peer> own;
    std::vector<std::uint64_t> own_hashes;
    std::vector<std::pair<Tick, ClientIndex>> played_for;
    std::vector<DesyncFound> desyncs;
    std::vector<RowsReceived> rows;
    std::vector<ClientLive> live;
    std::vector<ClientIndex> snapshots;                      ///< Whom one was sent to.
    std::vector<std::pair<SendStream, std::int64_t>> asked;  ///< With the time.
    std::function<std::vector<sim::Command>(Tick)> server_commands;
    /// Without an answer the request is passed over.
    std::function<std::optional<Bytes>(const SendStream&)> stream_for;
    std::int64_t now_ms = 0;

  private:
    Seat* find(ClientIndex index) {
        for (Seat& seat : seats) {
            if (seat.index == index) return &seat;
        }
        return nullptr;
    }

    void step_client(Seat& seat) {
        const Bytes stream = seat.client.poll_stream(now_ms);
        if (!stream.empty()) {
            static_cast<void>(server->on_stream(seat.index, stream, now_ms));
        }
        while (auto bytes = seat.down.receive(now_ms)) {
            EXPECT_TRUE(seat.client.on_datagram(*bytes, now_ms).has_value());
        }
        while (auto bytes = seat.up.receive(now_ms)) {
            EXPECT_TRUE(server->on_datagram(seat.index, *bytes, now_ms).has_value());
        }
        for (ClientRequest& request : seat.client.poll_requests()) {
            if (const auto* snapshot = std::get_if<RestoreSnapshot>(&request)) {
                if (seat.peer->load(snapshot->bytes)) {
                    seat.client.restored(snapshot->tick);
                } else {
                    seat.client.restore_failed();
                }
            } else if (auto* repair = std::get_if<ImportStream>(&request)) {
                ++seat.streams;
                if (seat.tamper_stream) seat.tamper_stream(*repair);
                if (seat.peer->repair(*repair)) seat.client.repaired();
            } else if (const auto* tree = std::get_if<CompareTree>(&request)) {
                seat.client.reply_tree(tree->tick, {1, 2, 3});
            }
        }
        for (int i = 0; i < seat.ticks_a_step; ++i) {
            auto inputs = seat.client.next_frame();
            EXPECT_TRUE(inputs.has_value());
            if (!inputs || !*inputs) break;
            if (seat.tamper) seat.tamper(**inputs);
            if (!seat.peer->execute(**inputs)) {
                seat.client.substrate_refused((*inputs)->tick, seat.peer->refused_field);
                break;
            }
            if (seat.corrupt_at == (*inputs)->tick) seat.peer->hash ^= 1;
            seat.client.executed((*inputs)->tick, seat.peer->hash);
        }
        for (Bytes& bytes : seat.client.poll_datagrams(now_ms)) {
            EXPECT_LE(bytes.size(), kDatagramBytesMax);
            if (!seat.muted) seat.up.send(std::move(bytes), now_ms);
        }
    }

    void snapshot_to(ClientIndex index) {
        snapshots.push_back(index);
        const Tick tick = server->last_tick();
        Bytes bytes = own->save();
        EXPECT_TRUE(server->send_snapshot(index, own->saved_tick(tick), tick, std::move(bytes)));
    }
    void answer(ServerRequest& request) {
        if (const auto* wants = std::get_if<ClientWants>(&request)) server->accept(wants->client);
        if (const auto* need = std::get_if<SendSnapshot>(&request)) snapshot_to(need->client);
        if (const auto* want = std::get_if<SendStream>(&request)) {
            asked.emplace_back(*want, now_ms);
            const auto stream = stream_for(*want);
            if (stream) server->send_stream(want->client, want->tick, want->field, *stream);
        }
        if (const auto* found = std::get_if<DesyncFound>(&request)) {
            desyncs.push_back(*found);
            server->request_tree(found->client, found->tick, {9});
        }
        if (const auto* got = std::get_if<RowsReceived>(&request)) {
            rows.push_back(*got);
            snapshot_to(got->client);
        }
        if (const auto* now_live = std::get_if<ClientLive>(&request)) live.push_back(*now_live);
    }

    std::int32_t clients_;
    double loss_;
    MakePeer make_peer_;
    Tick submitted_ = 0;
};

}  // namespace maniple::net::test
