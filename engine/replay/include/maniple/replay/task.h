#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace maniple::replay {

/// How a step went. Success and Ignored go on, Failed ends the playback (REPS-008).
enum class CommandResult : std::uint8_t { kSuccess, kFailed, kIgnored };

struct Outcome {
    CommandResult result = CommandResult::kSuccess;
    std::string reason;  ///< For Failed and Ignored, in words.
};

// implements: O-REPS-01
/// Work that may take many updates: asked again and again until it has an outcome. A finished one
/// is made from its outcome at once. Single-threaded; dropping it is giving up.
class Task {
  public:
    using Poll = std::function<std::optional<Outcome>()>;
    Task(CommandResult result) : outcome_(Outcome{result, {}}) {}  // NOLINT: meant to convert.
    Task(Outcome outcome) : outcome_(std::move(outcome)) {}        // NOLINT: meant to convert.
    /// `poll` gives nullopt while the work goes on.
    explicit Task(Poll poll) : poll_(std::move(poll)) {}

    [[nodiscard]] std::optional<Outcome> poll() {
        if (!outcome_) outcome_ = poll_();
        return outcome_;
    }

  private:
    std::optional<Outcome> outcome_;
    Poll poll_;
};

}  // namespace maniple::replay
