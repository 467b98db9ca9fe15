#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "maniple/sim/world.h"
#include "maniple/substrate/played_mesh.h"
#include "maniple/substrate/stream_dispatcher.h"

#include "held_background.h"
#include "mesh_worlds.h"

namespace maniple::sim {
namespace {

using substrate::NavMeshStream;
using tests::at;

constexpr std::uint32_t kTakeLayer = kFirstGameCommand;
constexpr std::uint32_t kUpdate = kFirstGameCommand + 1;

/// A game on one navmesh field.
std::shared_ptr<const GameDefinition> make_game() {
    auto game = std::make_shared<GameDefinition>("walkers");
    game->add_field("ground", [](const std::string& name) {
        return std::make_unique<substrate::PlayedMesh>(name, nav::FieldConfig{});
    });
    game->add_command({kTakeLayer, "TakeLayer", [](World& world, const Command&) {
                           nav::MeshField& field = world.find_navmesh("ground")->field();
                           const nav::LayerHandle layer =
                               field.get_or_acquire_layer({at(22, 0, 2)});
                           field.release_layer(layer);
                           EXPECT_NE(field.find_layer(layer), nullptr);
                           return Result<void>{};
                       }});
    game->add_command({kUpdate, "Update", [](World& world, const Command&) {
                           EXPECT_TRUE(world.start_field_update("ground", true, 3));
                           EXPECT_FALSE(world.start_field_update("ground", true, 3));
                           return Result<void>{};
                       }});
    game->seal();
    return game;
}

/// A plain of 3 × 3 tiles, some of them of another ground.
NavMeshStream plain_with(std::initializer_list<std::size_t> ridged) {
    static const tests::BakedMesh plain =
        tests::bake({.tiles_x = 3, .tiles_z = 3, .height = tests::flat});
    static const tests::BakedMesh ridges =
        tests::bake({.tiles_x = 3, .tiles_z = 3, .height = tests::pillars(1)});
    std::vector<nav::MeshTile> tiles = plain.tiles();
    for (const std::size_t tile : ridged) tiles[tile].blob = ridges.blobs[tile];
    const substrate::GoalCm goal{-2000, -2000, 0};
    Result<NavMeshStream> stream =
        NavMeshStream::write({{}, {&goal, 1}, plain.params, tests::even_costs(), tiles});
    EXPECT_TRUE(stream.has_value());
    return std::move(*stream);
}

/// The server's changes: one at tick 3, two at tick 4.
std::vector<Command> edits() {
    substrate::StreamDispatcher<NavMeshStream> dispatcher(plain_with({}));
    std::vector<Command> commands;
    const auto edit = [&](Tick tick, NavMeshStream next) {
        auto dispatch = dispatcher.dispatch(tick, std::move(next));
        ASSERT_TRUE(dispatch.has_value());
        EXPECT_EQ(dispatch->kind, substrate::StreamKind::kDelta);
        Command command;
        command.type = kCommandRebuildFlowField;
        command.tick = tick;
        command.server_exec_sequence = static_cast<std::int64_t>(commands.size()) + 1;
        command.target = "ground";
        command.byte_payload = std::move(dispatch->payload);
        commands.push_back(std::move(command));
    };
    edit(3, plain_with({4}));
    edit(4, plain_with({4, 7}));
    edit(4, plain_with({7}));
    return commands;
}

class WorldNavMeshTest : public testing::Test {
  protected:
    static const nav::MeshField& field(const World& world) {
        return world.find_navmesh("ground")->field();
    }
    std::unique_ptr<World> start(core::Background* background = nullptr) {
        auto world =
            std::make_unique<World>(game_, MatchConfig{}, executor_, core::null_log(), background);
        EXPECT_TRUE(world->import_substrate("ground", plain_with({}).bytes()).has_value());
        return world;
    }

    std::shared_ptr<const GameDefinition> game_ = make_game();
    core::SerialExecutor executor_;
};

/// A direction modifier that counts how often directions were made anew.
class Counter final : public nav::DirectionModifier {
  public:
    explicit Counter(std::shared_ptr<int> count) : count_(std::move(count)) {}
    void apply_direction(nav::DirectionEdit&) const override {}
    void apply_direction_mesh(nav::MeshDirectionEdit&) const override { ++*count_; }
    std::shared_ptr<const DirectionModifier> snapshot() const override {
        return std::make_shared<Counter>(*this);
    }

