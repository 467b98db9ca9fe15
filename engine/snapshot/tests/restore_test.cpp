#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/snapshot/snapshot.h"

#include "ground_server.h"

namespace maniple::snapshot {
namespace {

/// A server on a field, and what its snapshot becomes in another world.
class RestoreTest : public testing::Test {
  protected:
    void run_to(sim::Tick tick) { server_.run_to(tick); }
    Snapshot taken() const {
        Snapshot snapshot;
        capture(server_.world, snapshot);
        add_substrates(server_.world, snapshot);
        const auto decoded =
            decode_snapshot(*game_, encode_snapshot(*game_, snapshot), Policy::kJoin);
        EXPECT_TRUE(decoded);
        return *decoded;
    }
    Result<std::unique_ptr<sim::World>> restored(const Snapshot& snapshot) {
        return restore(game_, snapshot, executor_);
    }
    static sim::Column& walkers_of(Snapshot& snapshot) {
        return snapshot.state.groups[0].columns[0];
    }
    sim::Command next_rebuild() const {
        sim::Command command;
        command.type = sim::kCommandRebuildFlowField;
        command.tick = server_.world.tick() + 1;
        command.server_exec_sequence = 1000;
        command.target = ground::kField;
        command.set(std::string(sim::kParamVersion),
                    std::int64_t{server_.world.find_field(ground::kField)->substrate_version()});
        return command;
    }

