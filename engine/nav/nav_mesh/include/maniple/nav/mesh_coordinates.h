#pragma once

#include <array>

#include "maniple/core/math.h"

namespace maniple::nav {

/// A place in Recast coordinates: metres, Y up.
using MeshPosition = std::array<float, 3>;

/// Centimetres in a metre of the mesh.
inline constexpr double kMeshUnitCm = 100;

/// The axes of Recast and of the world: world = (−x, −z, y) · 100, so that both stay what they are,
/// Recast right-handed with Y up, the world left-handed with Z up.
[[nodiscard]] inline MeshPosition to_mesh(Vec3d world_cm) {
    return {static_cast<float>(-world_cm.x / kMeshUnitCm),
            static_cast<float>(world_cm.z / kMeshUnitCm),
            static_cast<float>(-world_cm.y / kMeshUnitCm)};
}
/// `position` are three floats. A zero stays +0.
[[nodiscard]] inline Vec3d to_world(const float* position) {
    return {0.0 - kMeshUnitCm * double{position[0]}, 0.0 - kMeshUnitCm * double{position[2]},
            kMeshUnitCm * double{position[1]}};
}
[[nodiscard]] inline Vec3d to_world(const MeshPosition& position) {
    return to_world(position.data());
}

}  // namespace maniple::nav
