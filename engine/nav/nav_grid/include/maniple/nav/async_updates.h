#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/nav/field_job.h"

namespace maniple::nav {

/// How an asynchronous update ends.
struct AsyncUpdateOptions {
    /// > 0: so many ticks after the one in which it starts. 0: in the first frame that finds it
    /// done, which depends on the machine, so not in lockstep.
    std::int32_t max_ticks = 0;
    /// With `max_ticks`, outside lockstep: at the first tick that finds it done (ASY-012).
    bool apply_when_ready = false;
    /// Called once: true when the result was applied; false when the field is gone, refused the
    /// update, or was updated otherwise meanwhile. May start another update.
    std::function<void(bool applied)> on_completed = {};
};

/// The updates that are computed beside the simulation. Every peer applies one in the same tick,
/// however fast it computes: early results wait, late ones hold the tick back (O-ASY-01). All calls
/// on the simulation thread; starting and applying in the serial window.
class AsyncUpdates {
  public:
    /// `background` outlives this.
    explicit AsyncUpdates(core::Background& background) : background_(background) {}
    AsyncUpdates(const AsyncUpdates&) = delete;
    AsyncUpdates& operator=(const AsyncUpdates&) = delete;

    /// Starts a field's `async_update` in tick `tick`. With a limit it is prepared and under way
    /// when this returns, else from the next frame on. @return false, with nothing started, for
    /// null and for a field that refuses.
    bool start(std::unique_ptr<FieldJob> job, std::int64_t tick, AsyncUpdateOptions options);

    /// Step 0 of a tick, before anything of it has run. False: an update is due with it and not
    /// there yet, so the tick must be tried again later. Changes nothing.
    [[nodiscard]] bool may_run(std::int64_t tick) const;
    /// The serial window of a tick that runs: applies what is due and drops what was overtaken.
    void on_tick(std::int64_t tick);
    /// Once a frame: the same for updates without a limit.
    void on_frame();

    [[nodiscard]] bool empty() const { return actions_.empty(); }
    /// Whether an update that started before `tick` is still to be applied after it.
    [[nodiscard]] bool in_flight_after(std::int64_t tick) const;

  private:
    struct Action {
        std::unique_ptr<FieldJob> job;
        AsyncUpdateOptions options;
        std::int64_t deadline_tick = 0;
        bool begun = false;
        bool refused = false;
        bool prepared = false;
        std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);

        [[nodiscard]] bool has_limit() const { return options.max_ticks > 0; }
        [[nodiscard]] bool lost() const {
            return refused || !job->field_alive() || (prepared && job->overtaken());
        }
        [[nodiscard]] bool ready() const { return done->load(std::memory_order_acquire); }
    };
    Result<void> prepare(const std::shared_ptr<Action>& action, JobTraces traces);
    void compute(Action& action);
    template <class Due>
    void finish(Due due);

    core::Background& background_;
    std::vector<std::shared_ptr<Action>> actions_;  ///< In order of their start.
};

}  // namespace maniple::nav
