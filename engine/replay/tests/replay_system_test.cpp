#include "maniple/replay/replay_system.h"

#include <gtest/gtest.h>

#include "maniple/replay/replay_sandbox.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

std::unique_ptr<ReplayCommand> nothing(std::string name = "nothing") {
    return std::make_unique<FunctionCommand>(
        std::move(name), std::vector<ParamKind>{},
        [](std::span<const Param>) -> Task { return CommandResult::kSuccess; });
}

Result<void> no_reset(const std::any*) { return {}; }

// proves: REPA-002, REPS-001
TEST(ReplaySystem, KeepsTheMeaningOfCodesApartFromTheReplay) {
    ReplaySystem system;
    ASSERT_TRUE(system.register_command(42, nothing("useItem")));
    system.record(42, 100);
    EXPECT_EQ(to_hex(system.array().commands()), "012a");
    EXPECT_EQ(to_hex(system.array().params()), "0164");
    EXPECT_EQ(system.find_command(42)->name(), "useItem");
    EXPECT_EQ(system.find_command(43), nullptr);
}

// proves: O-REPA-14
TEST(ReplaySystem, RefusesACodeThatNoWidthCanHold) {
    ReplaySystem system(CommandWidth::k16);
    EXPECT_TRUE(system.register_command(65535, nothing()));
    EXPECT_EQ(system.register_command(65536, nothing()).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(system.register_command(-1, nothing()).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(system.command_count(), 1U);
}

TEST(ReplaySystem, RefusesACodeWithoutACommand) {
    ReplaySystem system;
    EXPECT_EQ(system.register_command(70, nullptr).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(system.find_command(70), nullptr);
    EXPECT_TRUE(system.register_command(70, nothing()));
}

// proves: O-GEN-04
TEST(ReplaySystem, ACodeKeepsItsFirstMeaning) {
    WarningList warnings;
    ReplaySystem system(CommandWidth::k8, warnings.sink());
    ASSERT_TRUE(system.register_command(7, nothing("first")));
    EXPECT_FALSE(system.register_command(7, nothing("second")));
    EXPECT_EQ(warnings.take(), std::vector<int>{163});
    EXPECT_EQ(system.find_command(7)->name(), "first");
}

// proves: REPS-002, O-REPS-08
TEST(ReplaySystem, HooksRunAfterTheAppendInOrderWithTheStandardisedStep) {
    ReplaySystem system;
    std::vector<std::string> calls;
    const auto hook = [&](std::string name) {
        return [&, name](const Step& step) {
            EXPECT_EQ(system.array().size(), step.index + 1);
            EXPECT_EQ(step.command, 300U & 0xFF);
            EXPECT_EQ(step.params, (ParamList{1.0, "x"}));
            calls.push_back(name + std::to_string(step.index));
        };
    };
    system.add_record_hook(hook("a"));
    system.add_record_hook(hook("b"));
    EXPECT_TRUE(system.record(300, ParamList{1.0, Unsupported{}, "x"}));
    EXPECT_TRUE(system.record(300, ParamList{1.0, "x"}));
    EXPECT_EQ(calls, (std::vector<std::string>{"a0", "b0", "a1", "b1"}));
}

// proves: O-REPS-08, O-REPS-09
TEST(ReplaySystem, NothingHappensWhileAnyPauseLives) {
    ReplaySystem system;
    int hooked = 0;
    system.add_record_hook([&](const Step&) { ++hooked; });
    const ReadStream stream = system.array().create_read_stream();
    {
        const RecordPause outer = system.pause_recording();
        {
            const RecordPause inner = system.pause_recording();
            EXPECT_FALSE(system.record(1, 2));
        }
        EXPECT_FALSE(system.recording());
        EXPECT_FALSE(system.record(1, ParamList{"x"}));
    }
    EXPECT_EQ(system.array().size(), 0U);
    EXPECT_EQ(hooked, 0);
    EXPECT_FALSE(stream.expired());
    EXPECT_TRUE(system.record(1, 2));
    EXPECT_EQ(hooked, 1);
    EXPECT_TRUE(stream.expired());
}

TEST(ReplaySystem, AMovedPauseCountsOnce) {
    ReplaySystem system;
    {
        RecordPause pause = system.pause_recording();
        const RecordPause moved = std::move(pause);
        EXPECT_FALSE(system.recording());
    }
    EXPECT_TRUE(system.recording());
}

// proves: REPS-001
TEST(ReplaySystem, LoadsWhatItSaved) {
    ReplaySystem system(CommandWidth::k16);
    system.record(300, 1);
    system.record(1, ParamList{"text", BigInt(7)});
    const core::Bytes saved = system.save();
    ReplaySystem other;
    other.record(9);
    const ReadStream stream = other.array().create_read_stream();
    ASSERT_TRUE(other.load(saved));
    EXPECT_TRUE(stream.expired());
    EXPECT_EQ(other.array().command_width(), CommandWidth::k16);
    EXPECT_EQ(other.array().get(0), system.array().get(0));
    EXPECT_EQ(other.array().get(1), system.array().get(1));
    EXPECT_EQ(other.save(), saved);
}

TEST(ReplaySystem, ARefusedLoadChangesNothing) {
    ReplaySystem system;
    system.record(9);
    const ReadStream stream = system.array().create_read_stream();
    core::Bytes bad = system.save();
    bad.back() ^= 1;
    EXPECT_EQ(system.load(bad).error().code, ErrorCode::kBadHash);
    EXPECT_EQ(system.array().size(), 1U);
    EXPECT_FALSE(stream.expired());
}

// proves: REPS-017, O-REPS-14
TEST(ReplaySystem, ASandboxStartsAfterTheResetAtStepZero) {
    ReplaySystem system;
    system.record(1);
    std::vector<std::string> resets;
    const Reset reset = [&](const std::any* save) -> Result<void> {
        resets.push_back(save == nullptr ? "initial" : std::any_cast<std::string>(*save));
        return {};
    };
    const std::any save = std::string("chapter 2");
    const auto from_save = system.create_sandbox(reset, &save);
    ASSERT_TRUE(from_save);
    EXPECT_EQ((*from_save)->replayed(), 0U);
    EXPECT_EQ((*from_save)->total(), 1U);
    ASSERT_TRUE(system.create_sandbox(reset));
    EXPECT_EQ(resets, (std::vector<std::string>{"chapter 2", "initial"}));
    const auto refused = system.create_sandbox([](const std::any*) -> Result<void> {
        return refuse(ErrorCode::kNotFound, "no such save");
    });
    EXPECT_EQ(refused.error().message, "no such save");
}

// proves: O-REPS-17
TEST(ReplaySystem, PlayNeverResetsAndPlayingAgainTakesANewSandbox) {
    ReplaySystem system;
    int resets = 0;
    int executed = 0;
    const Reset reset = [&](const std::any*) -> Result<void> {
        ++resets;
        executed = 0;
        return {};
    };
    ASSERT_TRUE(system.register_command(
        1, std::make_unique<FunctionCommand>("count", std::vector<ParamKind>{},
                                             [&](std::span<const Param>) -> Task {
                                                 ++executed;
                                                 return CommandResult::kSuccess;
                                             })));
    system.record(1);
    system.record(1);
    const RecordPause pause = system.pause_recording();
    const auto played = *system.create_sandbox(reset);
    for (int i = 0; i < 5; ++i) {
        played->play();
        played->update();
    }
    EXPECT_TRUE(played->ended());
    EXPECT_EQ(executed, 2);
    EXPECT_EQ(resets, 1);
    const auto again = *system.create_sandbox(reset);
    EXPECT_EQ(executed, 0);
    again->play();
    while (!again->settled()) again->update();
    EXPECT_EQ(executed, 2);
    EXPECT_EQ(resets, 2);
}

// proves: REPA-002
TEST(ReplaySystem, OneReplayCanBePlayedManyTimes) {
    ReplaySystem system;
    int executed = 0;
    ASSERT_TRUE(system.register_command(
        1, std::make_unique<FunctionCommand>("count", std::vector<ParamKind>{},
                                             [&](std::span<const Param>) -> Task {
                                                 ++executed;
                                                 return CommandResult::kSuccess;
                                             })));
    system.record(1);
    system.record(1);
    const RecordPause pause = system.pause_recording();
    for (int i = 1; i <= 3; ++i) {
        const auto sandbox = *system.create_sandbox(no_reset);
        sandbox->play();
        while (!sandbox->settled()) sandbox->update();
        EXPECT_TRUE(sandbox->ended());
        EXPECT_EQ(executed, 2 * i);
    }
}

class ShouldReplay : public testing::Test {
  protected:
    void heal() {
        const ShouldReplayScope scope = system_.should_replay("heal");
        ++healed_;
    }
    void use_potion() {
        const ShouldReplayScope scope = system_.should_replay("use_potion");
        heal();
    }

    WarningList warnings_;
    ReplaySystem system_{CommandWidth::k8, warnings_.sink()};
    int healed_ = 0;
};

// proves: REPS-028
TEST_F(ShouldReplay, WarnsOnceAMethodWhenNothingCoversTheCall) {
    heal();
    heal();
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
    use_potion();
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
    EXPECT_EQ(healed_, 3);
}

// proves: REPS-006, REPS-028
TEST_F(ShouldReplay, ARecordedStepCoversOneCallAndWhatItCalls) {
    system_.record(1);
    use_potion();
    EXPECT_EQ(warnings_.take(), std::vector<int>{});
    EXPECT_EQ(system_.array().size(), 1U);  // The mark records nothing.
    use_potion();
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
}

// proves: REPS-028
TEST_F(ShouldReplay, AStepThatIsDoneCoversNoCallAnyMore) {
    system_.record(1);
    system_.end_step();
    heal();
    EXPECT_EQ(warnings_.take(), std::vector<int>{1007});
    EXPECT_EQ(healed_, 1);
}

// proves: REPS-028
TEST_F(ShouldReplay, APauseAndAReplayedCommandCoverACall) {
    {
        const RecordPause pause = system_.pause_recording();
        heal();
    }
    ASSERT_TRUE(system_.register_command(
        1, std::make_unique<FunctionCommand>("heal", std::vector<ParamKind>{},
                                             [&](std::span<const Param>) -> Task {
                                                 heal();
                                                 return CommandResult::kSuccess;
                                             })));
    system_.array().append(1);  // As an editor would: no step is "just recorded".
    const auto sandbox = *system_.create_sandbox(no_reset);
    sandbox->play();
    sandbox->update();
    EXPECT_EQ(healed_, 2);
    EXPECT_EQ(warnings_.take(), std::vector<int>{});
}

}  // namespace
}  // namespace maniple::replay
