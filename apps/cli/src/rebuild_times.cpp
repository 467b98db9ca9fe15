#include "rebuild_times.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace maniple::cli {
namespace {

class Stopwatch {
  public:
    [[nodiscard]] double ms() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

RebuildFigures figures_of(const RebuildTimes& times) {
    return {times.bake_ms.size(), percentiles_of(times.bake_ms), percentiles_of(times.prepare_ms)};
}

std::string describe_rebuilds(const RebuildFigures& figures) {
    const auto text = [](const Percentiles& p) {
        return fmt::format("{:.2f}/{:.2f}/{:.1f}", p.p50, p.p95, p.max);
    };
    return fmt::format("{} changes, ms p50/p95/max beside the ticks: baked in {}, prepared in {}",
                       figures.count, text(figures.bake_ms), text(figures.prepare_ms));
}

std::vector<sim::Command> TimedScript::server_commands_at(sim::Tick tick) {
    const Stopwatch watch;
    std::vector<sim::Command> commands = script_.server_commands_at(tick);
    const double ms = watch.ms();
    const bool changes = std::ranges::any_of(commands, [](const sim::Command& command) {
        return command.type == sim::kCommandRebuildFlowField;
    });
    if (changes) {
        times_.bake_ms.push_back(ms);
        times_.total_ms += ms;
    }
    return commands;
}

void TimedBackground::start(std::function<void()> job) {
    background_->start([ended = ended_, job = std::move(job)] {
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
