#include "maniple/nav/environment_query.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "test_worlds.h"

namespace maniple::nav {
namespace {

FieldSetup traced_setup() {
    FieldSetup setup;
    setup.size_cm = {500, 300, 1000};
    setup.trace_ground = true;
    setup.trace_obstacles = true;
    return setup;
}

CellGround ask(const FieldSetup& setup, const WorldQuery& world, GridCoord cell = {2, 1},
               std::int32_t max_walkable_centideg = 4500) {
    const FieldSetup inside = clamped(setup).value();
    return EnvironmentQuery(grid_of(inside).value(), inside, max_walkable_centideg)
        .query(cell, world);
}

// proves: GRID-013, O-GRID-04, O-GRID-05
TEST(FieldSetup, ClampsEveryValueAndRoundsTheCellCountsHalfUp) {
    FieldSetup setup;
    setup.cell_size_cm = 0;
    setup.size_cm = {-5, 2.5, -1};
    setup.initial_cost = 300;
    setup.refresh_interval_s = -1;
    const FieldSetup inside = clamped(setup).value();
    EXPECT_EQ(inside.cell_size_cm, 1);
    EXPECT_EQ(inside.size_cm, (Vec3d{1, 2.5, 0}));
    EXPECT_EQ(inside.initial_cost, 255);
    EXPECT_EQ(inside.refresh_interval_s, 0);
    EXPECT_EQ(grid_of(inside)->x_num(), 1);
    EXPECT_EQ(grid_of(inside)->y_num(), 3);
    setup.initial_cost = -1;
    EXPECT_EQ(clamped(setup)->initial_cost, 0);
}

TEST(FieldSetup, RefusesWhatNoGridCanBe) {
    FieldSetup setup;
    setup.size_cm.x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(clamped(setup).error().code, ErrorCode::kBadValue);
    setup.size_cm = {3'200'000, 3'200'000, 0};
    setup.location_cm.z = std::numeric_limits<double>::infinity();
    EXPECT_EQ(clamped(setup).error().code, ErrorCode::kBadValue);
    setup.location_cm.z = 0;
    EXPECT_EQ(grid_of(setup).error().code, ErrorCode::kOverCap);
    setup.size_cm = {819'200, 819'200, 0};
    EXPECT_EQ(grid_of(setup)->cell_count(), static_cast<std::size_t>(kGridCellsMax));
    setup.size_cm.x += 100;
    EXPECT_EQ(grid_of(setup).error().code, ErrorCode::kOverCap);
    setup = {};
    setup.cell_size_cm = 62.5;
    EXPECT_EQ(grid_of(setup).error().code, ErrorCode::kBadValue);
}

// proves: GRID-030, O-GRID-19, O-GRID-20, O-GRID-34
TEST(EnvironmentQuery, GroundIsFoundInsideTheVolumeOnlyAndAMissIsEmpty) {
    FieldSetup setup = traced_setup();
    setup.location_cm.z = 50;
    const CellGround ground = ask(setup, flat_world(250));
    EXPECT_EQ(ground, (CellGround{CellType::kGround, 1, 200, {0, 0, 127}}));
    EXPECT_EQ(ask(setup, flat_world(50)).type, CellType::kGround);
    EXPECT_EQ(ask(setup, flat_world(1050)).type, CellType::kGround);
    const CellGround empty{CellType::kEmpty, 255, 0, {0, 0, 127}};
    EXPECT_EQ(ask(setup, flat_world(49)), empty);
    EXPECT_EQ(ask(setup, flat_world(1051)), empty);
}

// proves: GRID-031, O-GRID-10
TEST(EnvironmentQuery, SteeperThanTheWalkableAngleIsAnObstacleWithoutASecondTrace) {
    FormulaWorld world;
    const auto tilted = [&](float z) {
        world.ground = [z](double x, double y) {
            return SurfaceHit{{x, y, 10}, {std::sqrt(1 - z * z), 0, z}};
        };
    };
    tilted(0.5F);
    EXPECT_EQ(ask(traced_setup(), world, {2, 1}, 6000).type, CellType::kGround);
    EXPECT_EQ(ask(traced_setup(), world, {2, 1}, 5999).type, CellType::kObstacle);
    EXPECT_EQ(ask(traced_setup(), world, {2, 1}, 5999).cost, 255);
    tilted(0.0F);
    EXPECT_EQ(ask(traced_setup(), world, {2, 1}, 9000).type, CellType::kGround);

    tilted(0.1F);
    const FieldSetup setup = traced_setup();
    const EnvironmentQuery environment(grid_of(setup).value(), setup, 4500);
    EXPECT_FALSE(environment.after_ground({2, 1}, world.ground(0, 0)).obstacle_open);
}

// proves: GRID-032
TEST(EnvironmentQuery, TheObstacleSphereReachesHalfACellFromTheGroundPoint) {
    FormulaWorld world = flat_world(100);
    FieldSetup setup = traced_setup();
    world.boxes = {{{50, -10, 0}, {60, 10, 300}}};  // Cell (2,1) is centred on the origin.
    EXPECT_EQ(ask(setup, world), (CellGround{CellType::kObstacle, 255, 100, {0, 0, 127}}));
    world.boxes[0].low.x = 50.5;
    EXPECT_EQ(ask(setup, world).type, CellType::kGround);
    world.boxes[0].low = {0, 0, 151};
    world.boxes[0].high = {0, 0, 300};
    EXPECT_EQ(ask(setup, world).type, CellType::kGround);
    world.boxes[0].low.z = 150;
    EXPECT_EQ(ask(setup, world).type, CellType::kObstacle);
    setup.trace_obstacles = false;
    EXPECT_EQ(ask(setup, world).type, CellType::kGround);
}

// proves: GRID-033
TEST(EnvironmentQuery, WithoutGroundTracesTheFloorIsTheMiddleOfTheVolume) {
    FieldSetup setup = traced_setup();
    setup.trace_ground = false;
    FormulaWorld world;
    EXPECT_EQ(ask(setup, world), (CellGround{CellType::kGround, 1, 500, {0, 0, 127}}));
    world.boxes = {{{-1, -1, 520}, {1, 1, 530}}};
    EXPECT_EQ(ask(setup, world).type, CellType::kObstacle);
    EXPECT_EQ(ask(setup, world, {0, 0}).type, CellType::kGround);
}

// proves: GRID-034
TEST(EnvironmentQuery, AnInitialCostOf255IsAnObstacle) {
    FieldSetup setup = traced_setup();
    setup.initial_cost = 254;
    EXPECT_EQ(ask(setup, flat_world(0)).type, CellType::kGround);
    EXPECT_EQ(ask(setup, flat_world(0)).cost, 254);
    setup.initial_cost = 255;
    EXPECT_EQ(ask(setup, flat_world(0)).type, CellType::kObstacle);
}

// proves: GRID-029
TEST(EnvironmentQuery, AsksAtTheCentreThatWorldToGridGivesBack) {
    FieldSetup setup = traced_setup();
    setup.location_cm = {1234, -77, 0};
    setup.yaw_degrees = 30;
    const GridGeometry grid = grid_of(setup).value();
    const EnvironmentQuery environment(grid, setup, 4500);
    for (CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
        const auto line = environment.ground_line(grid.coord(cell));
        EXPECT_EQ(grid.world_to_grid({line.from.x, line.from.y}).coord, grid.coord(cell));
        EXPECT_EQ(line.from.z, 1000);
        EXPECT_EQ(line.to.z, 0);
    }
}

FormulaWorld hilly_world() {
    FormulaWorld world;
    world.ground = [](double x, double y) -> std::optional<SurfaceHit> {
        const double bump = (x - y) * (x + 2 * y) / 1e6;
        if (bump > 0.7) return std::nullopt;
        return SurfaceHit{{x, y, 500 + 400 * bump}, {0, 0, 1}};
    };
    world.boxes = {{{-900, -500, 0}, {-300, 400, 1000}}};
    return world;
}

// proves: GRID-022
TEST(BuildGround, IsTheCellsOneByOneForAnyNumberOfThreads) {
    FieldSetup setup = traced_setup();
    setup.size_cm = {30'000, 30'000, 1000};
    const FormulaWorld world = hilly_world();
    core::SerialExecutor serial;
    const GridSubstrate one = build_ground(setup, 4500, world, serial, {}).value();
    const auto executor = core::make_executor(3);
    const GridSubstrate three = build_ground(setup, 4500, world, *executor, {}).value();
    EXPECT_EQ(one.cost, three.cost);
    EXPECT_EQ(one.type, three.type);
    EXPECT_EQ(one.z_cm, three.z_cm);
    EXPECT_EQ(one.normal, three.normal);
    const EnvironmentQuery environment(one.geometry, setup, 4500);
    for (CellIndex cell = 0; cell < one.geometry.cell_count(); cell += 997) {
        const CellGround asked = environment.query(one.geometry.coord(cell), world);
        EXPECT_EQ(one.cost[cell], asked.cost);
        EXPECT_EQ(one.z_cm[cell], asked.z_cm);
    }
}

TEST(BuildGround, ReportsItsProgressAndStopsWhenTold) {
    FieldSetup setup;
    setup.size_cm = {30'000, 30'000, 1000};
    core::SerialExecutor serial;
    std::vector<std::size_t> reports;
    const auto all =
        build_ground(setup, 4500, FormulaWorld{}, serial, [&](std::size_t done, std::size_t total) {
            EXPECT_EQ(total, 90'000U);
            reports.push_back(done);
            return true;
        });
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(reports, (std::vector<std::size_t>{65'536, 90'000}));
    const auto stopped = build_ground(setup, 4500, FormulaWorld{}, serial,
                                      [](std::size_t, std::size_t) { return false; });
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace maniple::nav
