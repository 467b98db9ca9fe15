#include <cmath>
#include <gtest/gtest.h>

#include "maniple/sim/world.h"

namespace maniple::sim {

struct Agent {
    double x = 0, y = 0;
    std::int32_t team = 0;
    float speed = 10, health = 100;
    float velocity_x = 0, velocity_y = 0;
    double way_x = 0, way_y = 1;  ///< The template looks along Y.
    bool active = true;
};
BOOST_DESCRIBE_STRUCT(Agent, (),
                      (x, y, team, speed, health, velocity_x, velocity_y, way_x, way_y, active))

namespace {

/// What a game's template does with a request.
void place(World& world, Uid uid, const SpawnRequest& request, const Vec3d& location) {
    Agent& agent = *world.fragment<Agent>(uid);
    const Agent* player = world.fragment<Agent>(world.player_agent(request.issuer_slot));
    agent.x = location.x;
    agent.y = location.y;
    agent.team = request.team;
    agent.speed *= request.multipliers.speed;
    agent.health *= request.multipliers.health;
    agent.velocity_x = request.launch_velocity.x;
    agent.velocity_y = request.launch_velocity.y;
    agent.active = request.auto_activated;
    std::optional<Vec2d> player_at;
    if (player != nullptr) player_at = {player->x, player->y};
    const Vec2d way =
        spawn_facing(request, {agent.x, agent.y}, player_at, {agent.way_x, agent.way_y});
    agent.way_x = way.x;
    agent.way_y = way.y;
}

class SpawnTest : public testing::Test {
  protected:
    SpawnTest() {
        auto game = std::make_shared<GameDefinition>("spawns");
        game->add_fragment<Agent>("Agent");
        game->add_fragment<Controller>("Controller");
        TemplateBuilder(*game, "agent")
            .with(Agent{})
            .place([this](World& world, Uid uid, const SpawnRequest& request, const Vec3d& at) {
                place(world, uid, request, at);
                if (!ask_when_placed_) return;
                SpawnRequest more = request;
                more.locations = {at};
                more.quantity = 1;
                const Result<void> done = world.request_spawn(std::move(more));
                asked_.push_back(done ? ErrorCode::kNone : done.error().code);
            })
            .add();
        TemplateBuilder(*game, "player").with(Agent{}).with(Controller{}).add();
        game->add_command({kFirstGameCommand, "spawn", [this](World& world, const Command&) {
                               return world.request_spawn(request_);
                           }});
        game->seal();
        world_ = std::make_unique<World>(game, MatchConfig{}, executor_);
        for (const std::int32_t slot : {3, 4}) {
            const Uid uid = world_->spawn({1});
            *world_->fragment<Controller>(uid) = {slot};
            world_->fragment<Agent>(uid)->x = slot == 3 ? 100 : -100;
        }
        request_.template_key = "agent";
        request_.locations = {{0, 0, 0}, {100, 50, 0}};
        request_.quantity = 2;
    }
    /// The two agents of the request as a command of `slot` asks for it.
    std::span<const Agent> spawned_by(std::int32_t slot) {
        Command command;
        command.type = kFirstGameCommand;
        command.tick = world_->tick() + 1;
        command.server_exec_sequence = command.tick;
        command.issuer_slot = slot;
        EXPECT_TRUE(world_->queue(command));
        EXPECT_TRUE(world_->step());
        return std::as_const(*world_).column<Agent>({0}).last(2);
    }

