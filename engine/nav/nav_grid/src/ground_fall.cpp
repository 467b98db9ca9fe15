#include "maniple/nav/ground_fall.h"

#include <algorithm>
#include <cmath>

namespace maniple::nav {

// implements: GRID-057, O-GEN-08
GroundAnswer fall_to_ground(const WorldQuery* world, const AgentCapsule& capsule, double kill_z,
                            TraceMask mask) {
    const Vec3d from = capsule.location;
    const double numbers[] = {from.x, from.y, from.z, kill_z};
    const bool finite = std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); });
    if (world == nullptr || !finite || !(capsule.radius_cm > 0)) return {};
    const auto hit =
        world->sweep_capsule(from, {from.x, from.y, kill_z}, capsule.radius_cm,
                             std::max(capsule.half_height_cm, capsule.radius_cm), mask);
    if (!hit) return {};
    return {true, hit->point, hit->normal};
}

}  // namespace maniple::nav
