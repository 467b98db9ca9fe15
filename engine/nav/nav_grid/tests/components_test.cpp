#include <gtest/gtest.h>

#include "maniple/nav/solver.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

// Labels found by flooding from every cell in index order.
Components flooded(const GridSubstrate& ground, const FieldConfig& config) {
    MoveMap moves;
    moves.build(ground, config);
    const int neighbours = config.style == Style::kAdjacentFirst ? 8 : 4;
    const auto stands = [&](CellIndex cell) {
        return ground.type[cell] == 1 && ground.cost[cell] != kImpassableCost;
    };
    Components found;
    found.label.assign(ground.geometry.cell_count(), Components::kNone);
    for (CellIndex first = 0; first < ground.geometry.cell_count(); ++first) {
        if (!stands(first) || found.label[first] != Components::kNone) continue;
        const auto label = static_cast<std::uint32_t>(found.cell_count.size());
        found.cell_count.push_back(0);
        std::vector<CellIndex> open{first};
        found.label[first] = label;
        while (!open.empty()) {
            const CellIndex cell = open.back();
            open.pop_back();
            ++found.cell_count[label];
            for (int n = 0; n < neighbours; ++n) {
                if ((moves[cell] >> n & 1) == 0) continue;
                const GridCoord at = ground.geometry.coord(cell);
                const GridCoord d = kNeighbours[static_cast<std::size_t>(n)];
                const CellIndex to = ground.geometry.index({at.x + d.x, at.y + d.y});
                if (!stands(to) || found.label[to] != Components::kNone) continue;
                found.label[to] = label;
                open.push_back(to);
            }
        }
    }
    return found;
}

TEST(Components, AreWhatFloodsReachNumberedByFirstCell) {
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const GridSubstrate ground = random_ground(random, 40);
        FieldConfig config;
        config.style = random() % 2 == 0 ? Style::kAdjacentFirst : Style::kDiagonalFirst;
        config.ignore_internal_obstacles = random() % 2 == 0;
        const Components slow = flooded(ground, config);
        const Components fast = label_components(ground, config);
        ASSERT_EQ(fast.label, slow.label);
        ASSERT_EQ(fast.cell_count, slow.cell_count);
    }
}

TEST(Components, TheLowestOfTheLargestIsTheLargest) {
    GridSubstrate ground = open_ground(5, 1);
    block(ground, {2, 0});
    const Components two = label_components(ground, {});
    EXPECT_EQ(two.cell_count, (std::vector<std::uint32_t>{2, 2}));
    EXPECT_EQ(two.largest(), 0U);
    GridSubstrate none = open_ground(1, 1);
    block(none, {0, 0});
    EXPECT_EQ(label_components(none, {}).largest(), Components::kNone);
}

}  // namespace
}  // namespace maniple::nav
