#include "rebuild_times.h"

#include <algorithm>
#include <fmt/format.h>

namespace maniple::cli {
void RebuildTimes::add_bake(double ms) {
    bake_ms.push_back(ms);
    total_ms += ms;
}

void RebuildTimes::add_prepared(const std::vector<double>& ms) {
    for (const double each : ms) total_ms += each;
    prepare_ms.insert(prepare_ms.end(), ms.begin(), ms.end());
}

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

void TimedBackground::start(std::function<void()> job) {
    const auto took = std::make_shared<std::promise<double>>();
    times_.push_back(took->get_future());
    background_.start([took, job = std::move(job)] {
        const Stopwatch watch;
        job();
        took->set_value(watch.ms());
    });
}

std::vector<double> take_ended(JobTimes& times) {
    std::vector<double> ended;
    while (!times.empty() &&
           times.front().wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        ended.push_back(times.front().get());
        times.pop_front();
    }
    return ended;
}

void TimedScript::prepare_change(sim::Tick tick, sim::Tick last_tick,
                                 core::Background& background) {
    TimedBackground timed(ahead_, background);
    script_.prepare_change(tick, last_tick, timed);
    // An edit that left the ground as it was is nobody's.
    while (ahead_.size() > 1) ahead_.pop_front();
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
        for (std::future<double>& job : ahead_) ms += job.get();
        ahead_.clear();
        times_.add_bake(ms);
    }
    return commands;
}

}  // namespace maniple::cli