    bool ask_when_placed_ = false;
    std::vector<ErrorCode> asked_;
    core::SerialExecutor executor_;
    SpawnRequest request_;
    std::unique_ptr<World> world_;
};

// proves: SNAP-053
TEST_F(SpawnTest, GivesEachAgentTeamVelocityMultipliersAndActivation) {
    request_.team = 2;
    request_.launch_velocity = {1.5F, -2};
    request_.multipliers.health = 0.5F;
    request_.multipliers.speed = 3;
    request_.auto_activated = false;
    for (const Agent& agent : spawned_by(-1)) {
        EXPECT_EQ(agent.team, 2);
        EXPECT_EQ(agent.velocity_x, 1.5F);
        EXPECT_EQ(agent.velocity_y, -2);
        EXPECT_EQ(agent.health, 50);
        EXPECT_EQ(agent.speed, 30);
        EXPECT_FALSE(agent.active);
    }
    request_.multipliers = {};
    request_.auto_activated = true;
    for (const Agent& agent : spawned_by(-1)) {
        EXPECT_EQ(agent.health, 100);
        EXPECT_TRUE(agent.active);
    }
}

// proves: SNAP-053
TEST_F(SpawnTest, FacesTheAgentOfTheIssuersSlotOrAsTheTemplateDoes) {
    request_.issuer_slot = 4;  // what the caller writes does not count
    std::span<const Agent> agents = spawned_by(3);
    EXPECT_EQ(agents[0].way_x, 1);
    EXPECT_EQ(agents[0].way_y, 0);
    EXPECT_EQ(agents[1].way_x, 0);
    EXPECT_EQ(agents[1].way_y, -1);
    agents = spawned_by(4);
    EXPECT_EQ(agents[0].way_x, -1);
    for (const std::int32_t nobody : {-1, 7}) {
        agents = spawned_by(nobody);
        EXPECT_EQ(agents[0].way_x, 0);
        EXPECT_EQ(agents[0].way_y, 1);
    }
}

// proves: SNAP-053, O-SNAP-05
TEST_F(SpawnTest, FacesForwardOrAlongItsCustomYaw) {
    request_.initial_rotation = InitialRotation::kFaceForward;
    EXPECT_EQ(spawned_by(3)[0].way_y, 1);
    request_.initial_rotation = InitialRotation::kCustom;
    request_.custom_rotation.yaw = 180;
    EXPECT_EQ(spawned_by(3)[0].way_x, -1);
    request_.custom_rotation.yaw = 30;
    EXPECT_EQ(spawned_by(3)[0].way_y, core::sin_centideg(3000));
}

// What a snapshot could not hold is not taken on.
TEST_F(SpawnTest, RequestsUnderWayAskForNoMoreAgentsThanASnapshotHolds) {
    request_.substeps = 100;
    request_.quantity = kSpawnQuantityMax - 1;
    ASSERT_TRUE(world_->request_spawn(request_));
    request_.quantity = 1;
    ASSERT_TRUE(world_->request_spawn(request_));
    const Result<void> over = world_->request_spawn(request_);
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().code, ErrorCode::kOverCap);
    EXPECT_EQ(world_->state().deferred_spawns.size(), 2U);
}

TEST_F(SpawnTest, NoMoreRequestsWaitThanASnapshotHolds) {
    request_.quantity = 0;
    request_.locations.clear();
    for (std::size_t i = 0; i < kSpawnRequestsMax; ++i) {
        ASSERT_TRUE(world_->request_spawn(request_));
    }
    const Result<void> over = world_->request_spawn(request_);
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().code, ErrorCode::kOverCap);
    ASSERT_TRUE(world_->step());  // They begin,
    ASSERT_TRUE(world_->step());  // and are over.
    EXPECT_TRUE(world_->state().deferred_spawns.empty());
    EXPECT_TRUE(world_->request_spawn(request_));
}

// Those under way count while the placing of their agents asks for more.
TEST_F(SpawnTest, WhatAPlacingAsksForCountsBesideWhatIsUnderWay) {
    request_.quantity = kSpawnQuantityMax;
    request_.substeps = 1 << 20;
    request_.locations.assign(1 << 20, Vec3d{});
    ask_when_placed_ = true;
    ASSERT_TRUE(world_->request_spawn(request_));
    ASSERT_TRUE(world_->step());
    ASSERT_TRUE(world_->step());
    ASSERT_FALSE(asked_.empty());
    EXPECT_EQ(asked_[0], ErrorCode::kOverCap);
    EXPECT_EQ(world_->state().deferred_spawns.size(), 1U);
}

}  // namespace
}  // namespace maniple::sim
