#include <DetourNavMeshQuery.h>
#include <benchmark/benchmark.h>
#include <optional>

#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_path.h"

#include "detour_flood.h"
#include "mesh_world.h"
#include "replica_impl.h"

namespace {
using namespace maniple;

using bench::even_costs;
using bench::mesh_world;
using bench::MeshWorld;

void per_polygon(benchmark::State& state, std::size_t polygons) {
    state.counters["polygons"] = static_cast<double>(polygons);
    state.counters["ns_per_polygon"] = benchmark::Counter(
        static_cast<double>(polygons) * 1e-9,
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void FloodMesh(benchmark::State& state) {
    MeshWorld& w = mesh_world();
    nav::MeshScratch scratch;
    std::vector<std::uint32_t> dist;
    for (auto _ : state) nav::flood_mesh(w.weights, w.goals, scratch, dist);
    const auto reached = std::ranges::count_if(dist, [](auto d) { return d != nav::kUncovered; });
    per_polygon(state, static_cast<std::size_t>(reached));
}

void FloodDetoursOwnLinks(benchmark::State& state) {
    MeshWorld& w = mesh_world();
    bench::DetourFlood flood(w.mesh->impl().detour());
    const dtPolyRef goal = w.mesh->polygon_ref(w.graph.id(w.goals[0].polygon));
    std::size_t reached = 0;
    for (auto _ : state) reached = flood.run(goal);
    per_polygon(state, reached);
}

void SolveMesh(benchmark::State& state) {
    MeshWorld& w = mesh_world();
    nav::MeshScratch scratch;
    nav::MeshSolution solution;
    core::SerialExecutor serial;
    for (auto _ : state) {
        nav::solve_mesh(w.graph, w.weights, w.goals, serial, scratch, solution);
    }
    per_polygon(state, w.graph.size());
}

constexpr Vec3d kExtents{50, 50, 100};

void QueryField(benchmark::State& state) {
    nav::MeshField field("bench", {});
    field.set_replica(mesh_world().mesh, {mesh_world().goal}, 1);
    const std::vector<Vec3d> at = bench::places_on_mesh(10'000, 250);
    nav::MeshContext context;
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(field.query(at[i], 0, kExtents, &context));
        i = i + 1 == at.size() ? 0 : i + 1;
    }
}

void FindNearestPolyAlone(benchmark::State& state) {
    dtNavMeshQuery query;
    query.init(&mesh_world().mesh->impl().detour(), 512);
    const dtQueryFilter filter;
    const std::vector<Vec3d> at = bench::places_on_mesh(10'000, 250);
    const float extents[3] = {0.5F, 1.0F, 0.5F};
    std::size_t i = 0;
    for (auto _ : state) {
        const nav::MeshPosition centre = nav::to_mesh(at[i]);
        dtPolyRef ref = 0;
        float nearest[3];
        query.findNearestPoly(centre.data(), extents, &filter, &ref, nearest);
        benchmark::DoNotOptimize(ref);
        i = i + 1 == at.size() ? 0 : i + 1;
    }
}

/// Places of which each is the goal of the way from the one before it; the argument is how far
/// beside the world's middle they lie, in metres.
std::vector<Vec3d> way_points(const benchmark::State& state) {
    return bench::places_on_mesh(1000, static_cast<std::uint32_t>(state.range(0)));
}

void FindPathReplica(benchmark::State& state) {
    const std::vector<Vec3d> at = way_points(state);
    const nav::FieldConfig config;
    std::vector<Vec3d> path;
    std::size_t i = 0;
    for (auto _ : state) {
        const std::size_t next = i + 1 == at.size() ? 0 : i + 1;
        nav::find_path_replica(mesh_world().mesh.get(), config, at[i], at[next], nullptr, path);
        benchmark::DoNotOptimize(path.data());
        i = next;
    }
}

/// The same ways by Detour: with one query object for all, or, as a replica's paths must
/// (PATH-025), with a new one for each.
void find_paths_by_detour(benchmark::State& state, bool new_each) {
    std::optional<dtNavMeshQuery> query;
    const auto set_up = [&] {
        query.emplace();
        query->init(&mesh_world().mesh->impl().detour(), nav::kMeshSearchNodesMax);
    };
    set_up();
    const dtQueryFilter filter;
    const std::vector<Vec3d> at = way_points(state);
    const Vec3d half = nav::FieldConfig{}.path_stop_search_cm;
    const nav::MeshPosition extents = nav::to_mesh({-half.x, -half.y, half.z});
    std::vector<dtPolyRef> corridor(nav::kMeshCorridorMax);
    std::vector<float> points(3 * std::size_t{nav::kMeshPathPointsMax});
    const auto nearest = [&](Vec3d place, nav::MeshPosition& on_mesh) {
        const nav::MeshPosition centre = nav::to_mesh(place);
        dtPolyRef ref = 0;
        query->findNearestPoly(centre.data(), extents.data(), &filter, &ref, on_mesh.data());
        return ref;
    };
    std::size_t i = 0;
    for (auto _ : state) {
        if (new_each) set_up();
        const std::size_t next = i + 1 == at.size() ? 0 : i + 1;
        nav::MeshPosition from{};
        nav::MeshPosition to{};
        const dtPolyRef start = nearest(at[i], from);
        const dtPolyRef goal = nearest(at[next], to);
        int count = 0;
        query->findPath(start, goal, from.data(), to.data(), &filter, corridor.data(), &count,
                        nav::kMeshCorridorMax);
        int corners = 0;
        query->findStraightPath(from.data(), to.data(), corridor.data(), count, points.data(),
                                nullptr, nullptr, &corners, nav::kMeshPathPointsMax);
        benchmark::DoNotOptimize(corners);
        i = next;
    }
}
void FindPathDetour(benchmark::State& state) { find_paths_by_detour(state, false); }
void FindPathDetourAnew(benchmark::State& state) { find_paths_by_detour(state, true); }

/// A tick's questions of 10,000 units: one field for all.
void TenThousandUnitsByField(benchmark::State& state) {
    nav::MeshField field("bench", {});
    field.set_replica(mesh_world().mesh, {mesh_world().goal}, 1);
    const std::vector<Vec3d> at = bench::places_on_mesh(10'000, 250);
    nav::MeshContext context;
    for (auto _ : state) {
        for (const Vec3d place : at) {
            benchmark::DoNotOptimize(field.query(place, 0, kExtents, &context));
        }
    }
}

/// The same by one Detour path each.
void TenThousandUnitsByPath(benchmark::State& state) {
    dtNavMeshQuery query;
    query.init(&mesh_world().mesh->impl().detour(), 2048);
    const dtQueryFilter filter;
    const std::vector<Vec3d> at = bench::places_on_mesh(10'000, 250);
    const float extents[3] = {0.5F, 1.0F, 0.5F};
    const nav::MeshPosition goal = nav::to_mesh(mesh_world().goals[0].projected);
    const dtPolyRef goal_ref =
        mesh_world().mesh->polygon_ref(mesh_world().graph.id(mesh_world().goals[0].polygon));
    std::vector<dtPolyRef> corridor(512);
    std::vector<float> points(3 * 512);
    for (auto _ : state) {
        for (const Vec3d place : at) {
            const nav::MeshPosition centre = nav::to_mesh(place);
            dtPolyRef ref = 0;
            float from[3];
            query.findNearestPoly(centre.data(), extents, &filter, &ref, from);
            int count = 0;
            query.findPath(ref, goal_ref, from, goal.data(), &filter, corridor.data(), &count, 512);
            int corners = 0;
            query.findStraightPath(from, goal.data(), corridor.data(), count, points.data(),
                                   nullptr, nullptr, &corners, 512);
            benchmark::DoNotOptimize(corners);
        }
    }
}

void BuildReplica(benchmark::State& state) {
    const std::vector<nav::MeshTile> tiles = mesh_world().baked.tiles();
    for (auto _ : state) {
        auto mesh = nav::MeshReplica::build(mesh_world().baked.params, tiles, even_costs());
        benchmark::DoNotOptimize(mesh);
    }
    per_polygon(state, mesh_world().graph.size());
}

void WeighEdges(benchmark::State& state) {
    const auto areas = nav::area_cost_context({}, mesh_world().mesh->area_costs());
    for (auto _ : state) benchmark::DoNotOptimize(nav::weigh_edges(mesh_world().graph, areas));
    per_polygon(state, mesh_world().graph.size());
}

BENCHMARK(FloodMesh)->Unit(benchmark::kMillisecond);
BENCHMARK(FloodDetoursOwnLinks)->Unit(benchmark::kMillisecond);
BENCHMARK(SolveMesh)->Unit(benchmark::kMillisecond);
BENCHMARK(WeighEdges)->Unit(benchmark::kMillisecond);
BENCHMARK(BuildReplica)->Unit(benchmark::kMillisecond);
BENCHMARK(QueryField);
BENCHMARK(FindNearestPolyAlone);
BENCHMARK(FindPathReplica)->Arg(5)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(FindPathDetour)->Arg(5)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(FindPathDetourAnew)->Arg(5)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(TenThousandUnitsByField)->Unit(benchmark::kMillisecond);
BENCHMARK(TenThousandUnitsByPath)->Unit(benchmark::kMillisecond);

}  // namespace
