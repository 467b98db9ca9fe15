#include "maniple/sim/modifier_record.h"

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

#include "maniple/sim/world.h"

namespace maniple::sim {
namespace {

/// A world on one field of 5 × 5 cells that lead east.
class ModifierRecordTest : public testing::Test {
  protected:
    ModifierRecordTest() {
        auto game = std::make_shared<GameDefinition>("modifiers");
        game->add_field("ground");
        game->seal();
        world_ = std::make_unique<World>(game, MatchConfig{}, executor_);
        nav::GridSubstrate ground;
        ground.geometry = nav::GridGeometry(0, 0, 0, 0, 5, 5, 100);
        ground.cost.assign(25, 1);
        ground.type.assign(25, static_cast<std::uint8_t>(nav::CellType::kGround));
        ground.z_cm.assign(25, 0);
        ground.normal.assign(25, {0, 0, 127});
        ground.goals_cm.push_back({200, 0, 0});
        field().set_substrate(std::move(ground));
        field().mark_synced(1);
    }
    nav::FlowField& field() { return *world_->find_field("ground"); }
    Vec3f middle(const nav::Layer& layer) { return field().direction(layer, 12); }
    static ModifierRecord wind(std::int64_t id) {
        ModifierRecord record;
        record.id = id;
        record.field_name = "ground";
        record.half_extent_cm = {50, 50, 50};
        record.direction = {0, 1, 0};
        return record;
    }
    ErrorCode refusal(const std::function<void(ModifierRecord&)>& edit) {
        ModifierRecord record = wind(77);
        edit(record);
        const auto registered = world_->register_modifier(record);
        return registered ? ErrorCode::kNone : registered.error().code;
    }

    core::SerialExecutor executor_;
    std::unique_ptr<World> world_;
};

// proves: O-SNAP-23
TEST_F(ModifierRecordTest, IsStateThatEveryLayerShowsAtOnce) {
    const nav::LayerHandle west = field().get_or_acquire_layer({{-200, 0, 0}});
    const std::uint64_t before = world_->compute_hash();
    ASSERT_TRUE(world_->register_modifier(wind(3)));
    const std::uint64_t registered = world_->compute_hash();
    EXPECT_NE(registered, before);
    EXPECT_EQ(middle(field().default_layer()), (Vec3f{0, 1, 0}));
    EXPECT_EQ(middle(*field().find_layer(west)), (Vec3f{0, 1, 0}));
    EXPECT_TRUE(world_->enable_modifier(3, false));
    EXPECT_NE(world_->compute_hash(), registered);
    EXPECT_EQ(middle(field().default_layer()), (Vec3f{1, 0, 0}));
    EXPECT_EQ(middle(*field().find_layer(west)), (Vec3f{-1, 0, 0}));
    EXPECT_TRUE(world_->enable_modifier(3, true));
    EXPECT_EQ(world_->compute_hash(), registered);
    EXPECT_TRUE(world_->unregister_modifier(3));
    EXPECT_EQ(world_->compute_hash(), before);
    EXPECT_EQ(middle(field().default_layer()), (Vec3f{1, 0, 0}));
    EXPECT_FALSE(world_->unregister_modifier(3));
    EXPECT_FALSE(world_->enable_modifier(3, true));
}

// proves: O-SNAP-23
TEST_F(ModifierRecordTest, EveryValueOfOneIsHashed) {
    const std::vector<std::function<void(ModifierRecord&)>> edits{
        [](auto& r) { r.id = 4; },
        [](auto& r) { r.priority = 1; },
        [](auto& r) { r.enabled = false; },
        [](auto& r) { r.shape = ModifierShape::kCorridor; },
        [](auto& r) { r.centre_cm.z = 1; },
        [](auto& r) { r.half_extent_cm.x = 51; },
        [](auto& r) { r.yaw_centideg = 1; },
        [](auto& r) { r.points = {{1, 2, 3}}; },
        [](auto& r) { r.half_width_cm = 1; },
        [](auto& r) { r.direction.x = 1; },
        [](auto& r) { r.family = nav::ModifierFamily::kCost; },
        [](auto& r) { r.cost = 1; },
        [](auto& r) { r.sets_cost = true; },
        [](auto& r) { r.cell_type = nav::CellType::kGround; },
        [](auto& r) { r.cell_cost = 1; }};
    ASSERT_TRUE(world_->register_modifier(wind(3)));
    const std::uint64_t plain = world_->compute_hash();
    for (const auto& edit : edits) {
        ModifierRecord record = wind(3);
        edit(record);
        ASSERT_TRUE(world_->unregister_modifier(world_->state().modifiers[0].id));
        ASSERT_TRUE(world_->register_modifier(record));
        EXPECT_NE(world_->compute_hash(), plain);
    }
}

TEST_F(ModifierRecordTest, OneThatDoesNotFitIsRefused) {
    EXPECT_EQ(refusal([](auto& r) { r.field_name = "nowhere"; }), ErrorCode::kUnknownName);
    EXPECT_EQ(refusal([](auto& r) { r.centre_cm.x = std::numeric_limits<double>::quiet_NaN(); }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.direction.z = std::numeric_limits<float>::infinity(); }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.family = nav::ModifierFamily{3}; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.shape = ModifierShape{2}; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.cell_type = nav::CellType{3}; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](auto& r) { r.points.resize(kModifierPointsMax + 1); }),
              ErrorCode::kOverCap);
    EXPECT_EQ(refusal([](auto& r) { r.points.resize(kModifierPointsMax); }), ErrorCode::kNone);
    EXPECT_EQ(refusal([](auto&) {}), ErrorCode::kBadValue) << "the id is taken";
    EXPECT_EQ(world_->state().modifiers.size(), 1U);
}

}  // namespace
}  // namespace maniple::sim
