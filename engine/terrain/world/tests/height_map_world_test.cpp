#include "maniple/terrain/height_map_world.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/nav/environment_query.h"

namespace maniple::terrain {
namespace {

/// 5 × 4 samples 50 cm apart; z = 10 x² cm.
HeightMap make_map() {
    HeightMap map{5, 4, 50, 0, 10, {}};
    for (std::int32_t x = 0; x < 5; ++x) {
        for (std::int32_t y = 0; y < 4; ++y) {
            map.samples.push_back(static_cast<std::uint16_t>(x * x));
        }
    }
    return map;
}

TEST(HeightMapWorld, AnUprightLineMeetsTheSampleExactlyWithTheNormalOfTheSmoothGround) {
    const HeightMapWorld world(make_map());
    const auto hit = world.trace_line({100, 50, 900}, {100, 50, 0}, kGroundSurface);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->point, (Vec3d{100, 50, 40}));
    // Samples 10 and 90 cm, 100 cm apart: a rise of 0.8.
    EXPECT_NEAR(hit->normal.x, -0.8 / std::sqrt(1.64), 1e-6);
    EXPECT_NEAR(hit->normal.z, 1 / std::sqrt(1.64), 1e-6);
    EXPECT_EQ(hit->normal.y, 0);
}

TEST(HeightMapWorld, BetweenSamplesLieTwoTriangles) {
    HeightMap map{2, 2, 100, 0, 1, {0, 100, 200, 400}};
    const HeightMapWorld world(map);
    const auto z = [&](double x, double y) {
        return world.trace_line({x, y, 900}, {x, y, -1}, kGroundSurface)->point.z;
    };
    EXPECT_DOUBLE_EQ(z(25, 25), 75);
    EXPECT_DOUBLE_EQ(z(50, 50), 150);
    EXPECT_DOUBLE_EQ(z(75, 75), 400 - 0.25 * 300 - 0.25 * 200);
    EXPECT_DOUBLE_EQ(z(-50, 0), 0) << "the border cell reaches half a spacing out";
    EXPECT_FALSE(world.trace_line({-50.1, 0, 900}, {-50.1, 0, -1}, kGroundSurface).has_value());
    EXPECT_FALSE(world.trace_line({150, 0, 900}, {150, 0, -1}, kGroundSurface).has_value());
    // Bullet's triangles are the same surface.
    for (const Vec2d at : {Vec2d{25, 25}, Vec2d{75, 75}, Vec2d{10, 80}}) {
        const auto slanted =
            world.trace_line({at.x + 1e-6, at.y, 900}, {at.x, at.y, -1}, kGroundSurface);
        ASSERT_TRUE(slanted.has_value());
        EXPECT_NEAR(slanted->point.z, z(at.x, at.y), 1e-4);
    }
}

TEST(HeightMapWorld, BothEndsCountAndObstaclesAreNone) {
    const HeightMapWorld world(make_map());
    EXPECT_TRUE(world.trace_line({0, 0, 10}, {0, 0, 0}, kGroundSurface).has_value());
    EXPECT_FALSE(world.trace_line({0, 0, 10}, {0, 0, 0.1}, kGroundSurface).has_value());
    EXPECT_FALSE(world.trace_line({0, 0, 10}, {0, 0, 0}, kObstacleSurface).has_value());
    EXPECT_FALSE(world.sweep_sphere({0, 0, 0}, {0, 0, 0}, 9, kObstacleSurface).has_value());
    EXPECT_EQ(world.bounds(), (WorldBounds{{-25, -25, 0}, {225, 175, 160}}));
}

TEST(HeightMapWorld, BodiesRestOnTheTriangles) {
    HeightMap map{3, 3, 100, 50, 1, std::vector<std::uint16_t>(9, 0)};
    const HeightMapWorld world(map);
    const auto ball = world.sweep_sphere({100, 100, 500}, {100, 100, 0}, 30, kGroundSurface);
    ASSERT_TRUE(ball.has_value());
    EXPECT_NEAR(ball->point.z, 50, 1e-3);
    EXPECT_NEAR(ball->normal.z, 1, 1e-5);
    EXPECT_TRUE(world.sweep_capsule({120, 80, 139}, {120, 80, 139}, 30, 90, kGroundSurface));
    EXPECT_FALSE(world.sweep_capsule({120, 80, 141}, {120, 80, 141}, 30, 90, kGroundSurface));
    EXPECT_FALSE(world.sweep_sphere({900, 0, 50}, {900, 0, 40}, 30, kGroundSurface));
}

TEST(HeightMapWorld, OneSampleAndBrokenPlacesAreHarmless) {
    const HeightMapWorld world(HeightMap{1, 1, 100, 7, 1, {3}});
    EXPECT_EQ(world.trace_line({0, 0, 100}, {0, 0, 0}, kGroundSurface)->point.z, 10);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(world.trace_line({kNan, 0, 9}, {kNan, 0, 0}, kGroundSurface).has_value());
    EXPECT_FALSE(world.trace_line({0, 0, kNan}, {0, 0, 0}, kGroundSurface).has_value());
    EXPECT_FALSE(world.sweep_sphere({0, 0, kNan}, {0, 0, 0}, 5, kGroundSurface).has_value());
    const HeightMapWorld row(HeightMap{4, 1, 100, 0, 1, {0, 0, 9, 9}});
    EXPECT_EQ(row.trace_line({250, 0, 100}, {250, 0, 0}, kGroundSurface)->point.z, 9);
}

TEST(HeightMapWorld, CellsOnTheSamplesTakeTheirHeightsAndSteepOnesAreObstacles) {
    const HeightMapWorld world(make_map());
    nav::FieldSetup setup;
    setup.location_cm = {100, 75, 0};
    setup.cell_size_cm = 50;
    setup.size_cm = {250, 200, 160};
    setup.trace_ground = true;
    setup.trace_obstacles = true;
    core::SerialExecutor serial;
    const auto ground = nav::build_ground(setup, 4500, world, serial, {}).value();
    ASSERT_EQ(ground.geometry.cell_count(), 20U);
    for (nav::CellIndex cell = 0; cell < 20; ++cell) {
        const std::int32_t x = ground.geometry.coord(cell).x;
        EXPECT_EQ(ground.z_cm[cell], 10 * x * x);
        // Rises of 0.2, 0.4, 0.8, 1.2 and 1.4: 45 degrees are 1.
        EXPECT_EQ(ground.type[cell], x < 3 ? 1 : 2) << x;
    }
}

}  // namespace
}  // namespace maniple::terrain
