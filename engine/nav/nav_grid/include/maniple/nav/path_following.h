#pragma once

#include <cstdint>
#include <span>

#include "maniple/core/math.h"

namespace maniple::nav {

/// Who follows which path. Distances in cm; steering looks at XY only (O-PATH-09).
struct PathFollower {
    Vec3d agent;
    Vec3d goal;
    std::span<const Vec3d> path;
    std::int32_t path_index = 0;  ///< The current segment: from this point to the next.
    double path_radius_cm = 0;
    double acceptance_radius_cm = 0;
    double move_speed_cm_per_s = 0;  ///< Accepted and not used (PATH-035).
    double look_ahead_cm = 0;        ///< Accepted and not used (PATH-035).
};

struct PathSteering {
    Vec2d direction;              ///< Unit length, or zero where every candidate is.
    std::int32_t path_index = 0;  ///< To be handed in the next time.
    bool has_path = false;
    bool is_current_near_path = false;  ///< Within 2 path radii of the current segment.
    bool is_goal_near_end = false;
};

/// Points along a path, one segment at a time (PATH-027 … 035). A pure function: the state is the
/// index that the agent keeps. Positions that are not finite give a zero direction.
[[nodiscard]] PathSteering steer_along_path(const PathFollower& follower);

}  // namespace maniple::nav
