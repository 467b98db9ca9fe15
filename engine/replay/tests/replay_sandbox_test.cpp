#include "maniple/replay/replay_sandbox.h"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "sandbox_test_support.h"

namespace maniple::replay {
namespace {

// proves: REPS-012, REPS-020, REPS-023
TEST_F(SandboxTest, PlaysToTheEndAndFinalisesEachRunOnce) {
    play({kA, kA, kB, kA});
    EXPECT_EQ(log(), (Names{"A", "A", "A!", "B", "B!", "A", "A!"}));
    EXPECT_TRUE(sandbox_->ended());
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(sandbox_->executed(), 4U);
    ASSERT_TRUE(sandbox_->report());
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kPlayedToEnd);
    EXPECT_EQ(warnings_.take(), Codes{});
}

TEST_F(SandboxTest, AnEmptyReplayEndsAtOnce) {
    play({});
    EXPECT_TRUE(sandbox_->ended());
    EXPECT_FALSE(sandbox_->report()->step);
}

// proves: REPS-024
TEST_F(SandboxTest, ProgressIsOneStepAheadOfWhatExecutes) {
    bool done = false;
    a_.execute = [&] { return until(done); };
    record({kA, kA, kP, kB, kQ});
    EXPECT_EQ(sandbox_->replayed(), 0U);
    sandbox_->play();
    sandbox_->update();
    EXPECT_EQ(log(), Names{"A"});
    EXPECT_EQ(sandbox_->replayed(), 2U);
    EXPECT_EQ(sandbox_->total(), 5U);
    EXPECT_EQ(sandbox_->executed(), 0U);
    done = true;
    run();
    EXPECT_EQ(sandbox_->replayed(), 5U);
}

// proves: REPS-007, REPS-014, REPS-015, REPS-016
TEST_F(SandboxTest, APassiveIsFetchedManyTimesAndAdvancedOnce) {
    const Step* first = nullptr;
    int executions = 0;
    a_.execute = [&]() -> Task {
        if (++executions == 1) return CommandResult::kSuccess;
        const auto passive = sandbox_->get_passive();
        EXPECT_EQ(passive->command->name(), "P");
        first = passive->step;
        return CommandResult::kSuccess;
    };
    record({kA, kA, kP, kB, kQ});
    sandbox_->play();
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_EQ(log(), (Names{"A", "A", "A!"}));  // Finalised before it is waited for.
    EXPECT_EQ(sandbox_->get_passive()->step, first);
    EXPECT_EQ(sandbox_->get_passive()->step->index, 2U);
    EXPECT_EQ(sandbox_->replayed(), 3U);
    sandbox_->next(CommandResult::kSuccess);
    EXPECT_EQ(sandbox_->replayed(), 4U);
    EXPECT_EQ(warnings_.take(), Codes{});
    run();
    EXPECT_EQ(log(), (Names{"B", "B!"}));
    EXPECT_EQ(warnings_.take(), Codes{194});  // Q was not taken.
    EXPECT_EQ(sandbox_->skipped(), 1U);
    EXPECT_TRUE(sandbox_->ended());
}

// proves: O-REPS-02
TEST_F(SandboxTest, APassiveBetweenEqualCodesGivesTwoFinalizes) {
    int executions = 0;
    a_.execute = [&]() -> Task {
        if (++executions == 1) {
            EXPECT_TRUE(sandbox_->get_passive());
        }
        return CommandResult::kSuccess;
    };
    record({kA, kP, kA});
    sandbox_->play();
    sandbox_->update();
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    for (int i = 0; i < 5; ++i) sandbox_->update();
    EXPECT_EQ(log(), Names{});  // It waits.
    sandbox_->next(CommandResult::kSuccess);
    run();
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    EXPECT_TRUE(sandbox_->ended());
}

// proves: O-REPS-02, REPS-015
TEST_F(SandboxTest, ADeferredRunStartsBeforeItsPassiveIsAskedFor) {
    bool moved = false;
    d_.finalize = [&] { return until(moved); };
    record({kD, kD, kP, kD});
    sandbox_->play();
    sandbox_->update();
    sandbox_->update();
    EXPECT_EQ(log(), (Names{"D", "D", "D!"}));
    ASSERT_TRUE(sandbox_->get_passive());  // On the way.
    moved = true;
    sandbox_->update();
    sandbox_->next(CommandResult::kSuccess);
    run();
    EXPECT_EQ(log(), (Names{"D", "D!"}));
    EXPECT_EQ(warnings_.take(), Codes{});
}

// proves: O-REPS-04
TEST_F(SandboxTest, APassiveAtTheStartIsSkipped) {
    play({kP, kQ, kA});
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    EXPECT_EQ(warnings_.take(), (Codes{194, 194}));
}

// proves: O-REPS-04
TEST_F(SandboxTest, SeveralPassivesAreTakenInOrderAndTheRestSkipped) {
    Names taken;
    a_.execute = [&]() -> Task {
        for (int i = 0; i < 2; ++i) {
            taken.emplace_back(sandbox_->get_passive()->command->name());
            sandbox_->next(CommandResult::kSuccess);
        }
        return CommandResult::kSuccess;
    };
    play({kA, kP, kQ, kP, kQ, kB});
    EXPECT_EQ(taken, (Names{"P", "Q"}));
    EXPECT_EQ(warnings_.take(), (Codes{194, 194}));
    EXPECT_EQ(log(), (Names{"A", "A!", "B", "B!"}));
    EXPECT_EQ(sandbox_->skipped(), 2U);
}

// proves: REPS-030
TEST_F(SandboxTest, AskingForAPassiveThatIsNotThereWarns) {
    record({kA, kB});
    EXPECT_FALSE(sandbox_->get_passive());
    sandbox_->next(CommandResult::kSuccess);
    EXPECT_EQ(warnings_.take(), (Codes{73, 73}));
    EXPECT_EQ(sandbox_->replayed(), 0U);
    a_.execute = [&]() -> Task {
        EXPECT_FALSE(sandbox_->get_passive());  // B is active.
        sandbox_->next(CommandResult::kSuccess);
        return CommandResult::kSuccess;
    };
    sandbox_->play();
    run();
    EXPECT_EQ(warnings_.take(), (Codes{73, 73}));
    EXPECT_EQ(log(), (Names{"A", "A!", "B", "B!"}));
    EXPECT_FALSE(sandbox_->get_passive());
    EXPECT_EQ(warnings_.take(), Codes{73});
}

// proves: REPS-008, O-REPS-11
TEST_F(SandboxTest, AFailureSaysStepCommandParametersAndReason) {
    add(20, std::make_unique<FunctionCommand>(
                "buy", std::vector{ParamKind::kNumber, ParamKind::kString},
                [](std::span<const Param>) -> Task {
                    return Outcome{CommandResult::kFailed, "not enough gold"};
                }));
    system_.array().append(kA);
    system_.array().add(20, ParamList{3.0, "sword"});
    play({kB});
    ASSERT_TRUE(sandbox_->report());
    const PlaybackReport& report = *sandbox_->report();
    EXPECT_EQ(report.end, PlaybackEnd::kFailed);
    EXPECT_EQ(report.step, (Step{20, {3.0, "sword"}, 1}));
    EXPECT_EQ(report.command, "buy");
    EXPECT_EQ(report.reason, "not enough gold");
    EXPECT_EQ(warnings_.take(), Codes{72});
    EXPECT_EQ(log(), (Names{"A", "A!"}));  // B did not run.
    EXPECT_FALSE(sandbox_->ended());
    EXPECT_FALSE(sandbox_->playing());
    sandbox_->play();
    sandbox_->update();
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(log(), Names{});
}

// proves: REPS-008
TEST_F(SandboxTest, AnIgnoredStepIsToldAndPlaybackGoesOn) {
    a_.execute = []() -> Task { return Outcome{CommandResult::kIgnored, "nothing to do"}; };
    play({kA, kB});
    EXPECT_EQ(log(), (Names{"A", "A!", "B", "B!"}));
    EXPECT_EQ(warnings_.take(), Codes{1004});
    EXPECT_TRUE(sandbox_->ended());
}

// proves: O-REPS-03
TEST_F(SandboxTest, ACodeWithoutMeaningFailsPlayback) {
    play({kA, kUnknown, kB});
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    EXPECT_EQ(warnings_.take(), Codes{157});
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kFailed);
    EXPECT_EQ(sandbox_->report()->step->index, 1U);
    EXPECT_FALSE(sandbox_->ended());
}

