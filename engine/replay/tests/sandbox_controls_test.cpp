#include <gtest/gtest.h>
#include <limits>

#include "sandbox_test_support.h"

namespace maniple::replay {
namespace {

class SandboxControls : public SandboxTest {};

// proves: REPS-020, REPS-021, O-REPS-17
TEST_F(SandboxControls, PlayReturnsAtOnceWhenPlayingOrEnded) {
    record({kA, kA});
    sandbox_->play();
    sandbox_->update();
    sandbox_->play();
    EXPECT_TRUE(sandbox_->playing());
    EXPECT_FALSE(sandbox_->pausing());
    EXPECT_FALSE(sandbox_->ended());
    run();
    EXPECT_TRUE(sandbox_->ended());
    sandbox_->play();
    sandbox_->update();
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(log(), (Names{"A", "A", "A!"}));
}

// proves: REPS-019, REPS-022
TEST_F(SandboxControls, APauseComesAtTheEndOfTheStepAndResumeGoesOn) {
    bool done = false;
    a_.execute = [&] { return until(done); };
    record({kA, kB, kB});
    sandbox_->play();
    sandbox_->update();
    sandbox_->pause();
    EXPECT_TRUE(sandbox_->pause_pending());
    EXPECT_FALSE(sandbox_->pausing());
    sandbox_->update();
    EXPECT_FALSE(sandbox_->pausing());
    done = true;
    sandbox_->update();
    EXPECT_TRUE(sandbox_->pausing());
    EXPECT_TRUE(sandbox_->playing());
    EXPECT_FALSE(sandbox_->pause_pending());
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_EQ(log(), Names{});
    sandbox_->play();  // Already playing: no resume.
    EXPECT_TRUE(sandbox_->pausing());
    sandbox_->resume();
    run();
    EXPECT_TRUE(sandbox_->ended());
    EXPECT_EQ(log(), (Names{"B", "B", "B!"}));
}

// proves: REPS-022
TEST_F(SandboxControls, APauseBetweenStepsIsThereAtOnce) {
    record({kA, kA});
    sandbox_->pause();
    EXPECT_FALSE(sandbox_->pausing());  // Not playing.
    sandbox_->play();
    sandbox_->pause();
    EXPECT_TRUE(sandbox_->pausing());
    EXPECT_FALSE(sandbox_->pause_pending());
}

// proves: REPS-022
TEST_F(SandboxControls, APauseSettlesHoweverPlaybackEnds) {
    const std::vector<std::function<void()>> endings = {
        [this] { a_.execute = [] { return Task(CommandResult::kSuccess); }; },  // The last step.
        [this] { a_.execute = [] { return Task(CommandResult::kFailed); }; },
        [this] {
            a_.execute = [this]() -> Task {
                system_.array().append(kA);
                return CommandResult::kSuccess;
            };
        },
    };
    for (const auto& ending : endings) {
        bool go = false;
        ending();
        const auto execute = a_.execute;
        a_.execute = [&, execute]() -> Task {
            return Task([&, execute]() -> std::optional<Outcome> {
                return go ? execute().poll() : std::nullopt;
            });
        };
        clear();
        record({kA});
        sandbox_->play();
        sandbox_->update();
        sandbox_->pause();
        EXPECT_TRUE(sandbox_->pause_pending());
        go = true;
        run();
        EXPECT_FALSE(sandbox_->pause_pending());
        EXPECT_TRUE(sandbox_->settled());
    }
    bool never = false;
    a_.execute = [&] { return until(never); };
    record({kA});
    sandbox_->play();
    sandbox_->update();
    sandbox_->pause();
    sandbox_->stop();
    EXPECT_FALSE(sandbox_->pause_pending());
}

// proves: O-REPS-15
TEST_F(SandboxControls, APauseWaitsForThePassive) {
    a_.execute = [&]() -> Task {
        EXPECT_TRUE(sandbox_->get_passive());
        return CommandResult::kSuccess;
    };
    record({kA, kP, kB});
    sandbox_->play();
    sandbox_->update();
    sandbox_->pause();
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_TRUE(sandbox_->pause_pending());
    sandbox_->next(CommandResult::kSuccess);
    sandbox_->update();
    EXPECT_TRUE(sandbox_->pausing());
    EXPECT_EQ(log(), (Names{"A", "A!"}));
}

// proves: O-REPS-05, O-REPS-11
TEST_F(SandboxControls, StopReallyEndsAndFinalisesOnce) {
    bool never = false;
    b_.execute = [&] { return until(never); };
    record({kA, kA, kA, kB});
    sandbox_->play();
    sandbox_->update();
    sandbox_->update();
    sandbox_->stop();
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_FALSE(sandbox_->ended());
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kStopped);
    EXPECT_EQ(sandbox_->report()->step->index, 1U);
    run();
    EXPECT_TRUE(sandbox_->settled());
    EXPECT_EQ(log(), (Names{"A", "A", "A!"}));
    sandbox_->stop();
    sandbox_->play();
    sandbox_->resume();
    sandbox_->update();
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(log(), Names{});
    EXPECT_EQ(warnings_.take(), Codes{});
    sandbox_->step();
    EXPECT_EQ(warnings_.take(), Codes{1006});
}

// proves: O-REPS-05
TEST_F(SandboxControls, StopGivesUpAStepThatExecutesAndSeesItsFinalizeThrough) {
    bool never = false;
    bool finalized = false;
    a_.execute = [&] { return until(never); };
    a_.finalize = [&] { return until(finalized); };
    record({kA, kB});
    sandbox_->play();
    sandbox_->update();
    sandbox_->stop();
    EXPECT_TRUE(sandbox_->report());
    sandbox_->update();
    EXPECT_FALSE(sandbox_->settled());
    finalized = true;
    sandbox_->update();
    EXPECT_TRUE(sandbox_->settled());
    EXPECT_EQ(log(), (Names{"A", "A!"}));
}

// proves: O-REPS-05
TEST_F(SandboxControls, StopWhileFinalisingDoesNotFinaliseAgain) {
    bool finalized = false;
    a_.finalize = [&] { return until(finalized); };
    record({kA, kB});
    sandbox_->play();
    sandbox_->update();
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    sandbox_->stop();
    finalized = true;
    run();
    EXPECT_EQ(log(), Names{});
    EXPECT_TRUE(sandbox_->settled());
}

// proves: REPS-011, O-REPS-05
TEST_F(SandboxControls, ReleasingASandboxInMidRunFinalisesOnce) {
    record({kD, kD, kD});
    sandbox_->play();
    sandbox_->update();
    sandbox_.reset();
    EXPECT_EQ(log(), (Names{"D", "D!"}));
    bool never = false;
    d_.finalize = [&] { return until(never); };
    record({});
    sandbox_->play();
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_EQ(log(), (Names{"D", "D", "D", "D!"}));
    sandbox_.reset();  // Already finalising.
    EXPECT_EQ(log(), Names{});
    d_.finalize = [] { return Task(CommandResult::kSuccess); };
    play({});
    sandbox_.reset();  // Already over.
    EXPECT_EQ(log(), (Names{"D", "D", "D", "D!"}));
    EXPECT_EQ(warnings_.take(), Codes{});
}

TEST_F(SandboxControls, ACommandMayStopThePlaybackItRunsIn) {
    a_.execute = [&]() -> Task {
        sandbox_->stop();
        EXPECT_FALSE(sandbox_->report());  // When the command returns.
        return CommandResult::kSuccess;
    };
    play({kA, kB});
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kStopped);
    EXPECT_TRUE(sandbox_->settled());
}

