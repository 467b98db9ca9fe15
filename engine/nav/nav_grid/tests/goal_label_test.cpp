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
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const GridSubstrate ground = random_ground(random);
        const FieldConfig config = random_config(random);
        const std::vector<CellIndex> goals = random_goals(random, ground.geometry);
        const auto cells = static_cast<CellIndex>(ground.geometry.cell_count());
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
        EXPECT_EQ(labels, full.known_goal);
    }
}

/// Ground of which a strip is all goals. Beyond it every cell leads to the last one, through the
/// only gap in a wall.
class ManyGoals {
  public:
    explicit ManyGoals(std::size_t goals) {
        const auto low = static_cast<CellIndex>(ground_.geometry.cell_count() - goals);
        for (CellIndex cell = low; cell < ground_.geometry.cell_count(); ++cell) {
            goals_.push_back(cell);
        }
        const GridCoord gap = ground_.geometry.coord(low);
        std::swap(goals_.front(), goals_.back());
        for (std::int32_t y = 0; y < ground_.geometry.y_num(); ++y) {
            if (y != gap.y) block(ground_, {gap.x - 1, y});
        }
    }
    [[nodiscard]] FieldSolution solve(Labels labels) const {
        MoveMap moves;
        const FieldConfig config;
        moves.build(ground_, config);
        SolverScratch scratch;
        FieldSolution solution;
        solve_field({ground_, ground_.cost, moves}, config, goals_, scratch, solution,
                    FloodKernel::kFastest, nullptr, labels);
        return solution;
    }
    [[nodiscard]] const GridGeometry& geometry() const { return ground_.geometry; }
    [[nodiscard]] const std::vector<CellIndex>& goals() const { return goals_; }

  private:
    GridSubstrate ground_ = open_ground(512, 256);
    std::vector<CellIndex> goals_;
};

// proves: O-GRID-08
TEST(GoalLabel, IsNotAskedForAgainWhereItIsAsHighAsTheMarkOfNone) {
    for (const std::size_t count : {std::size_t{65'535}, std::size_t{65'536}}) {
        SCOPED_TRACE(count);
        const ManyGoals many(count);
        Layer layer;
        layer.solution = many.solve(Labels::kOnDemand);
        EXPECT_EQ(layer.solution.labelled, count == 65'536);
        const FieldSolution full = many.solve(Labels::kAll);
        const auto last = static_cast<std::uint16_t>(count - 1);
        std::size_t led = 0;
        for (CellIndex cell = 0; cell < many.geometry().cell_count(); ++cell) {
            const std::uint16_t label = layer.goal_label(many.geometry(), cell);
            ASSERT_EQ(label, full.known_goal[cell]);
            if (layer.reached(cell) && label == last) ++led;
        }
        EXPECT_GT(led, 250U * 250) << "all that lies beyond the wall";
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(layer.goal_label(many.geometry(), many.goals()[i]), i);
        }
    }
}

}  // namespace
}  // namespace maniple::nav
