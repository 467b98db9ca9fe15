#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include "maniple/sim/world.h"

#include "held_background.h"

namespace maniple::sim {
namespace {

/// Flat ground of 5 × 5 cells.
nav::GridSubstrate plain_ground() {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, 5, 5, 100);
    ground.cost.assign(25, 1);
    ground.type.assign(25, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(25, 0);
    ground.normal.assign(25, {0, 0, 127});
    return ground;
}

/// A game on one field. Its task holds a user of one layer and takes it again when it is rebuilt.
class LiveFieldsTest : public testing::Test {
  protected:
    LiveFieldsTest() {
        auto game = std::make_shared<GameDefinition>("fields");
        game->add_field("ground");
        game->add_command({kFirstGameCommand, "release", [this](World& world, const Command&) {
                               world.find_field("ground")->release_layer(layer_);
                               return Result<void>{};
                           }});
        game->add_system({"look", [this](SystemContext& context) {
                              const nav::FlowField* field = context.world.find_field("ground");
                              seen_by_system_ = field->find_layer(layer_) != nullptr;
                          }});
        game->add_task_type({"walk",
                             TaskKind::kMoveTo,
                             [](World&, TaskRecord&) {},
                             [this](World& world, TaskRecord&) {
                                 nav::FlowField& field = *world.find_field("ground");
                                 field.release_layer(layer_);
                                 world.live_fields().flush_pending_destroys();
                                 found_in_rebuild_ = field.find_layer(layer_) != nullptr;
                                 field.get_or_acquire_layer({{100, 0, 0}});
                             },
                             {}});
        game->seal();
        world_ = std::make_unique<World>(game, MatchConfig{}, executor_);
        field().set_substrate(plain_ground());
        layer_ = field().get_or_acquire_layer({{100, 0, 0}});
    }
    nav::FlowField& field() { return *world_->find_field("ground"); }

    core::SerialExecutor executor_;
    std::unique_ptr<World> world_;
    nav::LayerHandle layer_;
    bool seen_by_system_ = true;
    bool found_in_rebuild_ = false;
};

// proves: LAY-022, NET-019
TEST_F(LiveFieldsTest, AReleasedLayerGoesAfterTheCommandsAndBeforeTheSystems) {
    ASSERT_TRUE(world_->step());
    EXPECT_TRUE(seen_by_system_) << "it has a user";
    Command release;
    release.type = kFirstGameCommand;
    release.tick = 2;
    release.server_exec_sequence = 1;
    ASSERT_TRUE(world_->queue(release));
    EXPECT_NE(field().find_layer(layer_), nullptr);
    ASSERT_TRUE(world_->step());
    EXPECT_FALSE(seen_by_system_);
}

// proves: LAY-022
TEST_F(LiveFieldsTest, WhileTasksAreRebuiltALayerOutlivesItsLastUser) {
    world_->create_task("walk", {}, {});
    world_->recover();
    EXPECT_TRUE(found_in_rebuild_);
    EXPECT_EQ(field().layer_user_count(layer_), 1);
    ASSERT_TRUE(world_->step());
    EXPECT_NE(field().find_layer(layer_), nullptr) << "the rebuilt task took it again";
}

// proves: O-LAY-05
TEST_F(LiveFieldsTest, LayersAndTheirIdsAreNoPartOfTheHash) {
    TaskRecord& task = world_->create_task("walk", {}, {});
    const std::uint64_t before = world_->compute_hash();
    task.layer_handle = field().create_layer("another", {}).id;
    EXPECT_EQ(world_->compute_hash(), before);
    task.goal_hash = 1;
    EXPECT_NE(world_->compute_hash(), before) << "what is described is";
}

// proves: ASY-013, O-ASY-01, O-ASY-03
TEST(FieldUpdates, AStepWaitsForAnUpdateThatIsDueAndAllPeersApplyItInOneTick) {
    auto game = std::make_shared<GameDefinition>("updates");
    game->add_field("ground");
    std::vector<bool> ready;
    game->add_command({kFirstGameCommand, "update", [](World& world, const Command&) {
                           EXPECT_TRUE(world.start_field_update("ground", true, 3));
                           EXPECT_FALSE(world.start_field_update("nowhere", true, 3));
                           return Result<void>{};
                       }});
    game->add_system({"look", [&](SystemContext& context) {
                          ready.push_back(context.world.find_field("ground")->initialised());
                      }});
    game->seal();
    core::SerialExecutor executor;
    tests::HeldBackground background;
    World fast(game, {}, executor);
    World slow(game, {}, executor, core::null_log(), &background);
    for (World* world : {&fast, &slow}) {
        ready.clear();
        Command update;
        update.type = kFirstGameCommand;
        update.tick = 1;
        update.server_exec_sequence = 1;
        ASSERT_TRUE(world->queue(update));
        for (int tick = 1; tick <= 3; ++tick) ASSERT_TRUE(world->step());
        EXPECT_TRUE(world->field_update_in_flight());
        EXPECT_EQ(world->must_wait(), world == &slow);
        if (world == &slow) {
            const auto refused = world->step();
            ASSERT_FALSE(refused);
            EXPECT_EQ(refused.error().code, ErrorCode::kNotReady);
            EXPECT_EQ(world->tick(), 3);
            background.run_all();
        }
        ASSERT_TRUE(world->step());
        EXPECT_EQ(ready, (std::vector{false, false, false, true}));
        EXPECT_FALSE(world->field_update_in_flight());
    }
    EXPECT_EQ(fast.compute_hash(), slow.compute_hash());
}

}  // namespace
}  // namespace maniple::sim
