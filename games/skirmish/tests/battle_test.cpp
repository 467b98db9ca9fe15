#include "maniple/skirmish/battle.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace maniple::skirmish {
namespace {

terrain::GridMap valley() { return *terrain::make_builtin_map("builtin:valley:128"); }

std::vector<std::uint64_t> trace(core::Executor& executor, const BattleOptions& options,
                                 int ticks) {
    auto battle = LocalBattle::make(valley(), options, executor);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < ticks; ++i) hashes.push_back((*battle)->step().value());
    return hashes;
}

TEST(Battle, BothArmiesLoseUnits) {
    core::SerialExecutor executor;
    auto battle = LocalBattle::make(valley(), {.units = 300, .edit_map_every = 0}, executor);
    ASSERT_TRUE(battle);
    for (int i = 0; i < 600; ++i) ASSERT_TRUE((*battle)->step());
    const BattleFigures& figures = (*battle)->figures();
    EXPECT_EQ(figures.spawned[0], 150);
    EXPECT_EQ(figures.spawned[1], 150);
    EXPECT_LT(figures.alive[0], 150);
    EXPECT_LT(figures.alive[1], 150);
    EXPECT_GT(figures.alive[0] + figures.alive[1], 0);
    EXPECT_EQ((*battle)->world().state().uid_cursor, 300);
}

TEST(Battle, EveryWallOfTheGroundStandsForAnEntity) {
    core::SerialExecutor executor;
    auto battle = LocalBattle::make(valley(), {.units = 60, .edit_map_every = 10}, executor);
    ASSERT_TRUE(battle);
    const sim::World& world = (*battle)->world();
    const sim::TemplateId id = *world.definition().find_template(kWallKey);
    std::size_t most = 0;
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE((*battle)->step());
        const nav::FlowField& field = *world.find_field(kFieldName);
        most = std::max(most, world.group(id).size());
        for (const Wall& wall : world.column<Wall>(id)) {
            for (const nav::GridCoord at : {nav::GridCoord{wall.low_x, wall.low_y},
                                            nav::GridCoord{wall.high_x, wall.high_y}}) {
                EXPECT_FALSE(field.passable(field.geometry().index(at)));
            }
        }
    }
    // Twelve edits: two rise, one falls.
    EXPECT_EQ(world.group(id).size(), 4U);
    EXPECT_EQ(most, 5U);
    EXPECT_FALSE(battle.value()->script().plan_commands_at(0, 120).empty());
}

TEST(Battle, TheRearguardComesInThreeBatches) {
    core::SerialExecutor executor;
    auto battle = LocalBattle::make(valley(), {.units = 300}, executor);
    ASSERT_TRUE(battle);
    std::vector<std::int32_t> minted;
    std::vector<std::size_t> deferred;
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE((*battle)->step());
        minted.push_back((*battle)->world().state().uid_cursor);
        deferred.push_back((*battle)->world().state().deferred_spawns.size());
    }
    EXPECT_EQ(deferred, (std::vector<std::size_t>{2, 2, 0, 0}));
    EXPECT_LT(minted[0], minted[1]);
    EXPECT_EQ(minted[2], 300);
}

TEST(Battle, PlansCallStancesThatTheSystemsRead) {
    core::SerialExecutor executor;
    auto battle = LocalBattle::make(valley(), {.units = 60}, executor);
    ASSERT_TRUE(battle);
    const sim::World& world = (*battle)->world();
    const auto stances_at = [&](sim::Tick tick) {
        while (world.tick() < tick) EXPECT_TRUE((*battle)->step());
        return world.variables<Tactics>(kTacticsKey).stances;
    };
    using enum Stance;
    EXPECT_EQ(stances_at(119), (std::vector{kSteady, kSteady}));
    EXPECT_EQ(stances_at(120), (std::vector{kAllOut, kSteady}));
    EXPECT_EQ(stances_at(150), (std::vector{kAllOut, kAllOut}));
    EXPECT_EQ(stances_at(240), (std::vector{kSteady, kAllOut}));
    EXPECT_EQ(world.variables<Tactics>(kTacticsKey).calls, 3);
}

