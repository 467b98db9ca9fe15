#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/skirmish/command_script.h"

#include "percentile.h"

namespace maniple::cli {

/// What changes of the ground take beside a battle's ticks, in the order in which they are made.
struct RebuildTimes {
    /// The server's: the edit, the tiles that Recast bakes anew, and the delta. One for each
    /// change.
    std::vector<double> bake_ms;
    /// A world's: the next navmesh with the flows of the layers in use, or a grid's asynchronous
    /// update.
    std::vector<double> prepare_ms;
    double total_ms = 0;  ///< Of both.
    /// How long ticks waited for one or the other.
    std::vector<double> wait_ms;

    void add_bake(double ms);
    void add_prepared(const std::vector<double>& ms);
};

/// RebuildTimes as they are reported.
struct RebuildFigures {
    std::size_t count = 0;
    Percentiles bake_ms;
    Percentiles prepare_ms;
    std::size_t waits = 0;
    Percentiles wait_ms;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RebuildFigures, count, bake_ms, prepare_ms, waits, wait_ms)
[[nodiscard]] RebuildFigures figures_of(const RebuildTimes& times);
/// One line for people.
[[nodiscard]] std::string describe_rebuilds(const RebuildFigures& figures);

class Stopwatch {
  public:
    [[nodiscard]] double ms() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Measures how long ticks wait for what is computed beside them.
class TickWaits {
  public:
    /// `times` outlive it.
    explicit TickWaits(RebuildTimes& times) : times_(times) {}
    /// Told at every look whether the tick must wait. @return the same.
    bool note(bool must_wait);

  private:
    RebuildTimes& times_;
    std::optional<Stopwatch> since_;
};

/// What each of a background's jobs takes, ms, once it has ended; in the order in which they began.
using JobTimes = std::deque<std::future<double>>;

/// Another background, with what its jobs take.
class TimedBackground final : public core::Background {
  public:
    /// Both outlive it.
    TimedBackground(JobTimes& times, core::Background& background)
        : times_(times), background_(background) {}
    void start(std::function<void()> job) override;

  private:
    JobTimes& times_;
    core::Background& background_;
};
/// Takes out the times of those that have ended, up to the first that has not.
[[nodiscard]] std::vector<double> take_ended(JobTimes& times);

/// Another script, which outlives it as `times` does, with what its changes of the ground take.
class TimedScript final : public skirmish::CommandScript {
  public:
    TimedScript(skirmish::CommandScript& script, RebuildTimes& times)
        : script_(script), times_(times) {}

    [[nodiscard]] std::shared_ptr<const sim::GameDefinition> definition() const override {
        return script_.definition();
    }
    [[nodiscard]] std::vector<sim::Command> plan_commands_at(std::int32_t team,
                                                             sim::Tick tick) const override {
        return script_.plan_commands_at(team, tick);
    }
    [[nodiscard]] std::vector<sim::Command> server_commands_at(sim::Tick tick) override;
    void prepare_change(sim::Tick tick, sim::Tick last_tick, core::Background& background) override;
    [[nodiscard]] bool is_ready(sim::Tick tick) const override { return script_.is_ready(tick); }
    [[nodiscard]] core::ByteSpan next_change() const override { return script_.next_change(); }
    [[nodiscard]] Result<core::Bytes> stream_at(std::string_view field,
                                                sim::Tick tick) const override {
        return script_.stream_at(field, tick);
    }
    [[nodiscard]] std::unique_ptr<skirmish::WayMeter> make_way_meter() const override {
        return script_.make_way_meter();
    }

  private:
    skirmish::CommandScript& script_;
    RebuildTimes& times_;
    JobTimes ahead_;  ///< What prepare_change() began.
};

}  // namespace maniple::cli
