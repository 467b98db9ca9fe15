#include <gtest/gtest.h>

#include "memory_match.h"

namespace maniple::net::test {
namespace {

/// What a client hears that says it has `identity` where the match has kIdentity.
MatchClosed refusal_of(const MatchIdentity& identity) {
    MemoryMatch match(1, 0.0);
    LockstepClient& client = match.join(1, identity).client;
    const Result<void> taken = match.server->on_stream({1}, client.poll_stream(0), 0);
    for (const auto& [index, bytes] : match.server->poll_streams()) {
        EXPECT_TRUE(client.on_stream(bytes).has_value());
    }
    const auto requests = client.poll_requests();
    if (taken) {
        EXPECT_TRUE(requests.empty());
        return {};
    }
    EXPECT_EQ(client.phase(), ClientPhase::kClosed);
    EXPECT_EQ(requests.size(), 1U);
    MatchClosed closed = std::get<MatchClosed>(requests.at(0));
    EXPECT_EQ(closed.code, taken.error().code);
    return closed;
}

TEST(Handshake, WhoHasWhatTheMatchHasIsLetIn) {
    EXPECT_EQ(refusal_of(kIdentity).code, ErrorCode::kNone);
}

TEST(Handshake, AnotherRegistryOrMapIsRefused) {
    MatchIdentity other = kIdentity;
    ++other.map_digest;
    EXPECT_EQ(refusal_of(other).code, ErrorCode::kMapMismatch);
    ++other.registry_digest;
    EXPECT_EQ(refusal_of(other).code, ErrorCode::kRegistryMismatch);
}

// proves: O-GEN-07
TEST(Handshake, AnotherTickRateIsRefusedWithBothRates) {
    MatchIdentity other = kIdentity;
    other.tick_rate_hz = 21;
    const MatchClosed closed = refusal_of(other);
    EXPECT_EQ(closed.code, ErrorCode::kConfigMismatch);
    EXPECT_EQ(closed.reason, "a tick rate of 21 Hz, the match's is 20 Hz");
}

// proves: O-SYNC-39
TEST(Handshake, AFieldThatIsConfiguredOtherwiseIsRefusedByName) {
    MatchIdentity other = kIdentity;
    ++other.fields[1].config_digest;
    const MatchClosed closed = refusal_of(other);
    EXPECT_EQ(closed.code, ErrorCode::kConfigMismatch);
    EXPECT_EQ(closed.reason, "field \"Sky\" is configured otherwise");
}

// proves: O-SYNC-39
TEST(Handshake, AFieldThatOnlyOneSideHasIsRefusedByName) {
    MatchIdentity other = kIdentity;
    other.fields.pop_back();
    EXPECT_EQ(refusal_of(other).reason, "field \"Sky\" is missing");
    other = kIdentity;
    other.fields.push_back({"Sea", 11});
    EXPECT_EQ(refusal_of(other).reason, "the match has no field \"Sea\"");
}

TEST(Handshake, AnotherProtocolIsRefusedByItsVersionWhateverElseItSays) {
    MemoryMatch match(1, 0.0);
    LockstepServer& server = *match.server;
    ASSERT_TRUE(server.add_client({1}, 0));
    const Bytes hello{7, 0, 0, 0, 1, 3, 0, 0, 0, 1, 2, 3};
    const Result<void> taken = server.on_stream({1}, hello, 0);
    ASSERT_FALSE(taken.has_value());
    EXPECT_EQ(taken.error().code, ErrorCode::kBadVersion);
    EXPECT_EQ(taken.error().message, "protocol version 3, the server speaks 4");
}

TEST(Handshake, AHelloTakesSixtyFourFieldsAndNoMore) {
    for (const std::uint32_t count : {64U, 65U}) {
        Bytes body;
        core::ByteWriter out(body);
        out.u32(kProtocolVersion);
        out.u64(7);
        out.u64(8);
        out.i32(20);
        out.u32(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            out.text(std::string(kNameBytesMax, 'f'));
            out.u64(9);
        }
        out.i32(1);
        out.text("bot");
        Bytes message;
        core::ByteWriter head(message);
        head.u32(static_cast<std::uint32_t>(body.size()));
        head.u8(1);
        head.bytes(body);
        StreamReader reader(StreamReceiver::kServer);
        reader.push(message);
        EXPECT_EQ(reader.next().has_value(), count == 64);
    }
}

}  // namespace
}  // namespace maniple::net::test
