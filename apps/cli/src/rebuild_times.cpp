#include "rebuild_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace maniple::cli {
namespace {

/// Another background, which tells how long its last job took.
class WatchedBackground final : public core::Background {
  public:
    WatchedBackground(core::Background& background, std::future<double>& took_ms)
        : background_(background), took_ms_(took_ms) {}
    void start(std::function<void()> job) override {
        const auto took = std::make_shared<std::promise<double>>();
        took_ms_ = took->get_future();
        background_.start([took, job = std::move(job)] {
            const Stopwatch watch;
            job();
            took->set_value(watch.ms());
        });
    }

  private:
    core::Background& background_;
    std::future<double>& took_ms_;
};

}  // namespace

RebuildFigures figures_of(const RebuildTimes& times) {
    return {times.bake_ms.size(), percentiles_of(times.bake_ms), percentiles_of(times.prepare_ms),
            times.wait_ms.size(), percentiles_of(times.wait_ms)};
}

std::string describe_rebuilds(const RebuildFigures& figures) {
    const auto text = [](const Percentiles& p) {
        return fmt::format("{:.2f}/{:.2f}/{:.1f}", p.p50, p.p95, p.max);
    };
    return fmt::format(
        "{} changes, ms p50/p95/max beside the ticks: baked in {}, prepared in {}; "
        "ticks waited {} times for {}",
        figures.count, text(figures.bake_ms), text(figures.prepare_ms), figures.waits,
        text(figures.wait_ms));
}

bool TickWaits::note(bool must_wait) {
    if (must_wait && !since_) since_.emplace();
    if (!must_wait && since_) {
        times_.wait_ms.push_back(since_->ms());
        since_.reset();
    }
    return must_wait;
}

void TimedScript::prepare_change(sim::Tick tick, sim::Tick last_tick,
                                 core::Background& background) {
    WatchedBackground watched(background, ahead_ms_);
    script_.prepare_change(tick, last_tick, watched);
}

std::vector<sim::Command> TimedScript::server_commands_at(sim::Tick tick) {
    const Stopwatch watch;
    std::vector<sim::Command> commands = script_.server_commands_at(tick);
    double ms = watch.ms();
    const bool changes = std::ranges::any_of(commands, [](const sim::Command& command) {
        return command.type == sim::kCommandRebuildFlowField;
    });
    if (changes) {
        // The script has its result: the watch has stopped, or is about to.
        if (ahead_ms_.valid()) ms += ahead_ms_.get();
        times_.bake_ms.push_back(ms);
        times_.total_ms += ms;
    }
    return commands;
}

void TimedBackground::start(std::function<void()> job) {
    background_.start([ended = ended_, job = std::move(job)] {
        const Stopwatch watch;
        job();
        const std::scoped_lock lock(ended->mutex);
        ended->ms.push_back(watch.ms());
    });
    collect();
}

void TimedBackground::collect() {
    const std::scoped_lock lock(ended_->mutex);
    for (const double ms : std::exchange(ended_->ms, {})) {
        times_.prepare_ms.push_back(ms);
        times_.total_ms += ms;
    }
}

}  // namespace maniple::cli
