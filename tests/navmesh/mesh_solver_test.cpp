#include "maniple/nav/mesh_solver.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "maniple/core/random.h"
#include "maniple/nav/mesh_query.h"

#include "detour_reference.h"
#include "mesh_flow_reference.h"
#include "mesh_graph_builder.h"
#include "mesh_worlds.h"
#include "random_mesh.h"
#include "replica_impl.h"

#if defined(MANIPLE_NAV_SIMD)
#include "hwy/highway.h"
#include "hwy/targets.h"
#endif

namespace maniple::nav {
namespace {

using tests::at;
using tests::bake;
using tests::replica_of;

MeshGoal goal_at(const MeshReplica& mesh, Vec3d location) {
    const auto place = project_to_mesh(mesh, location, {400, 400, 400});
    EXPECT_TRUE(place.has_value());
    return {mesh.graph().index(place->polygon), location, place->location};
}

AreaCostContext uneven_areas() {
    FieldConfig config;
    config.use_area_costs = true;
    AreaCosts costs;
    costs.fill(1);
    costs[2] = 3.5F;
    costs[3] = 0.25F;
    costs[4] = 50;
    costs[5] = 5000;
    return area_cost_context(config, costs);
}

MeshSolution solve(const MeshReplica& mesh, const std::vector<MeshGoal>& goals,
                   const AreaCostContext& areas, int threads = 1) {
    MeshScratch scratch;
    MeshSolution solution;
    const auto executor = core::make_executor(threads);
    solve_mesh(mesh.graph(), weigh_edges(mesh.graph(), areas), goals, *executor, scratch, solution);
    return solution;
}

void expect_reference(const MeshReplica& mesh, const std::vector<MeshGoal>& goals,
                      const AreaCostContext& areas) {
    std::vector<tests::ReferenceGoal> reference_goals;
    for (const MeshGoal& goal : goals) {
        reference_goals.push_back({mesh.graph().id(goal.polygon), goal.projected});
    }
    const auto cells = tests::MeshFlowReference(mesh.impl().detour(), mesh.impl().filter,
                                                areas.multiplier, reference_goals)
                           .solve();
    const MeshSolution solution = solve(mesh, goals, areas);
    ASSERT_EQ(mesh.graph().size(), mesh.polygon_count());
    for (PolygonIndex p = 0; p < mesh.graph().size(); ++p) {
        const PolygonId id = mesh.graph().id(p);
        const auto cell = cells.find(id);
        ASSERT_EQ(solution.covered(p), cell != cells.end()) << id.slot << ' ' << id.polygon;
        if (cell == cells.end()) {
            EXPECT_EQ(solution.next[p], kNoPolygon);
            EXPECT_EQ(solution.direction[p], Vec3f{});
            continue;
        }
        ASSERT_EQ(solution.dist[p], cell->second.dist) << id.slot << ' ' << id.polygon;
        const PolygonId next =
            solution.next[p] == kNoPolygon ? PolygonId{-1, -1} : mesh.graph().id(solution.next[p]);
        ASSERT_EQ(next, cell->second.next) << id.slot << ' ' << id.polygon;
        ASSERT_EQ(solution.goal[p], cell->second.goal);
        ASSERT_EQ(solution.direction[p], cell->second.direction) << id.slot << ' ' << id.polygon;
    }
}

std::vector<MeshGoal> random_goals(const MeshReplica& mesh, core::RandomStream& random,
                                   std::uint32_t size_cm) {
    std::vector<MeshGoal> goals;
    for (int tries = 0; goals.size() < 3 && tries < 50; ++tries) {
        const double x = -static_cast<double>(random.next_below(size_cm));
        const double y = -static_cast<double>(random.next_below(size_cm));
        const Vec3d location{x, y, 0};
        const auto place = project_to_mesh(mesh, location, {300, 300, 300});
        if (!place) continue;
        goals.push_back({mesh.graph().index(place->polygon), location, place->location});
    }
    return goals;
}

// proves: NAVM-011, NAVM-012, NAVM-013, NAVM-014, NAVM-015, O-NAVM-01, O-NAVM-04, O-NAVM-05
// proves: O-NAVM-06, O-NAVM-18, O-NAVM-20
TEST(MeshSolver, AgreesWithTheReferenceOnRandomMeshes) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        const MeshReplica mesh = replica_of(tests::random_mesh(seed, 3, 3));
        core::RandomStream random(static_cast<std::int32_t>(seed));
        const std::vector<MeshGoal> goals = random_goals(mesh, random, 2400);
        ASSERT_FALSE(goals.empty());
        expect_reference(mesh, goals, seed % 2 == 0 ? uneven_areas() : area_cost_context({}, {}));
        if (HasFatalFailure()) return;
    }
}

