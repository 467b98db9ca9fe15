#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maniple/replay/command.h"
#include "maniple/replay/replay_system.h"

namespace maniple::replay {

/// Why a playback is over.
enum class PlaybackEnd : std::uint8_t {
    kPlayedToEnd,
    kFailed,   ///< A step failed; the report says which and why.
    kExpired,  ///< The replay was written to while it was played.
    kStopped,  ///< By stop().
};

/// What a playback came to, and the step it was at.
struct PlaybackReport {
    PlaybackEnd end = PlaybackEnd::kPlayedToEnd;
    std::optional<Step> step;  ///< The last one begun; nullopt before the first.
    std::string command;       ///< Its name; "" where its code is not registered.
    std::string reason;        ///< In words; "" when it was played to the end.
};

/// A passive step for the consumer outside. `command` tells which one it is; both stay valid until
/// next() is called.
struct PassiveStep {
    const ReplayCommand* command;
    const Step* step;
};

// implements: REPS-027
/// Plays a replay: reads its steps in order and has the registered commands execute them. Driven by
/// update(); single-threaded. It resets nothing, registers nothing and owns neither replay nor game
/// (REPS-018). Recording must be off while it plays (REPS-026).
///
/// A playback is over once: played to the end, failed, expired or stopped. Then report() says so,
/// nothing runs any more, and playing again takes a new sandbox (O-REPS-17).
class ReplaySandbox {
  public:
    /// Reads from step `start` on. `system` outlives the sandbox.
    explicit ReplaySandbox(ReplaySystem& system, std::int64_t start = 0);
    ReplaySandbox(const ReplaySandbox&) = delete;
    ReplaySandbox& operator=(const ReplaySandbox&) = delete;
    /// Ends the playback as stop() does, and gives up what then still runs.
    ~ReplaySandbox();

    /// Goes on with the step that runs, and begins the next one if it is time. At most one step
    /// begins in a call, so that the host's pace is how often it calls. Does nothing when a command
    /// calls it.
    void update();

    // --- controls ---

    /// Starts continuous play. Does nothing when playing or over.
    void play();
    /// Asks for a pause, which comes when the current step and its passives have finished. It
    /// always settles: pause_pending() falls when the pause is there or the playback is over.
    void pause();
    /// Goes on from a pause, or takes back one that is still asked for.
    void resume();
    /// Ends the playback now, or, called by a command, when that returns. What a run has queued is
    /// finalised once; update() sees it through.
    void stop();
    /// Plays one active step and its passives, then rests. Ignored, with warning 1006, while
    /// playing or over.
    void step();
    /// Scales the host's pace, never what is played. Ignored, with warning 1005, unless finite and
    /// over 0.
    void set_speed(double speed);

    // --- passive steps, while an active step executes ---

    /// The passive step that follows, with the count and types of parameters of its command. The
    /// same until next(). nullopt and warning 73 without one; nullopt, and the playback fails as by
    /// next(), where the parameters do not fit.
    std::optional<PassiveStep> get_passive();
    /// Reports how the fetched passive step went and goes on to the one after it. Failed ends the
    /// playback now, or, called by a command, when that returns. Warning 73 without a fetched step.
    void next(CommandResult result, std::string reason = {});

    // --- state ---

    [[nodiscard]] bool playing() const { return playing_; }  ///< In a play session, paused or not.
    [[nodiscard]] bool pausing() const { return pausing_; }  ///< Paused.
    [[nodiscard]] bool ended() const { return ended_; }      ///< Played to the end.
    [[nodiscard]] bool pause_pending() const { return pause_pending_; }
    /// Over, and nothing left to finalise.
    [[nodiscard]] bool settled() const { return phase_ == Phase::kOver; }
    /// Set as soon as the playback is over.
    [[nodiscard]] const std::optional<PlaybackReport>& report() const { return report_; }
    [[nodiscard]] double speed() const { return speed_; }

    /// Steps read so far, which may be one more than the step that executes; never compare it with
    /// the length to learn of the end (REPS-024).
    [[nodiscard]] std::size_t replayed() const { return stream_.current(); }
    [[nodiscard]] std::size_t total() const { return stream_.total(); }
    /// Active steps that have finished.
    [[nodiscard]] std::size_t executed() const { return executed_; }
    /// Passive steps that nobody took.
    [[nodiscard]] std::size_t skipped() const { return skipped_; }

  private:
    enum class Phase : std::uint8_t {
        kBetween,     ///< No step runs.
        kExecuting,   ///< task_ is the step's.
        kSettling,    ///< The step has executed; passives and finalize are due.
        kFinalizing,  ///< task_ is the run's finalize.
        kAwaiting,    ///< A passive was fetched; next() is due.
        kClosing,     ///< Over, but task_, the run's finalize, is not.
        kOver,
    };
    /// Marks calls into commands: what they ask of the sandbox waits until they return.
    class Inside;

    bool advance();
    void heed_requests();
    void begin_step();
    bool poll_task();
    void execute_done(const Outcome& outcome);
    bool settle();
    void finalize_run();
    void finish_step();
    bool read_next();
    void skip_passive();
    bool check_expired();
    void fail(const Step& step, int code, std::string reason);
    void fail_passive(std::string reason);
    void over(PlaybackEnd end, const std::optional<Step>& step, std::string reason);
    void close_run();
    std::optional<Outcome> guarded(const std::function<std::optional<Outcome>()>& call);
    [[nodiscard]] bool next_is_passive() const;
    [[nodiscard]] std::string describe(const Step& step) const;
    void warn(int code, std::string message) const;

    ReplaySystem& system_;
    ReadStream stream_;
    Phase phase_ = Phase::kBetween;
    std::optional<Task> task_;
    std::optional<Step> current_;
    std::optional<Step> next_;          ///< Read ahead.
    std::optional<std::uint32_t> run_;  ///< Code of the active steps not finalised yet.
    bool run_goes_on_ = false;          ///< The current step is not the first of its run.
    bool started_ = false;
    bool taken_ = false;  ///< next_ is passive and was fetched.

    bool playing_ = false;
    bool pausing_ = false;
    bool ended_ = false;
    bool pause_pending_ = false;
    bool stepping_ = false;
    int inside_ = 0;
    bool stop_requested_ = false;
    std::optional<std::pair<Step, std::string>> passive_failure_;
    std::optional<PlaybackReport> report_;
    double speed_ = 1.0;
    std::size_t executed_ = 0;
    std::size_t skipped_ = 0;
};

}  // namespace maniple::replay
