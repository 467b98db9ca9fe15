// Which goal a cell's way leads to, found when somebody asks.
#include <gtest/gtest.h>
#include <random>

#include "maniple/core/executor.h"
#include "maniple/nav/layer.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

// proves: O-GRID-08
TEST(GoalLabel, IsThatOfTheSolveWhoeverAsksAndInWhateverOrder) {
    const auto executor = core::make_executor(4);
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const GridSubstrate ground = random_ground(random);
        FieldConfig config;
        config.style = random() % 4 == 0 ? Style::kDiagonalFirst : Style::kAdjacentFirst;
        config.metric = random() % 2 == 0 ? Metric::kCells : Metric::kOctile;
        config.straight_first = random() % 4 == 0;
        config.ignore_internal_obstacles = random() % 4 != 0;
        std::vector<CellIndex> goals;
        const auto cells = static_cast<CellIndex>(ground.geometry.cell_count());
        for (int i = 0; i < 5; ++i) goals.push_back(static_cast<CellIndex>(random() % cells));
        MoveMap moves;
        moves.build(ground, config);
        SolverScratch scratch;
        FieldSolution full;
        solve_field({ground, ground.cost, moves}, config, goals, scratch, full);

        Layer layer;
        solve_field({ground, ground.cost, moves}, config, goals, scratch, layer.solution,
                    FloodKernel::kFastest, nullptr, Labels::kOnDemand);
        for (CellIndex cell = 0; cell < cells; ++cell) {  // A modifier turns some cells around.
            if (random() % 8 != 0) continue;
            layer.modified.push_back({cell, {1, 0, 0}, layer.solution.direction[cell]});
            layer.solution.direction[cell] = kModified;
        }
        std::vector<std::uint16_t> labels(cells);
        core::for_blocks(*executor, cells, 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t cell = end; cell-- > begin;) {
                labels[cell] = layer.goal_label(ground.geometry, static_cast<CellIndex>(cell));
            }
        });
        EXPECT_EQ(labels, full.goal);
    }
}

}  // namespace
}  // namespace maniple::nav