// proves: O-NAVM-18, O-NAVM-20
TEST(MeshSolver, TakesTheFirstPolygonOfWaysThatAreEquallyLong) {
    const MeshReplica mesh = replica_of(tests::square_mesh(3, 3));
    const AreaCostContext even = area_cost_context({}, {});
    const std::vector<MeshGoal> goals{goal_at(mesh, at(11, 0, 11)), goal_at(mesh, at(3, 0, 11))};
    expect_reference(mesh, goals, even);
    // Diagonally beside the goal: two neighbours lead there by the same way.
    const MeshSolution solution = solve(mesh, {goals[0]}, even);
    const PolygonIndex corner = goal_at(mesh, at(13, 0, 13)).polygon;
    const MeshWeights weights = weigh_edges(mesh.graph(), even);
    std::vector<PolygonIndex> ways;
    for (std::size_t i = 0; i < mesh.graph().edges_of(corner).size(); ++i) {
        const std::size_t edge = mesh.graph().edges_begin(corner) + i;
        const PolygonIndex to = mesh.graph().edges()[edge].to;
        if (solution.dist[to] + weights.of_edge[edge] == solution.dist[corner]) ways.push_back(to);
    }
    ASSERT_EQ(ways.size(), 2u);
    EXPECT_EQ(solution.next[corner], std::ranges::min(ways));
}

// proves: NAVM-011, NAVM-013, NAVM-014, O-NAVM-06
TEST(MeshSolver, AgreesWithTheReferenceOnBakedMeshes) {
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(seed);
        const MeshReplica mesh =
            replica_of(bake({.tiles_x = 4,
                             .tiles_z = 4,
                             .height = tests::pillars(seed),
                             .area = [](int x, int z) { return (x / 7 + z / 5) % 5 == 0 ? 2 : 63; },
                             .off_mesh = true,
                             .links = {{{3, 1, 3}, {12, 1, 5}, false}}}));
        core::RandomStream random(static_cast<std::int32_t>(seed));
        expect_reference(mesh, random_goals(mesh, random, 3200), uneven_areas());
        if (HasFatalFailure()) return;
    }
}

// proves: NAVM-011, NAVM-014, O-NAVM-06
TEST(MeshSolver, AgreesWithTheReferenceWhereFloorsLieOverEachOther) {
    const MeshReplica mesh = replica_of(bake(tests::two_floors()));
    expect_reference(mesh, {goal_at(mesh, at(12, 4, 12))}, area_cost_context({}, {}));
    expect_reference(mesh, {goal_at(mesh, at(12, 0, 12))}, area_cost_context({}, {}));
}

// proves: NAVM-013, O-NAVM-04
TEST(MeshSolver, FollowsAOneWayLinkInItsDirectionOnly) {
    for (const bool from_left : {true, false}) {
        tests::BakeSettings settings = tests::islands();
        const tests::BakedLink link = tests::over_the_chasm(false);
        settings.links = {from_left ? link : tests::BakedLink{link.to, link.from, false}};
        const MeshReplica mesh = replica_of(bake(settings));
        const MeshGoal left = goal_at(mesh, at(2, 0, 4));
        const MeshGoal right = goal_at(mesh, at(36, 0, 4));
        const AreaCostContext even = area_cost_context({}, {});
        EXPECT_EQ(solve(mesh, {right}, even).covered(left.polygon), from_left);
        EXPECT_EQ(solve(mesh, {left}, even).covered(right.polygon), !from_left);
        expect_reference(mesh, {right}, even);
        expect_reference(mesh, {left}, even);
    }
}

// proves: NAVM-013
TEST(MeshSolver, FollowsABothWaysLinkEitherWay) {
    tests::BakeSettings settings = tests::islands();
    settings.links = {tests::over_the_chasm(true)};
    const MeshReplica mesh = replica_of(bake(settings));
    const MeshGoal left = goal_at(mesh, at(2, 0, 4));
    const MeshGoal right = goal_at(mesh, at(36, 0, 4));
    const AreaCostContext even = area_cost_context({}, {});
    const MeshSolution to_right = solve(mesh, {right}, even);
    ASSERT_TRUE(to_right.covered(left.polygon));
    EXPECT_TRUE(solve(mesh, {left}, even).covered(right.polygon));
    // An agent on the link has a cell of its own that leads off it (O-NAVM-05).
    for (PolygonIndex p = 0; p < mesh.graph().size(); ++p) {
        if (!mesh.graph().off_mesh(p)) continue;
        EXPECT_TRUE(to_right.covered(p));
        EXPECT_LT(to_right.direction[p].x, -0.9F);  // Recast's +x is the world's −x.
    }
}