  private:
    std::shared_ptr<int> count_;
};

// proves: ASY-008, ASY-013, O-ASY-01, O-ASY-02
TEST_F(WorldNavMeshTest, UpdatesASyncedNavmeshInTheTickThatAllPeersKnow) {
    tests::HeldBackground background;
    const auto slow = start(&background);
    const auto fast = start();
    for (World* world : {slow.get(), fast.get()}) {
        const auto count = std::make_shared<int>(0);
        nav::MeshField& mesh = world->find_navmesh("ground")->field();
        const auto counter = std::make_shared<Counter>(count);
        ASSERT_TRUE(mesh.register_modifier(counter, nav::ModifierOrigin::kCommand));
        const auto before = mesh.default_layer().solution.direction;
        Command update;
        update.type = kUpdate;
        update.tick = 1;
        update.server_exec_sequence = 1;
        ASSERT_TRUE(world->queue(update).has_value());
        for (Tick tick = 1; tick <= 3; ++tick) ASSERT_TRUE(world->step().has_value());
        EXPECT_TRUE(world->field_update_in_flight());
        EXPECT_EQ(world->must_wait(), world == slow.get());
        EXPECT_EQ(*count, 0);
        background.run_all();
        ASSERT_TRUE(world->step().has_value());
        EXPECT_EQ(*count, 1) << "at tick 4, in the serial window";
        EXPECT_FALSE(world->field_update_in_flight());
        EXPECT_EQ(mesh.default_layer().solution.direction, before);
        EXPECT_TRUE(mesh.synced());
    }
    EXPECT_EQ(slow->compute_hash(), fast->compute_hash());
}

// proves: O-SYNC-13, SYNC-053, NET-001
TEST_F(WorldNavMeshTest, TakesEditsInTheirTickAndWaitsForWhatIsNotComputedYet) {
    tests::HeldBackground background;
    const auto slow = start(&background);
    const auto fast = start();
    for (World* world : {slow.get(), fast.get()}) {
        for (const Command& command : edits()) ASSERT_TRUE(world->queue(command).has_value());
    }
    for (Tick tick = 1; tick <= 5; ++tick) {
        EXPECT_FALSE(fast->must_wait());
        // Ticks that need nothing run; the first that does waits for its own mesh.
        EXPECT_EQ(slow->must_wait(), tick == 3);
        if (slow->must_wait()) {
            EXPECT_EQ(slow->step().error().code, ErrorCode::kNotReady);
            EXPECT_EQ(slow->tick(), 2);
            background.run_all();
        }
        const auto one = slow->step();
        const auto two = fast->step();
        ASSERT_TRUE(one.has_value() && two.has_value());
        EXPECT_EQ(*one, *two);
    }
    EXPECT_TRUE(std::ranges::equal(slow->substrate_stream("ground"), plain_with({7}).bytes()));
    EXPECT_EQ(field(*slow).default_layer().solution.direction,
              field(*fast).default_layer().solution.direction);
}

// proves: O-SYNC-13, SYNC-065, HASH-001
TEST_F(WorldNavMeshTest, ALateJoinerStandsOnTheMeshOfAPeerThatTookEveryDelta) {
    const auto standing = start();
    for (const Command& command : edits()) ASSERT_TRUE(standing->queue(command).has_value());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(standing->step().has_value());
    const auto late = start();
    const std::uint64_t before = late->compute_hash();
    ASSERT_TRUE(late->import_substrate("ground", standing->substrate_stream("ground")).has_value());
    EXPECT_NE(late->compute_hash(), before) << "the version is hashed";
    late->adopt_state(standing->state());
    EXPECT_EQ(late->compute_hash(), standing->compute_hash());
    for (std::int32_t slot = 0; slot < 9; ++slot) {
        EXPECT_EQ(field(*late).active_mesh()->polygon_ref({slot, 0}),
                  field(*standing).active_mesh()->polygon_ref({slot, 0}));
    }
    EXPECT_EQ(field(*late).default_layer().solution.direction,
              field(*standing).default_layer().solution.direction);
}

// proves: NET-009, O-SYNC-15
TEST_F(WorldNavMeshTest, ARefusedEditLeavesTheWorldUnstepped) {
    const auto world = start();
    Command wrong = edits()[1];  // Its base is not what the field stands on.
    ASSERT_TRUE(world->queue(wrong).has_value());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(world->step().has_value());
    EXPECT_EQ(world->step().error().code, ErrorCode::kBaseMismatch);
    EXPECT_EQ(world->tick(), 3);
    EXPECT_TRUE(std::ranges::equal(world->substrate_stream("ground"), plain_with({}).bytes()));
}

// proves: NET-012, NET-021, O-SYNC-13
TEST_F(WorldNavMeshTest, ARepairDropsWhatWasBeingComputedForTheTickItMends) {
    tests::HeldBackground background;
    const auto world = start(&background);
    const auto command = [](Tick tick, std::int64_t sequence, core::ByteSpan payload) {
        Command made = edits().front();
        made.tick = tick;
        made.server_exec_sequence = sequence;
        made.byte_payload.assign(payload.begin(), payload.end());
        return made;
    };
    // Two at tick 4: the first is refused, and the repair stands for both.
    core::Bytes corrupt = edits().front().byte_payload;
    corrupt.back() ^= 1;
    ASSERT_TRUE(world->queue(command(4, 1, corrupt)).has_value());
    ASSERT_TRUE(world->queue(command(4, 2, plain_with({4, 7}).bytes())).has_value());
    background.run_all();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(world->step().has_value());
    EXPECT_FALSE(world->step().has_value());
    ASSERT_TRUE(world->repair_substrate("ground", plain_with({7}).bytes()).has_value());
    ASSERT_TRUE(world->step().has_value());
    // The next edit is computed on the repair's stream, and its tick swaps in what was computed.
    substrate::StreamDispatcher<NavMeshStream> dispatcher(plain_with({7}));
    const auto next = dispatcher.dispatch(6, plain_with({4}));
    ASSERT_TRUE(next.has_value());
    ASSERT_TRUE(world->queue(command(6, 3, next->payload)).has_value());
    ASSERT_TRUE(world->step().has_value());
    background.run_all();
    const tests::BakedMesh later = tests::bake({.tiles_x = 1, .tiles_z = 1, .height = tests::flat});
    const std::uint64_t now = tests::replica_of(later).generation();
    ASSERT_TRUE(world->step().has_value());
    EXPECT_LT(field(*world).active_mesh()->generation(), now);
    EXPECT_TRUE(std::ranges::equal(world->substrate_stream("ground"), plain_with({4}).bytes()));
}

// proves: LAY-022
TEST_F(WorldNavMeshTest, LayersThatNobodyUsesGoInTheSerialWindow) {
    const auto world = start();
    Command take;
    take.type = kTakeLayer;
    take.tick = 1;
    take.server_exec_sequence = 1;
    ASSERT_TRUE(world->queue(take).has_value());
    ASSERT_TRUE(world->step().has_value());
    EXPECT_EQ(field(*world).layer_count(), 0u);
}

}  // namespace
}  // namespace maniple::sim
