#include <algorithm>
#include <gtest/gtest.h>

#include "maniple/skirmish/command_plan.h"
#include "maniple/skirmish/map_edits.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::skirmish {
namespace {

MapFacts valley() {
    return *MapFacts::of(terrain::make_builtin_map("builtin:valley:128")->stream.view());
}

/// Level ground around a place.
Result<MapFacts> facts_at(std::int32_t x_cm, std::int32_t y_cm, std::int32_t x_num,
                          std::int32_t y_num) {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(x_cm, y_cm, 0, 0, x_num, y_num, 100);
    const std::size_t cells = ground.geometry.cell_count();
    ground.cost.assign(cells, 1);
    ground.type.assign(cells, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(cells, 0);
    ground.normal.assign(cells, {0, 0, 127});
    return MapFacts::of(substrate::write_grid_stream(ground).view());
}

TEST(MapFacts, RefusesAMapBeyondTheLatticeOfPositions) {
    const auto expect = [](const Result<MapFacts>& near, const Result<MapFacts>& far) {
        EXPECT_TRUE(near);
        ASSERT_FALSE(far);
        EXPECT_EQ(far.error().code, ErrorCode::kOverCap);
    };
    for (const std::int32_t side : {1, -1}) {
        SCOPED_TRACE(side);
        expect(facts_at(side * 2'000'000, 0, 1000, 1), facts_at(side * 2'100'000, 0, 1000, 1));
        expect(facts_at(0, side * 2'000'000, 1, 1000), facts_at(0, side * 2'100'000, 1, 1000));
    }
}

// proves: O-NET-14
TEST(CommandPlan, IsAPureFunctionOfMapUnitsSeedTeamAndTick) {
    const MapFacts facts = valley();
    const auto a = CommandPlan::make(facts, 401, 7);
    const auto b = CommandPlan::make(valley(), 401, 7);
    const auto other = CommandPlan::make(facts, 401, 8);
    for (const sim::Tick tick : {kChaseTick, kMoveTick, kSpawnTick, kMoveTick + 1}) {
        for (const std::int32_t team : {1, 0}) {
            EXPECT_EQ(a->commands_at(team, tick), b->commands_at(team, tick));
        }
    }
    EXPECT_FALSE(a->commands_at(0, kSpawnTick).empty());
    EXPECT_EQ(a->commands_at(0, kMoveTick).size(), 1U);
    EXPECT_TRUE(a->commands_at(1, kMoveTick).empty());
    EXPECT_EQ(a->commands_at(1, kMoveTick + 1).size(), 1U);
    EXPECT_NE(a->commands_at(0, kSpawnTick), other->commands_at(0, kSpawnTick));
}

TEST(CommandPlan, EveryUnitSpawnsOnItsOwnCellOfTheLargestComponent) {
    const MapFacts facts = valley();
    const auto plan = CommandPlan::make(facts, 2001, 3);
    std::vector<nav::CellIndex> cells = plan->spawn_zone(0);
    EXPECT_EQ(cells.size(), 1001U);
    cells.insert(cells.end(), plan->spawn_zone(1).begin(), plan->spawn_zone(1).end());
    std::sort(cells.begin(), cells.end());
    EXPECT_EQ(cells.size(), 2001U);
    EXPECT_EQ(std::unique(cells.begin(), cells.end()), cells.end());
    EXPECT_TRUE(std::ranges::all_of(cells, [&](auto cell) { return facts.in_field(cell); }));
}

TEST(MapEdits, WallsStandAndFallWithoutCuttingTheGround) {
    const MapFacts facts = valley();
    const auto plan = CommandPlan::make(facts, 200, 1);
    nav::FlowField field("ground", {});
    field.set_substrate(facts.ground);
    MapEdits edits(facts, *plan, 1);
    const std::uint32_t label = facts.components.label[facts.field_cells.front()];
    int raised = 0;
    for (int i = 0; i < 12; ++i) {
        const auto before = field.substrate().cost;
        edits.apply_next(field);
        if (field.substrate().cost != before) ++raised;
        std::size_t blocked = 0;
        for (const nav::CellIndex cell : facts.field_cells) {
            if (!field.passable(cell)) ++blocked;
        }
        const nav::Components& now = field.components();
        EXPECT_EQ(now.cell_count[now.largest()], facts.components.cell_count[label] - blocked);
        for (const std::int32_t team : {0, 1}) {
            for (const nav::CellIndex cell : plan->spawn_zone(team)) {
                EXPECT_TRUE(field.passable(cell));
            }
        }
    }
    EXPECT_GT(raised, 6);
}

}  // namespace
}  // namespace maniple::skirmish
