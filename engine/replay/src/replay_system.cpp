#include "maniple/replay/replay_system.h"

#include <utility>

#include "maniple/replay/container.h"
#include "maniple/replay/log_codes.h"
#include "maniple/replay/replay_sandbox.h"

namespace maniple::replay {

ReplaySystem::ReplaySystem(CommandWidth width, core::LogSink log)
    : log_(std::move(log)), array_(width, log_) {}

// implements: REPA-006
Result<void> ReplaySystem::register_command(std::int64_t code,
                                            std::unique_ptr<ReplayCommand> command) {
    if (code < 0 || code > kCommandCodeMax) {
        return refuse(ErrorCode::kBadValue,
                      "command code " + std::to_string(code) + " is not in 0 to 65535");
    }
    if (command == nullptr) {
        return refuse(ErrorCode::kBadValue,
                      "command code " + std::to_string(code) + " is registered without a command");
    }
    const auto [at, added] =
        commands_.try_emplace(static_cast<std::uint32_t>(code), std::move(command));
    if (added) return {};
    std::string message =
        "command code " + std::to_string(code) + " is already " + std::string(at->second->name());
    if (log_) log_({core::Severity::kWarning, kWarnDuplicateCode, message});
    return refuse(ErrorCode::kBadValue, std::move(message));
}

ReplayCommand* ReplaySystem::find_command(std::uint32_t code) const {
    const auto at = commands_.find(code);
    return at == commands_.end() ? nullptr : at->second.get();
}

// implements: REPS-002, REPS-003, O-REPS-08
bool ReplaySystem::record(std::int64_t code, std::span<const Param> params) {
    if (!recording()) return false;
    return array_.add(code, params) && recorded();
}

bool ReplaySystem::recorded() {
    just_recorded_ = true;
    if (hooks_.empty()) return true;
    const std::optional<Step> step = array_.get(static_cast<std::int64_t>(array_.size()) - 1);
    // By index: a hook may add another.
    for (std::size_t i = 0; i < hooks_.size(); ++i) hooks_[i](*step);
    return true;
}

RecordPause ReplaySystem::pause_recording() { return RecordPause(*this); }

// implements: REPS-006, REPS-028
ShouldReplayScope ReplaySystem::should_replay([[maybe_unused]] std::string_view method) {
#ifndef MANIPLE_WITHOUT_REPLAY_CHECKS
    const bool claimed = std::exchange(just_recorded_, false);
    const bool covered =
        !recording() || claimed || running_commands_ > 0 || should_replay_depth_ > 0;
    if (!covered && warned_methods_.emplace(method).second && log_) {
        log_({core::Severity::kWarning, kWarnNotRecorded,
              std::string(method) + " was called without a recorded step"});
    }
#endif
    return ShouldReplayScope(*this);
}

Result<std::unique_ptr<ReplaySandbox>> ReplaySystem::create_sandbox(const Reset& reset,
                                                                    const std::any* save) {
    if (Result<void> done = reset(save); !done) return refuse(std::move(done.error()));
    return std::make_unique<ReplaySandbox>(*this);
}

core::Bytes ReplaySystem::save() const { return encode_container(array_); }

Result<void> ReplaySystem::load(core::ByteSpan bytes) {
    const Result<ReplayArray> loaded = decode_container(bytes);
    if (!loaded) return refuse(loaded.error());
    return array_.replace_regions(loaded->command_width(), loaded->commands(), loaded->params());
}

}  // namespace maniple::replay
