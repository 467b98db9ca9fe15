#include "maniple/replay/builtin_commands.h"

#include <gtest/gtest.h>
#include <set>

#include "maniple/replay/replay_sandbox.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

/// A token on a grid with walls, moved by a Mover and by nothing else.
class BuiltinCommands : public testing::Test {
  protected:
    BuiltinCommands() {
        EXPECT_TRUE(register_movement(system_, mover_));
        EXPECT_TRUE(register_use_item(system_, [this](std::int64_t id) {
            used_.push_back(id);
            return CommandResult::kSuccess;
        }));
    }
    bool try_step(Direction direction) {
        static constexpr int kX[] = {0, 1, 0, -1, 1, 1, -1, -1};
        static constexpr int kY[] = {-1, 0, 1, 0, -1, 1, 1, -1};
        const auto at = static_cast<std::size_t>(direction);
        const std::pair target(x_ + kX[at], y_ + kY[at]);
        attempts_.push_back(target);
        if (walls_.contains(target)) return false;
        std::tie(x_, y_) = target;
        return true;
    }
    void move(std::initializer_list<Direction> directions) {
        for (const Direction direction : directions) mover_.step(direction);
        ASSERT_TRUE(mover_.start());
        while (mover_.moving()) mover_.update();
    }
    std::vector<std::uint32_t> codes() const {
        std::vector<std::uint32_t> codes;
        ReadStream stream = system_.array().create_read_stream();
        while (const auto step = stream.read()) codes.push_back(step->command);
        return codes;
    }
    void replay() {
        x_ = y_ = 0;
        used_.clear();
        attempts_.clear();
        const RecordPause pause = system_.pause_recording();
        ReplaySandbox sandbox(system_);
        sandbox.play();
        for (int i = 0; i < 1000 && !sandbox.settled(); ++i) {
            sandbox.update();
            mover_.update();
        }
        EXPECT_TRUE(sandbox.ended()) << sandbox.report()->reason;
    }

    WarningList warnings_;
    ReplaySystem system_{CommandWidth::k8, warnings_.sink()};
    Mover mover_{system_, [this](Direction direction) { return try_step(direction); },
                 [this](double x, double y) {
                     x_ = static_cast<int>(x);
                     y_ = static_cast<int>(y);
                 }};
    int x_ = 0, y_ = 0;
    std::set<std::pair<int, int>> walls_;
    std::vector<std::pair<int, int>> attempts_;
    std::vector<std::int64_t> used_;
};

// proves: REPS-003, REPS-004
TEST_F(BuiltinCommands, ABlockedStepIsRecordedLikeAnyOther) {
    walls_.insert({2, 0});
    move({Direction::kRight, Direction::kRight, Direction::kDown});
    EXPECT_EQ(codes(), (std::vector<std::uint32_t>{kMoveRight, kMoveRight, kMoveDown}));
    EXPECT_EQ(std::pair(x_, y_), std::pair(1, 1));
    const auto attempts = attempts_;
    replay();
    EXPECT_EQ(attempts_, attempts);
    EXPECT_EQ(std::pair(x_, y_), std::pair(1, 1));
    EXPECT_EQ(codes().size(), 3U);
}

// proves: REPS-004, REPS-029
TEST_F(BuiltinCommands, ATeleportAndAnItemAreRecordedWithTheirParameters) {
    mover_.teleport(7, -3);
    system_.record(kUseItem, 12);
    EXPECT_EQ(system_.array().get(0), (Step{kTeleport, {7.0, -3.0}, 0}));
    replay();
    EXPECT_EQ(std::pair(x_, y_), std::pair(7, -3));
    EXPECT_EQ(used_, std::vector<std::int64_t>{12});
}

// proves: REPA-001, REPS-005
TEST_F(BuiltinCommands, AScriptedMovementIsNotRecorded) {
    move({Direction::kRight});
    {
        const RecordPause pause = system_.pause_recording();
        move({Direction::kDown, Direction::kDown});
    }
    move({Direction::kLeft});
    EXPECT_EQ(codes(), (std::vector<std::uint32_t>{kMoveRight, kMoveLeft}));
    EXPECT_EQ(std::pair(x_, y_), std::pair(0, 2));
}

// proves: REPS-013
TEST_F(BuiltinCommands, StepsOfOneDirectionAreOneMovementAndATurnIsAnother) {
    move({Direction::kRight, Direction::kRight, Direction::kRight, Direction::kDown});
    const RecordPause pause = system_.pause_recording();
    x_ = y_ = 0;
    ReplaySandbox sandbox(system_);
    sandbox.play();
    sandbox.update();
    sandbox.update();
    EXPECT_FALSE(mover_.moving());  // Queued only.
    EXPECT_EQ(x_, 0);
    sandbox.update();
    EXPECT_TRUE(mover_.moving());  // The third is the last of its run.
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(mover_.moving());
        mover_.update();
        sandbox.update();
    }
    EXPECT_EQ(std::pair(x_, y_), std::pair(3, 0));
    while (!sandbox.settled()) {
        sandbox.update();
        mover_.update();
    }
    EXPECT_TRUE(sandbox.ended());
    EXPECT_EQ(std::pair(x_, y_), std::pair(3, 1));
}

