// What recording costs a tick, and opening a whole file. One tick in five has a command over 200
// units; there are no keyframes, whose cost is the snapshot's.
#include <benchmark/benchmark.h>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/battle_file/battle_writer.h"
#include "maniple/core/hash.h"

namespace {

using namespace maniple;
using namespace maniple::battle_file;

constexpr sim::Tick kTicks = 24'000;  // 20 minutes.

sim::Command move_order(sim::Tick tick) {
    sim::Command command;
    command.type = sim::kFirstGameCommand;
    command.tick = tick;
    command.server_exec_sequence = tick;
    sim::Int32List units;
    for (std::int32_t i = 0; i < 200; ++i) units.push_back(tick % 50 * 200 + i);
    command.set("units", std::move(units));
    command.set("x", 100.0 * tick);
    command.set("y", 50.5 * tick);
    return command;
}

core::Bytes record(sim::Tick ticks) {
    MemorySink sink;
    BattleWriter writer(sink);
    static_cast<void>(writer.begin({}, {}));
    for (sim::Tick tick = 1; tick <= ticks; ++tick) {
        std::vector<sim::Command> commands;
        if (tick % 5 == 0) commands.push_back(move_order(tick));
        static_cast<void>(writer.record_tick(tick, commands, core::mix(0, tick)));
    }
    static_cast<void>(writer.end(EndReason::kFinished));
    return sink.take();
}

void record_tick(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(record(kTicks).data());
    state.SetItemsProcessed(state.iterations() * kTicks);
}
BENCHMARK(record_tick)->Unit(benchmark::kMillisecond);

void open_file(benchmark::State& state) {
    const core::Bytes file = record(kTicks);
    for (auto _ : state) benchmark::DoNotOptimize(BattleReader::open(file)->last_tick());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.size()));
    state.counters["bytes_per_tick"] = static_cast<double>(file.size()) / kTicks;
}
BENCHMARK(open_file)->Unit(benchmark::kMillisecond);

}  // namespace
