#include "maniple/sim/spawn_request.h"

namespace maniple::sim {

// implements: SNAP-053
Vec2d spawn_facing(const SpawnRequest& request, Vec2d at, std::optional<Vec2d> player,
                   Vec2d template_way) {
    if (request.initial_rotation == InitialRotation::kCustom) {
        const double yaw = static_cast<double>(request.custom_rotation.yaw);
        const std::int32_t centideg = core::yaw_to_centideg(yaw);
        return {core::cos_centideg(centideg), core::sin_centideg(centideg)};
    }
    if (request.initial_rotation == InitialRotation::kFaceForward || !player) return template_way;
    const Vec2d way = core::safe_normal(*player - at);
    return way == Vec2d{} ? template_way : way;
}

}  // namespace maniple::sim