    core::SerialExecutor executor_;
    std::shared_ptr<ground::Witness> witness_ = std::make_shared<ground::Witness>();
    std::shared_ptr<const sim::GameDefinition> game_ = ground::make_game(witness_);
    ground::Server server_{game_};
};

// proves: SNAP-040, NET-010, NET-011
// Trap 6: the ground stands before the first entity, so the first tick walks on it.
TEST_F(RestoreTest, GroundComesBeforeEntitiesAndTheFirstTickWalksOnIt) {
    run_to(20);
    Snapshot snapshot = taken();
    bool is_synced = false;
    witness_->rebuilding = [&](sim::World& world, sim::TaskRecord&) {
        const nav::FlowField& field = *world.find_field(ground::kField);
        const nav::FlowField& own = *server_.world.find_field(ground::kField);
        is_synced = field.synced() && field.substrate_version() == own.substrate_version();
    };
    const auto copy = restored(snapshot);
    ASSERT_TRUE(copy);
    EXPECT_TRUE(is_synced);
    EXPECT_EQ(*(*copy)->step(), *server_.world.step());

    // Both are wrong: the ground is what is refused, the entities were never looked at.
    snapshot.substrates[0].bytes.back() ^= 1;
    walkers_of(snapshot).data()[0] ^= std::byte{1};
    EXPECT_EQ(restored(snapshot).error().code, ErrorCode::kBadHash);
    snapshot = taken();
    walkers_of(snapshot).data()[0] ^= std::byte{1};
    EXPECT_EQ(restored(snapshot).error().code, ErrorCode::kStateMismatch);
    // Without its ground a peer does not even come to its first tick.
    snapshot = taken();
    snapshot.substrates.clear();
    EXPECT_EQ(restored(snapshot).error().code, ErrorCode::kStateMismatch);
}

// proves: SNAP-041, NET-016, O-NET-05
TEST_F(RestoreTest, ARebuildThatLeadsToTheRestoredGroundNeedsNoBytes) {
    run_to(20);
    const auto copy = restored(taken());
    ASSERT_TRUE(copy);
    const sim::Command held = next_rebuild();
    EXPECT_TRUE((*copy)->holds_substrate(held));
    ASSERT_TRUE((*copy)->queue(held));
    EXPECT_TRUE((*copy)->step());

    sim::Command other = next_rebuild();
    other.tick = (*copy)->tick() + 1;
    other.server_exec_sequence = 1001;
    other.params[0].value = std::int64_t{12345};
    EXPECT_FALSE((*copy)->holds_substrate(other));
    ASSERT_TRUE((*copy)->queue(other));
    EXPECT_EQ((*copy)->step().error().code, ErrorCode::kTruncated) << "it waits for its bytes";
}

// proves: SNAP-052, LAY-022
TEST_F(RestoreTest, OldTasksEndSilentlyAndNewOnesKeepTheirIdsAndTakeTheirLayersAgain) {
    run_to(20);
    const sim::WorldState& was = server_.world.state();
    ASSERT_GT(was.tasks.size(), 2U);
    std::vector<std::size_t> layers;
    witness_->rebuilding = [&](sim::World& world, sim::TaskRecord&) {
        layers.push_back(world.find_field(ground::kField)->layer_count());
    };
    auto standing = restored(taken());
    ASSERT_TRUE(standing);
    ASSERT_TRUE((*standing)->step());
    const int ended = witness_->ended;
    layers.clear();
    const auto repaired = restored(taken());
    ASSERT_TRUE(repaired);
    standing->reset();
    EXPECT_EQ(witness_->ended, ended);

    const sim::World& world = **repaired;
    ASSERT_EQ(world.state().tasks.size(), was.tasks.size());
    EXPECT_EQ(world.state().next_move_to_task_id, was.next_move_to_task_id);
    const nav::FlowField& field = *world.find_field(ground::kField);
    for (std::size_t i = 0; i < was.tasks.size(); ++i) {
        const sim::TaskRecord& task = world.state().tasks[i];
        EXPECT_EQ(task.id, was.tasks[i].id);
        const nav::LayerHandle layer{task.layer_handle};
        ASSERT_NE(field.find_layer(layer), nullptr);
        EXPECT_TRUE(field.find_layer(layer)->solved);
        EXPECT_GE(field.layer_user_count(layer), 1);
    }
    EXPECT_EQ(layers.size(), was.tasks.size());
    EXPECT_TRUE(std::is_sorted(layers.begin(), layers.end())) << "no layer goes meanwhile";
    EXPECT_EQ(*(*repaired)->step(), *server_.world.step());
}

// proves: SNAP-048
TEST_F(RestoreTest, AWallBuiltByCommandIsAnEntityLikeAnyOther) {
    run_to(20);
    const sim::TemplateId wall = *game_->find_template("wall");
    ASSERT_EQ(server_.world.group(wall).size(), 2U);
    const auto copy = restored(taken());
    ASSERT_TRUE(copy);
    EXPECT_EQ((*copy)->group(wall).uids, server_.world.group(wall).uids);
    const sim::Uid uid = server_.world.group(wall).uids[1];
    EXPECT_EQ((*copy)->fragment<ground::Wall>(uid)->cell, uid.value);
    EXPECT_EQ(game_->templates()[wall.index].entity_type, sim::EntityType::kObstacle);
}

// proves: SNAP-051
TEST_F(RestoreTest, WhatIsLocalIsNeitherCapturedNorHashedAndMintsNoUid) {
    run_to(20);
    const Snapshot before = taken();
    const std::uint64_t hash = server_.world.compute_hash();
    server_.world.derived(witness_->sparks).heights.assign(50, 1.5);
    EXPECT_EQ(server_.world.compute_hash(), hash);
    EXPECT_EQ(encode_snapshot(*game_, taken()), encode_snapshot(*game_, before));
    EXPECT_EQ(server_.world.state().uid_cursor, before.state.uid_cursor);
    const auto copy = restored(taken());
    ASSERT_TRUE(copy);
    EXPECT_TRUE((*copy)->derived(witness_->sparks).heights.empty());
    EXPECT_EQ(*(*copy)->step(), *server_.world.step());
}

// proves: VAR-003, VAR-035
TEST_F(RestoreTest, ARecoveryThatWritesWhatCannotBeDerivedIsRefused) {
    run_to(20);
    int calls = 0;
    witness_->recovered = [&](sim::World&, ground::Orders& orders) {
        ++calls;
        orders.given = 5;  // one order every fourth tick: derivable from the tick
    };
    EXPECT_TRUE(restored(taken()));
    witness_->recovered = [&](sim::World&, ground::Orders& orders) {
        ++calls;
        ++orders.given;
    };
    const auto refused = restored(taken());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kStateMismatch);
    EXPECT_EQ(calls, 2);
    Snapshot spoilt = taken();
    walkers_of(spoilt).data()[0] ^= std::byte{1};
    EXPECT_FALSE(restored(spoilt));
    EXPECT_EQ(calls, 2) << "never after a refused apply";
}

}  // namespace
}  // namespace maniple::snapshot