// proves: REPS-010, O-REPS-07
TEST_F(SandboxTest, ParametersOfOtherCountOrTypeFailWithoutCallingTheLogic) {
    const std::vector<ParamList> wrong = {{}, {1.0}, {1.0, true}, {"1", "a"}, {1.0, "a", 2.0}};
    int called = 0;
    add(20, std::make_unique<FunctionCommand>("name",
                                              std::vector{ParamKind::kNumber, ParamKind::kString},
                                              [&](std::span<const Param>) -> Task {
                                                  ++called;
                                                  return CommandResult::kSuccess;
                                              }));
    for (const ParamList& params : wrong) {
        clear();
        system_.array().add(20, params);
        play({});
        EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kFailed);
        EXPECT_FALSE(sandbox_->report()->reason.empty());
    }
    EXPECT_EQ(called, 0);
    EXPECT_EQ(warnings_.take(), Codes(wrong.size(), 72));
    clear();
    system_.array().add(20, ParamList{1.0, "a"});
    play({});
    EXPECT_TRUE(sandbox_->ended());
    EXPECT_EQ(called, 1);
}

// proves: O-REPS-16
TEST_F(SandboxTest, AnExceptionIsAFailure) {
    a_.execute = []() -> Task { throw std::runtime_error("broken"); };
    play({kA});
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kFailed);
    EXPECT_EQ(sandbox_->report()->reason, "exception: broken");
    system_.array().remove(0);
    a_.execute = [] { return Task(CommandResult::kSuccess); };
    a_.finalize = [] {
        return Task([]() -> std::optional<Outcome> { throw std::runtime_error("late"); });
    };
    play({kA});
    EXPECT_EQ(sandbox_->report()->reason, "finalize: exception: late");
    EXPECT_EQ(warnings_.take(), (Codes{72, 72}));
}

