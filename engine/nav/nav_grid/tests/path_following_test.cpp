#include "maniple/nav/path_following.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace maniple::nav {
namespace {

/// East along X to (1000, 0), north to (1000, 1000), back west to (0, 1000).
const std::vector<Vec3d> kHook{{0, 0, 0}, {1000, 0, 50}, {1000, 1000, 0}, {0, 1000, 0}};

PathFollower on_hook(Vec3d agent, std::int32_t index = 0) {
    return {agent, kHook.back(), kHook, index, 50, 100, 600, 300};
}

// proves: PATH-027, O-PATH-08
TEST(PathFollowing, WithFewerThanTwoPointsGoesStraightToTheGoal) {
    const std::vector<Vec3d> one{{5, 5, 5}};
    PathFollower follower{{0, 0, 0}, {0, 300, 900}, one, 3, 50, 100};
    const PathSteering steering = steer_along_path(follower);
    EXPECT_EQ(steering.direction, (Vec2d{0, 1}));
    EXPECT_FALSE(steering.has_path);
    EXPECT_TRUE(steering.is_goal_near_end);
    follower.path = {};
    EXPECT_FALSE(steer_along_path(follower).has_path);
}

// proves: PATH-028, PATH-032
TEST(PathFollowing, AnyIndexIsClampedOntoASegment) {
    EXPECT_EQ(steer_along_path(on_hook({500, 1000, 0}, 99)).path_index, 2);
    EXPECT_EQ(steer_along_path(on_hook({500, 1000, 0}, 99)).direction, (Vec2d{-1, 0}));
    EXPECT_EQ(steer_along_path(on_hook({10, 0, 0}, -7)).path_index, 0);
}

// proves: PATH-029, O-PATH-09
TEST(PathFollowing, AnAgentPushedBackTakesTheClosestEarlierSegment) {
    EXPECT_EQ(steer_along_path(on_hook({900, 20, 0}, 2)).path_index, 0);
    // 150 cm from the segment's start is not far; one more is.
    EXPECT_EQ(steer_along_path(on_hook({1000, 850, 0}, 2)).path_index, 2);
    EXPECT_EQ(steer_along_path(on_hook({1000, 849, 0}, 2)).path_index, 1);
    // Far along its own segment: nothing earlier is closer.
    EXPECT_EQ(steer_along_path(on_hook({200, 1000, 0}, 2)).path_index, 2);
    // As near to segment 1 as to segment 0: the later.
    EXPECT_EQ(steer_along_path(on_hook({700, 300, 0}, 2)).path_index, 1);
}

// proves: PATH-030, PATH-031, O-PATH-10
TEST(PathFollowing, ASegmentIsDoneInsideThePathRadiusOrBehindItsEnd) {
    EXPECT_EQ(steer_along_path(on_hook({950, 0, 0})).path_index, 1);
    EXPECT_EQ(steer_along_path(on_hook({949, 0, 0})).path_index, 0);
    EXPECT_EQ(steer_along_path(on_hook({1001, 90, 0})).path_index, 1);
    EXPECT_EQ(steer_along_path(on_hook({1000, 90, 0})).path_index, 0) << "beside is not behind";
    EXPECT_EQ(steer_along_path(on_hook({0, 1000, 0}, 2)).path_index, 2) << "never past the last";
}

// proves: PATH-030
TEST(PathFollowing, AdvancesAtMostFiveSegmentsACall) {
    std::vector<Vec3d> dense;
    for (int i = 0; i <= 20; ++i) dense.push_back({i * 10.0, 0, 0});
    PathFollower follower{{95, 0, 0}, dense.back(), dense, 0, 100, 1};
    EXPECT_EQ(steer_along_path(follower).path_index, 5);
}

// proves: PATH-032, O-PATH-11
TEST(PathFollowing, OnTheSegmentsEndKeepsTheSegmentsDirectionThenTheGoals) {
    const std::vector<Vec3d> line{{0, 0, 0}, {100, 0, 0}};
    PathFollower follower{{100, 0, 0}, {100, 500, 0}, line, 0, 1, 1};
    EXPECT_EQ(steer_along_path(follower).direction, (Vec2d{1, 0}));
    const std::vector<Vec3d> point{{100, 0, 0}, {100, 0, 0}};
    follower.path = point;
    EXPECT_EQ(steer_along_path(follower).direction, (Vec2d{0, 1}));
    follower.goal = {100, 0, 77};
    EXPECT_EQ(steer_along_path(follower).direction, (Vec2d{0, 0}));
}

// proves: PATH-033, PATH-034, O-PATH-14
TEST(PathFollowing, TellsHowNearItsPathAndItsGoalAre) {
    EXPECT_TRUE(steer_along_path(on_hook({500, 100, 900})).is_current_near_path);
    EXPECT_FALSE(steer_along_path(on_hook({500, 100.5, 0})).is_current_near_path);
    PathFollower follower = on_hook({0, 0, 0});
    follower.goal = {100, 1000, 900};
    EXPECT_TRUE(steer_along_path(follower).is_goal_near_end);
    follower.goal.x = 100.5;
    EXPECT_FALSE(steer_along_path(follower).is_goal_near_end);
}

// proves: PATH-035
TEST(PathFollowing, SpeedAndLookAheadChangeNothing) {
    PathFollower follower = on_hook({500, 20, 0});
    const PathSteering before = steer_along_path(follower);
    follower.move_speed_cm_per_s = 1e9;
    follower.look_ahead_cm = 1e9;
    EXPECT_EQ(steer_along_path(follower).direction, before.direction);
    EXPECT_EQ(steer_along_path(follower).path_index, before.path_index);
}

TEST(PathFollowing, PositionsThatAreNotFiniteGiveNoDirection) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(steer_along_path({{nan, 0, 0}, {0, 1, 0}, {}, 0, 1, 1}).direction, (Vec2d{0, 0}));
    const PathSteering lost = steer_along_path(on_hook({nan, 0, 0}, 1));
    EXPECT_EQ(lost.direction, (Vec2d{0, 1})) << "the segment's own";
    EXPECT_EQ(lost.path_index, 1);
}

}  // namespace
}  // namespace maniple::nav
