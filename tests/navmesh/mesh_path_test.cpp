#include "maniple/nav/mesh_path.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/core/random.h"

#include "detour_reference.h"
#include "mesh_worlds.h"

namespace maniple::nav {
namespace {

using tests::at;
using tests::bake;
using tests::BakedMesh;
using tests::DetourReference;
using tests::islands;
using tests::over_the_chasm;
using tests::replica_of;
using tests::two_floors;

constexpr Vec3d kExtents{500, 500, 500};

struct Found {
    bool found = false;
    std::vector<Vec3d> points{{1, 2, 3}};  ///< Something that a failure has to clear.
};
Found replica_path(const MeshReplica& mesh, Vec3d start, Vec3d goal,
                   const FieldConfig& config = {}) {
    Found out;
    out.found = find_path_replica(&mesh, config, start, goal, nullptr, out.points);
    return out;
}
Found provider_path(const MeshReplica& mesh, Vec3d start, Vec3d goal,
                    const FieldConfig& config = {}) {
    Found out;
    out.found = find_path_navmesh(&mesh, config, start, goal, out.points);
    return out;
}
bool reachable(const MeshReplica& mesh, Vec3d start, Vec3d goal) {
    const bool replica = is_reachable_replica(&mesh, {}, start, goal);
    EXPECT_EQ(is_reachable_navmesh(&mesh, start, goal), replica);
    return replica;
}

// proves: PATH-020, PATH-022, PATH-024, O-PATH-05, O-PATH-06
TEST(FindPathReplica, AnswersAsDetourCalledDirectlyDoes) {
    BakedMesh baked = bake({.tiles_x = 6, .tiles_z = 6, .height = tests::pillars(2)});
    AreaCosts costs = tests::even_costs();
    costs[63] = 1.5F;
    const MeshReplica mesh = replica_of(baked, costs);
    DetourReference detour(baked);
    detour.set_costs(costs);
    core::RandomStream random(7);
    std::size_t bends = 0;
    for (int i = 0; i < 300; ++i) {
        const auto place = [&] { return static_cast<float>(random.next_below(4900)) / 100; };
        const float ax = place(), az = place(), bx = place(), bz = place();
        const Vec3d start = at(ax, 0, az);
        const Vec3d goal = at(bx, 0, bz);
        const auto from = detour.nearest(start, kExtents);
        const auto to = detour.nearest(goal, kExtents);
        const Found path = replica_path(mesh, start, goal);
        ASSERT_EQ(path.found, from.has_value() && to.has_value());
        if (!path.found) continue;
        DetourReference::Path expected = detour.find_path(*from, *to);
        if (expected.points.size() == 1) expected.points.push_back(expected.points.front());
        expected.points.front() = start;
        EXPECT_EQ(path.points, expected.points);
        EXPECT_EQ(is_reachable_replica(&mesh, {}, start, goal), expected.complete);
        bends += path.points.size() - 2;
    }
    EXPECT_GT(bends, 300u);
}

// proves: PATH-002, PATH-003, PATH-017, PATH-024, O-PATH-07, O-PATH-12
TEST(FindPathReplica, LeadsToTheBrinkAndCallsTheOtherSideUnreachable) {
    const MeshReplica mesh = replica_of(bake(islands()));
    const Vec3d start = at(2, 0, 4);
    const Vec3d goal = at(36, 0, 4);
    for (const Found& path : {replica_path(mesh, start, goal), provider_path(mesh, start, goal)}) {
        EXPECT_TRUE(path.found);
        EXPECT_EQ(path.points.front(), start);
        EXPECT_GT(path.points.back().x, at(17, 0, 4).x);
        EXPECT_LT(path.points.back().x, at(15, 0, 4).x);
    }
    EXPECT_FALSE(reachable(mesh, start, goal));
    EXPECT_TRUE(reachable(mesh, start, at(14, 0, 4)));
}

// proves: PATH-020, PATH-002
TEST(FindPathReplica, CrossesALinkInItsDirectionAlone) {
    const Vec3d left = at(2, 0, 4);
    const Vec3d right = at(36, 0, 4);
    for (const bool both_ways : {false, true}) {
        tests::BakeSettings settings = islands();
        settings.links = {over_the_chasm(both_ways)};
        const MeshReplica mesh = replica_of(bake(settings));
        EXPECT_TRUE(reachable(mesh, left, right));
        EXPECT_EQ(reachable(mesh, right, left), both_ways);
        const Found path = replica_path(mesh, left, right);
        ASSERT_GE(path.points.size(), 4u);
        EXPECT_LT(std::abs(path.points.back().x - right.x), 1);
    }
}

// proves: PATH-016, PATH-023
TEST(FindPathReplica, TakesTheStraightLineOnlyToTheGoalsOwnFloor) {
    const MeshReplica mesh = replica_of(bake(two_floors()));
    FieldConfig config;
    config.straight_first = true;
    const Vec3d start = at(12, 0, 15);
    for (const auto& search : {replica_path, provider_path}) {
        const Found below = search(mesh, start, at(12, 0, 9), config);
        EXPECT_EQ(below.points.size(), 2u);
        // Right above that place: by the ramp.
        const Found above = search(mesh, start, at(12, 4, 12), config);
        EXPECT_TRUE(above.found);
        EXPECT_GT(above.points.size(), 3u);
        EXPECT_NEAR(above.points.back().z, 400, 30);
    }
    EXPECT_TRUE(reachable(mesh, start, at(12, 4, 12)));
}

// proves: PATH-023, O-PATH-07
TEST(FindPathReplica, EndsOnTheProjectedGoal) {
    const MeshReplica mesh = replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat}));
    const Vec3d start = at(2, 3, 4);  // Both hang in the air.
    const Vec3d goal = at(14, 2, 4);
    for (const bool straight : {false, true}) {
        FieldConfig config;
        config.straight_first = straight;
        const Found path = replica_path(mesh, start, goal, config);
        ASSERT_EQ(path.points.size(), 2u);
        EXPECT_EQ(path.points[0], start);
        EXPECT_EQ(path.points[1].x, goal.x);
        EXPECT_LT(path.points[1].z, 50);
    }
    const Found same = replica_path(mesh, start, at(2, 2, 4));
    ASSERT_EQ(same.points.size(), 2u);
    EXPECT_EQ(same.points[0], start);
    EXPECT_LT(same.points[1].z, 50);
}

