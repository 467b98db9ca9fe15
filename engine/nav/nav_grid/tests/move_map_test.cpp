#include "maniple/nav/move_map.h"

#include <gtest/gtest.h>

#include "maniple/nav/solver.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

std::uint8_t mask_at(const GridSubstrate& ground, GridCoord at, const FieldConfig& config = {}) {
    MoveMap moves;
    moves.build(ground, config);
    return moves[ground.geometry.index(at)];
}

// proves: GRID-037
TEST(MoveMap, EndsAtTheBorder) {
    const GridSubstrate ground = open_ground(3, 3);
    EXPECT_EQ(mask_at(ground, {1, 1}), 0xFF);
    EXPECT_EQ(mask_at(ground, {0, 0}), 0b0001'0011);  // E, N, NE
    EXPECT_EQ(mask_at(ground, {2, 2}), 0b0100'1100);  // W, S, SW
    EXPECT_EQ(mask_at(open_ground(1, 1), {0, 0}), 0);
}

// proves: GRID-038, O-GRID-09, O-GRID-25
TEST(MoveMap, AWallClosesItsCellAndTheStepsThatSqueezePastIt) {
    GridSubstrate ground = open_ground(3, 3);
    block(ground, {2, 1});
    EXPECT_EQ(mask_at(ground, {1, 1}), 0b0110'1110);  // all but E, NE and SE
    EXPECT_EQ(mask_at(ground, {2, 1}), 0);
    FieldConfig through;
    through.ignore_internal_obstacles = false;
    EXPECT_EQ(mask_at(ground, {1, 1}, through), 0b0110'1111) << "E may be entered, no corner cut";
}

// proves: O-GRID-26
TEST(MoveMap, AnEmptyCellIsNeverEnteredAndBlocksNoCorner) {
    GridSubstrate ground = open_ground(3, 3);
    ground.type[ground.geometry.index({2, 1})] = static_cast<std::uint8_t>(CellType::kEmpty);
    FieldConfig through;
    through.ignore_internal_obstacles = false;
    EXPECT_EQ(mask_at(ground, {1, 1}, through), 0b1111'1110);
}

// proves: GRID-039, O-GRID-10
TEST(MoveMap, ADiagonalStepMayRiseFurther) {
    GridSubstrate ground = open_ground(2, 2);
    ground.z_cm[ground.geometry.index({1, 1})] = 141;  // run 141.42 cm at 45 degrees
    EXPECT_EQ(mask_at(ground, {0, 0}), 0b0001'0011);
    ground.z_cm[ground.geometry.index({1, 1})] = 142;
    EXPECT_EQ(mask_at(ground, {0, 0}), 0b0000'0011);
    ground.z_cm[ground.geometry.index({1, 1})] = 2'147'483'647;
    ground.z_cm[ground.geometry.index({0, 0})] = -2'147'483'647;
    FieldConfig any_slope;
    any_slope.max_walkable_centideg = 9000;
    EXPECT_EQ(mask_at(ground, {0, 0}), 0b0000'0000);
    EXPECT_EQ(mask_at(ground, {0, 0}, any_slope), 0b0001'0011);
}

TEST(MoveMap, AnUpdateAroundAnEditEqualsABuild) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        GridSubstrate ground = random_ground(random);
        FieldConfig config;
        config.ignore_internal_obstacles = random() % 2 == 0;
        MoveMap updated;
        updated.build(ground, config);
        const GridGeometry& g = ground.geometry;
        const GridCoord low = g.coord(static_cast<CellIndex>(random() % g.cell_count()));
        const GridCoord high{std::min(low.x + 3, g.x_num() - 1),
                             std::min(low.y + 2, g.y_num() - 1)};
        for (std::int32_t x = low.x; x <= high.x; ++x) {
            for (std::int32_t y = low.y; y <= high.y; ++y) {
                const CellIndex cell = g.index({x, y});
                ground.type[cell] = static_cast<std::uint8_t>(random() % 3);
                ground.cost[cell] = random() % 2 == 0 ? kImpassableCost : 7;
                ground.z_cm[cell] = static_cast<std::int32_t>(random() % 300);
            }
        }
        updated.update(ground, config, low, high);
        MoveMap built;
        built.build(ground, config);
        ASSERT_EQ(updated, built);
    }
}

// proves: O-GRID-13
TEST(MoveMap, OpeningAGoalOnAnEmptyCellLetsItsNeighboursIn) {
    GridSubstrate ground = open_ground(3, 1);
    ground.type[0] = static_cast<std::uint8_t>(CellType::kEmpty);
    ground.cost[0] = kImpassableCost;
    MoveMap moves;
    moves.build(ground, {});
    EXPECT_EQ(moves[1], 0b0001);
    const CellIndex goals[] = {0};
    moves.open_goals(ground, {}, goals);
    EXPECT_EQ(moves[1], 0b0101);
    EXPECT_EQ(moves[0], 0b0001);
}

TEST(MoveMap, CallsAGroundWindingWhenMostCellsTouchAWall) {
    GridSubstrate ground = open_ground(64, 64);
    MoveMap moves;
    moves.build(ground, {});
    EXPECT_FALSE(moves.is_winding());
    for (std::int32_t x = 0; x < 64; ++x) {
        for (std::int32_t y = x % 2; y < 64; y += 4) block(ground, {x, y});
    }
    moves.build(ground, {});
    EXPECT_TRUE(moves.is_winding());
}

}  // namespace
}  // namespace maniple::nav
