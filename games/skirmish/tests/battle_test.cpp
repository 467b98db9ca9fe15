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
    auto battle = LocalBattle::make(valley(), {.units = 300}, executor);
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
        EXPECT_EQ(commands[i].type, kCommandMoveTo);
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
