#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/sim/world.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::sim {
namespace {

constexpr const char* kGround = "ground";

/// Level ground of 8 × 8 cells whose cell `i` costs 9.
core::Bytes ground(std::size_t i) {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, 8, 8, 100);
    ground.cost.assign(64, 1);
    ground.cost[i] = 9;
    ground.type.assign(64, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(64, 0);
    ground.normal.assign(64, {0, 0, 127});
    ground.goals_cm = {{0, 0, 0}};
    return substrate::write_grid_stream(ground).release();
}
core::Bytes delta(std::size_t from, std::size_t to) {
    core::Bytes bytes;
    bool any_change = false;
    EXPECT_TRUE(
        substrate::build_substrate_delta_bytes(ground(from), ground(to), bytes, any_change));
    return bytes;
}
std::int64_t version_of(core::ByteSpan full) { return substrate::content_hash(full); }

/// A world on one field whose only system calls `look`, and its log.
class SubstrateCommandTest : public testing::Test {
  protected:
    SubstrateCommandTest() {
        auto game = std::make_shared<GameDefinition>("ground");
        game->add_field(kGround);
        game->add_system({"look", [this](SystemContext& context) {
                              if (look_) look_(context.world);
                          }});
        game->seal();
        world_ = std::make_unique<World>(game, MatchConfig{}, executor_,
                                         [this](const core::LogEntry& e) { log_.push_back(e); });
    }
    void start_on(std::size_t i) { ASSERT_TRUE(world_->import_substrate(kGround, ground(i))); }
    void queue(core::Bytes payload, std::optional<std::int64_t> version = {},
               std::string target = kGround) {
        Command command;
        command.type = kCommandRebuildFlowField;
        command.tick = world_->tick() + 1;
        command.server_exec_sequence = ++sequence_;
        command.target = std::move(target);
        if (version) command.set(std::string(kParamVersion), *version);
        command.byte_payload = std::move(payload);
        ASSERT_TRUE(world_->queue(std::move(command)));
    }
    ErrorCode step() {
        const auto stepped = world_->step();
        return stepped ? ErrorCode::kNone : stepped.error().code;
    }
    std::int64_t version() const { return world_->find_field(kGround)->substrate_version(); }

    core::SerialExecutor executor_;
    std::function<void(World&)> look_;
    std::vector<core::LogEntry> log_;
    std::unique_ptr<World> world_;
    std::int64_t sequence_ = 0;
};

// proves: NET-019, NET-008
TEST_F(SubstrateCommandTest, ImportsAndFlushesAreDoneBeforeTheFirstSystemLooks) {
    start_on(1);
    nav::FlowField& field = *world_->find_field(kGround);
    const nav::LayerHandle layer = field.get_or_acquire_layer({{100, 100, 0}});
    ASSERT_TRUE(field.release_layer(layer));
    ASSERT_NE(field.find_layer(layer), nullptr) << "queued for the next flush";
    std::vector<std::int64_t> seen;
    look_ = [&](World& world) {
        seen.push_back(world.find_field(kGround)->substrate_version());
        EXPECT_EQ(world.find_field(kGround)->find_layer(layer), nullptr);
    };
    queue(delta(1, 2));
    EXPECT_EQ(step(), ErrorCode::kNone);
    EXPECT_EQ(step(), ErrorCode::kNone);
    EXPECT_THAT(seen, testing::ElementsAre(version_of(ground(2)), version_of(ground(2))));
}

// proves: NET-009, NET-012, NET-021, O-NET-04
TEST_F(SubstrateCommandTest, ARefusedOneLeavesTheWorldUnsteppedUntilAFullStreamRepairsIt) {
    start_on(1);
    ASSERT_EQ(step(), ErrorCode::kNone);
    const std::uint64_t hash = world_->compute_hash();
    queue(delta(3, 4));
    EXPECT_EQ(step(), ErrorCode::kBaseMismatch);
    EXPECT_EQ(step(), ErrorCode::kBaseMismatch);
    EXPECT_EQ(world_->refused_field(), kGround);
    EXPECT_EQ(world_->tick(), 1);
    EXPECT_EQ(world_->compute_hash(), hash);
    ASSERT_FALSE(log_.empty());
    EXPECT_EQ(log_.back().severity, core::Severity::kError);
    EXPECT_EQ(log_.back().code, 1205);

    EXPECT_EQ(world_->repair_substrate(kGround, delta(1, 4)).error().code, ErrorCode::kBadMagic);
    EXPECT_EQ(world_->repair_substrate("sky", ground(4)).error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(step(), ErrorCode::kBaseMismatch);
    ASSERT_TRUE(world_->repair_substrate(kGround, ground(4)));
    EXPECT_EQ(step(), ErrorCode::kNone);
    EXPECT_EQ(world_->refused_field(), "");
    EXPECT_EQ(version(), version_of(ground(4)));
    // The repair was for that tick alone.
    queue(delta(3, 4));
    EXPECT_EQ(step(), ErrorCode::kNone) << "the version that stands";
    queue(delta(3, 5));
    EXPECT_EQ(step(), ErrorCode::kBaseMismatch);
}

// proves: NET-021
TEST_F(SubstrateCommandTest, ACommandThatNamesAnotherVersionThanItsStreamHasIsRefused) {
    start_on(1);
    const std::vector<core::Bytes> payloads{delta(1, 2), ground(3)};
    for (std::size_t i = 0; i < payloads.size(); ++i) {
        const core::Bytes named = ground(4 + i);
        queue(payloads[i], version_of(named));
        EXPECT_EQ(step(), ErrorCode::kStateMismatch);
        EXPECT_EQ(world_->refused_field(), kGround);
        EXPECT_EQ(world_->tick(), static_cast<Tick>(i));
        ASSERT_TRUE(world_->repair_substrate(kGround, named));
        EXPECT_EQ(step(), ErrorCode::kNone);
        EXPECT_EQ(version(), version_of(named));
    }
}

// proves: NET-021, O-NET-07
TEST_F(SubstrateCommandTest, AnUnknownFieldIsRefusedByName) {
    start_on(1);
    queue(ground(2), {}, "sky");
    EXPECT_EQ(step(), ErrorCode::kUnknownName);
    EXPECT_EQ(world_->refused_field(), "sky");
    EXPECT_EQ(world_->tick(), 0);
}

// proves: NET-011
TEST_F(SubstrateCommandTest, ADeltaBeforeTheFieldHasGroundStopsThePeer) {
    int looks = 0;
    look_ = [&](World&) { ++looks; };
    queue(delta(1, 2));
    EXPECT_EQ(step(), ErrorCode::kNotReady);
    EXPECT_EQ(world_->refused_field(), kGround);
    EXPECT_EQ(looks, 0);
    ASSERT_TRUE(world_->repair_substrate(kGround, ground(2)));
    EXPECT_EQ(step(), ErrorCode::kNone);
    EXPECT_EQ(looks, 1);
}

// proves: NET-016, O-NET-05
TEST_F(SubstrateCommandTest, OneThatLeadsToTheStandingVersionNeedsNoPayload) {
    start_on(1);
    queue({}, version_of(ground(1)));
    EXPECT_EQ(step(), ErrorCode::kNone);
    queue({}, version_of(ground(2)));
    EXPECT_EQ(step(), ErrorCode::kTruncated);
}

}  // namespace
}  // namespace maniple::sim
