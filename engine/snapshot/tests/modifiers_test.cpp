#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::snapshot {
namespace {

/// A game on one field, whose command registers the modifiers that the test made.
class ModifiersTest : public testing::Test {
  protected:
    ModifiersTest() {
        auto game = std::make_shared<sim::GameDefinition>("modifiers");
        game->add_field("ground");
        game->add_command({sim::kFirstGameCommand, "register",
                           [this](sim::World& world, const sim::Command&) -> Result<void> {
                               for (const sim::ModifierRecord& record : registered_) {
                                   auto done = world.register_modifier(record);
                                   if (!done) return done;
                               }
                               return {};
                           }});
        game->seal();
        game_ = game;
        world_ = std::make_unique<sim::World>(game_, sim::MatchConfig{}, executor_);
        EXPECT_TRUE(world_->import_substrate("ground", stream().bytes()));
    }
    static substrate::CheckedStream stream() {
        nav::GridSubstrate ground;
        ground.geometry = nav::GridGeometry(0, 0, 0, 0, 9, 9, 100);
        ground.cost.assign(81, 1);
        ground.type.assign(81, static_cast<std::uint8_t>(nav::CellType::kGround));
        ground.z_cm.assign(81, 0);
        ground.normal.assign(81, {0, 0, 127});
        ground.goals_cm.push_back({400, 0, 0});
        return substrate::write_grid_stream(ground);
    }
    static sim::ModifierRecord wind(std::int64_t id, Vec3f direction, std::int32_t priority) {
        sim::ModifierRecord record;
        record.id = id;
        record.field_name = "ground";
        record.half_extent_cm = {150, 150, 50};
        record.direction = direction;
        record.priority = priority;
        return record;
    }
    /// Steps once, with the command.
    void register_all(std::vector<sim::ModifierRecord> records) {
        registered_ = std::move(records);
        sim::Command command;
        command.type = sim::kFirstGameCommand;
        command.tick = 1;
        command.server_exec_sequence = 1;
        ASSERT_TRUE(world_->queue(command));
        ASSERT_TRUE(world_->step());
        ASSERT_EQ(world_->state().modifiers.size(), registered_.size());
    }
    core::Bytes encoded(const std::function<void(Snapshot&)>& edit = {}) {
        Snapshot snapshot;
        capture(*world_, snapshot);
        add_substrates(*world_, snapshot);
        if (edit) edit(snapshot);
        return encode_snapshot(*game_, snapshot);
    }
    ErrorCode refusal(const std::function<void(sim::ModifierRecord&)>& edit) {
        const auto decoded = decode_snapshot(
            *game_, encoded([&](Snapshot& s) { edit(s.state.modifiers.back()); }), Policy::kJoin);
        return decoded ? ErrorCode::kNone : decoded.error().code;
    }

    core::SerialExecutor executor_;
    std::vector<sim::ModifierRecord> registered_;
    std::shared_ptr<const sim::GameDefinition> game_;
    std::unique_ptr<sim::World> world_;
};

// proves: SNAP-049, O-SNAP-23, O-SNAP-08
TEST_F(ModifiersTest, ARestoredPeerHasThemWhenItsSubstratesAreFlooded) {
    sim::ModifierRecord disabled = wind(9, {0, 0, 1}, 99);
    disabled.enabled = false;
    register_all({wind(7, {0, 1, 0}, 5), wind(2, {0, -1, 0}, 5), wind(4, {-1, 0, 0}, 1), disabled});
    const auto decoded = decode_snapshot(*game_, encoded(), Policy::kJoin);
    ASSERT_TRUE(decoded) << decoded.error().message;
    auto restored = restore(game_, *decoded, executor_);
    ASSERT_TRUE(restored) << restored.error().message;
    sim::World& joiner = **restored;
    EXPECT_EQ(joiner.state().modifiers.size(), 4U);
    EXPECT_EQ(joiner.state().modifiers[0].id, 7) << "in order of registration, not of id";
    const nav::FlowField& a = *world_->find_field("ground");
    const nav::FlowField& b = *joiner.find_field("ground");
    EXPECT_EQ(a.direction(a.default_layer(), 40), (Vec3f{0, -1, 0})) << "the last of priority 5";
    for (nav::CellIndex cell = 0; cell < 81; ++cell) {
        EXPECT_EQ(a.direction(a.default_layer(), cell), b.direction(b.default_layer(), cell));
    }
    EXPECT_TRUE(joiner.enable_modifier(9, true));
    EXPECT_TRUE(world_->enable_modifier(9, true));
    EXPECT_EQ(*world_->step(), *joiner.step());
}

TEST_F(ModifiersTest, WithoutThemNoneAreRestored) {
    ASSERT_TRUE(world_->step());
    const core::Bytes none = encoded();
    const auto decoded = decode_snapshot(*game_, none, Policy::kJoin);
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(decoded->state.modifiers.empty());
}

// proves: SNAP-049
TEST_F(ModifiersTest, RecordsThatDoNotFitAreRefused) {
    register_all({wind(7, {0, 1, 0}, 5), wind(2, {0, -1, 0}, 5)});
    EXPECT_EQ(refusal([](auto&) {}), ErrorCode::kNone);
    EXPECT_EQ(refusal([](auto& r) { r.id = 8; }), ErrorCode::kNone);
    EXPECT_EQ(refusal([](auto& r) { r.id = 7; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.field_name = "nowhere"; }), ErrorCode::kUnknownName);
    EXPECT_EQ(refusal([](auto& r) { r.family = nav::ModifierFamily{3}; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.half_width_cm = std::numeric_limits<double>::infinity(); }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.points.resize(sim::kModifierPointsMax + 1); }),
              ErrorCode::kOverCap);
}

// proves: SNAP-049
TEST_F(ModifiersTest, AStateWithAnotherModifierIsNotTheCapturedOne) {
    register_all({wind(7, {0, 1, 0}, 5)});
    const auto decoded = decode_snapshot(
        *game_, encoded([](Snapshot& s) { s.state.modifiers[0].priority = 6; }), Policy::kJoin);
    ASSERT_TRUE(decoded);
    const auto restored = restore(game_, *decoded, executor_);
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().code, ErrorCode::kStateMismatch);
}

}  // namespace
}  // namespace maniple::snapshot
