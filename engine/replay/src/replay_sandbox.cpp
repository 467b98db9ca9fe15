#include "maniple/replay/replay_sandbox.h"

#include <cmath>
#include <exception>
#include <utility>

#include "maniple/replay/log_codes.h"

namespace maniple::replay {

/// While it lives a command of this sandbox runs.
class ReplaySandbox::Inside {
  public:
    explicit Inside(ReplaySandbox& sandbox) : sandbox_(sandbox) {
        ++sandbox_.inside_;
        ++sandbox_.system_.running_commands_;
    }
    ~Inside() {
        --sandbox_.inside_;
        --sandbox_.system_.running_commands_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    ReplaySandbox& sandbox_;
};

// implements: REPS-018
ReplaySandbox::ReplaySandbox(ReplaySystem& system, std::int64_t start)
    : system_(system), stream_(system.array().create_read_stream(start)) {}

// implements: REPS-011
ReplaySandbox::~ReplaySandbox() { stop(); }

// --- controls ---

// implements: REPS-019, REPS-021, O-REPS-11, O-REPS-17
void ReplaySandbox::play() {
    if (playing_ || report_) return;
    if (check_expired()) return;
    playing_ = true;
    stepping_ = false;
}

// implements: REPS-022, O-REPS-15
void ReplaySandbox::pause() {
    if (!playing_ || pausing_) return;
    pause_pending_ = true;
    if (phase_ != Phase::kBetween) return;
    pause_pending_ = false;
    pausing_ = true;
}

void ReplaySandbox::resume() {
    pause_pending_ = false;
    pausing_ = false;
}

// implements: O-REPS-05
void ReplaySandbox::stop() {
    if (report_) return;
    stop_requested_ = true;
    heed_requests();
}

// implements: O-REPS-12
void ReplaySandbox::step() {
    if (report_ || stepping_ || (playing_ && !pausing_)) {
        warn(kWarnControlIgnored,
             report_ ? "step() after the playback is over" : "step() while a step is being played");
        return;
    }
    if (check_expired()) return;
    stepping_ = true;
}

// implements: O-REPS-06
void ReplaySandbox::set_speed(double speed) {
    if (std::isfinite(speed) && speed > 0) {
        speed_ = speed;
    } else {
        warn(kWarnSpeedIgnored, "a speed is finite and over 0");
    }
}

// --- passive steps ---

// implements: REPS-010, REPS-014, REPS-030, O-REPS-07
std::optional<PassiveStep> ReplaySandbox::get_passive() {
    const bool in_step = phase_ != Phase::kBetween && !report_ && !passive_failure_;
    if (!in_step || !next_is_passive()) {
        warn(kWarnNoPassive, "get_passive() without a passive step");
        return std::nullopt;
    }
    const ReplayCommand* const command = system_.find_command(next_->command);
    std::string mismatch = param_mismatch(next_->params, command->param_types());
    if (!mismatch.empty()) {
        fail_passive(std::move(mismatch));
        return std::nullopt;
    }
    taken_ = true;
    return PassiveStep{command, &*next_};
}

// implements: REPS-014, REPS-030, O-REPS-10
void ReplaySandbox::next(CommandResult result, std::string reason) {
    if (!taken_ || report_) {
        warn(kWarnNoPassive, "next() without a fetched passive step");
        return;
    }
    if (result == CommandResult::kFailed) {
        fail_passive(reason.empty() ? "the passive step failed" : std::move(reason));
        return;
    }
    taken_ = false;
    if (result == CommandResult::kIgnored && system_.log_) {
        system_.log_({core::Severity::kInfo, kInfoStepIgnored,
                      describe(*next_) + " was ignored: " + reason});
    }
    if (stream_.expired()) {
        next_.reset();  // The next look at the stream ends the playback.
    } else {
        next_ = stream_.read();
    }
    if (phase_ == Phase::kAwaiting) phase_ = Phase::kSettling;
}

void ReplaySandbox::fail_passive(std::string reason) {
    taken_ = false;
    passive_failure_ = {*next_, std::move(reason)};
    heed_requests();
}

bool ReplaySandbox::next_is_passive() const {
    if (!next_) return false;
    const ReplayCommand* const command = system_.find_command(next_->command);
    return command != nullptr && command->type() == CommandType::kPassive;
}

// --- the loop ---

void ReplaySandbox::update() {
    if (phase_ == Phase::kOver || inside_ > 0) return;
    if (phase_ == Phase::kBetween) {
        const bool due = stepping_ || (playing_ && !pausing_);
        if (!due) return;
        begin_step();
    }
    while (advance()) {
    }
}

/// Goes on with the current step. @return whether there is more to do at once.
bool ReplaySandbox::advance() {
    heed_requests();
    switch (phase_) {
        case Phase::kExecuting:
        case Phase::kFinalizing:
        case Phase::kClosing: return poll_task();
        case Phase::kSettling: return settle();
        case Phase::kBetween:
        case Phase::kAwaiting:
        case Phase::kOver: break;
    }
    return false;
}

/// Ends the playback where that was asked for, but never under a command that runs.
void ReplaySandbox::heed_requests() {
    if (report_ || inside_ > 0) return;
    if (stop_requested_) {
        over(PlaybackEnd::kStopped, current_, "stopped");
    } else if (passive_failure_) {
        auto [step, reason] = *std::exchange(passive_failure_, std::nullopt);
        fail(step, kWarnStepFailed, std::move(reason));
    }
}

// implements: REPS-015, REPS-023, REPS-025, O-REPS-03, O-REPS-04
void ReplaySandbox::begin_step() {
    if (check_expired()) return;
    if (!started_) {
        started_ = true;
        next_ = stream_.read();
        while (next_is_passive()) skip_passive();
    }
    if (!next_) {
        over(PlaybackEnd::kPlayedToEnd, std::nullopt, "");
        return;
    }
    current_ = std::move(next_);
    next_ = stream_.read();
    ReplayCommand* const command = system_.find_command(current_->command);
    if (command == nullptr) {
        fail(*current_, kWarnUnknownCode, "the code is not registered");
        return;
    }
    run_goes_on_ = run_.has_value();  // Another code would have been finalised.
    run_ = current_->command;
    phase_ = Phase::kExecuting;
    const std::optional<Outcome> failed = guarded([&]() -> std::optional<Outcome> {
        task_.emplace(command->execute(current_->params));
        return std::nullopt;
    });
    if (failed) task_.emplace(*failed);
}

/// Asks what runs whether it is done. @return whether it is.
bool ReplaySandbox::poll_task() {
    const std::optional<Outcome> outcome = guarded([this] { return task_->poll(); });
    if (passive_failure_) return true;  // Why the command fails too, if it does.
    if (!outcome) return stop_requested_;
    task_.reset();
    const bool failed = outcome->result == CommandResult::kFailed;
    const Phase was = phase_;
    if (was == Phase::kExecuting) {
        execute_done(*outcome);
    } else {
        run_.reset();
        phase_ = was == Phase::kClosing ? Phase::kOver : Phase::kSettling;
        if (failed && was == Phase::kFinalizing) {
            fail(*current_, kWarnStepFailed, "finalize: " + outcome->reason);
        } else if (failed) {
            warn(kWarnStepFailed, describe(*current_) + ": finalize: " + outcome->reason);
        }
    }
    return true;
}

// implements: REPS-008, O-REPS-16
void ReplaySandbox::execute_done(const Outcome& outcome) {
    phase_ = Phase::kSettling;
    if (outcome.result == CommandResult::kFailed) {
        if (!run_goes_on_) run_.reset();  // Nothing was done that finalize could end.
        fail(*current_, kWarnStepFailed, outcome.reason);
    } else if (outcome.result == CommandResult::kIgnored && system_.log_) {
        system_.log_({core::Severity::kInfo, kInfoStepIgnored,
                      describe(*current_) + " was ignored: " + outcome.reason});
    }
}

// implements: REPS-012, REPS-016, O-REPS-02
/// What follows an executed step: its passives, and finalize where its run is over. @return whether
/// there is more to do at once.
bool ReplaySandbox::settle() {
    while (next_is_passive()) {
        const bool deferred = run_ && system_.find_command(*run_)->deferred();
        if (run_ && (taken_ || deferred)) {
            finalize_run();
            return true;
        }
        if (taken_) {
            phase_ = Phase::kAwaiting;
            return false;
        }
        if (check_expired()) return true;
        skip_passive();
    }
    if (run_ && (!next_ || next_->command != *run_)) {
        if (check_expired()) return true;
        finalize_run();
        return true;
    }
    finish_step();
    return phase_ == Phase::kClosing;
}

void ReplaySandbox::skip_passive() {
    warn(kWarnPassiveSkipped, describe(*next_) + " was not taken");
    ++skipped_;
    next_ = stream_.read();
}

void ReplaySandbox::finalize_run() {
    phase_ = Phase::kFinalizing;
    const std::optional<Outcome> failed = guarded([&]() -> std::optional<Outcome> {
        task_.emplace(system_.find_command(*run_)->finalize());
        return std::nullopt;
    });
    if (failed) task_.emplace(*failed);
}

void ReplaySandbox::finish_step() {
    ++executed_;
    phase_ = Phase::kBetween;
    stepping_ = false;
    if (check_expired()) return;
    if (!next_) {
        over(PlaybackEnd::kPlayedToEnd, current_, "");
        return;
    }
    if (std::exchange(pause_pending_, false)) pausing_ = true;
}

// --- how it ends ---

// implements: REPA-046, REPS-025
bool ReplaySandbox::check_expired() {
    if (!stream_.expired()) return false;
    warn(kWarnPlaybackExpired, "the replay was written to while it was played");
    over(PlaybackEnd::kExpired, current_, "the replay was written to while it was played");
    return true;
}

void ReplaySandbox::fail(const Step& step, int code, std::string reason) {
    warn(code, describe(step) + ": " + reason);
    over(PlaybackEnd::kFailed, step, std::move(reason));
}

// implements: REPS-020, REPS-024, O-REPS-11
void ReplaySandbox::over(PlaybackEnd end, const std::optional<Step>& step, std::string reason) {
    const ReplayCommand* const command = step ? system_.find_command(step->command) : nullptr;
    report_ =
        PlaybackReport{end, step, command ? std::string(command->name()) : "", std::move(reason)};
    playing_ = false;
    pausing_ = false;
    pause_pending_ = false;
    stepping_ = false;
    taken_ = false;
    stop_requested_ = false;
    passive_failure_.reset();
    ended_ = end == PlaybackEnd::kPlayedToEnd;
    stream_.destroy();
    close_run();
}

// implements: REPS-011
/// Finalises what a run has queued, once, even if it is finalising already.
void ReplaySandbox::close_run() {
    if (!run_) {
        phase_ = Phase::kOver;
        return;
    }
    if (phase_ != Phase::kFinalizing) {
        task_.reset();  // A step that still executes is given up.
        finalize_run();
    }
    phase_ = Phase::kClosing;
}

/// Calls into a command; an exception is a failure.
std::optional<Outcome> ReplaySandbox::guarded(const std::function<std::optional<Outcome>()>& call) {
    const Inside inside(*this);
    try {
        return call();
    } catch (const std::exception& exception) {
        return Outcome{CommandResult::kFailed, std::string("exception: ") + exception.what()};
    } catch (...) {
        return Outcome{CommandResult::kFailed, "exception"};
    }
}

std::string ReplaySandbox::describe(const Step& step) const {
    const ReplayCommand* const command = system_.find_command(step.command);
    const std::string name =
        command != nullptr ? std::string(command->name()) : "code " + std::to_string(step.command);
    return "step " + std::to_string(step.index) + ", " + describe_step(name, step.params);
}

void ReplaySandbox::warn(int code, std::string message) const {
    if (system_.log_) system_.log_({core::Severity::kWarning, code, std::move(message)});
}

}  // namespace maniple::replay
