#include "stepping.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>

#include "maniple/core/random.h"

namespace maniple::skirmish {
namespace {

float draw(std::size_t i, std::uint32_t site, float reach) {
    const std::uint64_t random = core::site_random(5, 0, static_cast<std::int32_t>(i), site);
    return (static_cast<float>(random % 20'001) / 10'000.0F - 1.0F) * reach;
}

std::unique_ptr<Steps> drawn_steps() {
    auto steps = std::make_unique<Steps>();
    for (std::size_t i = 0; i < kStepsMax; ++i) {
        const bool stands = i % 7 == 0;
        steps->heading_x[i] = stands ? 0 : draw(i, 1, 1);
        steps->heading_y[i] = stands ? 0 : draw(i, 2, 1);
        steps->push_x[i] = i % 5 == 0 ? 0 : draw(i, 3, 40);
        steps->push_y[i] = i % 5 == 0 ? 0 : draw(i, 4, 40);
        steps->in_the_way[i] = i % 3 == 0 ? 0 : std::abs(draw(i, 5, 4));
        steps->speed[i] = i % 2 == 0 ? 20 : 32;
        steps->x[i] = std::floor(static_cast<double>(draw(i, 6, 50'000)) * 1024) / 1024;
        steps->y[i] = std::floor(static_cast<double>(draw(i, 7, 3)) * 1024) / 1024;
        if (i % 11 == 0) steps->x[i] = i % 2 == 0 ? Position::kEdgeCm : -Position::kEdgeCm;
    }
    return steps;
}

TEST(Stepping, VectorsGiveTheBitsOfTheReference) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{9}, kStepsMax}) {
        const auto want = drawn_steps();
        const auto got = drawn_steps();
        take_steps_reference(*want, count);
        take_steps(*got, count);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(std::bit_cast<std::uint64_t>(want->x[i]),
                      std::bit_cast<std::uint64_t>(got->x[i]));
            EXPECT_EQ(std::bit_cast<std::uint64_t>(want->y[i]),
                      std::bit_cast<std::uint64_t>(got->y[i]));
        }
    }
}

TEST(Stepping, NoStepLeavesTheLattice) {
    for (const double side : {-1.0, 1.0}) {
        auto steps = std::make_unique<Steps>();
        steps->x[0] = side * Position::kEdgeCm;
        steps->push_x[0] = static_cast<float>(side) * 12;
        steps->speed[0] = 20;
        take_steps(*steps, 1);
        EXPECT_TRUE(Position::reaches({steps->x[0] - side / 1024, 0}));
        EXPECT_EQ(Position::exactly({steps->x[0], 0}).x, side < 0 ? INT32_MIN : INT32_MAX);
    }
}

TEST(Position, IsTheNearestOfTheLatticeHalvesUpwards) {
    EXPECT_EQ(Position::nearest({1.0 / 2048, -1.0 / 2048}), (Position{1, 0}));
    EXPECT_EQ(Position::nearest({-3.0 / 2048, 2.5}), (Position{-1, 2560}));
    EXPECT_EQ(Position::nearest({1e300, -1e300}), (Position{INT32_MAX, INT32_MIN}));
    EXPECT_EQ(Position::nearest({2.5, -7.25}).cm(), (Vec2d{2.5, -7.25}));
}

TEST(Motion, EndsAtFiveMetres) {
    const Motion step = Motion::between({1024, 0}, {3 * 1024, -1024});
    EXPECT_EQ(step.x, 2 * Motion::kStepsPerCm);
    EXPECT_EQ(step.y, -Motion::kStepsPerCm);
    const Motion leap = Motion::between({INT32_MIN, INT32_MAX}, {INT32_MAX, INT32_MIN});
    EXPECT_EQ(leap.x, INT16_MAX);
    EXPECT_EQ(leap.y, -INT16_MAX);
}

/// Where a unit at the origin goes along X with speed 20.
double step_of(float push_x, float in_the_way) {
    auto steps = std::make_unique<Steps>();
    steps->heading_x[0] = 1;
    steps->push_x[0] = push_x;
    steps->in_the_way[0] = in_the_way;
    steps->speed[0] = 20;
    take_steps(*steps, 1);
    return steps->x[0];
}

TEST(Stepping, ACrowdSlowsAndPushesWithinLimits) {
    EXPECT_EQ(step_of(0, 0), 20);
    EXPECT_EQ(step_of(0, 5), 10);
    EXPECT_EQ(step_of(-5, 0), 15);
    EXPECT_EQ(step_of(-100, 0), 20 - 12);
    EXPECT_EQ(step_of(100, 0), 20 + 8);
}

}  // namespace
}  // namespace maniple::skirmish
