#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/grid_path.h"
#include "maniple/nav/modifier_shapes.h"

#include "plain_ground.h"

namespace maniple::nav {
namespace {

/// Numbers that a careless host may pass: not finite, huge, tiny, on every border.
double hostile_number(std::mt19937& random) {
    constexpr double kNumbers[] = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::max(),
                                   std::numeric_limits<double>::lowest(),
                                   std::numeric_limits<double>::denorm_min(),
                                   1e19,
                                   -1e19,
                                   2147483648.0,
                                   -2147483649.0,
                                   -0.0,
                                   0.0,
                                   0.5,
                                   -1.0,
                                   450.0,
                                   -450.0};
    return kNumbers[random() % std::size(kNumbers)];
}
Vec3d hostile_place(std::mt19937& random) {
    const double x = hostile_number(random);
    const double y = hostile_number(random);
    return {x, y, hostile_number(random)};
}
bool is_finite(const Vec3d& place) {
    return std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z);
}

FieldSetup small_setup() {
    FieldSetup setup;
    setup.size_cm = {900, 900, 100};
    return setup;
}

// proves: O-GEN-08
TEST(HostileUse, AnyPlaceGetsAnAnswerAndOneThatIsNotFiniteAnInvalidOne) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(9, 9);
    ground.goals_cm.push_back({0, 0, 0});
    field.set_substrate(std::move(ground));
    std::mt19937 random(1);
    for (int i = 0; i < 3000; ++i) {
        const Vec3d place = hostile_place(random);
        const Vec2d at{place.x, place.y};
        const double radius = hostile_number(random);
        const NavigationAnswer point = field.query(at, 0);
        const bool finite = std::isfinite(at.x) && std::isfinite(at.y);
        EXPECT_EQ(point.valid, finite);
        const NavigationAnswer wide = field.query(at, radius);
        if (!finite || !std::isfinite(radius)) {
            EXPECT_FALSE(wide.valid) << at.x << ' ' << at.y << ' ' << radius;
            EXPECT_EQ(wide.direction, (Vec3f{}));
        }
        static_cast<void>(field.query_layer(&field.default_layer(), at, radius));
        const Vec3f mean = field.average_direction(at, radius);
        EXPECT_TRUE(std::isfinite(mean.x) && std::isfinite(mean.y));
        static_cast<void>(field.interpolated_ground(at));
        static_cast<void>(field.world_to_index(at));
        static_cast<void>(field.cell_at(at));
        static_cast<void>(field.cell_at(
            GridCoord{static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random())}));
        static_cast<void>(field.ground_location(place, radius, radius, TraceMode::kCapsuleSweep,
                                                hostile_number(random)));
    }
}

TEST(HostileUse, ASetupIsClampedOrRefusedWithAReason) {
    FlowField field("ground", {});
    field.set_setup(small_setup());
    ASSERT_TRUE(field.update(true));
    std::mt19937 random(2);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        FieldSetup setup = small_setup();
        double* const numbers[] = {&setup.location_cm.x, &setup.location_cm.z,
                                   &setup.yaw_degrees,   &setup.cell_size_cm,
                                   &setup.size_cm.x,     &setup.size_cm.y,
                                   &setup.size_cm.z,     &setup.refresh_interval_s};
        for (double* number : numbers) {
            if (random() % 4 == 0) *number = hostile_number(random);
        }
        setup.initial_cost = static_cast<std::int32_t>(random());
        const auto inside = clamped(setup);
        const auto grid = inside ? grid_of(*inside) : refuse(inside.error());
        if (grid && grid->cell_count() > 100'000) continue;  // as good as any, but slow
        field.set_setup(setup);
        const auto updated = field.update(true);
        if (updated) continue;
        ++refused;
        EXPECT_FALSE(updated.error().message.empty());
        EXPECT_TRUE(field.initialised()) << "the field is as it was";
    }
    EXPECT_GT(refused, 100);
    EXPECT_LT(refused, 900);

    FieldSetup none = small_setup();
    none.cell_size_cm = 0;
    field.set_setup(none);
    ASSERT_TRUE(field.update(true)) << "a cell of 1 cm";
    EXPECT_EQ(field.geometry().x_num(), 900);
    FieldSetup huge = small_setup();
    huge.size_cm = {1e9, 100, 0};
    huge.cell_size_cm = 1;
    field.set_setup(huge);
    EXPECT_EQ(field.update(true).error().code, ErrorCode::kOverCap) << "10^9 cells";
}