// proves: REPS-013
TEST_F(BuiltinCommands, AMoveFailsWhileTheMoverIsStillMoving) {
    system_.record(kMoveUp);
    const RecordPause pause = system_.pause_recording();
    mover_.step(Direction::kLeft);
    ASSERT_TRUE(mover_.start());
    ReplaySandbox sandbox(system_);
    sandbox.play();
    sandbox.update();
    EXPECT_EQ(sandbox.report()->end, PlaybackEnd::kFailed);
    EXPECT_EQ(sandbox.report()->reason, "the mover is still moving");
    EXPECT_EQ(warnings_.take(), std::vector<int>{72});
}

// proves: REPS-013
TEST_F(BuiltinCommands, FinalizeFailsWhenNoMovementCouldStart) {
    const RecordPause pause = system_.pause_recording();
    EXPECT_EQ(system_.find_command(kMoveUp)->finalize().poll()->result, CommandResult::kFailed);
}

// proves: REPS-011
TEST_F(BuiltinCommands, ASandboxReleasedInMidRunLeavesNothingForTheNextPlayback) {
    for (int i = 0; i < 3; ++i) system_.record(kMoveRight);
    const RecordPause pause = system_.pause_recording();
    for (const int updates : {1, 2, 3, 4}) {  // 1 queues a step, the third begins to walk.
        ReplaySandbox dropped(system_);
        dropped.play();
        for (int i = 0; i < updates; ++i) {
            dropped.update();
            mover_.update();
        }
    }
    EXPECT_FALSE(mover_.moving());
    replay();
    EXPECT_EQ(std::pair(x_, y_), std::pair(3, 0));
}

// proves: REPS-011
TEST_F(BuiltinCommands, ASandboxReleasedWhileItWalksLeavesAPlayersStepsAlone) {
    system_.record(kMoveRight);
    {
        const RecordPause pause = system_.pause_recording();
        ReplaySandbox dropped(system_);
        dropped.play();
        dropped.update();
        mover_.update();  // There, though the sandbox has not asked yet.
        mover_.step(Direction::kDown);
    }
    ASSERT_TRUE(mover_.start());
    mover_.update();
    EXPECT_EQ(std::pair(x_, y_), std::pair(1, 1));
}

TEST_F(BuiltinCommands, AHaltedMoverHasNothingQueued) {
    mover_.step(Direction::kRight);
    mover_.step(Direction::kRight);
    ASSERT_TRUE(mover_.start());
    mover_.update();
    mover_.halt();
    EXPECT_FALSE(mover_.moving());
    EXPECT_FALSE(mover_.start());
    EXPECT_EQ(x_, 1);
}

// proves: REPS-028
TEST_F(BuiltinCommands, AMovesOrTeleportsStepCoversNothingAfterIt) {
    move({Direction::kRight});
    static_cast<void>(system_.should_replay("heal"));
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
    mover_.teleport(0, 0);
    static_cast<void>(system_.should_replay("hurt"));
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
    system_.record(kUseItem, 1);
    {
        const RecordPause pause = system_.pause_recording();
        move({Direction::kRight});  // What an item's script does.
    }
    static_cast<void>(system_.should_replay("curse"));
    EXPECT_EQ(warnings_.take(), std::vector<int>{});
}

// proves: REPS-029
TEST_F(BuiltinCommands, TheCodesAreThePublishedOnes) {
    EXPECT_EQ(move_code(Direction::kUp), 0U);
    EXPECT_EQ(move_code(Direction::kUpLeft), 7U);
    EXPECT_EQ(kTeleport, 8U);
    EXPECT_EQ(kUseItem, 9U);
    EXPECT_EQ(kFirstUserCode, 64U);
    ASSERT_TRUE(system_.register_command(
        kFirstUserCode, std::make_unique<PassiveCommand>("choose", std::vector<ParamKind>{})));
    EXPECT_TRUE(system_.record(kFirstUserCode));
}

TEST_F(BuiltinCommands, AnItemIdIsAWholeNumber) {
    ReplayCommand* const use = system_.find_command(kUseItem);
    for (const double id : {0.5, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(use->execute(ParamList{id}).poll()->result, CommandResult::kFailed) << id;
    }
    EXPECT_EQ(use->execute(ParamList{-3.0}).poll()->result, CommandResult::kSuccess);
}

}  // namespace
}  // namespace maniple::replay