// proves: PATH-021, NAVM-026, O-NAVM-11
TEST(FindPathReplica, GoesAroundWhatCostsMoreAndNeverOverTheNullArea) {
    // A strip of area 9 across a plain, but for a gap at its far end.
    tests::BakeSettings settings{.tiles_x = 4, .tiles_z = 4, .height = tests::flat};
    settings.area = [](int x, int z) { return x >= 28 && x < 36 && z < 56 ? 9 : 63; };
    const BakedMesh baked = bake(settings);
    const Vec3d start = at(2, 0, 2);
    const Vec3d goal = at(30, 0, 2);
    const auto crosses = [&](const MeshReplica& mesh) {
        for (const Vec3d point : replica_path(mesh, start, goal).points) {
            if (point.y < at(0, 0, 26).y) return false;
        }
        return true;
    };
    AreaCosts costs = tests::even_costs();
    EXPECT_TRUE(crosses(replica_of(baked, costs)));
    costs[9] = 50;
    EXPECT_FALSE(crosses(replica_of(baked, costs)));

    // The same strip of the null area: blocked however cheap it is, as standing ground, too.
    BakedMesh null = baked;
    for (core::Bytes& blob : null.blobs) {
        const auto verts = core::load_le<std::int32_t>(blob.data() + 28);
        const auto polys = core::load_le<std::int32_t>(blob.data() + 24);
        for (std::int32_t p = 0; p < polys; ++p) {
            std::uint8_t& area = blob[static_cast<std::size_t>(100 + 12 * verts + 32 * p + 31)];
            if ((area & 63) == 9) area = 0;
        }
    }
    const std::vector<core::Bytes> pristine = null.blobs;
    const MeshReplica blocked = replica_of(null);
    EXPECT_EQ(null.blobs, pristine);
    EXPECT_FALSE(crosses(blocked));
    EXPECT_TRUE(project_to_mesh(replica_of(baked), at(16, 0, 2), {50, 50, 50}).has_value());
    EXPECT_FALSE(project_to_mesh(blocked, at(16, 0, 2), {50, 50, 50}).has_value());
}

// proves: PATH-016, PATH-023
TEST(FindPathReplica, SeesOverAsManyPolygonsAsAWayMayHave) {
    // Hundred tiles of a polygon or a few; half-way a strip that A* goes around.
    tests::BakeSettings settings{
        .tiles_x = 100, .tiles_z = 3, .tile_cells = 8, .height = tests::flat};
    settings.area = [](int x, int z) { return x >= 400 && x < 404 && z < 16 ? 9 : 63; };
    AreaCosts costs = tests::even_costs();
    costs[9] = 50;
    const MeshReplica mesh = replica_of(bake(settings), costs);
    FieldConfig config;
    for (const bool straight : {false, true}) {
        config.straight_first = straight;
        const Found path = replica_path(mesh, at(2, 0, 2), at(382, 0, 2), config);
        EXPECT_TRUE(path.found);
        EXPECT_EQ(path.points.size() == 2, straight);
    }
}

