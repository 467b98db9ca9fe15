#include "maniple/nav/field_registry.h"

#include <gtest/gtest.h>
#include <optional>

#include "plain_ground.h"

namespace maniple::nav {
namespace {

/// A layer of the field whose last user has gone.
LayerHandle released_layer(FlowField& field) {
    const LayerHandle layer = field.get_or_acquire_layer({{100, 0, 0}});
    field.release_layer(layer);
    return layer;
}

// proves: LAY-021
TEST(FieldRegistry, FlushesLiveFieldsAndForgetsTheOthers) {
    FieldRegistry registry;
    std::optional<FlowField> gone;
    gone.emplace("gone", FieldConfig{});
    FlowField live("live", {});
    live.set_substrate(plain_ground(5, 5));
    registry.add(*gone);
    registry.add(live);
    gone.reset();
    const LayerHandle layer = released_layer(live);
    EXPECT_NE(live.find_layer(layer), nullptr);
    registry.flush_pending_destroys();
    EXPECT_EQ(live.find_layer(layer), nullptr);
    EXPECT_EQ(registry.size(), 1U);
}

// proves: LAY-022
TEST(FieldRegistry, WhileTasksAreRebuiltNothingIsDestroyed) {
    FieldRegistry registry;
    FlowField field("live", {});
    field.set_substrate(plain_ground(5, 5));
    registry.add(field);
    const LayerHandle layer = released_layer(field);
    registry.set_suppressed(true);
    registry.flush_pending_destroys();
    ASSERT_NE(field.find_layer(layer), nullptr);
    EXPECT_EQ(field.get_or_acquire_layer({{100, 0, 0}}), layer) << "a rebuilt task takes it again";
    registry.set_suppressed(false);
    registry.flush_pending_destroys();
    EXPECT_NE(field.find_layer(layer), nullptr);
}

}  // namespace
}  // namespace maniple::nav
