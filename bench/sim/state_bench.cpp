// What the state of the built-in battle costs beside its systems: hash, capture, packing, restore
// and memory, on builtin:valley in the thick of the fight.
//
//     maniple_state_bench --benchmark_filter='Hash/.*'
//
// Argument: units. Counters: ns_per_unit of the measured call; Hash, measured within the ticks,
// also GB/s of hashed bytes and its share of the median tick, Pack the packed bytes of a unit,
// Capture the bytes of its state. Memory tells what one more unit takes of the heap: the difference
// of a battle and one of half as many on the same ground. Times are the thread's processor time.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>
#include <limits>
#include <malloc.h>
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
constexpr std::size_t kHashTicks = 100;
constexpr int kHashRounds = 5;

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double thread_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// A battle under way.
struct Battle {
    skirmish::BattleScript script;
    std::unique_ptr<sim::World> world;

    struct TickCost {
        double whole_ns = 0;
        double hash_ns = 0;  ///< Of it: the tree, and the rows that are kept.
    };
    TickCost step() {
        for (sim::Command& command : script.commands_for_tick(world->tick() + 1)) {
            if (!world->queue(std::move(command))) std::abort();
        }
        double hash_start = 0;
        const sim::StepHooks hooks{[&](sim::World&) { hash_start = thread_ns(); }};
        const double start = thread_ns();
        if (!world->step(hooks)) std::abort();
        const double end = thread_ns();
        return {end - start, end - hash_start};
    }
};

