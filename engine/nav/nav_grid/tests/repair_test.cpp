#include <algorithm>
#include <gtest/gtest.h>

#include "maniple/nav/layer.h"
#include "maniple/nav/solver.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

std::int32_t below(std::mt19937& random, std::int32_t bound) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(bound));
}

CellRect random_edit(std::mt19937& random, GridSubstrate& ground) {
    const GridGeometry& g = ground.geometry;
    CellRect rect;
    rect.low = {below(random, g.x_num()), below(random, g.y_num())};
    rect.high = {std::min(rect.low.x + below(random, 8), g.x_num() - 1),
                 std::min(rect.low.y + below(random, 8), g.y_num() - 1)};
    const std::int32_t kind = below(random, 4);
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        for (std::int32_t y = rect.low.y; y <= rect.high.y; ++y) {
            const CellIndex cell = g.index({x, y});
            if (kind == 0) block(ground, {x, y});
            if (kind == 1) ground.type[cell] = 1, ground.cost[cell] = 1;
            if (kind == 2) ground.cost[cell] = static_cast<std::uint8_t>(below(random, 256));
            if (kind == 3) ground.z_cm[cell] = below(random, 200);
        }
    }
    return rect;
}

/// Repaired again and again; its labels are asked for, some of them, after each repair.
class Repaired {
  public:
    Repaired(std::mt19937& random, const FieldConfig& config, Labels labels)
        : random_(random), config_(config), labels_(labels) {}

    void solve(const SolverGround& ground, const std::vector<CellIndex>& goals) {
        solve_field(ground, config_, goals, scratch_, layer_.solution, FloodKernel::kFastest,
                    nullptr, labels_);
    }
    void repair(const SolverGround& ground, const std::vector<CellIndex>& goals,
                const std::vector<CellIndex>& goals_before, const std::vector<CellRect>& edits) {
        repair_field(ground, config_, goals, goals_before, edits, scratch_, layer_.solution,
                     labels_);
    }
    void expect_equal(const GridGeometry& geometry, const FieldSolution& solved) {
        ASSERT_EQ(layer_.solution.dist, solved.dist);
        ASSERT_EQ(layer_.solution.direction, solved.direction);
        const std::uint32_t share = labels_ == Labels::kAll ? 1 : 1 + random_() % 8;
        for (CellIndex cell = 0; cell < geometry.cell_count(); ++cell) {
            if (random_() % share != 0) continue;
            ASSERT_EQ(layer_.goal_label(geometry, cell), solved.known_goal[cell]) << cell;
        }
    }

  private:
    std::mt19937& random_;
    const FieldConfig& config_;
    Labels labels_;
    SolverScratch scratch_;
    Layer layer_;
};

/// New ones, or one or several of those there were: the ways to a goal that stays are as they were,
/// under another label.
std::vector<CellIndex> other_goals(std::mt19937& random, const GridGeometry& geometry,
                                   std::vector<CellIndex> goals) {
    if (below(random, 2) == 0) goals = random_goals(random, geometry);
    std::shuffle(goals.begin(), goals.end(), random);
    if (below(random, 2) == 0) goals.resize(1);
    return goals;
}

void expect_repairs(std::uint32_t seed, std::uint32_t size_max, bool sparse, Labels labels) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    GridSubstrate ground = random_ground(random, size_max);
    const GridGeometry& g = ground.geometry;
    if (sparse) {
        ground = open_ground(g.x_num(), g.y_num());
        for (std::size_t i = 0; i < ground.cost.size() / 400; ++i) random_edit(random, ground);
    }
    FieldConfig config = random_config(random);
    if (labels == Labels::kOnDemand) {  // What it takes to be on demand.
        config.style = Style::kAdjacentFirst;
        config.straight_first = false;
        config.ignore_internal_obstacles = true;
    }
    MoveMap moves;
    moves.build(ground, config);
    const SolverGround solved_ground{ground, ground.cost, moves};
    Repaired repaired(random, config, labels);
    std::vector<CellIndex> goals = random_goals(random, g);
    repaired.solve(solved_ground, goals);
    for (int round = 0; round < 4; ++round) {
        const std::vector<CellIndex> goals_before = goals;
        if (below(random, 3) == 0) goals = other_goals(random, g, goals);
        std::vector<CellRect> edits;
        for (std::int32_t i = below(random, 3); i > 0; --i) {
            edits.push_back(random_edit(random, ground));
            moves.update(ground, config, edits.back().low, edits.back().high);
        }
        repaired.repair(solved_ground, goals, goals_before, edits);
        SolverScratch scratch;
        FieldSolution solved;
        solve_field(solved_ground, config, goals, scratch, solved);
        repaired.expect_equal(g, solved);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(FieldRepair, EqualsASolveOnSmallRandomMaps) {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        expect_repairs(seed, 24, false, Labels::kAll);
    }
}

TEST(FieldRepair, EqualsASolveWhereItStaysLocal) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        expect_repairs(seed, 200, true, Labels::kAll);
    }
}

// proves: O-GRID-08
TEST(FieldRepair, LeavesNoLabelOfOtherGoalsToWhoeverAsksLater) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        expect_repairs(seed, 40, seed % 2 == 0, Labels::kOnDemand);
    }
}

}  // namespace
}  // namespace maniple::nav
