#include <DetourCrowd.h>
#include <benchmark/benchmark.h>
#include <ctime>
#include <string>

#include "maniple/nav/mesh_walk.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/mesh_skirmish.h"
#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/navmesh_delta.h"
#include "maniple/substrate/played_mesh.h"

#include "held_background.h"
#include "mesh_world.h"
#include "replica_impl.h"

// What a navmesh costs the ticks of a match.
namespace {
using namespace maniple;
using bench::mesh_world;

/// Of this thread.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

substrate::NavMeshStream stream_of(std::span<const nav::MeshTile> tiles) {
    const Vec3d goal = mesh_world().goal;
    const substrate::GoalCm goal_cm{static_cast<std::int32_t>(goal.x),
                                    static_cast<std::int32_t>(goal.y),
                                    static_cast<std::int32_t>(goal.z)};
    return std::move(*substrate::NavMeshStream::write(
        {{}, {&goal_cm, 1}, mesh_world().baked.params, bench::even_costs(), tiles}));
}

/// The world, and the same with one tile of another ground.
struct TwoVersions {
    tests::BakedMesh other =
        tests::bake({.tiles_x = 64, .tiles_z = 63, .height = tests::pillars(2)});
    std::vector<nav::MeshTile> tiles = mesh_world().baked.tiles();
    substrate::NavMeshStream first = stream_of(tiles);
    substrate::NavMeshStream second = stream_of(changed());
    core::Bytes there = substrate::build_substrate_delta(first.view(), second.view())->bytes;
    core::Bytes back = substrate::build_substrate_delta(second.view(), first.view())->bytes;

    std::vector<nav::MeshTile> changed() {
        constexpr std::size_t kTile = 1000;
        std::vector<nav::MeshTile> next = tiles;
        next[kTile].blob = other.blobs[kTile];
        return next;
    }
};
const TwoVersions& two_versions() {
    static const TwoVersions both;
    return both;
}

/// A delta of one tile: what the tick pays, or what is computed beside it. The argument is how many
/// layers are in use besides the default one.
void delta_of_one_tile(benchmark::State& state, bool in_the_tick) {
    const TwoVersions& both = two_versions();
    tests::HeldBackground background;
    substrate::PlayedMesh played("bench", {});
    if (!played.import(both.first.bytes())) state.SkipWithError("refused");
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        static_cast<void>(played.field().get_or_acquire_layer(
            {mesh_world().goal + Vec3d{100.0 * static_cast<double>(i + 1), 0, 0}}));
    }
    bool there = true;
    for (auto _ : state) {
        const core::Bytes& delta = there ? both.there : both.back;
        there = !there;
        played.prepare(delta, background);
        double start = processor_seconds();
        background.run_all();
        const double beside = processor_seconds() - start;
        start = processor_seconds();
        if (!played.import(delta)) state.SkipWithError("refused");
        state.SetIterationTime(in_the_tick ? processor_seconds() - start : beside);
    }
}
void DeltaOfOneTileInTheTick(benchmark::State& state) { delta_of_one_tile(state, true); }
void DeltaOfOneTileBesideTheTick(benchmark::State& state) { delta_of_one_tile(state, false); }

constexpr std::size_t kAgents = 1000;
constexpr std::uint32_t kReachM = 60;

/// A tick of units that each take a step of 20 cm along one field over the surface.
void UnitsFollowOneField(benchmark::State& state) {
    nav::MeshField field("bench", {});
    field.set_replica(mesh_world().mesh, {mesh_world().goal}, 1);
    const nav::MeshGraph& graph = mesh_world().graph;
    const auto count = static_cast<std::size_t>(state.range(0));
    std::vector<nav::MeshPlace> units;
    for (const Vec3d at : bench::places_on_mesh(count, count > kAgents ? 250 : kReachM)) {
        units.push_back(*field.project(at));
    }
    nav::MeshContext context;
    for (auto _ : state) {
        for (nav::MeshPlace& unit : units) {
            const Vec3f way = field.default_layer().solution.direction[graph.index(unit.polygon)];
            const Vec3d to = unit.location + Vec3d{20 * way.x, 20 * way.y, 0};
            unit = nav::walk_on_mesh(*mesh_world().mesh, unit, to, context);
        }
    }
}

