#include <algorithm>
#include <gtest/gtest.h>

#include "maniple/nav/flow_field.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

const std::vector<Vec3d> kGoals{{-1000, 900, 0}};

void expect_fresh(const FlowField& edited, LayerHandle handle) {
    FlowField fresh("ground", edited.config());
    fresh.set_substrate(edited.substrate());
    const LayerHandle layer = fresh.get_or_acquire_layer(kGoals);
    EXPECT_EQ(edited.moves(), fresh.moves());
    EXPECT_EQ(edited.components().label, fresh.components().label);
    EXPECT_EQ(edited.components().cell_count, fresh.components().cell_count);
    for (const auto& [here, there] :
         {std::pair{&edited.default_layer(), &fresh.default_layer()},
          std::pair{edited.find_layer(handle), fresh.find_layer(layer)}}) {
        EXPECT_TRUE(here->solved);
        EXPECT_EQ(here->solution.dist, there->solution.dist);
        for (CellIndex cell = 0; cell < edited.geometry().cell_count(); ++cell) {
            EXPECT_EQ(here->goal_label(edited.geometry(), cell),
                      there->goal_label(fresh.geometry(), cell));
        }
        EXPECT_EQ(here->solution.direction, there->solution.direction);
    }
}

GridSubstrate start_ground() {
    GridSubstrate ground = open_ground(90, 80);
    for (std::int32_t y = 0; y < 60; ++y) block(ground, {40, y});
    ground.goals_cm.push_back({2000, 0, 0});
    return ground;
}

TEST(FieldEdits, ACommittedFieldEqualsAFreshOneOfItsGround) {
    FlowField field("ground", {});
    field.set_substrate(start_ground());
    const LayerHandle layer = field.get_or_acquire_layer(kGoals);
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::int32_t>(random() % bound);
    };
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 1 + round % 3; ++i) {
            const GridCoord low{below(95) - 3, below(85) - 3};
            const GridCoord high{low.x + below(9), low.y + below(9)};
            const bool wall = below(2) == 0;
            field.set_cells(low, high, wall ? CellType::kObstacle : CellType::kGround,
                            wall ? kImpassableCost : static_cast<std::uint8_t>(below(5)));
        }
        field.commit_edits();
        SCOPED_TRACE("round " + std::to_string(round));
        expect_fresh(field, layer);
    }
}

TEST(FieldEdits, AGroundGivenBackWithItsChangesEqualsAFreshOne) {
    FlowField field("ground", {});
    field.set_substrate(start_ground());
    const LayerHandle layer = field.get_or_acquire_layer(kGoals);
    std::mt19937 random(9);
    for (const std::size_t changes : {0U, 1U, 12U, 300U, 3000U}) {
        GridSubstrate ground = field.take_substrate();
        std::vector<CellIndex> changed;
        while (changed.size() < changes) {
            changed.push_back(static_cast<CellIndex>(random() % ground.cost.size()));
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        for (const CellIndex cell : changed) {
            ground.type[cell] = static_cast<std::uint8_t>(random() % 3);
            ground.cost[cell] = ground.type[cell] == 1 ? 3 : kImpassableCost;
            ground.z_cm[cell] = static_cast<std::int32_t>(random() % 120);
        }
        ground.goals_cm[0][1] += 100;
        field.set_substrate(std::move(ground), changed);
        SCOPED_TRACE(std::to_string(changes) + " changes");
        expect_fresh(field, layer);
    }
}

}  // namespace
}  // namespace maniple::nav
