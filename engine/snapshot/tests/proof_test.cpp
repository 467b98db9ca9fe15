#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame.h"
#include "odd_game.h"
#include "state_proof.h"

namespace maniple::snapshot {
namespace {

class OddGameProof : public testing::Test {
  protected:
    std::shared_ptr<const sim::GameDefinition> game_ = odd::make_game();
    std::unique_ptr<core::Executor> executor_ = core::make_executor(1);
};

// proves: NET-017, SNAP-005, SNAP-007, SNAP-013, SNAP-014, SNAP-018, SNAP-026, SNAP-028, SNAP-029
// proves: SNAP-033, SNAP-034, SNAP-043, VAR-001
TEST_F(OddGameProof, SaveLoadStepEqualsStepAtEvery50thAndAt200RandomTicks) {
    constexpr sim::Tick kLast = 400;
    const std::uint64_t seed = 20261130;
    const auto world = odd::make_world(game_, *executor_, 0);
    const proof::Recording run = proof::record(*world, kLast, proof::proof_ticks(kLast, 200, seed));
    ASSERT_EQ(run.frames.size(), 208U);
    proof::expect_load_and_step_equals_step(game_, run, *executor_, 3);
    EXPECT_GT(world->state().occupied_count(), 40) << "the run is worth its while";
}

// proves: NET-017, O-SNAP-24
TEST_F(OddGameProof, TwoThreadsHashLikeOneAfterALoad) {
    const auto two = core::make_executor(2);
    const auto world = odd::make_world(game_, *executor_, 0);
    const proof::Recording run = proof::record(*world, 120, {60});
    proof::expect_load_and_step_equals_step(game_, run, *two, 60);
}

// proves: HASH-001, HASH-002, HASH-004, O-HASH-02, O-HASH-04, VAR-001, VAR-023, SNAP-006, SNAP-028
TEST_F(OddGameProof, EveryRegisteredValueIsHashedAndNamed) {
    // Ticks with a pending first tick, a batch under way and tasks.
    for (const sim::Tick tick : {1, 28, 103}) {
        SCOPED_TRACE(tick);
        const auto world = odd::make_world(game_, *executor_, tick);
        ASSERT_FALSE(world->state().deferred_spawns.empty());
        proof::expect_every_change_is_named(*world);
    }
}

TEST_F(OddGameProof, TaskVariablesAreNamedByTheirFields) {
    const auto world = odd::make_world(game_, *executor_, 30);
    ASSERT_FALSE(world->state().tasks.empty());
    sim::WorldState changed = world->state();
    auto haul = sim::task_variables<odd::Haul>(changed.tasks[0]);
    haul.left += 1;
    sim::set_task_variables(changed.tasks[0], haul);
    sim::HashTree a;
    sim::HashTree b;
    sim::HashedColumns a_columns;
    sim::HashedColumns b_columns;
    compute_hash_tree(*game_, world->state(), {}, *executor_, a, a_columns);
    compute_hash_tree(*game_, changed, {}, *executor_, b, b_columns);
    const auto found = sim::name_difference(*game_, a, a_columns, b, b_columns);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->field, "[0].variables.left");
    EXPECT_EQ(found->client_value, sim::Value(std::int64_t{haul.left}));
    haul.left -= 1;
    haul.force = -0.0F;
    sim::set_task_variables(changed.tasks[0], haul);
    compute_hash_tree(*game_, changed, {}, *executor_, a, a_columns);
    haul.force = 0.0F;
    sim::set_task_variables(changed.tasks[0], haul);
    compute_hash_tree(*game_, changed, {}, *executor_, b, b_columns);
    EXPECT_EQ(a.root, b.root) << "floats of task variables are canonical";
}

// proves: VAR-016, VAR-031, O-VAR-12, O-VAR-16
// Trap 25: two tables of names, filled in opposite order.
TEST_F(OddGameProof, NamesInternedInOppositeOrderAgree) {
    const auto other = odd::make_game();
    const std::vector<std::string> texts{"𝄞", "None", "none", "go", "hé 𝄞", "another"};
    for (auto it = texts.begin(); it != texts.end(); ++it) {
        ASSERT_TRUE(game_->names().intern(*it));
    }
    for (auto it = texts.rbegin(); it != texts.rend(); ++it) {
        ASSERT_TRUE(other->names().intern(*it));
    }
    EXPECT_NE(*game_->names().intern("None"), *game_->names().intern("none"));
    const auto here = odd::make_world(game_, *executor_, 60);
    const auto there = odd::make_world(other, *executor_, 60);
    EXPECT_EQ(here->history().find(60)->tree.root, there->history().find(60)->tree.root);
    EXPECT_EQ(proof::frame_of(*here), proof::frame_of(*there));
}

/// A peer that has never heard the names of a snapshot learns them from it.
TEST_F(OddGameProof, NamesTravelAsTexts) {
    auto world = odd::make_world(game_, *executor_, 30);
    const sim::TemplateId walker = *game_->find_template("odd.walker");
    const sim::Name name = *game_->names().intern("a name of one process");
    world->column<odd::Title>(walker)[2].honours[1] = name;
    Snapshot snapshot;
    capture_at_rest(*world, snapshot);
    const core::Bytes frame = encode_snapshot(*game_, snapshot);
    const auto fresh = odd::make_game();
    ASSERT_FALSE(fresh->names().text(name));
    const auto decoded = decode_snapshot(*fresh, frame, Policy::kJoin);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(fresh->names().text(name), "a name of one process");
    EXPECT_TRUE(restore(fresh, *decoded, *executor_));
}

struct BuildCase {
    const char* what;
    odd::Build build;
    std::vector<const char*> named;
};

// proves: O-SNAP-11, SNAP-001, SNAP-002, SNAP-004
TEST_F(OddGameProof, ABuildWithAnotherFragmentLoadsByNameAndIsRefusedForJoining) {
    const auto world = odd::make_world(game_, *executor_, 77);
    const core::Bytes frame = proof::frame_of(*world);
    odd::Build more;
    more.with_extra = true;
    odd::Build fewer;
    fewer.with_title = false;
    odd::Build turned;
    turned.with_frozen_first = false;
    const std::vector<BuildCase> cases{{"one more", more, {"registry", "Extra"}},
                                       {"one fewer", fewer, {"registry", "Title"}},
                                       {"tags turned around", turned, {"registry", "tags"}}};
    for (const BuildCase& one : cases) {
        SCOPED_TRACE(one.what);
        const auto other = odd::make_game(one.build);
        const auto joined = decode_snapshot(*other, frame, Policy::kJoin);
        ASSERT_FALSE(joined);
        EXPECT_EQ(joined.error().code, ErrorCode::kRegistryMismatch);
        const auto loaded = decode_snapshot(*other, frame, Policy::kLoad);
        ASSERT_TRUE(loaded) << loaded.error().message;
        ASSERT_EQ(loaded->warnings.size(), one.named.size() + (one.named[1][0] == 'r' ? 1 : 0));
        for (std::size_t i = 0; i < one.named.size(); ++i) {
            EXPECT_THAT(loaded->warnings[i], testing::HasSubstr(one.named[i]));
        }
        auto copy = restore(other, *loaded, *executor_);
        ASSERT_TRUE(copy) << copy.error().message;
        const sim::TemplateId walker = *other->find_template("odd.walker");
        const auto was = world->column<odd::Limbs>(walker);
        const auto is = (*copy)->column<odd::Limbs>(walker);
        ASSERT_EQ(is.size(), was.size());
        for (std::size_t row = 0; row < is.size(); ++row) {
            const sim::Uid uid = world->group(walker).uids[row];
            EXPECT_EQ(is[row].reach, was[row].reach);
            EXPECT_EQ((*copy)->has_tag<odd::Frozen>(uid), world->has_tag<odd::Frozen>(uid));
            EXPECT_EQ((*copy)->has_tag<odd::Veteran>(uid), world->has_tag<odd::Veteran>(uid));
            if (one.build.with_extra) {
                EXPECT_EQ((*copy)->fragment<odd::Extra>(uid)->weight, 5);
            }
        }
        EXPECT_TRUE((*copy)->step());
    }
}

// proves: O-SNAP-11
TEST_F(OddGameProof, WhatBothBuildsKnowIsStillValidated) {
    const auto world = odd::make_world(game_, *executor_, 77);
    odd::Build more;
    more.with_extra = true;
    const auto other = odd::make_game(more);
    const sim::TemplateId walker = *other->find_template("odd.walker");
    const auto refused = [&](const std::function<void(Snapshot&)>& edit) {
        auto loaded = decode_snapshot(*other, proof::frame_of(*world), Policy::kLoad);
        EXPECT_TRUE(loaded);
        edit(*loaded);
        const auto copy = restore(other, *loaded, *executor_);
        return copy ? std::string("restored") : copy.error().message;
    };
    EXPECT_EQ(refused([](Snapshot&) {}), "restored");
    EXPECT_THAT(refused([&](Snapshot& s) {
                    s.state.groups[walker.index].columns[0].data()[0] ^= std::byte{1};
                }),
                testing::HasSubstr("odd.walker"));
    EXPECT_THAT(refused([](Snapshot& s) { ++s.state.agent_stream.seed; }),
                testing::HasSubstr("random streams"));
    EXPECT_THAT(refused([](Snapshot& s) { ++s.state.tasks[0].goals[0].x; }),
                testing::HasSubstr("tasks"));
    // What only this build has cannot be compared.
    const sim::FragmentId extra = other->fragment_id<odd::Extra>();
    EXPECT_EQ(refused([&](Snapshot& s) {
                  s.state.groups[walker.index].find_column(extra)->data()[0] ^= std::byte{1};
              }),
              "restored");
}

// proves: SNAP-046, SNAP-047, SNAP-050, VAR-003, VAR-035, O-SNAP-08
TEST_F(OddGameProof, AfterALoadAgentsAreReboundInSlotOrderAndThenVariablesRecover) {
    std::vector<std::string> calls;
    odd::Build build;
    build.recovered = [&](sim::World&) { calls.push_back("recovered"); };
    const auto game = odd::make_game(build);
    auto world = odd::make_world(game, *executor_, 30);
    const auto owners = world->column<sim::Controller>(*game->find_template("odd.walker"));
    for (sim::Controller& owner : owners) owner.owning_player_slot = -1;
    owners[4].owning_player_slot = 0;
    owners[1].owning_player_slot = 3;
    ASSERT_TRUE(world->step());
    EXPECT_THAT(calls, testing::IsEmpty()) << "never while playing";
    const auto decoded = decode_snapshot(*game, proof::frame_of(*world), Policy::kJoin);
    ASSERT_TRUE(decoded);
    const auto component = [&](std::int32_t slot) {
        return sim::AgentComponent{
            slot, [&, slot](sim::World& w, sim::Uid uid) {
                EXPECT_EQ(uid, world->player_agent(slot));
                EXPECT_EQ(w.tick(), 31);
                calls.push_back(std::to_string(slot) + (uid.valid() ? "" : " none"));
            }};
    };
    const std::vector<sim::AgentComponent> components{component(3), component(99), component(0)};
    ASSERT_TRUE(restore(game, *decoded, *executor_, core::null_log(), components));
    EXPECT_THAT(calls, testing::ElementsAre("0", "3", "99 none", "recovered"));
    calls.clear();
    Snapshot wrong = *decoded;
    ++wrong.hash_at_capture;
    EXPECT_FALSE(restore(game, wrong, *executor_, core::null_log(), components));
    EXPECT_THAT(calls, testing::IsEmpty()) << "never after a refusal";
}

/// Flips behind a mended checksum reach the verifier and every check behind it.
// proves: O-SNAP-09
TEST_F(OddGameProof, FlippedContentIsRefusedOrRestoredAndStepped) {
    const auto world = odd::make_world(game_, *executor_, 28);
    const core::Bytes raw = *unpack_frame(proof::frame_of(*world));
    int refused = 0;
    int ran = 0;
    for (std::size_t at = 0; at < raw.size(); at += 3) {
        core::Bytes flipped = raw;
        flipped[at] ^= static_cast<std::uint8_t>(1U << (at % 8));
        const auto decoded = decode_snapshot(*game_, pack_frame(flipped), Policy::kLoad);
        if (!decoded) {
            ++refused;
            continue;
        }
        const auto copy = restore(game_, *decoded, *executor_);
        if (copy) static_cast<void>((*copy)->step());
        ++(copy ? ran : refused);
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(ran, 0) << "some bytes are padding";
}

}  // namespace
}  // namespace maniple::snapshot
