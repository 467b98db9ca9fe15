#include "field_use.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/random.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/grid_path.h"
#include "maniple/nav/lazy_solve.h"

#include "peers.h"

namespace maniple::bench {
namespace {

/// Cells of the map's largest component, drawn from a seed.
std::vector<nav::CellIndex> random_cells(const BenchMap& map, std::size_t count) {
    const nav::Components components = nav::label_components(map.ground, map.config, map.moves);
    const std::uint32_t largest = components.largest();
    core::RandomStream random(9);
    std::vector<nav::CellIndex> cells;
    while (cells.size() < count) {
        const auto cell = random.next_below(static_cast<std::uint32_t>(map.cells()));
        if (components.label[cell] == largest) cells.push_back(cell);
    }
    return cells;
}

nav::FlowField field_of(const BenchMap& map) {
    nav::FlowField field("bench", map.config);
    nav::GridSubstrate ground = map.ground;
    const Vec2d goal = ground.geometry.cell_centre(ground.geometry.coord(map.goal));
    const Vec3d origin = ground.geometry.origin();
    ground.goals_cm = {{static_cast<std::int32_t>(goal.x - origin.x),
                        static_cast<std::int32_t>(goal.y - origin.y), 0}};
    field.set_substrate(std::move(ground));
    return field;
}

/// Agents somewhere in their cells, in order of 64 × 64 tiles.
std::vector<Vec2d> agents_by_tile(const BenchMap& map, std::size_t count) {
    const nav::GridGeometry& g = map.ground.geometry;
    std::vector<nav::CellIndex> cells = random_cells(map, count);
    const auto tile = [&](nav::CellIndex cell) {
        const nav::GridCoord at = g.coord(cell);
        return at.x / 64 * 65'536 + at.y / 64;
    };
    std::ranges::sort(cells, {}, [&](nav::CellIndex cell) {
        return static_cast<std::uint64_t>(tile(cell)) << 32 | cell;
    });
    std::vector<Vec2d> agents;
    for (const nav::CellIndex cell : cells) {
        agents.push_back(g.cell_centre(g.coord(cell)) + Vec2d{17, -31});
    }
    return agents;
}

/// ns a query, with its direction of unit length.
void queries(benchmark::State& state, const BenchMap& map, double radius_cm) {
    const nav::FlowField field = field_of(map);
    const std::vector<Vec2d> agents = agents_by_tile(map, 50'000);
    for (auto _ : state) {
        float sum = 0;
        for (const Vec2d& agent : agents) sum += field.query(agent, radius_cm).direction.x;
        benchmark::DoNotOptimize(sum);
    }
    state.counters["ns_per_query"] = benchmark::Counter(
        static_cast<double>(agents.size()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Eight goal sets over one ground, shared out over threads.
void eight_layers(benchmark::State& state, const BenchMap& map, int threads) {
    const std::vector<nav::CellIndex> goals = random_cells(map, 8);
    std::vector<nav::SolverScratch> scratch(8);
    std::vector<nav::FieldSolution> solutions(8);
    const auto executor = core::make_executor(threads);
    for (auto _ : state) {
        executor->run(8, [&](std::size_t i) {
            nav::solve_field(map.solver_ground(), map.config, {&goals[i], 1}, scratch[i],
                             solutions[i]);
        });
    }
}

/// 64 agents within 200 cells of the goal are served by a layer that is solved no farther.
void lazy_solve(benchmark::State& state, const BenchMap& map) {
    const nav::GridGeometry& g = map.ground.geometry;
    const nav::GridCoord goal = g.coord(map.goal);
    std::vector<nav::CellIndex> needed;
    for (const nav::CellIndex cell : random_cells(map, 20'000)) {
        const nav::GridCoord at = g.coord(cell);
        const bool near = std::abs(at.x - goal.x) < 100 && std::abs(at.y - goal.y) < 100;
        if (near && needed.size() < 64) needed.push_back(cell);
    }
    nav::SolverScratch scratch;
    nav::FieldSolution solution;
    nav::LazySolve lazy;
    const nav::CellIndex goals[] = {map.goal};
    for (auto _ : state) {
        lazy.begin(map.solver_ground(), map.config, solution);
        lazy.settle(map.solver_ground(), map.config, goals, needed, scratch, solution);
    }
}

/// A path of the optimal search a call, between the same pairs as the peer's.
void optimal_paths(benchmark::State& state, const BenchMap& map) {
    const nav::FlowField field = field_of(map);
    const nav::GridGeometry& g = map.ground.geometry;
    const std::vector<nav::CellIndex> ends = random_cells(map, 40);
    nav::PathContext context;
    std::vector<Vec3d> path;
    for (auto _ : state) {
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
            const Vec2d a = g.cell_centre(g.coord(ends[i]));
            const Vec2d b = g.cell_centre(g.coord(ends[i + 1]));
            nav::find_path_optimal(field, {a.x, a.y, 0}, {b.x, b.y, 0}, context, path);
        }
    }
}
void boost_astar(benchmark::State& state, const BenchMap& map) {
    BoostPaths peer(map);
    const std::vector<nav::CellIndex> ends = random_cells(map, 40);
    for (auto _ : state) {
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
            benchmark::DoNotOptimize(peer.length(ends[i], ends[i + 1]));
        }
    }
}

/// What a field allocates: with its default layer, and for each layer more.
void memory(benchmark::State& state, const BenchMap& map) {
    const auto in_use = [] {
        const struct mallinfo2 info = mallinfo2();
        return static_cast<double>(info.uordblks + info.hblkhd);
    };
    const auto cells = static_cast<double>(map.cells());
    const std::vector<nav::CellIndex> goals = random_cells(map, 2);
    const nav::GridGeometry& g = map.ground.geometry;
    for (auto _ : state) {
        const double before = in_use();
        nav::FlowField field = field_of(map);
        const double with_default = in_use();
        const Vec2d at = g.cell_centre(g.coord(goals[0]));
        field.get_or_acquire_layer({{at.x, at.y, 0}});
        state.counters["bytes_per_cell"] = (with_default - before) / cells;
        state.counters["layer_bytes_per_cell"] = (in_use() - with_default) / cells;
    }
}

}  // namespace

void add_field_use(const std::deque<BenchMap>& maps) {
    const auto add = [](const std::string& name, const BenchMap& map, auto body) {
        benchmark::RegisterBenchmark((name + '/' + map.name).c_str(), [&map, body](
                                                                          benchmark::State& state) {
            body(state, map);
        })->Unit(benchmark::kMillisecond);
    };
    for (const BenchMap& map : maps) {
        add("query", map, [](auto& state, const BenchMap& m) { queries(state, m, 0); });
        add("query_3_cells", map, [](auto& state, const BenchMap& m) { queries(state, m, 300); });
        add("eight_layers/1", map,
            [](auto& state, const BenchMap& m) { eight_layers(state, m, 1); });
        add("eight_layers/2", map,
            [](auto& state, const BenchMap& m) { eight_layers(state, m, 2); });
        add("lazy_solve", map, lazy_solve);
        add("optimal_paths", map, optimal_paths);
        add("boost_astar", map, boost_astar);
        add("memory", map, memory);
    }
}

}  // namespace maniple::bench