// proves: O-REPS-05
TEST_F(SandboxTest, AFailedFinalizeStopsPlayback) {
    a_.finalize = []() -> Task { return Outcome{CommandResult::kFailed, "no way"}; };
    play({kA, kB});
    EXPECT_EQ(log(), (Names{"A", "A!"}));
    EXPECT_EQ(sandbox_->report()->reason, "finalize: no way");
    EXPECT_EQ(sandbox_->report()->command, "A");
    EXPECT_FALSE(sandbox_->ended());
    EXPECT_EQ(warnings_.take(), Codes{72});
}

// proves: O-REPS-10
TEST_F(SandboxTest, AFailedPassiveStopsPlaybackAndAnIgnoredOneDoesNot) {
    for (const CommandResult result : {CommandResult::kIgnored, CommandResult::kFailed}) {
        a_.execute = [&]() -> Task {
            EXPECT_TRUE(sandbox_->get_passive());
            sandbox_->next(result, "closed");
            return CommandResult::kSuccess;
        };
        clear();
        play({kA, kP, kB});
        const bool failed = result == CommandResult::kFailed;
        EXPECT_EQ(sandbox_->ended(), !failed);
        EXPECT_EQ(warnings_.take(), Codes{failed ? 72 : 1004});
        if (failed) {
            EXPECT_EQ(sandbox_->report()->command, "P");
            EXPECT_EQ(sandbox_->report()->reason, "closed");
        }
    }
}

// proves: REPS-011
TEST_F(SandboxTest, AFailureLaterInARunStillFinalisesIt) {
    int executions = 0;
    a_.execute = [&]() -> Task {
        return ++executions == 2 ? CommandResult::kFailed : CommandResult::kSuccess;
    };
    play({kA, kA, kA});
    EXPECT_EQ(log(), (Names{"A", "A", "A!"}));
    EXPECT_EQ(sandbox_->report()->step->index, 1U);
}

// proves: REPS-011
TEST_F(SandboxTest, AFailureOfARunsFirstStepLeavesNothingToFinalise) {
    a_.execute = []() -> Task { return CommandResult::kFailed; };
    play({kA, kA});
    EXPECT_EQ(log(), Names{"A"});
}

// proves: REPA-046, REPS-025, REPS-026
TEST_F(SandboxTest, WritingWhileItPlaysStopsWithOneWarning) {
    a_.execute = [&]() -> Task {
        system_.array().append(kB);
        return CommandResult::kSuccess;
    };
    play({kA, kB, kB});
    EXPECT_EQ(warnings_.take(), Codes{156});
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kExpired);
    EXPECT_FALSE(sandbox_->ended());
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(log(), (Names{"A", "A!"}));
}

// proves: REPS-026
TEST_F(SandboxTest, RecordingOnExpiresPlaybackAndRecordingOffDoesNot) {
    b_.execute = [&]() -> Task {
        system_.record(kB);
        return CommandResult::kSuccess;
    };
    play({kB, kA});
    EXPECT_TRUE(sandbox_->ended());
    {
        const RecordPause ended = std::move(pause_);
    }
    play({});
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kExpired);
    EXPECT_EQ(warnings_.take(), Codes{156});
}

// proves: REPS-025, O-REPS-11
TEST_F(SandboxTest, AnExpiredSandboxDoesNotStart) {
    record({kA});
    system_.array().append(kA);
    sandbox_->play();
    EXPECT_FALSE(sandbox_->playing());
    sandbox_->play();
    run();
    EXPECT_EQ(warnings_.take(), Codes{156});
    EXPECT_EQ(log(), Names{});
}

// proves: REPS-018
TEST_F(SandboxTest, StartsWhereItIsToldAndChangesNothing) {
    record({kA, kB, kA});
    sandbox_ = std::make_unique<ReplaySandbox>(system_, 1);
    const core::Bytes before = system_.save();
    sandbox_->play();
    run();
    EXPECT_EQ(log(), (Names{"B", "B!", "A", "A!"}));
    EXPECT_EQ(system_.save(), before);
    EXPECT_EQ(system_.command_count(), 5U);
}

// proves: O-REPS-01
TEST_F(SandboxTest, OneUpdateBeginsOneStep) {
    record({kA, kA, kA});
    sandbox_->play();
    EXPECT_EQ(log(), Names{});
    sandbox_->update();
    EXPECT_EQ(log(), Names{"A"});
    sandbox_->update();
    EXPECT_EQ(log(), Names{"A"});
}

TEST_F(SandboxTest, AnUpdateByACommandDoesNothing) {
    a_.execute = [&]() -> Task {
        sandbox_->update();
        return CommandResult::kSuccess;
    };
    play({kA, kB});
    EXPECT_EQ(log(), (Names{"A", "A!", "B", "B!"}));
    EXPECT_TRUE(sandbox_->ended());
}

}  // namespace
}  // namespace maniple::replay
