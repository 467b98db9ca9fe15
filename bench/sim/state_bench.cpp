// What the state of the built-in battle costs beside its systems: hash, capture, packing, restore
// and memory, on builtin:valley in the thick of the fight.
//
//     maniple_state_bench --benchmark_filter='Hash/.*'
//
// Argument: units. Counters: ns_per_unit of the measured call; Hash also GB/s of hashed bytes and
// its share of the median tick, Pack and Restore the packed bytes of a unit.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/skirmish/battle.h"
#include "maniple/snapshot/snapshot.h"
#include "maniple/terrain/grid_map.h"

namespace {

using namespace maniple;

constexpr sim::Tick kWarmTicks = 160;
constexpr sim::Tick kMeasuredTicks = 40;

/// A battle under way and what its ticks cost.
struct Battle {
    std::unique_ptr<sim::World> world;
    double tick_ns = 0;  ///< Median.
};

Battle make_battle(std::int32_t units, core::Executor& executor) {
    const auto map =
        terrain::make_builtin_map(units > 20'000 ? "builtin:valley:1024" : "builtin:valley");
    auto script = skirmish::BattleScript::make(*map, {.units = units, .edit_map_every = 0});
    Battle battle{
        std::make_unique<sim::World>(skirmish::make_skirmish(), sim::MatchConfig{}, executor), 0};
    if (!script || !battle.world->import_substrate(skirmish::kFieldName, map->stream.bytes())) {
        std::abort();
    }
    std::vector<double> ns;
    for (sim::Tick tick = 1; tick <= kWarmTicks + kMeasuredTicks; ++tick) {
        for (sim::Command& command : script->commands_for_tick(tick)) {
            if (!battle.world->queue(std::move(command))) std::abort();
        }
        const auto start = std::chrono::steady_clock::now();
        if (!battle.world->step()) std::abort();
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - start;
        if (tick > kWarmTicks) ns.push_back(took.count());
    }
    std::nth_element(ns.begin(), ns.begin() + kMeasuredTicks / 2, ns.end());
    battle.tick_ns = ns[kMeasuredTicks / 2];
    return battle;
}

/// One battle for each number of units, played once.
Battle& battle_of(std::int64_t units) {
    static core::SerialExecutor executor;
    static std::map<std::int64_t, Battle> battles;
    auto found = battles.find(units);
    if (found == battles.end()) {
        found =
            battles.emplace(units, make_battle(static_cast<std::int32_t>(units), executor)).first;
    }
    return found->second;
}

double living(const sim::World& world) { return world.state().occupied_count(); }

std::size_t hashed_bytes(const sim::HashedColumns& columns) {
    std::size_t bytes = 0;
    for (const sim::HashedColumns::Group& group : columns.groups) {
        bytes += group.uids.size() * sizeof(sim::Uid) + group.identity.size();
        for (const core::Bytes& column : group.columns) bytes += column.size();
    }
    return bytes;
}

void per_unit(benchmark::State& state, const sim::World& world) {
    state.counters["ns_per_unit"] =
        benchmark::Counter(living(world) * 1e-9, benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

/// The whole tree into the next of 32 warm buffers, as a tick does it.
void Hash(benchmark::State& state) {
    const Battle& battle = battle_of(state.range(0));
    std::vector<sim::TickHistory::Entry> ring(sim::TickHistory::kTicks);
    for (auto& entry : ring) battle.world->compute_tree(entry.tree, entry.columns);
    std::size_t at = 0;
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state) {
        auto& entry = ring[at++ % ring.size()];
        battle.world->compute_tree(entry.tree, entry.columns);
        benchmark::DoNotOptimize(entry.tree.root);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    const double ns = took.count() / static_cast<double>(state.iterations());
    per_unit(state, *battle.world);
    state.counters["GB_per_s"] = static_cast<double>(hashed_bytes(ring[0].columns)) / ns;
    state.counters["share_percent"] = 100 * ns / battle.tick_ns;
    state.counters["hashed_bytes_per_unit"] =
        static_cast<double>(hashed_bytes(ring[0].columns)) / living(*battle.world);
}

/// The pause of a server: the state into a warm snapshot.
void Capture(benchmark::State& state) {
    const Battle& battle = battle_of(state.range(0));
    snapshot::Snapshot warm;
    snapshot::capture(*battle.world, warm);
    for (auto _ : state) {
        snapshot::capture(*battle.world, warm);
        benchmark::DoNotOptimize(warm.hash_at_capture);
    }
    per_unit(state, *battle.world);
}

/// Serialising and compressing, beside the ticks.
void Pack(benchmark::State& state) {
    const Battle& battle = battle_of(state.range(0));
    snapshot::Snapshot captured;
    snapshot::capture(*battle.world, captured);
    core::Bytes frame;
    for (auto _ : state) {
        frame = snapshot::encode_snapshot(battle.world->definition(), captured);
        benchmark::DoNotOptimize(frame.data());
    }
    per_unit(state, *battle.world);
    state.counters["bytes_per_unit"] = static_cast<double>(frame.size()) / living(*battle.world);
}

/// From the frame to a world that hashes as its server's: the state alone, or with its ground.
void restore_from(benchmark::State& state, bool with_ground) {
    const Battle& battle = battle_of(state.range(0));
    snapshot::Snapshot captured;
    snapshot::capture(*battle.world, captured);
    if (with_ground) snapshot::add_substrates(*battle.world, captured);
    const auto definition = battle.world->shared_definition();
    const core::Bytes frame = snapshot::encode_snapshot(*definition, captured);
    for (auto _ : state) {
        const auto decoded = snapshot::decode_snapshot(*definition, frame, snapshot::Policy::kJoin);
        if (!decoded) return state.SkipWithError("refused");
        if (!with_ground) {
            sim::World world(definition, decoded->config, battle.world->executor());
            world.adopt_state(decoded->state);
            benchmark::DoNotOptimize(world.compute_hash());
        } else if (!snapshot::restore(definition, *decoded, battle.world->executor())) {
            return state.SkipWithError("refused");
        }
    }
    per_unit(state, *battle.world);
}
void RestoreState(benchmark::State& state) { restore_from(state, false); }
void RestoreWithGround(benchmark::State& state) { restore_from(state, true); }

void sizes(benchmark::internal::Benchmark* bench) {
    bench->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
}
BENCHMARK(Hash)->Apply(sizes);
BENCHMARK(Capture)->Apply(sizes);
BENCHMARK(Pack)->Apply(sizes);
BENCHMARK(RestoreState)->Apply(sizes);
BENCHMARK(RestoreWithGround)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
