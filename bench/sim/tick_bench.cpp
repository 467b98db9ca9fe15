// The tick of the built-in battle on builtin:valley: what one World::step costs, commands, systems,
// tasks and hash together, without the statistics that `simulate` adds.
//
//     maniple_tick_bench --benchmark_filter='Tick/.*'
//
// Arguments: units, threads. Counters: p50_ms, p95_ms, p99_ms of a tick over 300 ticks from the
// first contact on, in all rounds; least_*: the same of each tick's least time of the rounds, which
// all do the same work, so that what else runs on the host falls out; ns_per_unit of least_p50.
// Processor time with one thread, elapsed time with more.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/skirmish/battle.h"
#include "maniple/terrain/grid_map.h"

namespace {

using namespace maniple;

constexpr sim::Tick kWarmTicks = 120;
constexpr sim::Tick kMeasuredTicks = 300;

double now_ms(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Milliseconds of one executed tick, or a negative value when it failed.
double step_ms(skirmish::BattleScript& script, sim::World& world, clockid_t clock) {
    for (sim::Command& command : script.commands_for_tick(world.tick() + 1)) {
        if (!world.queue(std::move(command))) return -1;
    }
    const double start = now_ms(clock);
    const auto hash = world.step();
    return hash ? now_ms(clock) - start : -1;
}

/// Milliseconds of every measured tick of one battle; empty when one failed.
std::vector<double> battle_ms(const terrain::GridMap& map, std::int32_t units,
                              core::Executor& executor, clockid_t clock) {
    auto script = skirmish::BattleScript::make(map, {.units = units, .edit_map_every = 0});
    sim::World world(skirmish::make_skirmish(), {}, executor);
    if (!script || !world.import_substrate(skirmish::kFieldName, map.stream.bytes())) return {};
    std::vector<double> ms;
    for (sim::Tick tick = 1; tick <= kWarmTicks + kMeasuredTicks; ++tick) {
        const double took = step_ms(*script, world, clock);
        if (took < 0) return {};
        if (tick > kWarmTicks) ms.push_back(took);
    }
    return ms;
}

void report(benchmark::State& state, const std::string& prefix, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    for (const std::size_t percent : {50U, 95U, 99U}) {
        state.counters[prefix + "p" + std::to_string(percent) + "_ms"] =
            ms[ms.size() * percent / 100];
    }
}

void Tick(benchmark::State& state) {
    const auto units = static_cast<std::int32_t>(state.range(0));
    const auto executor = core::make_executor(static_cast<int>(state.range(1)));
    const auto map =
        terrain::make_builtin_map(units > 20'000 ? "builtin:valley:1024" : "builtin:valley");
    const clockid_t clock = state.range(1) == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    std::vector<double> all;
    std::vector<double> least;
    for (auto _ : state) {
        const std::vector<double> ms = battle_ms(*map, units, *executor, clock);
        if (ms.empty()) {
            state.SkipWithError("a tick failed");
            return;
        }
        all.insert(all.end(), ms.begin(), ms.end());
        if (least.empty()) least = ms;
        for (std::size_t i = 0; i < ms.size(); ++i) least[i] = std::min(least[i], ms[i]);
    }
    report(state, "", std::move(all));
    report(state, "least_", std::move(least));
    state.counters["ns_per_unit"] = state.counters["least_p50_ms"] * 1e6 / units;
}
BENCHMARK(Tick)
    ->ArgsProduct({{1'000, 10'000, 100'000}, {1, 2}})
    ->Iterations(4)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
