#include "maniple/nav/path_following.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace maniple::nav {
namespace {

constexpr int kAdvancesMax = 5;

Vec2d flat(Vec3d v) { return {v.x, v.y}; }

double distance(Vec2d a, Vec2d b) { return std::sqrt(dot(b - a, b - a)); }

double distance_to_segment(Vec2d point, Vec2d from, Vec2d to) {
    const Vec2d along = to - from;
    const double squared = dot(along, along);
    if (squared == 0) return distance(point, from);
    const double at = std::clamp(dot(point - from, along) / squared, 0.0, 1.0);
    return distance(point, from + along * at);
}

/// The first of the directions that is neither zero nor undefined.
Vec2d first_direction(std::initializer_list<Vec2d> ways) {
    for (const Vec2d way : ways) {
        const Vec2d direction = core::safe_normal(way);
        if (dot(direction, direction) > 0) return direction;
    }
    return {};
}

/// A path of at least two points and the agent on it.
class Following {
  public:
    explicit Following(const PathFollower& follower)
        : in_(follower),
          agent_(flat(follower.agent)),
          last_(static_cast<std::int32_t>(follower.path.size()) - 2),
          index_(std::clamp(follower.path_index, 0, last_)) {}

    PathSteering steer() {
        rewind();
        advance();
        const Vec2d goal = flat(in_.goal);
        PathSteering out;
        out.has_path = true;
        out.path_index = index_;
        out.direction =
            first_direction({end(index_) - agent_, end(index_) - start(index_), goal - agent_});
        out.is_current_near_path = distance_to(index_) <= 2 * in_.path_radius_cm;
        out.is_goal_near_end = distance(goal, end(last_)) <= in_.acceptance_radius_cm;
        return out;
    }

  private:
    // implements: PATH-029, O-PATH-09
    void rewind() {
        if (distance(agent_, start(index_)) <= 3 * in_.path_radius_cm) return;
        double nearest = distance_to(index_);
        for (std::int32_t earlier = index_ - 1; earlier >= 0; --earlier) {
            const double away = distance_to(earlier);
            if (away < nearest) {
                nearest = away;
                index_ = earlier;
            }
        }
    }
    // implements: PATH-030, PATH-031, O-PATH-10
    void advance() {
        for (int i = 0; i < kAdvancesMax && index_ < last_ && reached(index_); ++i) ++index_;
    }
    [[nodiscard]] bool reached(std::int32_t segment) const {
        const Vec2d left = end(segment) - agent_;
        if (dot(end(segment) - start(segment), left) < 0) return true;
        const double radius = segment == last_ ? in_.acceptance_radius_cm : in_.path_radius_cm;
        return std::sqrt(dot(left, left)) <= radius;
    }
    [[nodiscard]] Vec2d start(std::int32_t segment) const {
        return flat(in_.path[static_cast<std::size_t>(segment)]);
    }
    [[nodiscard]] Vec2d end(std::int32_t segment) const { return start(segment + 1); }
    [[nodiscard]] double distance_to(std::int32_t segment) const {
        return distance_to_segment(agent_, start(segment), end(segment));
    }

    const PathFollower& in_;
    Vec2d agent_;
    std::int32_t last_;
    std::int32_t index_;
};

}  // namespace

// implements: PATH-027, PATH-028, PATH-032, PATH-033, PATH-034, PATH-035, O-PATH-08, O-PATH-11
// implements: O-PATH-14
PathSteering steer_along_path(const PathFollower& follower) {
    if (follower.path.size() >= 2) return Following(follower).steer();
    PathSteering out;
    out.direction = first_direction({flat(follower.goal) - flat(follower.agent)});
    out.is_goal_near_end = true;
    return out;
}

}  // namespace maniple::nav
