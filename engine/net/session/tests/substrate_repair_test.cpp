#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world_peer.h"

namespace maniple::net::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

constexpr Tick kLast = 60;

/// A match of worlds on ground that the server builds on.
class SubstrateRepair : public testing::Test {
  protected:
    void start(
        std::int32_t clients, substrate::DispatchMode mode, std::vector<Tick> edits,
        MakePeer make_peer = [] { return std::make_unique<WorldPeer>(); }) {
        builder_.emplace(mode, std::move(edits));
        match_.emplace(clients, 0.05, std::move(make_peer));
        match_->server_commands = [this](Tick tick) { return builder_->commands_at(tick); };
        match_->stream_for = [this](const SendStream& request) { return answer(request); };
        dynamic_cast<WorldPeer&>(*match_->own).stream_at =
            [this](std::string_view field, Tick tick) { return builder_->stream_at(field, tick); };
    }
    /// An empty stream where there is none.
    std::optional<Bytes> answer(const SendStream& request) const {
        return builder_->stream_at(request.field, request.tick).value_or(Bytes());
    }
    /// Runs to the last tick; everybody then has the server's hash and stands on its ground.
    void finish() {
        match_->run(kLast, 60'000);
        ASSERT_TRUE(match_->done(kLast));
        for (const Seat& seat : match_->seats) {
            EXPECT_EQ(seat.peer->hash, match_->own->hash);
            EXPECT_EQ(version_of(*seat.peer), version_of(*match_->own));
        }
    }
    static std::uint32_t version_of(const Peer& peer) {
        const auto& world = dynamic_cast<const WorldPeer&>(peer).world();
        return world.find_field(kGround)->substrate_version();
    }
    static std::uint32_t version_of(const Bytes& stream) {
        return substrate::read_substrate_header(stream)->content_hash;
    }
    static const std::vector<ErrorCode>& errors_of(const Seat& seat) {
        return dynamic_cast<const WorldPeer&>(*seat.peer).errors;
    }
    /// Calls `spoil` for the substrate commands that the client executes at `tick`.
    static void spoil_at(Seat& seat, Tick tick, std::function<void(sim::Command&)> spoil) {
        seat.tamper = [tick, spoil](TickInputs& inputs) {
            for (sim::Command& command : inputs.commands) {
                const bool is_ours = command.type == sim::kCommandRebuildFlowField;
                if (is_ours && inputs.tick == tick) spoil(command);
            }
        };
    }
    static void flip_a_byte(sim::Command& command) { command.byte_payload.back() ^= 1; }

    std::optional<Builder> builder_;
    std::optional<MemoryMatch> match_;
};

// proves: NET-009, NET-020, O-NET-04
TEST_F(SubstrateRepair, AMalformedDeltaIsMendedByTheFullStreamOfItsTick) {
    start(2, substrate::DispatchMode::kIncremental, {10, 20, 30});
    match_->join(1);
    Seat& spoilt = match_->join(2);
    spoil_at(spoilt, 20, flip_a_byte);
    finish();
    EXPECT_THAT(errors_of(spoilt), ElementsAre(ErrorCode::kBadHash));
    EXPECT_EQ(spoilt.streams, 1);
    ASSERT_THAT(match_->asked, SizeIs(1));
    EXPECT_EQ(match_->asked[0].first.client, spoilt.index);
    EXPECT_EQ(match_->asked[0].first.tick, 20);
    EXPECT_EQ(match_->asked[0].first.field, kGround);
    EXPECT_THAT(match_->desyncs, IsEmpty());
    EXPECT_THAT(match_->snapshots, IsEmpty());
    EXPECT_EQ(spoilt.peer->ticks.size(), static_cast<std::size_t>(kLast));
}

// proves: NET-012, O-NET-10
TEST_F(SubstrateRepair, ABrokenChainOfVersionsIsMendedByAFullStream) {
    start(1, substrate::DispatchMode::kIncremental, {20, 21});
    Seat& seat = match_->join(1);
    // The delta of tick 20 never reaches the field, so the one of tick 21 has no base.
    seat.tamper = [](TickInputs& inputs) {
        if (inputs.tick == 20)
            std::erase_if(inputs.commands, [](const sim::Command& command) {
                return command.type == sim::kCommandRebuildFlowField;
            });
    };
    finish();
    EXPECT_THAT(errors_of(seat), ElementsAre(ErrorCode::kBaseMismatch));
    EXPECT_EQ(seat.streams, 1);
    EXPECT_THAT(match_->asked, SizeIs(1));
    // That tick 20 was played on the old ground is a desync of its own.
    ASSERT_THAT(match_->desyncs, SizeIs(1));
    EXPECT_EQ(match_->desyncs[0].tick, 20);
}

// proves: NET-011, O-NET-04
TEST_F(SubstrateRepair, APeerWithoutGroundExecutesNoTickBeforeItHasIt) {
    int peers = 0;
    // The server's own peer is made first.
    start(1, substrate::DispatchMode::kIncremental, {1, 9},
          [&peers] { return std::make_unique<WorldPeer>(peers++ == 0); });
    Seat& bare = match_->join(1);
    bool was_asked_before_a_tick = false;
    match_->stream_for = [&](const SendStream& request) {
        was_asked_before_a_tick = bare.peer->ticks.empty();
        return answer(request);
    };
    finish();
    EXPECT_TRUE(was_asked_before_a_tick);
    EXPECT_THAT(errors_of(bare), ElementsAre(ErrorCode::kNotReady));
    EXPECT_THAT(match_->asked, SizeIs(1));
    EXPECT_THAT(match_->desyncs, IsEmpty());
    EXPECT_EQ(bare.peer->ticks.front(), 1);
}

// proves: NET-021
TEST_F(SubstrateRepair, AMalformedFullStreamIsMended) {
    start(1, substrate::DispatchMode::kFull, {15});
    Seat& seat = match_->join(1);
    spoil_at(seat, 15, [](sim::Command& command) { command.byte_payload.resize(40); });
    finish();
    EXPECT_THAT(errors_of(seat), ElementsAre(ErrorCode::kTruncated));
    EXPECT_THAT(match_->asked, SizeIs(1));
    EXPECT_THAT(match_->snapshots, IsEmpty());
}

// proves: O-NET-06
TEST_F(SubstrateRepair, APayloadThatIsNoStreamIsMalformedWhateverItsCommandSays) {
    start(1, substrate::DispatchMode::kIncremental, {15});
    Seat& seat = match_->join(1);
    spoil_at(seat, 15, [](sim::Command& command) { command.byte_payload[3] = '2'; });
    finish();
    EXPECT_THAT(errors_of(seat), ElementsAre(ErrorCode::kBadMagic));
    EXPECT_THAT(match_->asked, SizeIs(1));
}

// proves: NET-021, O-NET-07
TEST_F(SubstrateRepair, AnUnknownFieldStopsThePeerUntilASnapshotStands) {
    start(2, substrate::DispatchMode::kIncremental, {15});
    match_->join(1);
    Seat& seat = match_->join(2);
    spoil_at(seat, 15, [](sim::Command& command) { command.target = "grounds"; });
    finish();
    EXPECT_THAT(errors_of(seat), ElementsAre(ErrorCode::kUnknownName));
    ASSERT_THAT(match_->asked, SizeIs(1));
    EXPECT_EQ(match_->asked[0].first.field, "grounds");
    EXPECT_THAT(match_->snapshots, ElementsAre(seat.index));
    EXPECT_EQ(seat.streams, 0);
}

// proves: O-NET-04
TEST_F(SubstrateRepair, AsksFiveTimesTwoSecondsApartAndThenForASnapshot) {
    start(1, substrate::DispatchMode::kIncremental, {15});
    Seat& seat = match_->join(1);
    spoil_at(seat, 15, flip_a_byte);
    // Of five streams one arrives, and that one is spoilt as well.
    match_->stream_for = [this](const SendStream& request) -> std::optional<Bytes> {
        if (match_->asked.size() != 3) return std::nullopt;
        return answer(request);
    };
    seat.tamper_stream = [](ImportStream& request) { request.stream.back() ^= 1; };
    match_->run(16, 10'000);
    const Tick stopped = match_->server->client_tick(seat.index);
    EXPECT_EQ(stopped, 14);
    finish();
    ASSERT_THAT(match_->asked, SizeIs(5));
    for (std::size_t i = 1; i < match_->asked.size(); ++i) {
        EXPECT_THAT(match_->asked[i].second - match_->asked[i - 1].second,
                    AllOf(Ge(2000), Le(2010)));
    }
    EXPECT_EQ(seat.streams, 1);
    EXPECT_THAT(match_->snapshots, ElementsAre(seat.index));
}

// proves: O-NET-04
TEST_F(SubstrateRepair, TheStreamIsThatOfTheTickThoughTheServerIsFurther) {
    start(1, substrate::DispatchMode::kIncremental, {15, 17, 19, 19});
    Seat& seat = match_->join(1);
    spoil_at(seat, 15, flip_a_byte);
    Tick server_tick = 0;
    match_->stream_for = [&](const SendStream& request) {
        server_tick = match_->server->last_tick();
        return server_tick < 25 ? std::nullopt : answer(request);
    };
    finish();
    EXPECT_GE(server_tick, 25);
    EXPECT_EQ(seat.streams, 1);
    EXPECT_THAT(match_->desyncs, IsEmpty());
    EXPECT_THAT(match_->snapshots, IsEmpty());
}

// proves: O-NET-04
TEST_F(SubstrateRepair, OfTwoEditsInOneTickTheSecondMayBeTheSpoiltOne) {
    start(1, substrate::DispatchMode::kIncremental, {19, 19});
    Seat& seat = match_->join(1);
    int commands = 0;
    spoil_at(seat, 19, [&](sim::Command& command) {
        if (++commands == 2) flip_a_byte(command);
    });
    finish();
    EXPECT_EQ(seat.streams, 1);
    EXPECT_THAT(match_->desyncs, IsEmpty());
}

// proves: NET-010, NET-013, NET-018, O-NET-10, O-SNAP-10, O-SNAP-14
TEST_F(SubstrateRepair, AJoinerPlaysTheGapFromAnOlderSnapshotOnTheGroundOfItsTick) {
    start(2, substrate::DispatchMode::kIncremental, {10, 40});
    match_->join(1);
    match_->run(25, 30'000);
    // The capture is of tick 1, from before the edit; the edit is in the gap.
    Seat& late = match_->join(2);
    finish();
    EXPECT_THAT(match_->asked, IsEmpty());
    EXPECT_THAT(match_->desyncs, IsEmpty());
    EXPECT_EQ(late.peer->ticks.front(), 2);
}

// proves: O-NET-13
TEST_F(SubstrateRepair, AServerWithoutClientsBuildsOnAndALaterJoinerStandsOnIt) {
    start(1, substrate::DispatchMode::kIncremental, {5, 10});
    match_->run(20, 10'000);
    EXPECT_EQ(match_->server->last_tick(), 20);
    EXPECT_NE(version_of(*match_->own), start_ground().version());
    EXPECT_EQ(version_of(*builder_->stream_at(kGround, 20)), version_of(*match_->own));
    match_->join(1);
    finish();
    EXPECT_THAT(match_->asked, IsEmpty());
}

}  // namespace
}  // namespace maniple::net::test
