#include "maniple/snapshot/snapshot_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/snapshot/snapshot_packer.h"

#include "ground_server.h"
#include "held_background.h"

namespace maniple::snapshot {
namespace {

class SnapshotCacheTest : public testing::Test {
  protected:
    void run_to(sim::Tick last) {
        server_.run_to(last, [&](const ground::Server& s) {
            cache_.executed(s.world, s.commands);
            ticks_.push_back(cache_.tick());
        });
    }
    std::shared_ptr<const Snapshot> dispatched() {
        auto snapshot = cache_.dispatch(server_.world, [&](std::string_view, sim::Tick tick) {
            return server_.stream_at(tick);
        });
        EXPECT_TRUE(snapshot);
        return *snapshot;
    }
    /// A peer from the snapshot plays the gap and has the server's hash at each of its ticks.
    void expect_plays_the_gap(const Snapshot& snapshot) {
        const core::Bytes frame = encode_snapshot(*game_, snapshot);
        const auto decoded = decode_snapshot(*game_, frame, Policy::kJoin);
        ASSERT_TRUE(decoded) << decoded.error().message;
        const auto peer = restore(game_, *decoded, executor_);
        ASSERT_TRUE(peer) << peer.error().message;
        while ((*peer)->tick() < server_.world.tick()) {
            const auto hash = (*peer)->step();
            ASSERT_TRUE(hash) << hash.error().message;
            ASSERT_EQ(*hash, server_.hashes[static_cast<std::size_t>((*peer)->tick() - 1)])
                << "tick " << (*peer)->tick();
        }
    }

    core::SerialExecutor executor_;
    std::shared_ptr<const sim::GameDefinition> game_ = ground::make_game();
    ground::Server server_{game_};
    SnapshotCache cache_{{.every_ticks = 30, .gap_ticks_max = 30}};
    std::vector<sim::Tick> ticks_;  ///< The cached capture's, after each tick.
};

// proves: SNAP-036, O-SNAP-13
TEST_F(SnapshotCacheTest, CapturesAtTickOneAndThenAtEveryMultiple) {
    EXPECT_EQ(CachePolicy{}.every_ticks, 300);
    EXPECT_EQ(cache_.tick(), -1);
    run_to(62);
    for (sim::Tick tick = 1; tick <= 62; ++tick) {
        const sim::Tick expected = tick < 30 ? 1 : tick / 30 * 30;
        EXPECT_EQ(ticks_[static_cast<std::size_t>(tick - 1)], expected) << tick;
    }
    EXPECT_TRUE(dispatched()->warnings.empty());
    EXPECT_EQ(dispatched()->state.tick, 60);
    EXPECT_EQ(dispatched()->hash_at_capture, server_.hashes[59]);
}

// proves: SNAP-021, SNAP-037, NET-018, O-SNAP-10, O-SNAP-14
// Trap 7: the ground was built on twice between the capture and the dispatch.
TEST_F(SnapshotCacheTest, TheGapReachesFromTheCaptureToTheDispatchOnTheGroundOfTheCapture) {
    run_to(55);
    const auto snapshot = dispatched();
    EXPECT_EQ(snapshot->state.tick, 30);
    ASSERT_FALSE(snapshot->gap_commands.empty());
    EXPECT_EQ(snapshot->gap_commands.front().tick, 32) << "31 has no command, 30 is in the state";
    EXPECT_EQ(snapshot->gap_commands.back().tick, 53);
    for (std::size_t i = 1; i < snapshot->gap_commands.size(); ++i) {
        EXPECT_LT(snapshot->gap_commands[i - 1].server_exec_sequence,
                  snapshot->gap_commands[i].server_exec_sequence);
    }
    ASSERT_EQ(snapshot->substrates.size(), 1U);
    EXPECT_EQ(snapshot->substrates[0].bytes, *server_.stream_at(30));
    EXPECT_NE(snapshot->substrates[0].bytes, *server_.stream_at(55));
    expect_plays_the_gap(*snapshot);
}

// proves: O-SNAP-13, O-SNAP-14
TEST_F(SnapshotCacheTest, ACaptureThatIsTooOldOrWithTooMuchBehindItIsTakenAnew) {
    cache_ = SnapshotCache({.every_ticks = 1000, .gap_ticks_max = 20});
    run_to(21);
    EXPECT_EQ(dispatched()->state.tick, 1);
    expect_plays_the_gap(*dispatched());
    run_to(22);
    EXPECT_EQ(cache_.tick(), -1);
    EXPECT_EQ(dispatched()->state.tick, 22);
    EXPECT_TRUE(dispatched()->gap_commands.empty());

    sim::Command heavy;
    heavy.byte_payload.resize(kGapPayloadBytesMax);
    server_.run_to(23, [&](const ground::Server& s) { cache_.executed(s.world, {heavy}); });
    EXPECT_EQ(cache_.tick(), 22);
    sim::Command grain;
    grain.byte_payload.resize(1);
    server_.run_to(24, [&](const ground::Server& s) { cache_.executed(s.world, {grain}); });
    EXPECT_EQ(cache_.tick(), -1);
}

// proves: SNAP-038
TEST_F(SnapshotCacheTest, PacksBesideTheTicksAndIsNeverWaitedFor) {
    run_to(40);
    tests::HeldBackground background;
    SnapshotPacker packer(game_);
    packer.start(dispatched(), server_.world.tick(), background);
    EXPECT_TRUE(packer.busy());
    EXPECT_FALSE(packer.poll());
    run_to(50);
    EXPECT_FALSE(packer.poll()) << "ten ticks later it still holds up nobody";
    ASSERT_EQ(background.size(), 1U);
    background.run_all();
    const auto packed = packer.poll();
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->tick, 30);
    EXPECT_EQ(packed->gap_end, 40);
    EXPECT_TRUE(decode_snapshot(*game_, packed->frame, Policy::kJoin));
    EXPECT_FALSE(packer.busy());
    EXPECT_FALSE(packer.poll());
}

// proves: SNAP-038
TEST_F(SnapshotCacheTest, AThreadPacksTheSameBytes) {
    run_to(20);
    const auto snapshot = dispatched();
    const core::Bytes expected = encode_snapshot(*game_, *snapshot);
    SnapshotPacker packer(game_);
    const auto background = core::make_background();
    packer.start(snapshot, 20, *background);
    std::optional<PackedSnapshot> packed;
    while (!packed) packed = packer.poll();
    EXPECT_EQ(packed->frame, expected);
    packer.start(snapshot, 20, *background);  // and nobody waits for this one
}

// proves: SNAP-038
TEST_F(SnapshotCacheTest, WhatIsBeingPackedIsLeftAloneByTheTicksAndCapturesAfterIt) {
    run_to(40);
    const auto packing = dispatched();
    const core::Bytes before = encode_snapshot(*game_, *packing);
    const auto later = [&] {
        run_to(70);
        return dispatched();
    }();
    EXPECT_EQ(later->state.tick, 60);
    EXPECT_EQ(encode_snapshot(*game_, *packing), before);
    expect_plays_the_gap(*later);
}

// proves: SNAP-021
TEST_F(SnapshotCacheTest, WithoutTheStreamOfItsTickNothingIsSent) {
    run_to(5);
    const auto refused = cache_.dispatch(server_.world, [](auto, auto) -> Result<core::Bytes> {
        return refuse(ErrorCode::kNotFound, "forgotten");
    });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
    Snapshot capture_only;
    capture(server_.world, capture_only);
    EXPECT_TRUE(capture_only.substrates.empty());
}

}  // namespace
}  // namespace maniple::snapshot