TEST(Battle, MostMovesAreHalfWayInTime) {
    core::SerialExecutor executor;
    auto battle = LocalBattle::make(valley(), {.units = 300}, executor);
    for (int i = 0; i < 150; ++i) ASSERT_TRUE((*battle)->step());
    const BattleFigures& figures = (*battle)->figures();
    EXPECT_GE(figures.moves_judged, 150);
    EXPECT_GE(figures.half_way_in_time * 100, figures.moves_judged * 95);
}

TEST(Battle, TwoThreadsGiveTheHashesOfOne) {
    const BattleOptions options{.units = 1600, .edit_map_every = 60};
    const auto one = core::make_executor(1);
    const auto two = core::make_executor(2);
    EXPECT_EQ(trace(*one, options, 200), trace(*two, options, 200));
}

// proves: MOD-003, MOD-010, O-MOD-10
TEST(Battle, ModifiersComeAndGoByCommandAndTurnTheUnitsOnThem) {
    core::SerialExecutor executor;
    const BattleOptions options{.units = 60, .edit_map_every = 30, .modify_every = 20};
    auto battle = LocalBattle::make(valley(), options, executor);
    ASSERT_TRUE(battle);
    const sim::World& world = (*battle)->world();
    const nav::FlowField& field = *world.find_field(kFieldName);
    for (int tick = 1; tick <= 120; ++tick) {
        ASSERT_TRUE((*battle)->step());
        const bool stands = tick / 20 % 2 == 1;
        ASSERT_EQ(world.state().modifiers.size(), stands ? 1U : 0U) << "tick " << tick;
        const nav::Layer& layer = field.default_layer();
        ASSERT_EQ(layer.modified.empty(), !stands);
        for (const nav::ModifiedDirection& cell : layer.modified) {
            const Vec3f& way = world.state().modifiers.front().direction;
            ASSERT_EQ(field.direction(layer, cell.cell), core::normalised(way));
        }
    }
}

// proves: O-MOD-10
TEST(Battle, ModifiersGiveOneTraceForAnyThreadsAndNoneWhereThereAreNone) {
    const BattleOptions options{.units = 400, .edit_map_every = 40, .modify_every = 15};
    const auto one = core::make_executor(1);
    const auto two = core::make_executor(2);
    const std::vector<std::uint64_t> with = trace(*one, options, 60);
    EXPECT_EQ(with, trace(*two, options, 60));
    const std::vector<std::uint64_t> without =
        trace(*one, {.units = 400, .edit_map_every = 40}, 60);
    EXPECT_TRUE(std::equal(with.begin(), with.begin() + 14, without.begin()));
    EXPECT_NE(with[14], without[14]);
}

TEST(Battle, AnotherSeedGivesAnotherBattle) {
    core::SerialExecutor executor;
    EXPECT_NE(trace(executor, {.units = 100, .seed = 1}, 3),
              trace(executor, {.units = 100, .seed = 2}, 3));
}

TEST(Battle, EditTickBeginsWithTheRebuild) {
    auto script = BattleScript::make(valley(), {.units = 60, .edit_map_every = 2});
    ASSERT_TRUE(script);
    EXPECT_TRUE(std::ranges::all_of(script->commands_for_tick(1), [](const sim::Command& c) {
        return c.type == kCommandSpawnSquad;
    }));
    const auto commands = script->commands_for_tick(2);
    ASSERT_GT(commands.size(), 1U);
    EXPECT_EQ(commands[0].type, sim::kCommandRebuildFlowField);
    for (std::size_t i = 1; i < commands.size(); ++i) {
        EXPECT_EQ(commands[i].server_exec_sequence, commands[i - 1].server_exec_sequence + 1);
        EXPECT_EQ(commands[i].type, i == 1 ? kCommandRaiseWall : kCommandMoveTo);
    }
}

TEST(Battle, MoreUnitsThanGroundAreRefused) {
    core::SerialExecutor executor;
    const terrain::GridMap map = valley();
    const auto cells = static_cast<std::int32_t>(map.passable_cells());
    EXPECT_TRUE(BattleScript::make(map, {.units = cells}));
    const auto refused = LocalBattle::make(map, {.units = cells + 1}, executor);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooManyUnits);
}

}  // namespace
}  // namespace maniple::skirmish
