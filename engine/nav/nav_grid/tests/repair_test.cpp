#include <gtest/gtest.h>

#include "maniple/nav/solver.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

struct Random {
    std::mt19937 engine;
    std::int32_t below(std::int32_t bound) {
        return static_cast<std::int32_t>(engine() % static_cast<std::uint32_t>(bound));
    }
};

FieldConfig random_config(Random& random) {
    FieldConfig config;
    config.style = random.below(2) == 0 ? Style::kAdjacentFirst : Style::kDiagonalFirst;
    config.metric = random.below(3) != 0 ? Metric::kCells : Metric::kOctile;
    config.straight_first = random.below(4) == 0;
    config.ignore_internal_obstacles = random.below(3) != 0;
    config.distance_limit = random.below(2) == 0 ? 65'535U : 2'147'483'647U;
    if (random.below(4) == 0) config.distance_limit = 60;
    return config;
}

std::vector<CellIndex> random_goals(Random& random, const GridGeometry& g) {
    std::vector<CellIndex> goals;
    const std::int32_t count = random.below(2) == 0 ? 1 : random.below(4);
    for (std::int32_t i = 0; i < count; ++i) {
        goals.push_back(g.index({random.below(g.x_num()), random.below(g.y_num())}));
    }
    return goals;
}

CellRect random_edit(Random& random, GridSubstrate& ground) {
    const GridGeometry& g = ground.geometry;
    CellRect rect;
    rect.low = {random.below(g.x_num()), random.below(g.y_num())};
    rect.high = {std::min(rect.low.x + random.below(8), g.x_num() - 1),
                 std::min(rect.low.y + random.below(8), g.y_num() - 1)};
    const std::int32_t kind = random.below(4);
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        for (std::int32_t y = rect.low.y; y <= rect.high.y; ++y) {
            const CellIndex cell = g.index({x, y});
            if (kind == 0) block(ground, {x, y});
            if (kind == 1) ground.type[cell] = 1, ground.cost[cell] = 1;
            if (kind == 2) ground.cost[cell] = static_cast<std::uint8_t>(random.below(256));
            if (kind == 3) ground.z_cm[cell] = random.below(200);
        }
    }
    return rect;
}

void expect_repairs(std::uint32_t seed, std::uint32_t size_max, bool sparse) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random{std::mt19937(seed)};
    GridSubstrate ground = random_ground(random.engine, size_max);
    const GridGeometry& g = ground.geometry;
    if (sparse) {
        ground = open_ground(g.x_num(), g.y_num());
        for (std::size_t i = 0; i < ground.cost.size() / 400; ++i) random_edit(random, ground);
    }
    const FieldConfig config = random_config(random);
    MoveMap moves;
    moves.build(ground, config);
    SolverScratch scratch;
    FieldSolution repaired;
    std::vector<CellIndex> goals = random_goals(random, g);
    solve_field({ground, ground.cost, moves}, config, goals, scratch, repaired);
    for (int round = 0; round < 4; ++round) {
        const std::vector<CellIndex> goals_before = goals;
        if (random.below(3) == 0) goals = random_goals(random, g);
        std::vector<CellRect> edits;
        for (std::int32_t i = random.below(3); i > 0; --i) {
            edits.push_back(random_edit(random, ground));
            moves.update(ground, config, edits.back().low, edits.back().high);
        }
        repair_field({ground, ground.cost, moves}, config, goals, goals_before, edits, scratch,
                     repaired);
        FieldSolution solved;
        solve_field({ground, ground.cost, moves}, config, goals, scratch, solved);
        ASSERT_EQ(repaired.dist, solved.dist);
        ASSERT_EQ(repaired.goal, solved.goal);
        ASSERT_EQ(repaired.direction, solved.direction);
    }
}

TEST(FieldRepair, EqualsASolveOnSmallRandomMaps) {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) expect_repairs(seed, 24, false);
}

TEST(FieldRepair, EqualsASolveWhereItStaysLocal) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) expect_repairs(seed, 200, true);
}

}  // namespace
}  // namespace maniple::nav
