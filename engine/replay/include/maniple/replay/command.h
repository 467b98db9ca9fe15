#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maniple/replay/param.h"
#include "maniple/replay/task.h"

namespace maniple::replay {

// implements: REPS-007
enum class CommandType : std::uint8_t {
    kActive,   ///< Executes itself.
    kPassive,  ///< Only hands its parameters to a consumer outside, who reports back.
};

/// What a command code means at playback. Made once, when it is registered, and used by every
/// replay: what execute keeps for finalize must be gone at the end of finalize (REPS-011).
class ReplayCommand {
  public:
    virtual ~ReplayCommand() = default;
    [[nodiscard]] virtual CommandType type() const = 0;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::span<const ParamKind> param_types() const = 0;
    /// Executes one step; an exception counts as Failed. Never called for a passive command. A run
    /// whose first step fails is not finalised.
    [[nodiscard]] virtual Task execute(std::span<const Param> params) = 0;
    /// Ends a run of steps of this code. The default has nothing to do.
    [[nodiscard]] virtual Task finalize() { return CommandResult::kSuccess; }
    /// True if execute only queues and finalize does the work. A passive step that follows can be
    /// asked for in finalize only, which then runs before the passive is waited for (O-REPS-02).
    [[nodiscard]] virtual bool deferred() const { return false; }
};

// implements: REPS-010, O-REPS-07
/// Checks count and types of the parameters; the command itself holds only what it does.
class BaseReplayCommand : public ReplayCommand {
  public:
    BaseReplayCommand(std::string name, std::vector<ParamKind> param_types)
        : name_(std::move(name)), param_types_(std::move(param_types)) {}
    [[nodiscard]] CommandType type() const override { return CommandType::kActive; }
    [[nodiscard]] std::string_view name() const final { return name_; }
    [[nodiscard]] std::span<const ParamKind> param_types() const final { return param_types_; }
    /// Failed, saying what does not fit, without calling wrapped_execute; or what that gives.
    [[nodiscard]] Task execute(std::span<const Param> params) final;

  protected:
    /// `params` have the count and types of param_types().
    [[nodiscard]] virtual Task wrapped_execute(std::span<const Param> params) = 0;

  private:
    std::string name_;
    std::vector<ParamKind> param_types_;
};

/// An active command that is one function.
class FunctionCommand final : public BaseReplayCommand {
  public:
    using Function = std::function<Task(std::span<const Param>)>;
    FunctionCommand(std::string name, std::vector<ParamKind> param_types, Function function)
        : BaseReplayCommand(std::move(name), std::move(param_types)),
          function_(std::move(function)) {}

  protected:
    [[nodiscard]] Task wrapped_execute(std::span<const Param> params) override {
        return function_(params);
    }

  private:
    Function function_;
};

// implements: REPS-009
/// A command for a consumer outside, who gets its steps from ReplaySandbox::get_passive.
class PassiveCommand final : public BaseReplayCommand {
  public:
    using BaseReplayCommand::BaseReplayCommand;
    [[nodiscard]] CommandType type() const override { return CommandType::kPassive; }

  protected:
    [[nodiscard]] Task wrapped_execute(std::span<const Param>) override {
        return Outcome{CommandResult::kFailed, "a passive command does not execute"};
    }
};

/// Why the parameters are not of these types; "" when they are.
[[nodiscard]] std::string param_mismatch(std::span<const Param> params,
                                         std::span<const ParamKind> types);
/// The step as people read it: `useItem(3, "red")`.
[[nodiscard]] std::string describe_step(std::string_view name, std::span<const Param> params);

}  // namespace maniple::replay
