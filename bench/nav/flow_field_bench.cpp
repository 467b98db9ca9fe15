// Grid flow fields against their peers and the floor, one thread. `ns_per_cell` is time by reached
// cell for floods, by cell for passes over the whole grid. Maps: the builtin ones and, if
// MANIPLE_BENCH_MAPS names files (separated by ':'), those as well.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <string>

#include "maniple/core/random.h"

#include "bench_maps.h"
#include "direction_pass.h"
#include "field_use.h"
#include "integration.h"
#include "peers.h"
#include "sight_pass.h"

namespace {

using namespace maniple;
using bench::BenchMap;

void report(benchmark::State& state, std::size_t cells) {
    state.counters["ns_per_cell"] = benchmark::Counter(
        static_cast<double>(cells),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void textbook(benchmark::State& state, const BenchMap& map) {
    bench::TextbookSolver solver(map);
    for (auto _ : state) solver.solve();
    report(state, map.reached);
}

void boost_graph(benchmark::State& state, const BenchMap& map) {
    bench::BoostSolver solver(map);
    for (auto _ : state) solver.solve();
    report(state, map.reached);
}

/// Reads costs and distances and writes distances, once.
void streaming_floor(benchmark::State& state, const BenchMap& map) {
    std::vector<std::uint16_t> from(map.cells(), 7);
    std::vector<std::uint16_t> to(map.cells(), 7);
    std::vector<std::uint8_t> cost(map.cells(), 7);
    for (auto _ : state) {
        std::copy(from.begin(), from.end(), to.begin());
        std::copy(map.ground.cost.begin(), map.ground.cost.end(), cost.begin());
        benchmark::DoNotOptimize(to.data());
        benchmark::DoNotOptimize(cost.data());
        benchmark::ClobberMemory();
    }
    report(state, map.cells());
}

void flood(benchmark::State& state, const BenchMap& map, nav::FloodKernel kernel) {
    nav::SolverScratch scratch;
    nav::DistanceField dist;
    const nav::CellIndex goals[] = {map.goal};
    for (auto _ : state) {
        nav::integrate(map.ground, map.moves, map.config, goals, scratch.parts(), dist, kernel);
    }
    report(state, map.reached);
}
void flood_fastest(benchmark::State& state, const BenchMap& map) {
    flood(state, map, nav::FloodKernel::kFastest);
}
void flood_dial(benchmark::State& state, const BenchMap& map) {
    flood(state, map, nav::FloodKernel::kDial);
}

void whole_solve(benchmark::State& state, const BenchMap& map) {
    nav::SolverScratch scratch;
    nav::FieldSolution solution;
    const nav::CellIndex goals[] = {map.goal};
    for (auto _ : state) {
        nav::solve_field(map.solver_ground(), map.config, goals, scratch, solution);
    }
    report(state, map.reached);
}

/// Ground and goal new: moves, components, distances, labels, directions; into memory of an update
/// before.
void whole_update(benchmark::State& state, const BenchMap& map) {
    nav::SolverScratch scratch;
    nav::FieldSolution solution;
    nav::MoveMap moves;
    nav::Components components;
    const nav::CellIndex goals[] = {map.goal};
    const auto update = [&] {
        moves.build(map.ground, map.config);
        nav::label_components(map.ground, map.config, moves, components);
        benchmark::DoNotOptimize(components.label.data());
        nav::solve_field({map.ground, map.ground.cost, moves}, map.config, goals, scratch,
                         solution);
    };
    update();
    for (auto _ : state) update();
    report(state, map.cells());
}

void moves_build(benchmark::State& state, const BenchMap& map) {
    nav::MoveMap moves;
    for (auto _ : state) moves.build(map.ground, map.config);
    report(state, map.cells());
}

void components(benchmark::State& state, const BenchMap& map) {
    nav::Components found;
    for (auto _ : state) {
        nav::label_components(map.ground, map.config, map.moves, found);
        benchmark::DoNotOptimize(found.label.data());
    }
    report(state, map.cells());
}

nav::FieldSolution solved(const BenchMap& map) {
    nav::SolverScratch scratch;
    nav::FieldSolution solution;
    const nav::CellIndex goals[] = {map.goal};
    nav::solve_field(map.solver_ground(), map.config, goals, scratch, solution);
    return solution;
}

void directions(benchmark::State& state, const BenchMap& map, bool simd) {
    nav::FieldSolution solution = solved(map);
    for (auto _ : state) {
        nav::write_best_neighbours(map.ground, map.moves.data(), map.config, 0xFF, solution.dist,
                                   solution.direction.data(), simd);
    }
    report(state, map.cells());
}
void directions_simd(benchmark::State& state, const BenchMap& map) { directions(state, map, true); }
void directions_scalar(benchmark::State& state, const BenchMap& map) {
    directions(state, map, false);
}

void lines_of_sight(benchmark::State& state, const BenchMap& map) {
    nav::FieldSolution solution = solved(map);
    const std::vector<std::uint8_t> codes = solution.direction;
    const nav::CellIndex goals[] = {map.goal};
    for (auto _ : state) {
        solution.direction = codes;
        nav::write_lines_of_sight(map.solver_ground(), goals, solution);
    }
    report(state, map.cells());
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// Places and removes an 8 x 8 obstacle at 100 places; shares of a full solve of the same ground.
void repair(benchmark::State& state, BenchMap map) {
    // Processor time: the machine may be busy with other things.
    const auto micros = [] { return static_cast<double>(std::clock()) * (1e6 / CLOCKS_PER_SEC); };
    const nav::GridSubstrate original = map.ground;
    const nav::GridGeometry& g = map.ground.geometry;
    const nav::CellIndex goals[] = {map.goal};
    nav::SolverScratch scratch;
    nav::FieldSolution solution;
    std::vector<double> full;
    for (int i = 0; i < 9; ++i) {
        const double start = micros();
        nav::solve_field(map.solver_ground(), map.config, goals, scratch, solution);
        full.push_back(micros() - start);
    }
    core::RandomStream random(3);
    std::vector<double> repairs;
    for (auto _ : state) {
        const auto x =
            static_cast<std::int32_t>(random.next_below(static_cast<std::uint32_t>(g.x_num() - 8)));
        const auto y =
            static_cast<std::int32_t>(random.next_below(static_cast<std::uint32_t>(g.y_num() - 8)));
        const nav::CellRect rect{{x, y}, {x + 7, y + 7}};
        for (const bool placed : {true, false}) {
            for (std::int32_t cx = x; cx < x + 8; ++cx) {
                for (std::int32_t cy = y; cy < y + 8; ++cy) {
                    const nav::CellIndex cell = g.index({cx, cy});
                    map.ground.type[cell] = placed ? 2 : original.type[cell];
                    map.ground.cost[cell] = placed ? nav::kImpassableCost : original.cost[cell];
                }
            }
            const double start = micros();
            map.moves.update(map.ground, map.config, rect.low, rect.high);
            nav::repair_field(map.solver_ground(), map.config, goals, goals, {&rect, 1}, scratch,
                              solution);
            repairs.push_back(micros() - start);
        }
    }
    double sum = 0;
    for (const double micro : repairs) sum += micro;
    const double whole = median(full);
    state.counters["full_us"] = whole;
    state.counters["median_us"] = median(repairs);
    state.counters["median_share"] = median(repairs) / whole;
    state.counters["mean_share"] = sum / static_cast<double>(repairs.size()) / whole;
}

std::deque<BenchMap> all_maps() {
    std::deque<BenchMap> maps;
    maps.push_back(bench::open_map(1024));
    maps.push_back(bench::noise_map(512, 40));
    maps.push_back(bench::maze_map(512));
    maps.push_back(bench::load_map("builtin:valley:1024"));
    const char* named = std::getenv("MANIPLE_BENCH_MAPS");
    const std::string list = named == nullptr ? "" : named;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(':', at), list.size());
        maps.push_back(bench::load_map(list.substr(at, end - at)));
        at = end + 1;
    }
    for (std::size_t i = 3, count = maps.size(); i < count; ++i) {
        maps.push_back(bench::with_varied_costs(maps[i]));
    }
    return maps;
}

}  // namespace

int main(int argc, char** argv) {
    const std::deque<BenchMap> maps = all_maps();
    const auto add = [](const char* name, auto* body, const BenchMap& map) {
        benchmark::RegisterBenchmark((std::string(name) + '/' + map.name).c_str(), body, map)
            ->Unit(benchmark::kMillisecond);
    };
    for (const BenchMap& map : maps) {
        add("textbook", textbook, map);
        add("boost_graph", boost_graph, map);
        add("streaming_floor", streaming_floor, map);
        add("whole_solve", whole_solve, map);
        add("flood", flood_fastest, map);
        add("flood_dial", flood_dial, map);
        add("whole_update", whole_update, map);
        add("moves_build", moves_build, map);
        add("components", components, map);
        add("directions", directions_simd, map);
        add("directions_scalar", directions_scalar, map);
        add("lines_of_sight", lines_of_sight, map);
        benchmark::RegisterBenchmark(("repair/" + map.name).c_str(), repair, map)->Iterations(100);
    }
    // Loaded only when asked for: it is large.
    benchmark::RegisterBenchmark("whole_update/builtin:valley:4096", [](benchmark::State& state) {
        whole_update(state, bench::load_map("builtin:valley:4096"));
    })->Unit(benchmark::kMillisecond);
    bench::add_field_use(maps);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
