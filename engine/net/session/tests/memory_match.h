#pragma once

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <optional>
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

/// The state of a toy simulation: a hash over everything executed.
struct ToyPeer {
    std::uint64_t hash = 1;
    std::vector<Tick> ticks;
    void execute(const TickInputs& inputs) {
        Bytes bytes;
        core::ByteWriter out(bytes);
        for (const sim::Command& command : inputs.commands) sim::encode_command(command, out);
        hash = core::xxh3_64(bytes, core::mix(hash, inputs.tick));
        ticks.push_back(inputs.tick);
    }
};

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
    ToyPeer peer;
    LossyLink up;
    LossyLink down;
    bool muted = false;   ///< Sends no datagrams.
    bool asleep = false;  ///< Does nothing at all.
    std::optional<Tick> corrupt_at;
};

/// A server and its clients in one process over seeded links; one step is one millisecond.
class MemoryMatch {
  public:
    MemoryMatch(std::int32_t clients, double loss) : clients_(clients), loss_(loss) {
        ServerConfig config;
        config.identity = {7, 8};
        config.client_count = clients;
        config.plan_share = [this](Tick tick, ClientIndex index) {
            played_for.push_back({tick, index});
            return plan_of(tick, index, clients_);
        };
        config.pack = [](ByteSpan raw) { return Bytes(raw.begin(), raw.end()); };
        server.emplace(std::move(config));
    }

    Seat& join(std::int32_t number, std::uint64_t map_digest = 8) {
        const ClientIndex index{number};
        ClientConfig config;
        config.identity = {7, map_digest};
        config.client = index;
        config.name = "bot";
        config.plan_share = [index, n = clients_](Tick tick) { return plan_of(tick, index, n); };
        config.unpack = [](ByteSpan packed, std::size_t) -> Result<Bytes> {
            return Bytes(packed.begin(), packed.end());
        };
        EXPECT_TRUE(server->add_client(index, now_ms));
        seats.push_back({index,
                         LockstepClient(std::move(config)),
                         {},
                         LossyLink(number, loss_, 30),
                         LossyLink(-number, loss_, 30),
                         false,
                         false,
                         std::nullopt});
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
        for (ServerRequest& request : server->poll_requests()) answer(request);
        if (server->last_tick() >= last) return;
        if (const auto inputs = server->next_tick(now_ms)) {
            own.execute(*inputs);
            own_hashes.push_back(own.hash);
            server->executed(inputs->tick, own.hash);
        }
    }
    void run(Tick last, int steps_max) {
        for (int i = 0; i < steps_max && !done(last); ++i) step(last);
    }
    bool done(Tick last) const { return server->last_tick() >= last && server->all_agree_at(last); }

    std::optional<LockstepServer> server;
    std::deque<Seat> seats;
    ToyPeer own;
    std::vector<std::uint64_t> own_hashes;
    std::vector<std::pair<Tick, ClientIndex>> played_for;
    std::vector<DesyncFound> desyncs;
    std::vector<RowsReceived> rows;
    std::vector<ClientLive> live;
    std::int64_t now_ms = 0;

  private:
    Seat* find(ClientIndex index) {
        for (Seat& seat : seats) {
            if (seat.index == index) return &seat;
        }
        return nullptr;
    }

    void step_client(Seat& seat) {
        const Bytes stream = seat.client.poll_stream();
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
                seat.peer.hash = core::load_le<std::uint64_t>(snapshot->bytes.data());
                seat.client.restored(snapshot->tick);
            } else if (const auto* tree = std::get_if<CompareTree>(&request)) {
                seat.client.reply_tree(tree->tick, {1, 2, 3});
            }
        }
        for (int i = 0; i < 4; ++i) {
            const auto inputs = seat.client.next_frame();
            EXPECT_TRUE(inputs.has_value());
            if (!inputs || !*inputs) break;
            seat.peer.execute(**inputs);
            if (seat.corrupt_at == (*inputs)->tick) seat.peer.hash ^= 1;
            seat.client.executed((*inputs)->tick, seat.peer.hash);
        }
        for (Bytes& bytes : seat.client.poll_datagrams(now_ms)) {
            EXPECT_LE(bytes.size(), kDatagramBytesMax);
            if (!seat.muted) seat.up.send(std::move(bytes), now_ms);
        }
    }

    void snapshot_to(ClientIndex index) {
        Bytes bytes;
        core::ByteWriter(bytes).u64(own.hash);
        EXPECT_TRUE(server->send_snapshot(index, server->last_tick(), bytes).has_value());
    }
    void answer(ServerRequest& request) {
        if (const auto* wants = std::get_if<ClientWants>(&request)) server->accept(wants->client);
        if (const auto* need = std::get_if<SendSnapshot>(&request)) snapshot_to(need->client);
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
};

}  // namespace maniple::net::test