// proves: PATH-014, PATH-036
TEST(FindPath, WithoutAMeshFindsNothing) {
    std::vector<Vec3d> path{{1, 2, 3}};
    EXPECT_FALSE(find_path_replica(nullptr, {}, {}, {}, nullptr, path));
    EXPECT_TRUE(path.empty());
    path.push_back({});
    EXPECT_FALSE(find_path_navmesh(nullptr, {}, {}, {}, path));
    EXPECT_TRUE(path.empty());
    EXPECT_FALSE(is_reachable_replica(nullptr, {}, {}, {}));
    EXPECT_FALSE(is_reachable_navmesh(nullptr, {}, {}));
}

// proves: PATH-015, PATH-019, PATH-022
TEST(FindPath, FailsWhereAnEndDoesNotProject) {
    const MeshReplica mesh = replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat}));
    FieldConfig config;
    config.path_stop_search_cm = {300, 300, 300};
    const Vec3d inside = at(4, 0, 4);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& search : {replica_path, provider_path}) {
        EXPECT_TRUE(search(mesh, inside, at(18, 0, 4), config).found);
        for (const Vec3d outside :
             {at(21, 0, 4), at(4, 9, 4), Vec3d{nan, 0, 0}, Vec3d{0, 1e300, 0}}) {
            const Found to = search(mesh, inside, outside, config);
            EXPECT_FALSE(to.found);
            EXPECT_TRUE(to.points.empty());
            EXPECT_FALSE(search(mesh, outside, inside, config).found);
        }
        // A component that is not above 0 counts as 500 cm.
        FieldConfig unset;
        unset.path_stop_search_cm = {0, -1, 0};
        EXPECT_TRUE(search(mesh, inside, at(20, 0, 4), unset).found);
    }
}

// proves: PATH-018
TEST(FindPathNavMesh, PutsTheWayToTheMeshBeforeAndBehindThePathOfAStartFarOff) {
    const MeshReplica mesh = replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat}));
    const Vec3d start = at(-3, 0, 4);
    const Vec3d goal = at(18, 0, 4);
    const Found far = provider_path(mesh, start, goal);
    ASSERT_EQ(far.points.size(), 4u);
    EXPECT_EQ(far.points.front(), start);
    EXPECT_EQ(far.points.back(), goal);
    EXPECT_LT(far.points[1].x, 0);
    EXPECT_GT(far.points[2].x, at(16, 0, 4).x);
    // On the mesh at one end: no point doubles it, and the goal stays the projected one.
    const Vec3d on_mesh = *[&] {
        const auto place = project_to_mesh(mesh, at(14, 0, 4), kExtents);
        return place ? std::optional(place->location) : std::nullopt;
    }();
    EXPECT_EQ(provider_path(mesh, start, on_mesh).points.size(), 3u);
    EXPECT_NE(provider_path(mesh, on_mesh, goal).points.back(), goal);
}

// proves: PATH-017
TEST(FindPathNavMesh, BeginsAtTheTrueStartWithinAnAgentsReachOfTheMesh) {
    const MeshReplica mesh = replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat}));
    const auto brink = project_to_mesh(mesh, at(-3, 0, 4), kExtents);
    ASSERT_TRUE(brink);
    const Vec3d edge = brink->location;  // Beyond it the world's X grows.
    const Vec3d goal = at(18, 0, 4);
    for (const bool straight : {false, true}) {
        FieldConfig config;
        config.straight_first = straight;
        for (const Vec3d start : {edge + Vec3d{49, 0, 0}, edge + Vec3d{-300, 0, 240}}) {
            const Found path = provider_path(mesh, start, goal, config);
            ASSERT_EQ(path.points.size(), 2u) << "the start takes its projection's place";
            EXPECT_EQ(path.points.front(), start);
            EXPECT_NE(path.points.back(), goal) << "the projected one";
        }
        // Farther off the way to the mesh is a segment of its own (PATH-018). Detour rounds boxes
        // to cells, of 50 cm here, and a box to the next two.
        for (const Vec3d start : {edge + Vec3d{151, 0, 0}, edge + Vec3d{-300, 0, 400}}) {
            const Found path = provider_path(mesh, start, goal, config);
            ASSERT_EQ(path.points.size(), 4u);
            EXPECT_EQ(path.points.front(), start);
            EXPECT_EQ(path.points.back(), goal);
        }
    }
    // Partial ones, too.
    const MeshReplica two = replica_of(bake(islands()));
    const Vec3d above = at(2, 2, 4);
    const Found part = provider_path(two, above, at(36, 0, 4));
    ASSERT_EQ(part.points.size(), 2u);
    EXPECT_EQ(part.points.front(), above);
    EXPECT_FALSE(is_reachable_navmesh(&two, above, at(36, 0, 4)));
}