// proves: O-NAVM-08, O-NAVM-20
TEST(MeshGraph, DoesNotDependOnSaltsOrOnTheOrderOfDetoursLinks) {
    const tests::BakedMesh baked = bake({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(2)});
    const MeshReplica mesh = replica_of(baked);
    tests::DetourReference other(baked);
    for (const std::size_t i : {5u, 0u, 10u, 5u, 15u})
        other.replace(baked.slots[i], baked.blobs[i]);
    const MeshGraph graph = build_mesh_graph(other.mesh());
    ASSERT_EQ(graph.size(), mesh.graph().size());
    EXPECT_TRUE(std::ranges::equal(graph.edges(), mesh.graph().edges()));
    EXPECT_TRUE(std::ranges::equal(graph.centres(), mesh.graph().centres()));
    EXPECT_NE(mesh.polygon_ref({5, 0}), other.mesh().getPolyRefBase(other.mesh().getTile(5)));
}

// proves: NAVM-010, NAVM-014
TEST(MeshSolver, GivesTheSameBitsOnAnyNumberOfThreads) {
    const MeshReplica mesh =
        replica_of(bake({.tiles_x = 6, .tiles_z = 6, .height = tests::pillars(3)}));
    core::RandomStream random(5);
    const std::vector<MeshGoal> goals = random_goals(mesh, random, 4800);
    const MeshSolution one = solve(mesh, goals, area_cost_context({}, {}));
    for (const int threads : {2, 7, 16}) {
        const MeshSolution many = solve(mesh, goals, area_cost_context({}, {}), threads);
        EXPECT_EQ(one.direction, many.direction);
        EXPECT_EQ(one.dist, many.dist);
        EXPECT_EQ(one.next, many.next);
    }
}

void expect_unique_distances() {
    core::RandomStream random(11);
    for (int round = 0; round < 60; ++round) {
        constexpr std::uint32_t kPolygons = 60;
        // Weights of very different sizes: some span many windows, some saturate.
        const std::uint32_t span = round % 3 == 0 ? 4 : round % 3 == 1 ? 100'000 : 0x7FFFFFFF;
        std::vector<MeshSteps::Way> ways;
        MeshWeights weights;
        weights.window = std::uint64_t{1} << random.next_below(24);
        for (int e = 0; e < 200; ++e) {
            // Some polygons have more ways than a row, some two from the same one.
            const std::uint32_t to = random.next_below(e % 3 == 0 ? 4 : kPolygons);
            ways.push_back({random.next_below(kPolygons), to, 1 + random.next_below(span)});
        }
        std::ranges::stable_sort(ways, {}, &MeshSteps::Way::from);
        weights.steps = MeshSteps(kPolygons, ways);
        const std::vector<MeshGoal> goals{{random.next_below(kPolygons), {}, {}},
                                          {random.next_below(kPolygons), {}, {}}};
        std::vector<std::uint64_t> expected(kPolygons, kUncovered);
        for (const MeshGoal& goal : goals) expected[goal.polygon] = 0;
        for (std::uint32_t pass = 0; pass < kPolygons; ++pass) {
            for (const MeshSteps::Way& way : ways) {
                expected[way.from] = std::min(expected[way.from], expected[way.to] + way.weight);
            }
        }
        MeshScratch scratch;
        std::vector<std::uint32_t> dist;
        flood_mesh(weights, goals, scratch, dist);
        ASSERT_EQ(std::vector<std::uint64_t>(dist.begin(), dist.end()), expected) << round;
    }
}

// proves: O-NAVM-18, O-NAVM-20
TEST(MeshFlood, GivesTheUniqueDistancesOfAnyWeights) {
    expect_unique_distances();
#if defined(MANIPLE_NAV_SIMD)
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        expect_unique_distances();
    }
    hwy::SetSupportedTargetsForTest(0);
#endif
}

// proves: O-NAVM-20
TEST(MeshGraph, HasTheWaysBetweenTheSameTwoPolygonsInARow) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        const MeshReplica mesh = replica_of(tests::random_mesh(seed, 3, 3));
        const auto ends = [](const MeshEdge& edge) { return std::pair(edge.from, edge.to); };
        EXPECT_TRUE(std::ranges::is_sorted(mesh.graph().edges(), {}, ends)) << seed;
    }
}

