#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "maniple/nav/solver.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

/// Bresenham cell by cell, as O-GRID-12 says it.
bool sees(const GridGeometry& g, const std::vector<bool>& opaque, GridCoord at, GridCoord goal) {
    const std::int32_t dx = std::abs(goal.x - at.x);
    const std::int32_t dy = std::abs(goal.y - at.y);
    const std::int32_t sx = goal.x > at.x ? 1 : -1;
    const std::int32_t sy = goal.y > at.y ? 1 : -1;
    const GridCoord start = at;
    for (std::int32_t e = dx - dy; !(at == goal);) {
        if (!(at == start) && opaque[g.index(at)]) return false;
        const std::int32_t e2 = 2 * e;
        if (e2 > -dy) e -= dy, at.x += sx;
        if (e2 < dx) e += dx, at.y += sy;
    }
    return true;
}

void expect_sights(GridSubstrate ground, const std::vector<CellIndex>& goals, std::mt19937& random,
                   bool with_modifiers) {
    const std::vector<std::uint8_t> base = ground.cost;
    if (with_modifiers) {
        for (int i = 0; i < 5; ++i) ground.cost[random() % ground.cost.size()] = 9;
    }
    FieldConfig config;
    MoveMap moves;
    moves.build(ground, config);
    SolverScratch scratch;
    FieldSolution plain;
    solve_field({ground, base, moves}, config, goals, scratch, plain);
    config.straight_first = true;
    FieldSolution straight;
    solve_field({ground, base, moves}, config, goals, scratch, straight);
    std::vector<bool> opaque;
    for (CellIndex cell = 0; cell < base.size(); ++cell) {
        const bool goal = std::find(goals.begin(), goals.end(), cell) != goals.end();
        const std::uint8_t now = goal ? 0 : ground.cost[cell];
        opaque.push_back(now == kImpassableCost || now != base[cell]);
    }
    const GridGeometry& g = ground.geometry;
    for (CellIndex cell = 0; cell < base.size(); ++cell) {
        const bool seen = plain.direction[cell] != kNoDirection &&
                          sees(g, opaque, g.coord(cell), g.coord(goals[plain.known_goal[cell]]));
        const std::uint8_t expected = seen ? std::uint8_t{kStraightToGoal} : plain.direction[cell];
        ASSERT_EQ(straight.direction[cell], expected)
            << "cell " << g.coord(cell).x << ',' << g.coord(cell).y;
    }
}

// proves: GRID-043, O-GRID-12
TEST(LineOfSight, IsTheCellByCellLineOnRandomMaps) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const auto size = [&] { return 1 + static_cast<std::int32_t>(random() % 260); };
        const std::int32_t x_num = size();
        GridSubstrate ground = open_ground(x_num, size());
        const std::size_t walls = random() % (ground.cost.size() / 50 + 2);
        for (std::size_t i = 0; i < walls; ++i) {
            block(ground,
                  ground.geometry.coord(static_cast<CellIndex>(random() % ground.cost.size())));
        }
        std::vector<CellIndex> goals;
        for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
            goals.push_back(static_cast<CellIndex>(random() % ground.cost.size()));
        }
        expect_sights(ground, goals, random, random() % 2 == 0);
    }
}

// proves: GRID-043, O-GRID-12
TEST(LineOfSight, StepsSidewaysOnlyPastTheHalfInEveryOctant) {
    // From (10,10) a knight's line to (±2, ±1) passes the cell straight ahead: at half a cell it
    // does not step aside yet.
    for (const GridCoord d :
         {GridCoord{2, 1}, {2, -1}, {-2, 1}, {-2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}}) {
        const bool along_x = std::abs(d.x) == 2;
        const GridCoord ahead = along_x ? GridCoord{10 + d.x / 2, 10} : GridCoord{10, 10 + d.y / 2};
        const GridCoord aside{ahead.x + (along_x ? 0 : d.x), ahead.y + (along_x ? d.y : 0)};
        for (const bool blocked_ahead : {true, false}) {
            GridSubstrate ground = open_ground(21, 21);
            block(ground, blocked_ahead ? ahead : aside);
            FieldConfig config;
            config.straight_first = true;
            MoveMap moves;
            moves.build(ground, config);
            SolverScratch scratch;
            FieldSolution field;
            const CellIndex goal = ground.geometry.index({10 + d.x, 10 + d.y});
            solve_field({ground, ground.cost, moves}, config, {&goal, 1}, scratch, field);
            EXPECT_EQ(field.direction[ground.geometry.index({10, 10})] == kStraightToGoal,
                      !blocked_ahead)
                << d.x << ',' << d.y;
        }
    }
}

// proves: GRID-043, O-GRID-12
TEST(LineOfSight, IsLostOverACellWhoseCostAModifierRaised) {
    GridSubstrate ground = open_ground(21, 21);
    const std::vector<std::uint8_t> base = ground.cost;
    FieldConfig config;
    config.straight_first = true;
    MoveMap moves;
    moves.build(ground, config);
    SolverScratch scratch;
    FieldSolution field;
    const CellIndex goal = ground.geometry.index({3, 5});
    const CellIndex knight = ground.geometry.index({7, 7});
    const auto sees_goal = [&] {
        solve_field({ground, base, moves}, config, {&goal, 1}, scratch, field);
        return field.direction[knight] == kStraightToGoal;
    };
    EXPECT_TRUE(sees_goal());
    ground.cost[ground.geometry.index({5, 6})] = 2;
    EXPECT_FALSE(sees_goal());
    ground.cost[ground.geometry.index({5, 6})] = 1;
    EXPECT_TRUE(sees_goal());
}

}  // namespace
}  // namespace maniple::nav
