#include "maniple/terrain/mesh_world.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "maniple/nav/environment_query.h"

namespace maniple::terrain {
namespace {

void add_quad(TriangleMesh& mesh, Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
    mesh.triangles.push_back({at, at + 1, at + 2});
    mesh.triangles.push_back({at, at + 2, at + 3});
}

/// A floor 20 m square at height 0 around the origin, a wall 3 m high at x = 500, and a ramp of
/// `rise` over 400 cm at −800 ≤ x ≤ −400.
MeshWorld make_world(double rise = 200, std::int32_t max_walkable_centideg = 4500) {
    TriangleMesh mesh;
    add_quad(mesh, {-1000, -1000, 0}, {1000, -1000, 0}, {1000, 1000, 0}, {-1000, 1000, 0});
    add_quad(mesh, {500, -1000, 0}, {500, 1000, 0}, {500, 1000, 300}, {500, -1000, 300});
    add_quad(mesh, {-800, -100, rise}, {-400, -100, 0}, {-400, 100, 0}, {-800, 100, rise});
    return MeshWorld(std::move(mesh), max_walkable_centideg);
}

TEST(MeshWorld, ALineMeetsTheNearestTriangleFromEitherSideAndTheNormalFacesItsStart) {
    const MeshWorld world = make_world();
    const auto down = world.trace_line({-600, 7, 900}, {-600, 7, -900}, kGroundSurface);
    ASSERT_TRUE(down.has_value());
    EXPECT_NEAR(down->point.z, 100, 1e-9);
    EXPECT_NEAR(down->normal.x, 1 / std::sqrt(5), 1e-6);
    EXPECT_NEAR(down->normal.z, 2 / std::sqrt(5), 1e-6);
    const auto up = world.trace_line({10, 10, -50}, {10, 10, 50}, kGroundSurface);
    ASSERT_TRUE(up.has_value());
    EXPECT_EQ(up->normal, (Vec3f{0, 0, -1}));
    const auto along = world.trace_line({0, 3, 200}, {900, 3, 200}, kGroundSurface);
    ASSERT_TRUE(along.has_value());
    EXPECT_NEAR(along->point.x, 500, 1e-9);
    EXPECT_FALSE(world.trace_line({0, 3, 310}, {900, 3, 310}, kGroundSurface).has_value());
}

TEST(MeshWorld, BothEndsOfALineCount) {
    const MeshWorld world = make_world();
    EXPECT_TRUE(world.trace_line({0, 0, 100}, {0, 0, 0}, kGroundSurface).has_value());
    EXPECT_TRUE(world.trace_line({0, 0, 0}, {0, 0, 100}, kGroundSurface).has_value());
    EXPECT_FALSE(world.trace_line({0, 0, 100}, {0, 0, 0.01}, kGroundSurface).has_value());
}

TEST(MeshWorld, OnlySteepTrianglesAreObstacles) {
    const auto touches = [](const MeshWorld& world, Vec3d at, double radius) {
        return world.sweep_sphere(at, at, radius, kObstacleSurface).has_value();
    };
    const MeshWorld world = make_world();
    EXPECT_TRUE(touches(world, {451, 0, 0}, 50));
    EXPECT_TRUE(touches(world, {450, 0, 0}, 50)) << "touching is met";
    EXPECT_FALSE(touches(world, {449.99, 0, 0}, 50));
    EXPECT_FALSE(touches(world, {0, 0, 0}, 50)) << "the floor it stands on is none";
    EXPECT_FALSE(touches(world, {-600, 0, 100}, 50));
    EXPECT_TRUE(touches(make_world(401), {-600, 0, 200}, 50));
    EXPECT_FALSE(touches(make_world(200, 9000), {500, 0, 0}, 50)) << "no slope test, no walls";
}

TEST(MeshWorld, ACeilingIsLookedThrough) {
    TriangleMesh mesh;
    add_quad(mesh, {-100, -100, 0}, {100, -100, 0}, {100, 100, 0}, {-100, 100, 0});
    add_quad(mesh, {-100, 100, 300}, {100, 100, 300}, {100, -100, 300}, {-100, -100, 300});
    const MeshWorld world(std::move(mesh), 4500);
    const auto down = world.trace_line({0, 9, 900}, {0, 9, -900}, kGroundSurface);
    ASSERT_TRUE(down.has_value());
    EXPECT_NEAR(down->point.z, 0, 1e-9);
    EXPECT_FALSE(world.sweep_sphere({0, 0, 300}, {0, 0, 300}, 9, kObstacleSurface).has_value());
}

TEST(MeshWorld, ASphereStopsAtItsRadius) {
    const MeshWorld world = make_world();
    const auto wall = world.sweep_sphere({0, 0, 150}, {900, 0, 150}, 40, kGroundSurface);
    ASSERT_TRUE(wall.has_value());
    EXPECT_NEAR(wall->point.x, 500, 1e-3);
    EXPECT_NEAR(wall->point.z, 150, 1e-3);
    EXPECT_NEAR(wall->normal.x, -1, 1e-5);
    EXPECT_FALSE(world.sweep_sphere({0, 0, 150}, {459.9, 0, 150}, 40, kGroundSurface).has_value());
    EXPECT_TRUE(world.sweep_sphere({0, 0, 20}, {0, 300, 20}, 40, kGroundSurface).has_value())
        << "it begins in the floor";
    const auto crest = world.sweep_sphere({0, 0, 330}, {900, 0, 330}, 40, kGroundSurface);
    ASSERT_TRUE(crest.has_value()) << "the wall's upper edge";
    EXPECT_NEAR(crest->point.z, 300, 1e-3);
    EXPECT_FALSE(world.sweep_sphere({0, 0, 341}, {900, 0, 341}, 40, kGroundSurface).has_value());
}

TEST(MeshWorld, ACapsuleFallsOntoTheRampWithItsLowerCap) {
    const MeshWorld world = make_world(400);
    const auto flat = world.sweep_capsule({0, 0, 800}, {0, 0, -800}, 30, 90, kGroundSurface);
    ASSERT_TRUE(flat.has_value());
    EXPECT_NEAR(flat->point.z, 0, 1e-3);
    EXPECT_NEAR(flat->normal.z, 1, 1e-5);
    const auto ramp = world.sweep_capsule({-600, 0, 800}, {-600, 0, -800}, 30, 90, kGroundSurface);
    ASSERT_TRUE(ramp.has_value());
    EXPECT_NEAR(ramp->normal.x, std::sqrt(0.5), 1e-5);
    EXPECT_NEAR(ramp->normal.z, std::sqrt(0.5), 1e-5);
    EXPECT_NEAR(ramp->point.x + ramp->point.z, -400, 1e-3) << "a point of the ramp";
    const auto touches = [&](double z) {
        return world.sweep_capsule({0, 0, z}, {0, 0, z}, 30, 90, kGroundSurface).has_value();
    };
    EXPECT_TRUE(touches(90));
    EXPECT_TRUE(touches(0));
    EXPECT_FALSE(touches(90.01));
}

TEST(MeshWorld, LongAndBrokenWaysEndAtOnce) {
    const MeshWorld world = make_world();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad : {kNan, kInfinity}) {
        EXPECT_FALSE(world.trace_line({bad, 0, 9}, {0, 0, 0}, kGroundSurface).has_value());
        EXPECT_FALSE(world.sweep_sphere({0, 0, 9}, {0, bad, 0}, 5, kGroundSurface).has_value());
        EXPECT_FALSE(world.sweep_capsule({0, 0, 9}, {0, 0, bad}, 5, 9, kGroundSurface).has_value());
    }
    const auto far = world.trace_line({-1e9, 0.5, 150}, {1e9, 0.5, 150}, kGroundSurface);
    ASSERT_TRUE(far.has_value());
    EXPECT_NEAR(far->point.x, -700, 0.01) << "the ramp comes first";
}

TEST(MeshWorld, CellsOfAFieldAreGroundRampWallAndNothing) {
    const MeshWorld world = make_world();
    nav::FieldSetup setup;
    setup.location_cm = {0, 0, -10};
    setup.cell_size_cm = 100;
    setup.size_cm = {2200, 2200, 600};
    setup.trace_ground = true;
    setup.trace_obstacles = true;
    const auto geometry = nav::grid_of(setup).value();
    const nav::EnvironmentQuery query(geometry, setup, 4500);
    const auto cell = [&](double x, double y) {
        return query.query(geometry.world_to_grid({x, y}).coord, world);
    };
    EXPECT_EQ(cell(0, 0), (nav::CellGround{nav::CellType::kGround, 1, 10, {0, 0, 127}}));
    EXPECT_EQ(cell(-600, 0).type, nav::CellType::kGround);
    EXPECT_EQ(cell(-650, 0).z_cm, 10 + 125);
    EXPECT_EQ(cell(-650, 0).normal, (std::array<std::int8_t, 3>{57, 0, 114}));
    EXPECT_EQ(cell(450, 0).type, nav::CellType::kObstacle);
    EXPECT_EQ(cell(550, 0).type, nav::CellType::kObstacle);
    EXPECT_EQ(cell(350, 0).type, nav::CellType::kGround);
    EXPECT_EQ(cell(1050, 0).type, nav::CellType::kEmpty);
}

}  // namespace
}  // namespace maniple::terrain