TEST(MeshSteps, HasOneWayFromEachPolygonAndTheShortest) {
    std::vector<MeshSteps::Way> ways;
    for (PolygonIndex from = 1; from < 20; ++from) {
        for (const std::uint32_t weight : {from + 7, from, from + 3}) {
            ways.push_back({from, 0, weight});
            ways.push_back({from, from, 1});
        }
    }
    const MeshSteps steps(20, ways);
    std::vector<std::uint32_t> weights(20);
    for (const MeshSteps::Row& row : steps.into(0)) {
        for (std::size_t lane = 0; lane < row.from.size(); ++lane) {
            std::uint32_t& weight = weights[row.from[lane]];
            EXPECT_EQ(weight, 0u) << row.from[lane];
            weight = row.weight[lane];
        }
    }
    for (PolygonIndex from = 0; from < 20; ++from) EXPECT_EQ(weights[from], from);
}

/// Time that grows with the square of the ways would be minutes, and the test's time limit.
TEST(MeshSteps, TakesAMillionWaysIntoOnePolygon) {
    constexpr std::uint32_t kWays = 1'000'000;
    std::vector<MeshSteps::Way> ways;
    for (PolygonIndex from = 1; from <= kWays; ++from) ways.push_back({from, 0, from});
    const MeshSteps steps(kWays + 1, ways);
    EXPECT_EQ(steps.into(0).size(), kWays / 8);
    EXPECT_EQ(steps.into(0).back().from.back(), kWays);
}

// proves: NAVM-013
TEST(MeshSolver, TakesTensOfThousandsOfConnectionsIntoOnePolygon) {
    constexpr int kConnections = 30'000;
    const tests::BakedMesh baked = tests::hub_mesh(kConnections);
    ASSERT_TRUE(check_tile(baked.blobs.at(0), baked.params));
    const MeshReplica mesh = replica_of(baked);
    const MeshGoal hub = goal_at(mesh, at(5, 0.2F, 5));
    const AreaCostContext even = area_cost_context({}, {});
    EXPECT_GT(weigh_edges(mesh.graph(), even).steps.into(hub.polygon).size(), kConnections / 8u);
    const MeshSolution solution = solve(mesh, {hub}, even);
    int led = 0;
    for (PolygonIndex p = 0; p < mesh.graph().size(); ++p) {
        if (mesh.graph().off_mesh(p) && solution.next[p] == hub.polygon) ++led;
    }
    EXPECT_EQ(led, kConnections);
}

// proves: NAVM-028, NAVM-029, NAVM-030, NAVM-031, NAVM-032, NAVM-033, NAVM-034, O-NAVM-02
// proves: O-NAVM-03, O-NAVM-15, O-NAVM-21
TEST(AreaCostContext, ClampsOverridesLimitsMultipliersAndPenalisesTheImpassable) {
    AreaCosts defaults;
    defaults.fill(2);
    defaults[7] = 1000;
    defaults[8] = std::nextafter(1000.0F, 2000.0F);
    defaults[9] = FLT_MAX;
    FieldConfig config;
    config.max_area_cost_multiplier = 10;
    config.area_cost_overrides = {{1, 0.01F}, {2, 300}, {3, 4}, {64, 5}, {4, std::nanf("")}};
    const AreaCostContext off = area_cost_context(config, defaults);
    EXPECT_FALSE(off.enabled);
    for (std::size_t area = 0; area < kMeshAreaCount; ++area) {
        EXPECT_EQ(off.cost[area], 1);
        EXPECT_EQ(off.multiplier[area], 1);
    }
    config.use_area_costs = true;
    const AreaCostContext on = area_cost_context(config, defaults);
    EXPECT_EQ(on.cost[0], 2);
    EXPECT_EQ(on.multiplier[0], 2);
    EXPECT_EQ(on.cost[1], 0.1F);
    EXPECT_EQ(on.cost[2], 255);
    EXPECT_EQ(on.multiplier[2], 10);
    EXPECT_EQ(on.multiplier[3], 4);
    EXPECT_EQ(on.cost[4], 0.1F);
    EXPECT_EQ(on.multiplier[7], 10);
    EXPECT_EQ(on.multiplier[8], 100);
    EXPECT_EQ(on.multiplier[9], 100);
}

// proves: O-NAVM-11
TEST(MeshSolver, NeverCrossesTheNullArea) {
    const auto striped = [](int x, int) { return x >= 14 && x < 18 ? 0 : 63; };
    const MeshReplica mesh =
        replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat, .area = striped}));
    const MeshGoal goal = goal_at(mesh, at(2, 0, 4));
    const MeshGoal beyond = goal_at(mesh, at(14, 0, 4));
    const MeshSolution solution = solve(mesh, {goal}, area_cost_context({}, {}));
    EXPECT_TRUE(solution.covered(goal.polygon));
    EXPECT_FALSE(solution.covered(beyond.polygon));
}

}  // namespace
}  // namespace maniple::nav