/// A whole tick of the built-in battle: 1,000 units in one squad march to the goal, with crowd,
/// targets and hash.
void TickOfTheSkirmish(benchmark::State& state) {
    core::SerialExecutor serial;
    sim::World world(skirmish::make_mesh_skirmish(), {}, serial);
    const auto check = [&](const auto& result) {
        if (!result) state.SkipWithError(result.error().message.c_str());
    };
    check(world.import_substrate(skirmish::kFieldName, two_versions().first.bytes()));
    sim::Int32List places;
    for (const Vec3d at : bench::places_on_mesh(kAgents, kReachM)) {
        for (const double cm : {at.x, at.y, at.z}) places.push_back(static_cast<std::int32_t>(cm));
    }
    const auto order = [&](std::uint32_t type, sim::Tick tick) {
        sim::Command command;
        command.type = type;
        command.tick = tick;
        command.server_exec_sequence = tick;
        command.set("team", std::int64_t{0});
        command.set("squad", std::int64_t{0});
        return command;
    };
    sim::Command spawn = order(skirmish::kCommandSpawnSquad, 1);
    spawn.set("template", std::string("melee"));
    spawn.set("places", places);
    sim::Command move = order(skirmish::kCommandMoveTo, 2);
    const Vec3d goal = mesh_world().goal;
    move.set("goal",
             sim::Int32List{static_cast<std::int32_t>(goal.x), static_cast<std::int32_t>(goal.y),
                            static_cast<std::int32_t>(goal.z)});
    check(world.queue(std::move(spawn)));
    check(world.queue(std::move(move)));
    for (int i = 0; i < 10; ++i) check(world.step());
    for (auto _ : state) check(world.step());
}

/// The same agents and the same goal by DetourCrowd with its own avoidance and separation, once its
/// paths are found.
void TickOfDetourCrowd(benchmark::State& state) {
    auto* detour = const_cast<dtNavMesh*>(&mesh_world().mesh->impl().detour());
    dtCrowd crowd;
    crowd.init(static_cast<int>(kAgents), 0.6F, detour);
    dtCrowdAgentParams params{};
    params.radius = 0.4F;
    params.height = 2;
    params.maxAcceleration = 80;
    params.maxSpeed = 4;
    params.collisionQueryRange = 2;
    params.pathOptimizationRange = 12;
    params.separationWeight = 2;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE |
                         DT_CROWD_SEPARATION | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO;
    const nav::MeshPosition goal = nav::to_mesh(mesh_world().goals[0].projected);
    const dtPolyRef goal_ref =
        mesh_world().mesh->polygon_ref(mesh_world().graph.id(mesh_world().goals[0].polygon));
    for (const Vec3d at : bench::places_on_mesh(kAgents, kReachM)) {
        const nav::MeshPosition place = nav::to_mesh(at);
        const int agent = crowd.addAgent(place.data(), &params);
        crowd.requestMoveTarget(agent, goal_ref, goal.data());
    }
    constexpr float kTickS = 0.05F;
    for (int i = 0; i < 100; ++i) crowd.update(kTickS, nullptr);
    for (auto _ : state) crowd.update(kTickS, nullptr);
}

constexpr int kDeltas = 60;
constexpr int kTicks = 200;

BENCHMARK(DeltaOfOneTileInTheTick)
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Iterations(kDeltas)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(DeltaOfOneTileBesideTheTick)
    ->Arg(0)
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Iterations(kDeltas)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(UnitsFollowOneField)
    ->Arg(1000)
    ->Arg(10'000)
    ->Iterations(kTicks)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(TickOfTheSkirmish)->Iterations(kTicks)->Unit(benchmark::kMillisecond);
BENCHMARK(TickOfDetourCrowd)->Iterations(kTicks)->Unit(benchmark::kMillisecond);

}  // namespace