bool is_large(std::int64_t units) { return units > 20'000; }

Battle make_battle(std::int32_t units, bool on_large_map, core::Executor& executor) {
    const auto map =
        terrain::make_builtin_map(on_large_map ? "builtin:valley:1024" : "builtin:valley");
    auto script = skirmish::BattleScript::make(*map, {.units = units, .edit_map_every = 0});
    if (!script) std::abort();
    Battle battle{std::move(*script), std::make_unique<sim::World>(skirmish::make_skirmish(),
                                                                   sim::MatchConfig{}, executor)};
    if (!battle.world->import_substrate(skirmish::kFieldName, map->stream.bytes())) std::abort();
    while (battle.world->tick() < kWarmTicks) battle.step();
    return battle;
}

/// One battle for each number of units, played once.
Battle& battle_of(std::int64_t units) {
    static core::SerialExecutor executor;
    static std::map<std::int64_t, Battle> battles;
    auto found = battles.find(units);
    if (found == battles.end()) {
        found = battles
                    .emplace(units, make_battle(static_cast<std::int32_t>(units), is_large(units),
                                                executor))
                    .first;
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

/// Bytes of the state that every unit has: rows of all columns, identity, UID.
std::size_t state_bytes(const sim::WorldState& state) {
    std::size_t bytes = 0;
    for (const sim::EntityGroup& group : state.groups) {
        std::size_t row = sizeof(sim::Uid) + sizeof(std::uint16_t) + 2 * sizeof(std::int64_t);
        for (const sim::Column& column : group.columns) row += column.row_bytes();
        row += group.shared_columns.size() * sizeof(std::uint32_t);
        bytes += row * group.size();
    }
    for (const sim::TaskRecord& task : state.tasks) {
        bytes += task.agent_uids.size() * sizeof(std::int32_t);
    }
    return bytes;
}

void per_unit(benchmark::State& state, const sim::World& world) {
    state.counters["ns_per_unit"] =
        benchmark::Counter(living(world) * 1e-9, benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

/// The whole tree and what is kept of it, in ticks that change the state. All rounds do the same
/// work: of each tick the least time counts, so that what else runs on the host falls out.
void Hash(benchmark::State& state) {
    std::vector<double> hash_ns(kHashTicks, std::numeric_limits<double>::max());
    std::vector<double> whole_ns = hash_ns;
    double units = 0;
    double bytes = 0;
    for (auto _ : state) {
        core::SerialExecutor executor;
        Battle battle = make_battle(static_cast<std::int32_t>(state.range(0)),
                                    is_large(state.range(0)), executor);
        double round_ns = 0;
        for (std::size_t i = 0; i < kHashTicks; ++i) {
            const Battle::TickCost cost = battle.step();
            hash_ns[i] = std::min(hash_ns[i], cost.hash_ns);
            whole_ns[i] = std::min(whole_ns[i], cost.whole_ns);
            round_ns += cost.hash_ns;
        }
        state.SetIterationTime(round_ns * 1e-9 / kHashTicks);
        units = living(*battle.world);
        bytes = static_cast<double>(
            hashed_bytes(battle.world->history().find(battle.world->tick())->columns));
    }
    const double ns = median(hash_ns);
    state.counters["ns_per_unit"] = ns / units;
    state.counters["GB_per_s"] = bytes / ns;
    state.counters["share_percent"] = 100 * ns / median(whole_ns);
    state.counters["hashed_bytes_per_unit"] = bytes / units;
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
    state.counters["state_bytes_per_unit"] =
        static_cast<double>(state_bytes(battle.world->state())) / living(*battle.world);
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
        auto decoded = snapshot::decode_snapshot(*definition, frame, snapshot::Policy::kJoin);
        if (!decoded) return state.SkipWithError("refused");
        if (!with_ground) {
            sim::World world(definition, decoded->config, battle.world->executor());
            world.adopt_state(std::move(decoded->state));
            benchmark::DoNotOptimize(world.rehash().root);
        } else if (!snapshot::restore(definition, std::move(*decoded), battle.world->executor())) {
            return state.SkipWithError("refused");
        }
    }
    per_unit(state, *battle.world);
}
void RestoreState(benchmark::State& state) { restore_from(state, false); }
void RestoreWithGround(benchmark::State& state) { restore_from(state, true); }

/// What a battle takes of the heap, and of that the ticks kept for naming differences.
struct Heap {
    double units = 0;
    double bytes = 0;
    double kept_bytes = 0;
};
double heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}
std::size_t kept_bytes(const sim::HashedColumns& columns) {
    std::size_t bytes = 0;
    for (const sim::HashedColumns::Group& group : columns.groups) {
        bytes += group.uids.capacity() * sizeof(sim::Uid) + group.identity.capacity();
        for (const core::Bytes& column : group.columns) bytes += column.capacity();
    }
    for (const auto& section : columns.sections) {
        if (section != nullptr) bytes += section->capacity() / section.use_count();
    }
    return bytes;
}
Heap heap_of(std::int32_t units, bool on_large_map, core::Executor& executor) {
    const double before = heap_bytes();
    const auto world = std::move(make_battle(units, on_large_map, executor).world);
    Heap heap{living(*world), heap_bytes() - before, 0};
    for (sim::Tick tick = world->tick(); tick > 0; --tick) {
        const sim::TickHistory::Entry* entry = world->history().find(tick);
        if (entry == nullptr) break;
        heap.kept_bytes += static_cast<double>(kept_bytes(entry->columns));
    }
    return heap;
}

void Memory(benchmark::State& state) {
    core::SerialExecutor executor;
    const auto units = static_cast<std::int32_t>(state.range(0));
    Heap all;
    Heap half;
    for (auto _ : state) {
        all = heap_of(units, is_large(units), executor);
        half = heap_of(units / 2, is_large(units), executor);
    }
    const double more = all.units - half.units;
    const double kept = (all.kept_bytes - half.kept_bytes) / more;
    state.counters["kept_ticks_bytes_per_unit"] = kept;
    state.counters["other_bytes_per_unit"] = (all.bytes - half.bytes) / more - kept;
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
}
BENCHMARK(Hash)->Apply(sizes)->UseManualTime()->Iterations(kHashRounds);
BENCHMARK(Capture)->Apply(sizes);
BENCHMARK(Pack)->Apply(sizes);
BENCHMARK(RestoreState)->Apply(sizes);
BENCHMARK(RestoreWithGround)->Apply(sizes);
BENCHMARK(Memory)->Apply(sizes)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
