#include "maniple/net/links.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "maniple/net/clock.h"
#include "maniple/net/datagram_host.h"
#include "maniple/net/stream_socket.h"

namespace maniple::net {
namespace {

using Kind = LinkEvent::Kind;
using Events = std::vector<LinkEvent>;

bool has(const Events& events, Kind kind, std::uint32_t client) {
    return std::any_of(events.begin(), events.end(), [&](const LinkEvent& event) {
        return event.kind == kind && event.client == client;
    });
}
core::Bytes joined(const Events& events, Kind kind) {
    core::Bytes bytes;
    for (const LinkEvent& event : events) {
        if (event.kind == kind) bytes.insert(bytes.end(), event.bytes.begin(), event.bytes.end());
    }
    return bytes;
}

/// A server and clients, polled in turn until something holds.
struct Links {
    explicit Links(ServerLinks& server_links) : server(server_links) {}
    bool until(const std::function<bool()>& holds) {
        for (const std::int64_t end = monotonic_ms() + 10'000; monotonic_ms() < end;) {
            append(server_events, server.poll(1));
            for (auto& [client, links] : clients) append(events[client], links->poll(0));
            if (holds()) return true;
        }
        return false;
    }
    static void append(Events& to, Events from) {
        for (LinkEvent& event : from) to.push_back(std::move(event));
    }

    ServerLinks& server;
    std::map<std::uint32_t, std::unique_ptr<ClientLinks>> clients;
    Events server_events;
    std::map<std::uint32_t, Events> events;
};

std::unique_ptr<SocketServer> listen() { return *SocketServer::listen({}, 3); }

void expect_both_ways(Links& links) {
    ASSERT_TRUE(links.until([&] { return has(links.server_events, Kind::kConnected, 2); }));
    const core::Bytes large(300'000, 7);
    links.clients[2]->send_stream(large);
    links.server.send_stream(2, large);
    ASSERT_TRUE(links.until([&] {
        links.clients[2]->send_datagram(core::Bytes{1, 2});
        links.server.send_datagram(2, core::Bytes{3});
        return has(links.server_events, Kind::kDatagram, 2) &&
               has(links.events[2], Kind::kDatagram, 2) &&
               joined(links.server_events, Kind::kStream) == large &&
               joined(links.events[2], Kind::kStream) == large;
    }));
    EXPECT_GT(links.clients[2]->traffic().bytes_in, large.size());
    EXPECT_GT(links.clients[2]->traffic().bytes_out, large.size());
    links.clients.erase(2);
    EXPECT_TRUE(links.until([&] { return has(links.server_events, Kind::kLost, 2); }));
}

TEST(SocketLinks, CarryBothWaysAndTellWhenTheClientIsGone) {
    const auto server = listen();
    Links links(server->links());
    links.clients[2] = *connect_links(server->ports(), 2);
    expect_both_ways(links);
}

TEST(MemoryLinks, CarryBothWaysAndTellWhenTheClientIsGone) {
    MemoryNetwork network;
    Links links(network.server());
    links.clients[2] = network.connect(2, {.latency_ms = 2, .jitter_ms = 3, .loss_percent = 20});
    expect_both_ways(links);
}

TEST(SocketLinks, AStreamKeepsANumberToItsFirstClient) {
    const auto server = listen();
    Links links(server->links());
    links.clients[1] = *connect_links(server->ports(), 1);
    ASSERT_TRUE(links.until([&] { return has(links.server_events, Kind::kConnected, 1); }));
    const auto twin = *connect_links(server->ports(), 1);
    Events twin_events;
    EXPECT_TRUE(links.until([&] {
        Links::append(twin_events, twin->poll(0));
        return has(twin_events, Kind::kLost, 1);
    }));
    EXPECT_FALSE(has(links.server_events, Kind::kLost, 1));
    links.clients[1]->send_stream(core::Bytes{5});
    EXPECT_TRUE(links.until([&] { return has(links.server_events, Kind::kStream, 1); }));
}

TEST(SocketLinks, StrangersWithABadNumberAreClosed) {
    const auto server = listen();
    Links links(server->links());
    for (const std::uint32_t number : {0U, 4U, 0xFFFFFFFFU}) {
        auto stream = *StreamConnection::connect(server->ports().tcp);
        core::Bytes greeting;
        core::ByteWriter(greeting).u32(number);
        stream.send(greeting);
        EXPECT_TRUE(links.until([&] { return !stream.flush() || !stream.receive(); })) << number;
    }
    EXPECT_TRUE(links.server_events.empty());
}

TEST(SocketLinks, ManySilentStrangersDoNotKeepAClientOutForLong) {
    const auto server = listen();
    Links links(server->links());
    std::vector<StreamConnection> silent;
    for (int i = 0; i < 80; ++i) silent.push_back(*StreamConnection::connect(server->ports().tcp));
    links.clients[3] = *connect_links(server->ports(), 3);
    EXPECT_TRUE(links.until([&] { return has(links.server_events, Kind::kConnected, 3); }));
}

TEST(SocketLinks, AClientThatIsDroppedHearsOfIt) {
    const auto server = listen();
    Links links(server->links());
    links.clients[1] = *connect_links(server->ports(), 1);
    ASSERT_TRUE(links.until([&] { return has(links.server_events, Kind::kConnected, 1); }));
    links.server.drop(1);
    EXPECT_TRUE(links.until([&] { return has(links.events[1], Kind::kLost, 1); }));
    EXPECT_FALSE(has(links.server_events, Kind::kLost, 1));
}

TEST(LinkQuality, DecidesDelayAndLossByNumberAndSeedAlone) {
    const LinkQuality quality{.latency_ms = 10, .jitter_ms = 5, .loss_percent = 25, .seed = 9};
    int lost = 0;
    for (std::int32_t number = 0; number < 10'000; ++number) {
        const auto delay = link_delay_us(quality, Way::kToClient, Medium::kDatagram, number);
        EXPECT_GE(delay, 10'000);
        EXPECT_LE(delay, 15'000);
        lost += link_loses(quality, Way::kToClient, number) ? 1 : 0;
        EXPECT_EQ(link_loses(quality, Way::kToClient, number),
                  link_loses(quality, Way::kToClient, number));
    }
    EXPECT_NEAR(lost, 2500, 250);
}

}  // namespace
}  // namespace maniple::net
