#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maniple/core/log.h"
#include "maniple/core/result.h"
#include "maniple/replay/command.h"
#include "maniple/replay/replay_array.h"

namespace maniple::replay {

class RecordPause;
class ReplaySandbox;
class ShouldReplayScope;

/// Command codes reach to here; a registration over it is refused (O-REPA-14).
inline constexpr std::int64_t kCommandCodeMax = 0xFFFF;

/// Called after a step was appended, with its code as stored, its standardised parameters and its
/// index.
using RecordHook = std::function<void(const Step& step)>;
// implements: O-REPS-14
/// Puts the game where a replay starts: at `save`, whose type is the host's own, or, where that is
/// null, at the initial state. @return why it cannot.
using Reset = std::function<Result<void>(const std::any* save)>;

// implements: REPA-002, REPS-001
/// A replay being recorded or played: the array of steps and what their codes mean. Not
/// thread-safe. Outlives its sandboxes and pauses and stays at its address.
class ReplaySystem {
  public:
    explicit ReplaySystem(CommandWidth width = CommandWidth::k8,
                          core::LogSink log = core::null_log());
    ReplaySystem(const ReplaySystem&) = delete;
    ReplaySystem& operator=(const ReplaySystem&) = delete;

    /// Gives a code its meaning. @return kBadValue outside 0 … kCommandCodeMax, without a command,
    /// and with warning 163 for a code that has one: codes are never reused.
    Result<void> register_command(std::int64_t code, std::unique_ptr<ReplayCommand> command);
    /// nullptr for a code without meaning.
    [[nodiscard]] ReplayCommand* find_command(std::uint32_t code) const;
    [[nodiscard]] std::size_t command_count() const { return commands_.size(); }

    /// Appends one step and runs the hooks; while recording is off it does nothing at all. Call it
    /// first thing in an entry point, before anything is judged, so that failed attempts are
    /// recorded like others (REPS-003). @return whether the step was written.
    bool record(std::int64_t code, std::span<const Param> params);
    /// The same with scalars, the fast way.
    template <FastParam... Params>
    bool record(std::int64_t code, Params... params) {
        if (!recording()) return false;
        return array_.append(code, params...) && recorded();
    }
    /// Hooks run in the order in which they were added.
    void add_record_hook(RecordHook hook) { hooks_.push_back(std::move(hook)); }
    [[nodiscard]] bool recording() const { return pauses_ == 0; }
    /// Recording is off until the last pause has ended.
    [[nodiscard]] RecordPause pause_recording();

    /// Marks a method that must only run as part of a recorded step (REPS-028). Put it first; it
    /// lives as long as the method runs, and covers what that calls. Warns 1007, once a method,
    /// when recording is on and neither a step just recorded, nor a replayed command, nor another
    /// marked method covers the call; it never records by itself. Builds with
    /// MANIPLE_WITHOUT_REPLAY_CHECKS leave it out.
    [[nodiscard]] ShouldReplayScope should_replay(std::string_view method);
    /// The step recorded last is done and covers no marked method any more. A step covers one call;
    /// where it may cover none, as an attempt that fails, say so here: at the end of an entry
    /// point, or once a frame.
    void end_step() { just_recorded_ = false; }

    // implements: REPS-017
    /// Resets the game, then makes a sandbox at step 0. @return what `reset` refuses. Turn
    /// recording off first: recording would expire the sandbox's stream (REPS-026).
    Result<std::unique_ptr<ReplaySandbox>> create_sandbox(const Reset& reset,
                                                          const std::any* save = nullptr);

    /// The replay as a container (docs/formats/replay.md §4).
    [[nodiscard]] core::Bytes save() const;
    /// Replaces the replay by a saved one; refused bytes leave it as it is.
    Result<void> load(core::ByteSpan bytes);

    [[nodiscard]] const ReplayArray& array() const { return array_; }
    /// For editors. Every write expires running sandboxes.
    [[nodiscard]] ReplayArray& array() { return array_; }

  private:
    friend class RecordPause;
    friend class ReplaySandbox;
    friend class ShouldReplayScope;
    bool recorded();

    core::LogSink log_;
    ReplayArray array_;
    std::map<std::uint32_t, std::unique_ptr<ReplayCommand>> commands_;
    std::vector<RecordHook> hooks_;
    int pauses_ = 0;
    int running_commands_ = 0;     ///< Of sandboxes, right now.
    int should_replay_depth_ = 0;  ///< Marked methods that run right now.
    bool just_recorded_ = false;   ///< A step that no marked method has claimed.
    std::set<std::string, std::less<>> warned_methods_;
};

// implements: REPS-026, O-REPS-09
/// Recording is off while any of these lives.
class RecordPause {
  public:
    explicit RecordPause(ReplaySystem& system) : system_(&system) { ++system_->pauses_; }
    RecordPause(RecordPause&& other) noexcept : system_(std::exchange(other.system_, nullptr)) {}
    RecordPause& operator=(RecordPause&& other) noexcept {
        std::swap(system_, other.system_);
        return *this;
    }
    ~RecordPause() {
        if (system_ != nullptr) --system_->pauses_;
    }

  private:
    ReplaySystem* system_;
};

/// See ReplaySystem::should_replay.
class ShouldReplayScope {
  public:
    explicit ShouldReplayScope(ReplaySystem& system) : system_(system) {
        ++system_.should_replay_depth_;
    }
    ~ShouldReplayScope() { --system_.should_replay_depth_; }
    ShouldReplayScope(const ShouldReplayScope&) = delete;
    ShouldReplayScope& operator=(const ShouldReplayScope&) = delete;

  private:
    ReplaySystem& system_;
};

}  // namespace maniple::replay
