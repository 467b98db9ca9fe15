#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "maniple/replay/replay_sandbox.h"

#include "replay_test_support.h"

namespace maniple::replay {

/// Codes of the scripted game: A, B active; D active and deferred; P, Q passive.
enum ScriptedCode : std::uint32_t { kA = 1, kB = 2, kD = 3, kP = 10, kQ = 11, kUnknown = 99 };

/// What a test wants a command to do; the default succeeds at once.
struct Behaviour {
    std::function<Task()> execute = [] { return Task(CommandResult::kSuccess); };
    std::function<Task()> finalize = [] { return Task(CommandResult::kSuccess); };
};

/// Logs its calls as "A", "A!" for finalize.
class ScriptedCommand final : public BaseReplayCommand {
  public:
    ScriptedCommand(std::string name, bool deferred, Behaviour& behaviour,
                    std::vector<std::string>& log)
        : BaseReplayCommand(std::move(name), {}),
          deferred_(deferred),
          behaviour_(behaviour),
          log_(log) {}
    [[nodiscard]] Task finalize() override {
        log_.push_back(std::string(name()) + "!");
        return behaviour_.finalize();
    }
    [[nodiscard]] bool deferred() const override { return deferred_; }

  protected:
    [[nodiscard]] Task wrapped_execute(std::span<const Param>) override {
        log_.emplace_back(name());
        return behaviour_.execute();
    }

  private:
    bool deferred_;
    Behaviour& behaviour_;
    std::vector<std::string>& log_;
};

/// A system with those commands, a replay of the codes given, and a sandbox on it.
class SandboxTest : public testing::Test {
  protected:
    SandboxTest() {
        add(kA, std::make_unique<ScriptedCommand>("A", false, a_, log_));
        add(kB, std::make_unique<ScriptedCommand>("B", false, b_, log_));
        add(kD, std::make_unique<ScriptedCommand>("D", true, d_, log_));
        add(kP, std::make_unique<PassiveCommand>("P", std::vector<ParamKind>{}));
        add(kQ, std::make_unique<PassiveCommand>("Q", std::vector<ParamKind>{}));
    }
    void add(std::uint32_t code, std::unique_ptr<ReplayCommand> command) {
        ASSERT_TRUE(system_.register_command(code, std::move(command)));
    }
    void record(std::initializer_list<std::uint32_t> codes) {
        for (const std::uint32_t code : codes) system_.array().append(code);
        sandbox_ = std::make_unique<ReplaySandbox>(system_);
    }
    void clear() { ASSERT_TRUE(system_.array().replace_regions(CommandWidth::k8, {}, {})); }
    /// Plays `codes` to whatever end, with at most 1000 updates.
    void play(std::initializer_list<std::uint32_t> codes) {
        record(codes);
        sandbox_->play();
        run();
    }
    void run() {
        for (int i = 0; i < 1000 && !sandbox_->settled(); ++i) sandbox_->update();
    }
    void run_some() {
        for (int i = 0; i < 5; ++i) sandbox_->update();
    }
    std::vector<std::string> log() { return std::exchange(log_, {}); }
    /// Takes the passive step and reports success, as a command's consumer does.
    void take_passive() {
        ASSERT_TRUE(sandbox_->get_passive());
        sandbox_->next(CommandResult::kSuccess);
    }

    WarningList warnings_;
    ReplaySystem system_{CommandWidth::k8, warnings_.sink()};
    RecordPause pause_ = system_.pause_recording();
    Behaviour a_, b_, d_;
    std::vector<std::string> log_;
    std::unique_ptr<ReplaySandbox> sandbox_;
};

using Names = std::vector<std::string>;
using Codes = std::vector<int>;

/// A task that is done when `flag` is.
inline Task until(const bool& flag) {
    return Task([&flag]() -> std::optional<Outcome> {
        if (!flag) return std::nullopt;
        return Outcome{};
    });
}

}  // namespace maniple::replay
