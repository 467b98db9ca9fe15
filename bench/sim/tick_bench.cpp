// The tick of the built-in battle on builtin:valley: what one World::step costs, commands, systems,
// tasks and hash together, without the statistics that `simulate` adds.
//
//     maniple_tick_bench --benchmark_filter='Tick/.*'
//
// Arguments: units, threads. Counters: p50_ms, p95_ms, p99_ms of a tick over 300 ticks from the
// first contact on, and ns_per_unit of the median: processor time with one thread, which what else
// runs on the machine changes little, and elapsed time with more.
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

void Tick(benchmark::State& state) {
    const auto units = static_cast<std::int32_t>(state.range(0));
    const auto executor = core::make_executor(static_cast<int>(state.range(1)));
    const std::string name = units > 20'000 ? "builtin:valley:1024" : "builtin:valley";
    const auto map = terrain::make_builtin_map(name);
    const clockid_t clock = state.range(1) == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    std::vector<double> ms;
    for (auto _ : state) {
        auto script = skirmish::BattleScript::make(*map, {.units = units, .edit_map_every = 0});
        sim::World world(skirmish::make_skirmish(), {}, *executor);
        if (!script || !world.import_substrate(skirmish::kFieldName, map->stream.bytes())) {
            state.SkipWithError("no battle");
            return;
        }
        ms.clear();
        for (sim::Tick tick = 1; tick <= kWarmTicks + kMeasuredTicks; ++tick) {
            const double took = step_ms(*script, world, clock);
            if (took < 0) state.SkipWithError("a tick failed");
            if (tick > kWarmTicks) ms.push_back(took);
        }
    }
    if (ms.empty()) return;
    std::sort(ms.begin(), ms.end());
    const auto part = [&](std::size_t percent) { return ms[ms.size() * percent / 100]; };
    state.counters["p50_ms"] = part(50);
    state.counters["p95_ms"] = part(95);
    state.counters["p99_ms"] = part(99);
    state.counters["ns_per_unit"] = part(50) * 1e6 / units;
}
BENCHMARK(Tick)
    ->ArgsProduct({{1'000, 10'000, 100'000}, {1, 2}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
