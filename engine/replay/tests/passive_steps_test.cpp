#include <gtest/gtest.h>

#include "sandbox_test_support.h"

namespace maniple::replay {
namespace {

constexpr std::uint32_t kChoose = 12;
constexpr std::uint32_t kLogged = 13;

/// A passive command that logs whatever is called.
class LoggingPassive final : public BaseReplayCommand {
  public:
    explicit LoggingPassive(std::vector<std::string>& log)
        : BaseReplayCommand("logged", {}), log_(log) {}
    [[nodiscard]] CommandType type() const override { return CommandType::kPassive; }
    [[nodiscard]] Task finalize() override {
        log_.emplace_back("logged!");
        return CommandResult::kSuccess;
    }

  protected:
    [[nodiscard]] Task wrapped_execute(std::span<const Param>) override {
        log_.emplace_back("logged");
        return CommandResult::kSuccess;
    }

  private:
    std::vector<std::string>& log_;
};

/// Also "choose", a passive command of a number and a string.
class PassiveSteps : public SandboxTest {
  protected:
    PassiveSteps() {
        add(kChoose, std::make_unique<PassiveCommand>(
                         "choose", std::vector{ParamKind::kNumber, ParamKind::kString}));
        add(kLogged, std::make_unique<LoggingPassive>(log_));
    }
    /// A replay of A and a choice with these parameters, played until it waits or is over.
    void play_choice(const ParamList& params) {
        clear();
        system_.array().append(kA);
        system_.array().add(kChoose, params);
        record({kB});
        sandbox_->play();
        run_some();
    }
};

const std::vector<ParamList>& misfits() {
    static const std::vector<ParamList> lists = {
        {}, {1.0}, {true, "a"}, {"1", "a"}, {BigInt(1), "a"}, {1.0, 2.0}, {1.0, "a", 2.0}};
    return lists;
}

void expect_choice_failed(const ReplaySandbox& sandbox, const ParamList& params) {
    ASSERT_TRUE(sandbox.report());
    const PlaybackReport& report = *sandbox.report();
    EXPECT_EQ(report.end, PlaybackEnd::kFailed);
    EXPECT_EQ(report.step, (Step{kChoose, params, 1}));
    EXPECT_EQ(report.command, "choose");
    EXPECT_EQ(report.reason,
              param_mismatch(params, std::vector{ParamKind::kNumber, ParamKind::kString}));
    EXPECT_FALSE(report.reason.empty());
}

// proves: REPS-010, O-REPS-07
TEST_F(PassiveSteps, ParametersThatDoNotFitFailThePlaybackWhereACommandAsksForThem) {
    // What the command makes of it is not the reason.
    for (const CommandResult result : {CommandResult::kSuccess, CommandResult::kFailed}) {
        a_.execute = [&]() -> Task {
            EXPECT_FALSE(sandbox_->get_passive());
            EXPECT_FALSE(sandbox_->report());  // When the command returns.
            return result;
        };
        for (const ParamList& params : misfits()) {
            play_choice(params);
            expect_choice_failed(*sandbox_, params);
            EXPECT_TRUE(sandbox_->settled());
            EXPECT_EQ(warnings_.take(), Codes{72});
            EXPECT_EQ(log(), (Names{"A", "A!"}));
        }
    }
}

// proves: REPS-010, O-REPS-07
TEST_F(PassiveSteps, ParametersThatDoNotFitFailThePlaybackWhereTheHostAsksForThem) {
    bool done = false;
    a_.execute = [&] { return until(done); };
    for (const ParamList& params : misfits()) {
        play_choice(params);
        EXPECT_FALSE(sandbox_->get_passive());
        expect_choice_failed(*sandbox_, params);
        EXPECT_EQ(warnings_.take(), Codes{72});
        run();
        EXPECT_TRUE(sandbox_->settled());
        EXPECT_EQ(log(), (Names{"A", "A!"}));
    }
}

// proves: REPS-010, REPS-014
TEST_F(PassiveSteps, ParametersThatFitAreHandedOver) {
    const ParamList params = {1.0, "a"};
    a_.execute = [&]() -> Task {
        const auto passive = sandbox_->get_passive();
        EXPECT_TRUE(passive && passive->step->params == params);
        sandbox_->next(CommandResult::kSuccess);
        return CommandResult::kSuccess;
    };
    play_choice(params);
    EXPECT_TRUE(sandbox_->ended());
    EXPECT_EQ(warnings_.take(), Codes{});
}

// proves: REPS-014, O-REPS-10
TEST_F(PassiveSteps, AFailedOneEndsThePlaybackAtOnce) {
    bool done = false;
    a_.execute = [&] { return until(done); };
    record({kA, kP, kQ});
    sandbox_->play();
    sandbox_->update();
    ASSERT_TRUE(sandbox_->get_passive());
    sandbox_->next(CommandResult::kFailed, "closed");
    ASSERT_TRUE(sandbox_->report());
    EXPECT_EQ(sandbox_->report()->reason, "closed");
    EXPECT_EQ(sandbox_->report()->command, "P");
    EXPECT_FALSE(sandbox_->playing());
    EXPECT_EQ(warnings_.take(), Codes{72});
    EXPECT_FALSE(sandbox_->get_passive());
    sandbox_->next(CommandResult::kSuccess);
    EXPECT_EQ(warnings_.take(), (Codes{73, 73}));
    run();
    EXPECT_TRUE(sandbox_->settled());
}

// proves: REPS-014, O-REPS-10
TEST_F(PassiveSteps, AFailedOneIsGoneForTheCommandThatFailsIt) {
    a_.execute = [&]() -> Task {
        EXPECT_TRUE(sandbox_->get_passive());
        sandbox_->next(CommandResult::kFailed, "closed");
        EXPECT_FALSE(sandbox_->get_passive());
        sandbox_->next(CommandResult::kSuccess);
        return CommandResult::kSuccess;
    };
    play({kA, kP, kQ});
    EXPECT_EQ(warnings_.take(), (Codes{73, 73, 72}));
    EXPECT_EQ(sandbox_->report()->reason, "closed");
    EXPECT_TRUE(sandbox_->settled());
}

// proves: REPS-009, REPS-016
TEST_F(PassiveSteps, AnUntakenOneWarnsAndIsSkippedWithoutEndingTheRun) {
    play({kA, kLogged, kA});
    EXPECT_EQ(log(), (Names{"A", "A", "A!"}));
    EXPECT_EQ(warnings_.take(), Codes{194});
}

// proves: REPS-009
TEST_F(PassiveSteps, ATakenOneIsNeverCalledEither) {
    a_.execute = [&]() -> Task {
        take_passive();
        return CommandResult::kSuccess;
    };
    play({kA, kLogged, kB});
    EXPECT_EQ(log(), (Names{"A", "A!", "B", "B!"}));
    EXPECT_EQ(warnings_.take(), Codes{});
}

// proves: REPS-009
TEST_F(PassiveSteps, OneThatIsNotRegisteredFailsThePlayback) {
    a_.execute = [&]() -> Task {
        EXPECT_FALSE(sandbox_->get_passive());
        return CommandResult::kSuccess;
    };
    play({kA, kUnknown});
    EXPECT_EQ(warnings_.take(), (Codes{73, 157}));
    EXPECT_EQ(sandbox_->report()->end, PlaybackEnd::kFailed);
}

}  // namespace
}  // namespace maniple::replay
