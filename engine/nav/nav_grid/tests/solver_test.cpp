#include "maniple/nav/solver.h"

#include <gtest/gtest.h>
#include <random>

#include "maniple/core/math.h"

#include "random_ground.h"
#include "reference_solver.h"

namespace maniple::nav {
namespace {

FieldSolution solve(const GridSubstrate& ground, const FieldConfig& config,
                    const std::vector<CellIndex>& goals,
                    FloodKernel kernel = FloodKernel::kFastest) {
    MoveMap moves;
    moves.build(ground, config);
    SolverScratch scratch;
    FieldSolution solution;
    solve_field({ground, ground.cost, moves}, config, goals, scratch, solution, kernel);
    return solution;
}

// proves: GRID-036, GRID-040, O-GRID-07
TEST(GridSolver, DiagonalStepsCostTheSameAsStraightOnes) {
    const GridSubstrate ground = open_ground(5, 5);
    const CellIndex goal = ground.geometry.index({0, 0});
    EXPECT_EQ(solve(ground, {}, {goal}).dist[ground.geometry.index({4, 4})], 4U);
    FieldConfig four;
    four.style = Style::kDiagonalFirst;
    EXPECT_EQ(solve(ground, four, {goal}).dist[ground.geometry.index({4, 4})], 8U);
}

// proves: O-GRID-09
TEST(GridSolver, NeverCutsTheCornerOfAnObstacle) {
    GridSubstrate ground = open_ground(3, 3);
    block(ground, {1, 0});
    const FieldSolution field = solve(ground, {}, {ground.geometry.index({0, 0})});
    // From (1,1) the way to (0,0) would squeeze past (1,0): west first instead.
    EXPECT_EQ(field.direction[ground.geometry.index({1, 1})], 2);
    EXPECT_EQ(field.dist[ground.geometry.index({1, 1})], 2U);
}

// proves: O-GRID-08, O-GRID-09
TEST(GridSolver, EqualNeighboursFallToTheFirstInCandidateOrder) {
    const GridSubstrate ground = open_ground(5, 1);
    const FieldSolution field =
        solve(ground, {}, {ground.geometry.index({0, 0}), ground.geometry.index({4, 0})});
    const CellIndex middle = ground.geometry.index({2, 0});
    EXPECT_EQ(field.direction[middle], 0);  // East before West.
    EXPECT_EQ(field.known_goal[middle], 1);
}

// proves: GRID-005, O-GRID-02
TEST(GridSolver, StopsExactlyBelowTheDistanceLimit) {
    const GridSubstrate ground = open_ground(400, 1, 250);
    const FieldSolution field = solve(ground, {}, {0});
    EXPECT_EQ(field.dist[262], 65'500U);
    for (CellIndex cell = 263; cell < 400; ++cell) {
        EXPECT_EQ(field.dist[cell], 65'535U);
        EXPECT_EQ(field.direction[cell], kNoDirection);
    }
    FieldConfig wide;
    wide.distance_limit = 65'751;
    EXPECT_EQ(solve(ground, wide, {0}).dist[263], 65'750U);
}

// proves: GRID-043, O-GRID-12
TEST(GridSolver, StraightFirstLooksPastTheGoalsOwnZeroCost) {
    GridSubstrate ground = open_ground(21, 21);
    FieldConfig straight;
    straight.straight_first = true;
    const CellIndex goal = ground.geometry.index({3, 5});
    const CellIndex knight = ground.geometry.index({5, 6});
    EXPECT_EQ(solve(ground, straight, {goal}).direction[knight], kStraightToGoal);
    block(ground, {4, 6});
    block(ground, {4, 5});
    EXPECT_NE(solve(ground, straight, {goal}).direction[knight], kStraightToGoal);
}

// proves: O-GRID-28
TEST(GridSolver, ZeroCostGroundStillLeadsToTheGoal) {
    const GridSubstrate ground = open_ground(6, 1, 0);
    const FieldSolution field = solve(ground, {}, {0});
    for (CellIndex cell = 1; cell < 6; ++cell) EXPECT_EQ(field.direction[cell], 2);
}

// proves: GRID-039, O-GRID-10
TEST(GridSolver, ClimbsExactlyTheWalkableAngle) {
    GridSubstrate ground = open_ground(2, 1);
    ground.z_cm[1] = 100;
    EXPECT_EQ(solve(ground, {}, {0}).dist[1], 1U);
    ground.z_cm[1] = 101;
    EXPECT_EQ(solve(ground, {}, {0}).dist[1], 65'535U);
}

// proves: O-GRID-13, O-GRID-25
TEST(GridSolver, AGoalOnAnObstacleIsAGoalAllTheSame) {
    GridSubstrate ground = open_ground(3, 1);
    block(ground, {0, 0});
    const FieldSolution field = solve(ground, {}, {0});
    EXPECT_EQ(field.dist[0], 0U);
    EXPECT_EQ(field.dist[2], 2U);
    EXPECT_EQ(ground.type[0], static_cast<std::uint8_t>(CellType::kObstacle));
}

// proves: GRID-035, GRID-037, GRID-038, GRID-041, GRID-042, GRID-044, O-GRID-26, O-GRID-29
TEST(GridSolver, AgreesWithTheReferenceOnRandomMaps) {
    for (std::uint32_t seed = 1; seed <= 600; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const GridSubstrate ground = random_ground(random);
        const FieldConfig config = random_config(random);
        const std::vector<CellIndex> goals = random_goals(random, ground.geometry);
        const FloodKernel kernel = random() % 2 == 0 ? FloodKernel::kDial : FloodKernel::kTiles;
        const FieldSolution fast = solve(ground, config, goals, kernel);
        const ReferenceSolution slow = reference_solve(ground, config, goals);
        for (CellIndex cell = 0; cell < slow.dist.size(); ++cell) {
            ASSERT_EQ(fast.dist[cell], slow.dist[cell]) << "cell " << cell;
        }
        ASSERT_EQ(fast.known_goal, slow.goal);
        ASSERT_EQ(fast.direction, slow.direction);
    }
}

// proves: GRID-035, O-GRID-08
TEST(GridSolver, EveryKernelGivesTheSameBits) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        GridSubstrate ground = random_ground(random, 300);
        if (random() % 2 == 0) ground.type.assign(ground.type.size(), 1);
        const FieldConfig config = random_config(random);
        const std::vector<CellIndex> goals = random_goals(random, ground.geometry);
        const FieldSolution dial = solve(ground, config, goals, FloodKernel::kDial);
        const FieldSolution tiles = solve(ground, config, goals, FloodKernel::kTiles);
        const FieldSolution fastest = solve(ground, config, goals);
        ASSERT_EQ(dial.dist, tiles.dist);
        ASSERT_EQ(dial.known_goal, tiles.known_goal);
        ASSERT_EQ(dial.direction, tiles.direction);
        ASSERT_EQ(dial.dist, fastest.dist);
    }
}

// proves: GRID-041
TEST(GridSolver, AnyNumberOfThreadsGivesTheSameBits) {
    std::mt19937 random(5);
    const GridSubstrate ground = open_ground(700, 400);
    const std::vector<CellIndex> goals{static_cast<CellIndex>(random() % 280'000), 77};
    MoveMap moves;
    for (const Style style : {Style::kAdjacentFirst, Style::kDiagonalFirst}) {
        for (const Metric metric : {Metric::kCells, Metric::kOctile}) {
            FieldConfig config = FieldConfig::of(metric);
            config.style = style;
            moves.build(ground, config);
            SolverScratch scratch;
            FieldSolution alone;
            solve_field({ground, ground.cost, moves}, config, goals, scratch, alone);
            for (const int threads : {1, 2, 7, 16}) {
                const auto executor = core::make_executor(threads);
                FieldSolution shared;
                solve_field({ground, ground.cost, moves}, config, goals, scratch, shared,
                            FloodKernel::kFastest, executor.get());
                EXPECT_EQ(shared.direction, alone.direction) << threads;
                EXPECT_EQ(shared.known_goal, alone.known_goal) << threads;
                EXPECT_EQ(shared.dist, alone.dist) << threads;
            }
        }
    }
}

}  // namespace
}  // namespace maniple::nav
