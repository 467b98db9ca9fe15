#pragma once

#include "maniple/core/math.h"
#include "maniple/nav/field_answers.h"
#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// An agent as a world sees it: an upright capsule around its place.
struct AgentCapsule {
    Vec3d location;             ///< Its middle, world cm.
    double radius_cm = 0;       ///< Above 0, else it falls on nothing.
    double half_height_cm = 0;  ///< With the caps; the radius at least.
};

/// What the capsule meets on its way straight down to `kill_z` (GRID-057): the host's answer, never
/// lockstep state. Invalid without a world, where nothing is hit, and for a number that is not
/// finite.
[[nodiscard]] GroundAnswer fall_to_ground(const WorldQuery* world, const AgentCapsule& capsule,
                                          double kill_z, TraceMask mask);

}  // namespace maniple::nav
