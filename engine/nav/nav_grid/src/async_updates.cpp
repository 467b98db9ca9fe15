#include "maniple/nav/async_updates.h"

#include <algorithm>
#include <utility>

#include "maniple/core/assert.h"

namespace maniple::nav {

// implements: ASY-001, ASY-003, ASY-004, ASY-010, O-ASY-03
bool AsyncUpdates::start(std::unique_ptr<FieldJob> job, std::int64_t tick,
                         AsyncUpdateOptions options) {
    if (job == nullptr) return false;
    auto action = std::make_shared<Action>();
    action->job = std::move(job);
    action->options = std::move(options);
    action->deadline_tick = tick + action->options.max_ticks;
    if (action->has_limit() && !prepare(action, JobTraces::kAtOnce)) return false;
    actions_.push_back(std::move(action));
    return true;
}

// implements: ASY-002, ASY-005
Result<void> AsyncUpdates::prepare(const std::shared_ptr<Action>& action, JobTraces traces) {
    return action->job->prepare(traces, [this, weak = std::weak_ptr(action)] {
        if (const auto alive = weak.lock()) compute(*alive);
    });
}

// implements: ASY-009, ASY-010
void AsyncUpdates::compute(Action& action) {
    action.prepared = true;
    background_.start([work = action.job->work(), done = action.done] {
        work();
        done->store(true, std::memory_order_release);
    });
}

// implements: ASY-013, O-ASY-01
bool AsyncUpdates::may_run(std::int64_t tick) const {
    return std::none_of(actions_.begin(), actions_.end(), [&](const auto& action) {
        return action->has_limit() && tick >= action->deadline_tick && !action->ready() &&
               !action->lost();
    });
}

bool AsyncUpdates::in_flight_after(std::int64_t tick) const {
    return std::any_of(actions_.begin(), actions_.end(), [&](const auto& action) {
        return action->has_limit() && tick < action->deadline_tick;
    });
}

// implements: ASY-011, ASY-012, O-ASY-05
template <class Due>
void AsyncUpdates::finish(Due due) {
    std::vector<std::pair<std::function<void(bool)>, bool>> completed;
    std::erase_if(actions_, [&](const std::shared_ptr<Action>& action) {
        const bool lost = action->lost();
        if (!lost && !due(*action)) return false;
        if (!lost) action->job->apply();
        completed.emplace_back(std::move(action->options.on_completed), !lost);
        return true;
    });
    for (const auto& [on_completed, applied] : completed) {
        if (on_completed) on_completed(applied);
    }
}

void AsyncUpdates::on_tick(std::int64_t tick) {
    finish([&](const Action& action) {
        if (!action.has_limit()) return false;
        if (action.options.apply_when_ready && action.ready()) return true;
        MANIPLE_ASSERT(tick < action.deadline_tick || action.ready());  // may_run() said so
        return tick >= action.deadline_tick;
    });
}

// implements: ASY-004, ASY-005
void AsyncUpdates::on_frame() {
    for (const auto& action : std::vector(actions_)) {
        if (action->has_limit() || action->begun) continue;
        action->begun = true;
        action->refused = action->job->field_alive() && !prepare(action, JobTraces::kLater);
    }
    finish([](const Action& action) { return !action.has_limit() && action.ready(); });
}

}  // namespace maniple::nav
