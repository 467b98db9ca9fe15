#include "maniple/terrain/grid_world.h"

#include <gtest/gtest.h>
#include <limits>
#include <string_view>

#include "maniple/nav/environment_query.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::terrain {
namespace {

/// Cells of 100 cm; the centre of cell (x, y) is the world point (100 x, 100 y).
GridMap make_map(std::string_view text) {
    auto map = read_movingai_map({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                                 "test.map");
    EXPECT_TRUE(map.has_value());
    return std::move(*map);
}

const std::string_view kMap = "type octile\nheight 3\nwidth 5\nmap\n.....\n..@.S\n.....\n";

/// The same grid, its columns changed.
template <typename Change>
GridWorld make_world(const GridMap& map, Change&& change) {
    nav::GridSubstrate ground = substrate::read_grid_stream(map.stream.view());
    change(ground);
    return GridWorld(substrate::write_grid_stream(ground).view());
}

nav::FieldSetup setup_on(const nav::GridGeometry& grid) {
    nav::FieldSetup setup;
    setup.location_cm = grid.origin();
    setup.yaw_degrees = grid.yaw_centideg() / 100.0;
    setup.cell_size_cm = grid.cell_size_cm();
    setup.size_cm = {double(grid.x_num()) * grid.cell_size_cm(),
                     double(grid.y_num()) * grid.cell_size_cm(), 1000};
    setup.trace_ground = true;
    setup.trace_obstacles = true;
    return setup;
}

TEST(GridWorld, AskedByAFieldOnTheSameCellsIsThatGridAgain) {
    const GridMap map = make_builtin_map("builtin:archipelago:96").value();
    nav::GridSubstrate ground = substrate::read_grid_stream(map.stream.view());
    for (nav::CellIndex cell = 0; cell < ground.cost.size(); ++cell) {
        ground.z_cm[cell] = static_cast<std::int32_t>(cell % 7) * 10;
        ground.normal[cell] = {0, 60, 112};
        if (ground.cost[cell] == 3) ground.type[cell] = 0;
    }
    for (const std::int32_t yaw : {0, 9000, 3000, -12345}) {
        ground.geometry = nav::GridGeometry(700, -300, 50, yaw, 96, 96, 80);
        const GridWorld world(substrate::write_grid_stream(ground).view());
        core::SerialExecutor serial;
        const auto built =
            nav::build_ground(setup_on(ground.geometry), 4500, world, serial, {}).value();
        for (nav::CellIndex cell = 0; cell < ground.cost.size(); ++cell) {
            ASSERT_EQ(built.type[cell], ground.type[cell]) << cell << " yaw " << yaw;
            if (ground.type[cell] != 1) continue;
            ASSERT_EQ(built.z_cm[cell], ground.z_cm[cell]) << cell;
            ASSERT_EQ(built.normal[cell], ground.normal[cell]) << cell;
        }
    }
}

TEST(GridWorld, AnUprightLineMeetsTheTopOfTheCellThatOwnsThePlace) {
    const GridMap map = make_map(kMap);
    const GridWorld world = make_world(map, [](nav::GridSubstrate& ground) {
        ground.z_cm[0 * 3 + 0] = 250;
        ground.normal[0] = {0, 90, 90};
        ground.type[1 * 3 + 1] = 0;
    });
    const auto down = [&](double x, double y, double low = -100, double high = 1000) {
        return world.trace_line({x, y, high}, {x, y, low}, kGroundSurface);
    };
    ASSERT_TRUE(down(0, 0).has_value());
    EXPECT_EQ(down(0, 0)->point, (Vec3d{0, 0, 250}));
    EXPECT_NEAR(down(0, 0)->normal.y, 0.7071, 1e-4);
    EXPECT_EQ(down(49.9, 0)->point.z, 250);
    EXPECT_EQ(down(50, 0)->point.z, 0);
    EXPECT_FALSE(down(100, 100).has_value()) << "no ground in an empty cell";
    EXPECT_FALSE(down(-51, 0).has_value()) << "nor beside the grid";
    EXPECT_TRUE(down(300, 0, 0).has_value()) << "the end counts";
    EXPECT_FALSE(down(300, 0, 0.5).has_value());
    EXPECT_EQ(down(300, 0, -9, -5)->point.z, -5) << "inside at once";
    EXPECT_FALSE(world.trace_line({0, 0, 900}, {0, 0, 0}, kObstacleSurface).has_value());
    EXPECT_TRUE(world.trace_line({200, 100, 900}, {200, 100, 0}, kObstacleSurface).has_value());
}

TEST(GridWorld, SlantedLinesMeetTopsAndSides) {
    const GridWorld world = make_world(
        make_map(kMap), [](nav::GridSubstrate& ground) { ground.z_cm[3 * 3 + 0] = 400; });
    const auto top = world.trace_line({0, 0, 100}, {200, 0, -100}, kGroundSurface);
    ASSERT_TRUE(top.has_value());
    EXPECT_NEAR(top->point.x, 100, 1e-9);
    EXPECT_NEAR(top->point.z, 0, 1e-9);
    EXPECT_EQ(top->normal, (Vec3f{0, 0, 1}));
    const auto side = world.trace_line({0, 0, 100}, {600, 0, 100}, kGroundSurface);
    ASSERT_TRUE(side.has_value());
    EXPECT_NEAR(side->point.x, 250, 1e-9);
    EXPECT_EQ(side->normal, (Vec3f{-1, 0, 0}));
    EXPECT_FALSE(world.trace_line({0, 0, 500}, {600, 0, 500}, kGroundSurface).has_value());
}

TEST(GridWorld, ASphereMeetsAnObstacleOnlyWhenItEntersIt) {
    const GridWorld world{make_map(kMap).stream.view()};
    const auto still = [&](double x, double y, double radius) {
        return world.sweep_sphere({x, y, 0}, {x, y, 0}, radius, kObstacleSurface).has_value();
    };
    EXPECT_FALSE(still(100, 100, 50));
    EXPECT_TRUE(still(100, 100, 50.01));
    EXPECT_TRUE(still(200, 100, 1));
    EXPECT_FALSE(still(100, 0, 70.7));
    EXPECT_TRUE(still(100, 0, 70.8));
    const auto hit =
        world.sweep_sphere({0, 100, 33}, {400, 100, 33}, 25, kGroundSurface | kObstacleSurface);
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->point.x, 150, 0.002);
    EXPECT_NEAR(hit->point.z, 33, 1e-9);
    EXPECT_EQ(hit->normal, (Vec3f{-1, 0, 0}));
}

TEST(GridWorld, ACapsuleStandsOnItsLowerCapAndIsAsTallAsItsHalfHeightTwice) {
    const GridWorld world{make_map(kMap).stream.view()};
    const auto down = world.sweep_capsule({0, 0, 500}, {0, 0, -500}, 30, 90, kGroundSurface);
    ASSERT_TRUE(down.has_value());
    EXPECT_EQ(down->point, (Vec3d{0, 0, 0}));
    EXPECT_EQ(down->normal, (Vec3f{0, 0, 1}));
    const auto touches = [&](double z) {
        return world.sweep_capsule({0, 0, z}, {0, 0, z}, 30, 90, kGroundSurface).has_value();
    };
    EXPECT_TRUE(touches(90));
    EXPECT_FALSE(touches(90.001));
    const auto sweep =
        world.sweep_capsule({0, 100, 200}, {400, 100, 200}, 30, 90, kObstacleSurface);
    ASSERT_TRUE(sweep.has_value());
    EXPECT_NEAR(sweep->point.x, 150, 0.002);
}

TEST(GridWorld, LongAndBrokenWaysEndAtOnce) {
    const GridWorld world{make_map(kMap).stream.view()};
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad : {kNan, kInfinity, -kInfinity}) {
        EXPECT_FALSE(world.trace_line({bad, 0, 9}, {0, 0, 0}, kGroundSurface).has_value());
        EXPECT_FALSE(world.sweep_sphere({0, 0, 9}, {0, bad, 0}, 5, kGroundSurface).has_value());
        EXPECT_FALSE(
            world.sweep_capsule({0, 0, bad}, {0, 0, bad}, 5, 9, kGroundSurface).has_value());
    }
    EXPECT_TRUE(
        world.sweep_sphere({-1e12, 100, 0}, {1e12, 100, 0}, 40, kObstacleSurface).has_value());
    EXPECT_FALSE(world.sweep_sphere({1e12, 0, 9}, {1e12, 1, 9}, 40, kGroundSurface).has_value());
}

TEST(GridWorld, TellsTheCostOfTheGround) {
    const GridWorld world{make_map(kMap).stream.view()};
    EXPECT_EQ(world.ground_cost({400, 100}), 3);
    EXPECT_EQ(world.ground_cost({0, 0}), 1);
    EXPECT_FALSE(world.ground_cost({200, 100}).has_value());
    EXPECT_FALSE(world.ground_cost({-51, 0}).has_value());
    EXPECT_EQ(world.bounds(), (WorldBounds{{-50, -50, 0}, {450, 250, 0}}));
}

}  // namespace
}  // namespace maniple::terrain
