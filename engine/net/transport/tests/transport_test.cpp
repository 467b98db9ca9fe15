#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "maniple/net/clock.h"
#include "maniple/net/datagram_host.h"
#include "maniple/net/link_relay.h"
#include "maniple/net/payload_codec.h"
#include "maniple/net/stream_socket.h"

namespace maniple::net {
namespace {

constexpr std::int64_t kTestMs = 10'000;

core::Bytes pattern(std::size_t size) {
    core::Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * i / 7);
    return bytes;
}

/// Repeats `step` until it says true, for at most ten seconds.
template <typename Step>
bool until(Step step) {
    for (const std::int64_t end = monotonic_ms() + kTestMs; monotonic_ms() < end;) {
        if (step()) return true;
    }
    return false;
}

/// A server and a client that found each other, perhaps through a relay.
struct DatagramPair {
    explicit DatagramPair(const LinkQuality* quality)
        : server(std::move(*DatagramHost::listen(0, 4))), client(connect(quality)) {
        until([&] {
            if (relay) relay->run(1);
            if (auto event = client.poll(1)) to_server = event->peer;
            if (auto event = server.poll(1)) {
                to_client = event->peer;
                greeting = event->greeting;
            }
            return to_server && to_client;
        });
    }
    DatagramHost connect(const LinkQuality* quality) {
        if (quality) relay = std::move(*LinkRelay::open(server.port(), 1, *quality));
        return std::move(*DatagramHost::connect(relay ? relay->udp_port() : server.port(), 42));
    }
    std::optional<LinkRelay> relay;
    DatagramHost server;
    DatagramHost client;
    std::optional<PeerId> to_server;
    std::optional<PeerId> to_client;
    std::uint32_t greeting = 0;
};

TEST(DatagramHost, CarriesDatagramsBothWaysAndTheGreeting) {
    DatagramPair pair(nullptr);
    ASSERT_TRUE(pair.to_server && pair.to_client);
    EXPECT_EQ(pair.greeting, 42U);
    const core::Bytes up = pattern(1200);
    const core::Bytes down = pattern(10);
    pair.client.send(*pair.to_server, up);
    pair.server.send(*pair.to_client, down);
    core::Bytes got_up;
    core::Bytes got_down;
    EXPECT_TRUE(until([&] {
        if (auto event = pair.server.poll(1)) got_up = event->bytes;
        if (auto event = pair.client.poll(1)) got_down = event->bytes;
        return !got_up.empty() && !got_down.empty();
    }));
    EXPECT_EQ(got_up, up);
    EXPECT_EQ(got_down, down);
}

TEST(DatagramHost, TellsThatThePeerLeft) {
    DatagramPair pair(nullptr);
    ASSERT_TRUE(pair.to_client);
    {
        const DatagramHost gone = std::move(pair.client);
    }
    EXPECT_TRUE(until([&] {
        auto event = pair.server.poll(1);
        return event && event->kind == DatagramEvent::Kind::kDisconnected;
    }));
}

TEST(DatagramHost, RefusesAPortInUse) {
    const auto first = DatagramHost::listen(0, 1);
    ASSERT_TRUE(first.has_value());
    const auto second = DatagramHost::listen(first->port(), 1);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::kPortInUse);
}

TEST(StreamServer, RefusesAPortInUse) {
    const auto first = StreamServer::listen(0);
    ASSERT_TRUE(first.has_value());
    const auto second = StreamServer::listen(first->port());
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::kPortInUse);
}

TEST(StreamConnection, CarriesMegabytesInOrderAndTellsTheEnd) {
    auto server = std::move(*StreamServer::listen(0));
    std::optional<StreamConnection> client = std::move(*StreamConnection::connect(server.port()));
    std::optional<StreamConnection> seat;
    ASSERT_TRUE(until([&] { return (seat = server.accept()).has_value(); }));
    const core::Bytes sent = pattern(8'000'000);
    client->send(sent);
    core::Bytes got;
    EXPECT_TRUE(until([&] {
        EXPECT_TRUE(client->flush().has_value());
        const auto bytes = seat->receive();
        EXPECT_TRUE(bytes.has_value());
        if (bytes) got.insert(got.end(), bytes->begin(), bytes->end());
        return got.size() >= sent.size();
    }));
    EXPECT_EQ(got, sent);
    client.reset();
    EXPECT_TRUE(until([&] { return !seat->receive().has_value(); }));
}

TEST(LinkRelay, DelaysAndLosesDatagrams) {
    const LinkQuality quality{20, 10, 20, 7};
    DatagramPair pair(&quality);
    ASSERT_TRUE(pair.to_server && pair.to_client);
    const std::int64_t start = monotonic_ms();
    for (std::uint8_t i = 0; i < 200; ++i) {
        pair.client.send(*pair.to_server, core::Bytes(1000, i));
        pair.client.flush();
        pair.relay->run(0);
    }
    std::set<std::uint8_t> got;
    std::int64_t first_ms = 0;
    while (monotonic_ms() < start + 300) {
        pair.relay->run(1);
        const auto event = pair.server.poll(0);
        if (!event || event->kind != DatagramEvent::Kind::kReceived) continue;
        if (got.empty()) first_ms = monotonic_ms() - start;
        got.insert(event->bytes.at(0));
    }
    EXPECT_GE(first_ms, 20);
    EXPECT_GT(got.size(), 120U);
    EXPECT_LT(got.size(), 190U);
    EXPECT_GT(pair.relay->counts().dropped, 10U);
}

TEST(LinkRelay, DelaysStreamsAndLosesNothing) {
    auto server = std::move(*StreamServer::listen(0));
    auto relay = std::move(*LinkRelay::open(1, server.port(), {20, 10, 50, 7}));
    std::optional<StreamConnection> client =
        std::move(*StreamConnection::connect(relay.tcp_port()));
    std::optional<StreamConnection> seat;
    ASSERT_TRUE(until([&] {
        relay.run(1);
        return (seat = server.accept()).has_value();
    }));
    const core::Bytes sent = pattern(2'000'000);
    const std::int64_t start = monotonic_ms();
    client->send(sent);
    core::Bytes got;
    std::int64_t first_ms = 0;
    EXPECT_TRUE(until([&] {
        relay.run(1);
        EXPECT_TRUE(client->flush().has_value());
        const auto bytes = seat->receive();
        if (bytes && !bytes->empty() && got.empty()) first_ms = monotonic_ms() - start;
        if (bytes) got.insert(got.end(), bytes->begin(), bytes->end());
        return got.size() >= sent.size();
    }));
    EXPECT_EQ(got, sent);
    EXPECT_GE(first_ms, 20);
    client.reset();
    EXPECT_TRUE(until([&] {
        relay.run(1);
        return !seat->receive().has_value();
    }));
}

// proves: O-NET-16
TEST(PayloadCodec, UnpacksToTheStatedSizeOnly) {
    const core::Bytes raw = pattern(5000);
    core::Bytes packed = pack_payload(raw);
    const auto same = unpack_payload(packed, 5000);
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(*same, raw);
    EXPECT_FALSE(unpack_payload(packed, 4999).has_value());
    EXPECT_FALSE(unpack_payload(packed, 5001).has_value());
    packed.push_back(0);
    EXPECT_FALSE(unpack_payload(packed, 5000).has_value());
    packed.resize(packed.size() - 2);
    EXPECT_FALSE(unpack_payload(packed, 5000).has_value());
    EXPECT_FALSE(unpack_payload({}, 5000).has_value());
}

}  // namespace
}  // namespace maniple::net
