#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/skirmish/battle.h"

#include "arena.h"
#include "state_proof.h"

/// The proofs over a game's state, on the built-in battle.
namespace maniple::skirmish {

/// What another build of the game might add to each unit.
struct Morale {
    std::int32_t value = 5;
};
BOOST_DESCRIBE_STRUCT(Morale, (), (value))

namespace {

using Game = std::shared_ptr<const sim::GameDefinition>;

Game game_with_morale() {
    return define_skirmish({[](sim::GameDefinition& game) { game.add_fragment<Morale>("Morale"); },
                            [](sim::TemplateBuilder& unit) { unit.with(Morale{}); }});
}

class SkirmishProof : public testing::Test {
  protected:
    static constexpr sim::Tick kLast = 420;

    /// A battle with walls that come and go, all of whose commands are queued.
    std::unique_ptr<sim::World> make_world(const Game& game, sim::Tick ticks = 0) {
        const terrain::GridMap map = *terrain::make_builtin_map("builtin:valley:128");
        auto script = BattleScript::make(map, {.units = 160, .edit_map_every = 30});
        auto world = std::make_unique<sim::World>(game, sim::MatchConfig{}, *executor_);
        EXPECT_TRUE(world->import_substrate(kFieldName, map.stream.bytes()));
        for (sim::Tick tick = 1; tick <= kLast; ++tick) {
            for (sim::Command& command : script->commands_for_tick(tick)) {
                EXPECT_TRUE(world->queue(std::move(command)));
            }
        }
        while (world->tick() < ticks) EXPECT_TRUE(world->step());
        return world;
    }

    std::unique_ptr<core::Executor> executor_ = core::make_executor(1);
};

// proves: NET-017, SNAP-014, SNAP-043, SNAP-048, SNAP-052
// A derived index that outlived a load would show in the first tick after it.
TEST_F(SkirmishProof, SaveLoadStepEqualsStepAtEvery50thAndAt200RandomTicks) {
    const auto world = make_world(make_skirmish());
    const proof::Recording run =
        proof::record(*world, kLast, proof::proof_ticks(kLast, 200, 20261130));
    ASSERT_EQ(run.frames.size(), 208U);
    proof::expect_load_and_step_equals_step(make_skirmish(), run, *executor_, 2);
    EXPECT_LT(world->state().occupied_count(), 150) << "the run is worth its while";
}

// proves: NET-017
TEST_F(SkirmishProof, ALoadedBattleEndsAsTheOneThatPlayedOnWithOneThreadOrTwo) {
    const auto world = make_world(make_skirmish());
    const proof::Recording run = proof::record(*world, kLast, {1, 2, 130, 250});
    const auto two = core::make_executor(2);
    proof::expect_load_and_step_equals_step(make_skirmish(), run, *two, kLast);
}

// proves: HASH-001, HASH-002, O-HASH-02, O-HASH-04, VAR-001, SNAP-006, SNAP-028
TEST_F(SkirmishProof, EveryRegisteredValueIsHashedAndNamed) {
    // With a batch under way; with walls, both kinds of tasks and a stance.
    for (const sim::Tick tick : {1, 125}) {
        SCOPED_TRACE(tick);
        const auto world = make_world(make_skirmish(), tick);
        EXPECT_EQ(world->state().deferred_spawns.empty(), tick != 1);
        EXPECT_EQ(world->state().groups.back().size() > 0, tick != 1);
        proof::expect_every_change_is_named(*world);
    }
}

// proves: O-SNAP-11, SNAP-001, SNAP-004
TEST_F(SkirmishProof, ABuildWithOneFragmentMoreOrFewerLoadsByNameAndIsRefusedForJoining) {
    const Game plain = make_skirmish();
    const Game more = game_with_morale();
    for (const auto& [from, to] : {std::pair{plain, more}, std::pair{more, plain}}) {
        const auto world = make_world(from, 100);
        const core::Bytes frame = proof::frame_of(*world);
        const auto joined = snapshot::decode_snapshot(*to, frame, snapshot::Policy::kJoin);
        ASSERT_FALSE(joined);
        EXPECT_EQ(joined.error().code, ErrorCode::kRegistryMismatch);
        const auto loaded = snapshot::decode_snapshot(*to, frame, snapshot::Policy::kLoad);
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_THAT(loaded->warnings, testing::Contains(testing::HasSubstr("Morale")));
        const auto copy = snapshot::restore(to, *loaded, *executor_);
        ASSERT_TRUE(copy) << copy.error().message;
        for (std::size_t group = 0; group < kGroupCount; ++group) {
            const auto was = std::as_const(*world).column<Position>(template_of(group));
            const auto is = std::as_const(**copy).column<Position>(template_of(group));
            ASSERT_EQ(is.size(), was.size());
            for (std::size_t row = 0; row < is.size(); ++row) {
                EXPECT_EQ(is[row], was[row]);
            }
        }
        EXPECT_TRUE((*copy)->step());
    }
}

}  // namespace
}  // namespace maniple::skirmish