TEST(HostileUse, GoalsAreClampedOntoTheGridOrRefused) {
    FlowField field("ground", {});
    field.set_setup(small_setup());
    ASSERT_TRUE(field.update(true));
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        std::vector<Vec3d> goals;
        for (unsigned g = 0; g <= random() % 3; ++g) goals.push_back(hostile_place(random));
        const bool finite = std::all_of(goals.begin(), goals.end(), is_finite);
        field.set_goals({{}, goals});
        EXPECT_EQ(field.update(false).has_value(), finite);
        const LayerHandle layer = field.get_or_acquire_layer(goals);
        EXPECT_EQ(layer.valid(), finite);
        if (!finite) continue;
        EXPECT_TRUE(field.find_layer(layer)->solved);
        EXPECT_TRUE(field.release_layer(layer));
        field.flush_pending_destroys();
        EXPECT_EQ(field.find_layer(layer), nullptr);
    }
    field.set_goals({{}, std::vector<Vec3d>(kGoalsMax + 1)});
    EXPECT_EQ(field.update(false).error().code, ErrorCode::kOverCap);
}

TEST(HostileUse, HandlesOfDestroyedLayersAreMerelyWrong) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(9, 9));
    std::mt19937 random(4);
    for (int i = 0; i < 2000; ++i) {
        const LayerHandle handle{static_cast<std::int32_t>(random() % 12) - 2};
        const bool there = field.find_layer(handle) != nullptr;
        switch (random() % 10) {
            case 0: field.create_layer("", {{}, {{0, 0, 0}}}); break;
            case 1: field.destroy_layer(handle); break;
            case 2: EXPECT_EQ(field.update_layer(handle), there); break;
            case 3: EXPECT_EQ(field.acquire_layer(handle), there); break;
            case 4: static_cast<void>(field.release_layer(handle)); break;
            case 5: EXPECT_EQ(field.set_layer_goals(handle, {{}, {{9, 9, 9}}}), there); break;
            case 6: field.flush_pending_destroys(); break;
            case 7: static_cast<void>(field.get_or_acquire_layer({{1, 2, 3}})); break;
            case 8: field.serve_layer(handle, {}, 0); break;
            default: {
                const Layer* layer = field.find_layer(handle);
                const bool solved = layer != nullptr && layer->solved;
                EXPECT_EQ(field.query_layer(layer, {0, 0}, 0).valid, solved);
            }
        }
        EXPECT_GE(field.layer_user_count(handle), 0);
    }
}

TEST(HostileUse, ModifiersMayDieAndHoldAnyNumber) {
    FlowField field("ground", {});
    field.set_setup(small_setup());
    std::mt19937 random(5);
    std::vector<std::shared_ptr<Modifier>> alive;
    const auto shape = [&]() -> Shape {
        if (random() % 2 == 0) {
            return BoxShape{hostile_place(random), hostile_place(random),
                            static_cast<std::int32_t>(random() % 36'000) - 18'000};
        }
        CorridorShape corridor;
        for (unsigned i = 0; i < random() % 4; ++i)
            corridor.points.push_back(hostile_place(random));
        corridor.half_width_cm = hostile_number(random);
        return corridor;
    };
    for (int i = 0; i < 200; ++i) {
        const auto cost = std::make_shared<ShapeCostModifier>();
        cost->shape = shape();
        cost->amount = static_cast<std::int32_t>(random());
        const auto direction = std::make_shared<ShapeDirectionModifier>();
        direction->shape = shape();
        direction->direction = {static_cast<float>(hostile_number(random)), 1, 0};
        const auto grid = std::make_shared<ShapeGridModifier>();
        grid->shape = shape();
        for (const std::shared_ptr<Modifier>& modifier :
             std::vector<std::shared_ptr<Modifier>>{cost, direction, grid}) {
            modifier->priority = static_cast<std::int32_t>(random());
            field.register_modifier(modifier);
            if (random() % 2 == 0) alive.push_back(modifier);
        }
        if (!alive.empty() && random() % 2 == 0) alive.erase(alive.begin());
        ASSERT_TRUE(field.update(random() % 3 == 0));
        EXPECT_EQ(field.substrate().cost.size(), 81U);
    }
}

}  // namespace
}  // namespace maniple::nav
