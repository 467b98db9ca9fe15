#include <algorithm>
#include <gtest/gtest.h>

#include "memory_match.h"

namespace maniple::net::test {
namespace {

void expect_in_order(const Seat& seat, Tick first, Tick last) {
    ASSERT_EQ(seat.peer->ticks.size(), static_cast<std::size_t>(last - first + 1));
    for (Tick tick = first; tick <= last; ++tick) {
        ASSERT_EQ(seat.peer->ticks[static_cast<std::size_t>(tick - first)], tick);
    }
}

/// Two clients without loss: what every other run of the plan must hash to.
std::uint64_t reference_hash(Tick last) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    match.join(2);
    match.run(last, 20'000);
    EXPECT_TRUE(match.done(last));
    return match.own->hash;
}

// proves: O-NET-12, O-NET-14, NET-015
TEST(Lockstep, AllFramesArriveInOrderUnderTwentyPercentLossAndReordering) {
    MemoryMatch match(3, 0.2);
    for (int i = 1; i <= 3; ++i) match.join(i);
    for (int i = 0; i < 20; ++i) match.step(0);
    match.run(300, 60'000);
    ASSERT_TRUE(match.done(300));
    for (const Seat& seat : match.seats) {
        expect_in_order(seat, 1, 300);
        EXPECT_EQ(seat.peer->hash, match.own->hash);
    }
    EXPECT_TRUE(match.desyncs.empty());
    EXPECT_TRUE(match.played_for.empty());
    EXPECT_EQ(match.own->hash, reference_hash(300));
}

// proves: O-NET-15
TEST(Lockstep, TheServerStaysTwentyTicksAheadOfTheSlowestClient) {
    MemoryMatch match(1, 0.0);
    Seat& seat = match.join(1);
    for (int i = 0; i < 300; ++i) {
        match.step(200);
        ASSERT_LE(match.server->last_tick(), match.server->client_tick(seat.index) + 20);
    }
    EXPECT_GT(match.server->last_tick(), 20);
}

// proves: O-NET-14
TEST(Lockstep, ASilentClientIsPlayedForAfterTwoSeconds) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    Seat& silent = match.join(2);
    match.run(40, 10'000);
    silent.muted = true;
    const Tick before = match.server->last_tick();
    for (int i = 0; i < 1'900; ++i) match.step(100);
    EXPECT_LE(match.server->last_tick(), before + 20);
    EXPECT_TRUE(match.played_for.empty());
    for (int i = 0; i < 6'000; ++i) match.step(100);
    EXPECT_EQ(match.server->last_tick(), 100);
    ASSERT_FALSE(match.played_for.empty());
    for (const auto& [tick, index] : match.played_for) EXPECT_EQ(index, silent.index);
    EXPECT_EQ(match.own->hash, reference_hash(100));
}

// proves: O-NET-14
TEST(Lockstep, AClientThatSleptLongerThanFramesAreKeptComesBackBySnapshot) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    Seat& sleeper = match.join(2);
    match.run(40, 10'000);
    sleeper.asleep = true;
    constexpr Tick kLast = 1400;
    for (int i = 0; i < 60'000 && match.server->last_tick() < 1300; ++i) match.step(kLast);
    ASSERT_EQ(match.server->last_tick(), 1300);
    sleeper.asleep = false;
    match.run(kLast, 60'000);
    ASSERT_TRUE(match.done(kLast));
    ASSERT_EQ(match.live.size(), 1U);
    EXPECT_EQ(match.live[0].client, sleeper.index);
    EXPECT_EQ(sleeper.peer->hash, match.own->hash);
    EXPECT_TRUE(match.desyncs.empty());
}

TEST(Lockstep, AClientThatFellBehindWhileItsSnapshotWasPackedIsGivenIt) {
    MemoryMatch match(2, 0.0);
    match.join(1);
    match.join(2).muted = true;
    match.step(0);
    match.step(0);
    Bytes request;
    encode_message(SnapshotRequest{}, request);
    ASSERT_TRUE(match.server->on_stream({2}, request, match.now_ms));
    ASSERT_EQ(match.server->poll_requests(match.now_ms).size(), 1U);
    for (int i = 0; i < 60'000 && match.server->last_tick() < 1100; ++i) match.step(1100);
    ASSERT_EQ(match.server->last_tick(), 1100);
    EXPECT_EQ(match.server->client_tick({2}), -1);
    EXPECT_TRUE(match.server->send_snapshot({2}, 1100, 1100, match.own->save()));
    EXPECT_EQ(match.server->client_tick({2}), 1100);
}

// proves: NET-010, NET-013, SNAP-039, O-NET-15
TEST(Lockstep, ALateClientJoinsBySnapshotAndReachesTheLiveTick) {
    MemoryMatch match(2, 0.1);
    match.join(1);
    match.run(100, 30'000);
    Seat& late = match.join(2);
    match.run(250, 60'000);
    ASSERT_TRUE(match.done(250));
    ASSERT_EQ(match.live.size(), 1U);
    ASSERT_FALSE(late.peer->ticks.empty());
    EXPECT_GT(late.peer->ticks.front(), 100);
    EXPECT_LT(late.peer->ticks.front(), 120);
    expect_in_order(late, late.peer->ticks.front(), 250);
    EXPECT_EQ(late.peer->hash, match.own->hash);
    EXPECT_EQ(match.own->hash, reference_hash(250));
}

// proves: O-NET-02
TEST(Lockstep, WhatArrivesIsStampedWithTheInputDelayAndLargePayloadsLater) {
    const auto submit = [](ServerConfig config, std::size_t payload_bytes) {
        config.plan_share = [](Tick, ClientIndex) { return std::vector<PlanCommand>(); };
        config.pack = [](ByteSpan raw) { return Bytes(raw.begin(), raw.end()); };
        LockstepServer server(std::move(config));
        const auto form = [&] {
            auto inputs = server.next_tick(10'000);
            server.executed(inputs->tick, 1);
            return *inputs;
        };
        for (int i = 0; i < 5; ++i) form();
        sim::Command command;
        command.type = 64;
        command.byte_payload.resize(payload_bytes);
        const Tick tick = server.submit_on_arrival({command});
        for (Tick at = 6; at <= tick; ++at) EXPECT_EQ(form().commands.size(), at == tick ? 1U : 0U);
        return tick;
    };
    EXPECT_EQ(submit({}, 10), 7) << "two ticks by default";
    EXPECT_EQ(submit({}, 5000), 7) << "and none added";
    ServerConfig slower;
    slower.input_delay_ticks = 6;
    slower.defer_ticks = 3;
    EXPECT_EQ(submit(slower, 1000), 11);
    EXPECT_EQ(submit(slower, 1001), 14);
}

// proves: O-NET-11
TEST(Lockstep, HowFastAJoinerFastForwardsNeverShowsInResults) {
    for (const int ticks_a_step : {1, 3, 200}) {
        MemoryMatch match(2, 0.0);
        match.join(1);
        match.run(150, 30'000);
        Seat& late = match.join(2);
        late.ticks_a_step = ticks_a_step;
        match.run(250, 60'000);
        ASSERT_TRUE(match.done(250));
        expect_in_order(late, late.peer->ticks.front(), 250);
        EXPECT_EQ(late.peer->hash, match.own->hash);
        EXPECT_EQ(match.own->hash, reference_hash(250));
        EXPECT_TRUE(match.desyncs.empty());
    }
}

// proves: NET-016, O-NET-05
TEST(Lockstep, ACommandWhoseTargetStandsWhereItLeadsIsNotWaitedFor) {
    ClientConfig config;
    config.plan_share = [](Tick) { return std::vector<PlanCommand>(); };
    config.holds_payload = [](const sim::Command& command) { return command.target == "held"; };
    LockstepClient client(std::move(config));
    Bytes welcome;
    encode_message(Welcome{false}, welcome);
    ASSERT_TRUE(client.on_stream(welcome));
    const auto frame_of = [](Tick tick, const std::vector<std::string>& targets) {
        std::vector<FrameCommand> commands;
        for (const std::string& target : targets) {
            FrameCommand& c = commands.emplace_back();
            c.command.type = sim::kCommandRebuildFlowField;
            c.command.tick = tick;
            c.command.server_exec_sequence = 10 * tick + std::ssize(commands);
            c.command.target = target;
            c.payload = PayloadRef{7, 2000, 900};
        }
        return encode_frame(commands);
    };
    const std::vector<Bytes> records{frame_of(1, {"held"}), frame_of(2, {"held", "held"})};
    FramesDatagram frames{0, 0, 0, {}};
    for (Tick tick = 1; tick <= 2; ++tick) {
        append_slices(tick, records[static_cast<std::size_t>(tick - 1)], frames.slices);
    }
    for (const Bytes& bytes : encode_frames(frames)) ASSERT_TRUE(client.on_datagram(bytes, 0));
    const auto first = client.next_frame();
    ASSERT_TRUE(first && *first);
    EXPECT_TRUE((*first)->commands[0].byte_payload.empty());
    client.executed(1, 1);
    const auto second = client.next_frame();
    ASSERT_TRUE(second);
    EXPECT_FALSE(*second) << "the first of the two may lead its target away";
}

// proves: NET-020, HASH-006
TEST(Lockstep, ACorruptedClientIsFoundAtTheFirstTickAndRepaired) {
    MemoryMatch match(2, 0.1);
    match.join(1);
    Seat& corrupt = match.join(2);
    corrupt.corrupt_at = 50;
    match.run(200, 60'000);
    ASSERT_TRUE(match.done(200));
    ASSERT_EQ(match.desyncs.size(), 1U);
    EXPECT_EQ(match.desyncs[0].client, corrupt.index);
    EXPECT_EQ(match.desyncs[0].tick, 50);
    EXPECT_EQ(match.desyncs[0].server_hash, match.own_hashes[49]);
    EXPECT_EQ(match.desyncs[0].client_hash, match.own_hashes[49] ^ 1);
    ASSERT_EQ(match.rows.size(), 1U);
    EXPECT_EQ(match.rows[0].rows, (Bytes{1, 2, 3}));
    EXPECT_EQ(corrupt.peer->hash, match.own->hash);
    EXPECT_EQ(match.own->hash, reference_hash(200));
}

// proves: O-NET-16
TEST(Lockstep, APayloadOverAThousandBytesGoesOverTheStreamAndOneOfAThousandDoesNot) {
    MemoryMatch match(1, 0.2);
    Seat& seat = match.join(1);
    for (int i = 0; i < 5; ++i) match.step(0);
    sim::Command small;
    small.type = 64;
    small.byte_payload.assign(1000, 5);
    sim::Command large = small;
    large.byte_payload.assign(1001, 6);
    const auto submit_and_form = [&](const sim::Command& command) {
        match.server->submit_server_commands(match.server->last_tick() + 1, {command});
        const Tick tick = match.server->last_tick() + 1;
        std::optional<TickInputs> inputs;
        while (!inputs) {
            inputs = match.server->next_tick(match.now_ms);
            if (!inputs) match.step(0);
        }
        EXPECT_TRUE(match.own->execute(*inputs));
        match.server->executed(tick, match.own->hash);
    };
    submit_and_form(small);
    EXPECT_TRUE(match.server->poll_streams().empty());
    submit_and_form(large);
    const auto streams = match.server->poll_streams();
    ASSERT_EQ(streams.size(), 1U);
    for (int i = 0; i < 1000; ++i) match.step(0);
    EXPECT_EQ(seat.client.frames_tick(), 2);
    EXPECT_EQ(seat.client.executed_tick(), 1);
    ASSERT_TRUE(seat.client.on_stream(streams[0].second).has_value());
    for (int i = 0; i < 1000; ++i) match.step(0);
    EXPECT_EQ(seat.client.executed_tick(), 2);
    EXPECT_EQ(seat.peer->hash, match.own->hash);
}

TEST(Lockstep, ClaimsBeyondWhatWasSentAreRefusedAndChangeNothing) {
    MemoryMatch match(1, 0.0);
    Seat& seat = match.join(1);
    match.run(30, 10'000);
    ASSERT_TRUE(match.done(30));
    const Tick tick = match.server->client_tick(seat.index);
    const auto refused = [&](const ReportDatagram& report) {
        return !match.server->on_datagram(seat.index, encode_report(report)[0], match.now_ms);
    };
    EXPECT_TRUE(refused({0, 31, 30, 31, {}, {}}));
    EXPECT_TRUE(refused({0, 29, 30, 31, {}, {}}));
    EXPECT_TRUE(refused({0, 30, 30, 31, {1}, {}}));
    const Bytes junk(100, 3);
    EXPECT_TRUE(refused({0, 30, 30, 31, {}, {Slice{51, 0, 1, junk}}}));
    EXPECT_EQ(match.server->client_tick(seat.index), tick);
    EXPECT_TRUE(match.server->all_agree_at(30));
    EXPECT_TRUE(match.server->poll_requests(match.now_ms).empty());
    EXPECT_FALSE(refused({0, 30, 30, 31, {}, {}}));
    match.run(60, 10'000);
    EXPECT_TRUE(match.done(60));
}

TEST(Lockstep, RandomBytesAreRefusedAndTheMatchGoesOnUnmoved) {
    MemoryMatch match(2, 0.0);
    Seat& seat = match.join(1);
    match.join(2);
    match.run(50, 10'000);
    ASSERT_TRUE(match.done(50));
    core::RandomStream random(11);
    for (int i = 0; i < 5'000; ++i) {
        Bytes bytes(19 + random.next_below(200));
        for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.next_below(256));
        bytes[0] = 2;
        EXPECT_FALSE(match.server->on_datagram(seat.index, bytes, match.now_ms).has_value());
        bytes[0] = 1;
        static_cast<void>(seat.client.on_datagram(bytes, match.now_ms));
    }
    EXPECT_EQ(match.server->client_tick(seat.index), 50);
    EXPECT_EQ(seat.client.executed_tick(), 50);
    match.run(120, 20'000);
    EXPECT_TRUE(match.done(120));
    EXPECT_TRUE(match.desyncs.empty());
    EXPECT_EQ(match.own->hash, reference_hash(120));
}

}  // namespace
}  // namespace maniple::net::test
