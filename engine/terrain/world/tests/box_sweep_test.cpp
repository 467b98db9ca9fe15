#include "box_sweep.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/core/random.h"

namespace maniple::terrain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Box kCube{{-1, -1, -1}, {1, 1, 1}};

double distance(const Vec3d& point, const Box& box) {
    const Vec3d away = point - nearest_in_box(point, box);
    return std::sqrt(away.x * away.x + away.y * away.y + away.z * away.z);
}

TEST(BoxSweep, MeetsFacesEdgesAndCornersWhereTheDistanceIsTheRadius) {
    const auto at = [](Vec3d from, Vec3d way, double radius) {
        return sweep_ball_to_box(from, way, radius, kCube).value_or(-1);
    };
    EXPECT_DOUBLE_EQ(at({-5, 0, 0}, {10, 0, 0}, 1), 0.3);
    EXPECT_DOUBLE_EQ(at({0, 0.5, 9}, {0, 0, -10}, 2), 0.6);
    EXPECT_DOUBLE_EQ(at({-5, 1.6, 0}, {10, 0, 0}, 1), (5 - 1 - 0.8) / 10);
    const double corner = std::sqrt(1 - 2 * 0.36);
    EXPECT_NEAR(at({-5, 1.6, 1.6}, {10, 0, 0}, 1), (5 - 1 - corner) / 10, 1e-12);
    EXPECT_EQ(at({-5, 2.1, 0}, {10, 0, 0}, 1), -1);
    EXPECT_EQ(at({-5, 0, 0}, {2.9, 0, 0}, 1), -1);
    EXPECT_EQ(at({0, 0, 0}, {10, 0, 0}, 1), 0);
    EXPECT_EQ(at({-5, 0, 0}, {-10, 0, 0}, 1), -1);
    EXPECT_DOUBLE_EQ(at({-5, 0.5, 0}, {10, 0, 0}, 0), 0.4);
}

TEST(BoxSweep, TouchingMeetsTheBox) {
    const Vec3d still;
    EXPECT_TRUE(sweep_ball_to_box({2, 0, 0}, still, 1, kCube).has_value());
    EXPECT_FALSE(sweep_ball_to_box({2.001, 0, 0}, still, 1, kCube).has_value());
    EXPECT_TRUE(sweep_ball_to_box({2, -5, 0}, {0, 10, 0}, 1, kCube).has_value());
    EXPECT_FALSE(sweep_ball_to_box({2.001, -5, 0}, {0, 10, 0}, 1, kCube).has_value());
    EXPECT_TRUE(sweep_ball_to_box({-5, 0, 0}, {3, 0, 0}, 1, kCube).has_value());
    EXPECT_FALSE(sweep_ball_to_box({-5, 0, 0}, {2.999, 0, 0}, 1, kCube).has_value());
}

TEST(BoxSweep, SidesMayLieAtInfinity) {
    const Box column{{-1, -1, -kInfinity}, {1, 1, kInfinity}};
    EXPECT_DOUBLE_EQ(*sweep_ball_to_box({-5, 1.6, 1e6}, {10, 0, 0}, 1, column), 0.32);
    EXPECT_FALSE(sweep_ball_to_box({2, 2, 5}, {0, 0, -50}, 1, column).has_value());
    EXPECT_TRUE(sweep_ball_to_box({1.5, 1.5, 5}, {0, 0, -9}, 1, column).has_value());
}

TEST(BoxSweep, AgreesWithSteppingAlongTheWay) {
    core::RandomStream random(7);
    const auto number = [&](double low, double high) {
        return low + (high - low) * double(random.next_fraction());
    };
    int met = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3d from{number(-4, 4), number(-4, 4), number(-4, 4)};
        const Vec3d way{number(-6, 6), number(-6, 6), number(-6, 6)};
        const double radius = number(0.1, 2);
        const auto at = sweep_ball_to_box(from, way, radius, kCube);
        constexpr int kSteps = 500;
        for (int step = 0; step <= kSteps; ++step) {
            const double t = double(step) / kSteps;
            const bool inside = distance(from + way * t, kCube) < radius - 1e-9;
            if (inside) {
                ASSERT_TRUE(at.has_value() && *at <= t) << "case " << i;
            }
        }
        if (!at) continue;
        ++met;
        const double there = distance(from + way * *at, kCube);
        if (*at > 0) {
            ASSERT_NEAR(there, radius, 1e-9) << "case " << i;
        } else {
            ASSERT_LE(there, radius) << "case " << i;
        }
    }
    EXPECT_GT(met, 600);
}

}  // namespace
}  // namespace maniple::terrain
