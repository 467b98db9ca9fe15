#include <gtest/gtest.h>

#include "memory_match.h"

namespace maniple::net::test {
namespace {

Bytes bytes_of(const StreamMessage& message, int times = 1) {
    Bytes bytes;
    for (int i = 0; i < times; ++i) encode_message(message, bytes);
    return bytes;
}

/// Lets client 2 in without a program behind it.
void let_in_by_hand(MemoryMatch& match) {
    ASSERT_TRUE(match.server->add_client({2}, 0));
    const Bytes hello = bytes_of(Hello{kProtocolVersion, kIdentity, {2}, "hand"});
    ASSERT_TRUE(match.server->on_stream({2}, hello, 0));
}

TEST(HostileClient, IsGivenSixteenSnapshotsAndThenFourASecondHoweverOftenItAsks) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    Seat& greedy = match.join(2);
    match.run(20, 10'000);
    const std::int64_t from_ms = match.now_ms;
    while (match.now_ms < from_ms + 1'000) {
        ASSERT_TRUE(
            match.server->on_stream(greedy.index, bytes_of(SnapshotRequest{}, 50), match.now_ms));
        match.step(1'000'000);
    }
    EXPECT_GE(match.snapshots.size(), 19U);
    EXPECT_LE(match.snapshots.size(), 21U);
    const Tick last = match.server->last_tick() + 50;
    match.run(last, 20'000);
    ASSERT_TRUE(match.done(last));
    EXPECT_EQ(greedy.peer->hash, match.own->hash);
}

TEST(HostileClient, IsQuestionedSixteenTimesAndThenFourASecondHoweverOftenItDiffers) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    Seat& liar = match.join(2);
    liar.tamper = [](TickInputs& inputs) {
        inputs.commands.emplace_back().set("lie", std::int64_t{1});
    };
    for (int i = 0; i < 2'000; ++i) match.step(1'000'000);
    EXPECT_GE(match.desyncs.size(), 20U);
    EXPECT_LE(match.desyncs.size(), 24U);
    EXPECT_EQ(match.rows.size(), match.desyncs.size());
    EXPECT_EQ(match.snapshots.size(), match.desyncs.size());
}

TEST(HostileClient, MayAnswerAQuestionOnce) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    Seat& seat = match.join(2);
    match.run(20, 10'000);
    const Bytes reply = bytes_of(TreeReply{20, {1}});
    const Result<void> unasked = match.server->on_stream(seat.index, reply, match.now_ms);
    ASSERT_FALSE(unasked.has_value());
    EXPECT_EQ(unasked.error().code, ErrorCode::kNotReady);
    match.server->request_tree(seat.index, 20, {9});
    EXPECT_TRUE(match.server->on_stream(seat.index, reply, match.now_ms).has_value());
    EXPECT_FALSE(match.server->on_stream(seat.index, reply, match.now_ms).has_value());
}

TEST(HostileClient, HasSixteenMebibytesOfSharesKeptAheadAndMoreDropped) {
    MemoryMatch match(2, 0.0);
    let_in_by_hand(match);
    match.step(0);
    for (Tick tick = 1; tick <= 20; ++tick) {
        PlanCommand command;
        command.command.type = sim::kFirstGameCommand;
        command.command.tick = tick;
        command.command.byte_payload.resize(1'000'000);
        const Bytes record = encode_share({command});
        ReportDatagram report{0, 0, 0, 1, {}, {}};
        append_slices(tick, record, report.slices);
        for (const Bytes& bytes : encode_report(report)) {
            ASSERT_TRUE(match.server->on_datagram({2}, bytes, match.now_ms));
        }
    }
    const auto answers = match.server->poll_datagrams(match.now_ms);
    ASSERT_FALSE(answers.empty());
    EXPECT_EQ(decode_frames(answers.back().second)->shares_acked, 16);
}

// proves: O-NET-14
TEST(HostileClient, ThatWithholdsItsSharesKeepsOneTickWaitingNotEveryOne) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    let_in_by_hand(match);
    for (int i = 0; i < 4'000 && match.server->last_tick() < 100; ++i) {
        match.step(100);
        const Tick tick = match.server->last_tick();
        const Bytes report = encode_report({0, tick, tick, tick + 1, {}, {}}).at(0);
        ASSERT_TRUE(match.server->on_datagram({2}, report, match.now_ms));
        if (match.now_ms < 1'900) {
            ASSERT_EQ(tick, 0);
        }
    }
    EXPECT_EQ(match.server->last_tick(), 100);
}

// proves: O-NET-15
TEST(HostileClient, ThatSpeaksAndNeverExecutesIsWaitedForTenSeconds) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    let_in_by_hand(match);
    for (int i = 0; i < 14'000 && match.server->last_tick() < 100; ++i) {
        match.step(100);
        const Tick tick = match.server->last_tick();
        const Bytes report = encode_report({0, tick, 0, 1, {}, {}}).at(0);
        ASSERT_TRUE(match.server->on_datagram({2}, report, match.now_ms));
        if (match.now_ms < 9'900) {
            ASSERT_LE(tick, 20);
        }
    }
    EXPECT_EQ(match.server->last_tick(), 100);
}

// A server can be hostile as well: payloads for ticks that never come are not kept without end.
TEST(HostileServer, IsLeftWhenItsPayloadsPileUpHoweverSmallTheyAre) {
    LockstepClient client({.identity = kIdentity,
                           .client = {1},
                           .name = "bot",
                           .plan_share = [](Tick) { return std::vector<PlanCommand>{}; },
                           .unpack = [](ByteSpan packed, std::size_t) -> Result<Bytes> {
                               return Bytes(packed.begin(), packed.end());
                           }});
    ASSERT_TRUE(client.on_stream(bytes_of(Welcome{false})));
    constexpr std::uint64_t kPayloads = 65'536;
    for (std::uint64_t key = 0; key < kPayloads; ++key) {
        ASSERT_TRUE(client.on_stream(bytes_of(Payload{1'000'000, key, {}})));
    }
    const Result<void> over = client.on_stream(bytes_of(Payload{1'000'000, kPayloads, {}}));
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().code, ErrorCode::kOverCap);
}

}  // namespace
}  // namespace maniple::net::test