TEST_F(SandboxControls, StopBeforePlayEndsToo) {
    record({kA});
    sandbox_->stop();
    sandbox_->play();
    run();
    EXPECT_TRUE(sandbox_->settled());
    EXPECT_EQ(log(), Names{});
}

// proves: O-REPS-12
TEST_F(SandboxControls, ASingleStepTakesItsPassivesAlong) {
    a_.execute = [&]() -> Task {
        if (sandbox_->replayed() == 2) take_passive();
        return CommandResult::kSuccess;
    };
    record({kA, kP, kQ, kA, kB});
    sandbox_->step();
    sandbox_->update();
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_EQ(log(), Names{"A"});
    EXPECT_EQ(sandbox_->executed(), 1U);
    EXPECT_EQ(warnings_.take(), Codes{194});  // Q.
    EXPECT_FALSE(sandbox_->playing());
    sandbox_->step();
    run_some();
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    sandbox_->step();
    run_some();
    EXPECT_EQ(log(), (Names{"B", "B!"}));
    EXPECT_TRUE(sandbox_->ended());
}

// proves: O-REPS-12
TEST_F(SandboxControls, ASingleStepIsIgnoredWhilePlayingAndTakenWhilePaused) {
    record({kA, kA, kA});
    sandbox_->play();
    sandbox_->step();
    EXPECT_EQ(warnings_.take(), Codes{1006});
    sandbox_->pause();
    sandbox_->step();
    run_some();
    EXPECT_EQ(log(), Names{"A"});
    EXPECT_TRUE(sandbox_->pausing());
    sandbox_->step();
    sandbox_->step();
    EXPECT_EQ(warnings_.take(), Codes{1006});
}

// proves: O-REPS-06
TEST_F(SandboxControls, ASpeedIsFiniteAndPositive) {
    record({kA});
    EXPECT_EQ(sandbox_->speed(), 1.0);
    sandbox_->set_speed(4);
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
        sandbox_->set_speed(bad);
    }
    EXPECT_EQ(sandbox_->speed(), 4.0);
    EXPECT_EQ(warnings_.take(), (Codes{1005, 1005, 1005, 1005}));
}

// proves: O-REPS-06, REPS-027
TEST_F(SandboxControls, NoControlChangesWhatIsPlayed) {
    const auto played = [&](const std::function<void(int)>& control) {
        clear();
        record({kA, kA, kP, kB, kD, kD, kQ, kA});
        sandbox_->play();
        for (int i = 0; i < 200 && !sandbox_->settled(); ++i) {
            control(i);
            sandbox_->update();
        }
        EXPECT_TRUE(sandbox_->ended());
        return log();
    };
    const Names plain = played([](int) {});
    EXPECT_EQ(played([this](int i) {
                  if (i % 3 == 0) sandbox_->pause();
                  if (i % 3 == 2) sandbox_->resume();
              }),
              plain);
    EXPECT_EQ(played([this](int i) { sandbox_->set_speed(i + 1); }), plain);
    EXPECT_EQ(played([this](int i) {
                  if (i == 0) sandbox_->pause();
                  sandbox_->step();
              }),
              plain);
}

}  // namespace
}  // namespace maniple::replay
