// Every vector target this machine has, forced one after the other, against the scalar kernels.
#include <gtest/gtest.h>

#include "maniple/nav/solver.h"

#include "direction_pass.h"
#include "random_ground.h"

#if defined(MANIPLE_NAV_SIMD)
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace maniple::nav {
namespace {

FieldConfig random_config(std::mt19937& random) {
    FieldConfig config;
    config.style = random() % 3 == 0 ? Style::kDiagonalFirst : Style::kAdjacentFirst;
    config.metric = random() % 3 == 0 ? Metric::kOctile : Metric::kCells;
    config.distance_limit = random() % 2 == 0 ? 65'535U : 2'147'483'647U;
    if (random() % 4 == 0) config.distance_limit = 1 + static_cast<std::uint32_t>(random() % 300);
    return config;
}

void expect_equal_kernels(std::uint32_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const GridSubstrate ground = random_ground(random, 200);
    const FieldConfig config = random_config(random);
    std::vector<CellIndex> goals;
    for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
        goals.push_back(static_cast<CellIndex>(random() % ground.cost.size()));
    }
    MoveMap moves;
    moves.build(ground, config);
    SolverScratch scratch;
    FieldSolution dial;
    FieldSolution tiles;
    const SolverGround solved{ground, ground.cost, moves};
    solve_field(solved, config, goals, scratch, dial, FloodKernel::kDial);
    solve_field(solved, config, goals, scratch, tiles, FloodKernel::kTiles);
    ASSERT_EQ(tiles.dist, dial.dist);
    ASSERT_EQ(tiles.known_goal, dial.known_goal);
    ASSERT_EQ(tiles.direction, dial.direction);
    std::vector<std::uint8_t> simd(ground.cost.size());
    std::vector<std::uint8_t> scalar(ground.cost.size());
    for (const bool with_simd : {true, false}) {
        write_best_neighbours(ground, moves.data(), config, 0xFF, dial.dist,
                              with_simd ? simd.data() : scalar.data(), with_simd);
    }
    ASSERT_EQ(simd, scalar);
}

// proves: GRID-035, GRID-044
TEST(GridKernels, GiveTheSameBitsOnEveryTargetOfTheMachine) {
    const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    ASSERT_FALSE(targets.empty());
    for (const std::int64_t target : targets) {
        hwy::SetSupportedTargetsForTest(target);
        SCOPED_TRACE(hwy::TargetName(target));
        for (std::uint32_t seed = 1; seed <= 25; ++seed) expect_equal_kernels(seed);
    }
    hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace maniple::nav
#endif