// proves: PATH-002, PATH-003
TEST(FindPathNavMesh, MayLeadFromAPlaceThatIsNotOnTheMeshAndSoReachesNothing) {
    const MeshReplica mesh = replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat}));
    const auto brink = project_to_mesh(mesh, at(-3, 0, 4), kExtents);
    ASSERT_TRUE(brink);
    const Vec3d inside = at(8, 0, 4);
    for (const double away : {49.0, 151.0}) {
        const Vec3d place = brink->location + Vec3d{away, 0, 0};
        EXPECT_TRUE(provider_path(mesh, place, inside).found);
        EXPECT_TRUE(provider_path(mesh, inside, place).found);
        EXPECT_EQ(is_reachable_navmesh(&mesh, place, inside), away < 50) << away;
        EXPECT_EQ(is_reachable_navmesh(&mesh, inside, place), away < 50) << away;
        // A synced field asks its own path search.
        EXPECT_TRUE(is_reachable_replica(&mesh, {}, place, inside));
        EXPECT_TRUE(is_reachable_replica(&mesh, {}, inside, place));
    }
}

// proves: PATH-025, O-PATH-05, O-PATH-12
TEST(FindPathReplica, OpensNoMoreThanItsNodesWhateverWasSearchedBefore) {
    // Start and goal on both sides of a wall that ends 220 m away. A polygon for a tile of 4 m: all
    // of the quarter disc around the start comes before the way.
    constexpr int kWall = 436;
    const BakedMesh baked =
        bake({.tiles_x = 57, .tiles_z = 56, .tile_cells = 8, .height = [](int x, int z) {
                  return std::abs(x - kWall) < 3 && z < 440 ? 30.0F : 0.0F;
              }});
    const MeshReplica mesh = replica_of(baked);
    ASSERT_GT(mesh.polygon_count(), unsigned{kMeshSearchNodesMax});
    const Vec3d start = at(214, 0, 2);
    const Vec3d goal = at(222, 0, 2);
    const auto expected = [&](int nodes) {
        DetourReference detour(baked, nodes);
        const auto from = detour.nearest(start, kExtents);
        const auto to = detour.nearest(goal, kExtents);
        EXPECT_TRUE(from && to);
        DetourReference::Path path = detour.find_path(*from, *to);
        path.points.front() = start;
        return path;
    };
    ASSERT_TRUE(expected(8 * kMeshSearchNodesMax).complete) << "there is a way";
    const DetourReference::Path part = expected(kMeshSearchNodesMax);
    ASSERT_FALSE(part.complete);
    for (int i = 0; i < 3; ++i) {
        const Found path = replica_path(mesh, start, goal);
        EXPECT_TRUE(path.found);
        EXPECT_EQ(path.points, part.points);
        EXPECT_FALSE(reachable(mesh, start, goal));
        EXPECT_TRUE(reachable(mesh, start, at(206, 0, 10)));
    }
}

// proves: O-PATH-05, O-PATH-12
TEST(FindPathReplica, GivesThePartOfAWayThatIsLongerThanItsLimits) {
    // One polygon a tile, so that the corridor has as many as the way has tiles.
    const BakedMesh baked =
        bake({.tiles_x = 600, .tiles_z = 1, .tile_cells = 8, .height = tests::flat});
    const MeshReplica mesh = replica_of(baked);
    const Vec3d start = at(2, 0, 2);
    const auto goal_in_tile = [](int tile) { return at(4 * static_cast<float>(tile) + 2, 0, 2); };
    EXPECT_TRUE(reachable(mesh, start, goal_in_tile(kMeshCorridorMax - 1)));
    EXPECT_FALSE(reachable(mesh, start, goal_in_tile(kMeshCorridorMax)));
    const Found path = replica_path(mesh, start, goal_in_tile(599));
    EXPECT_TRUE(path.found);
    EXPECT_LT(path.points.back().x, goal_in_tile(kMeshCorridorMax - 2).x);
    EXPECT_GT(path.points.back().x, goal_in_tile(kMeshCorridorMax + 1).x);
}

// proves: PATH-025, PATH-026
TEST(FindPathReplica, CarriesNothingFromOneCallToTheNext) {
    const MeshReplica mesh =
        replica_of(bake({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(5)}));
    const MeshReplica other = replica_of(bake(islands()));
    const auto path = [&](MeshContext* context) {
        std::vector<Vec3d> points;
        EXPECT_TRUE(find_path_replica(&mesh, {}, at(2, 0, 2), at(30, 0, 30), context, points));
        return points;
    };
    const std::vector<Vec3d> first = path(nullptr);
    MeshContext context;
    static_cast<void>(project_to_mesh(other, at(2, 0, 4), kExtents, &context));
    EXPECT_EQ(path(&context), first);
    EXPECT_EQ(path(nullptr), first);
}

}  // namespace
}  // namespace maniple::nav
