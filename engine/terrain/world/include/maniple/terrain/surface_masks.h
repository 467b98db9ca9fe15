#pragma once

#include "maniple/nav/world_query.h"

namespace maniple::terrain {

/// What the worlds of this layer call their surfaces; the masks of nav::FieldSetup by default.
inline constexpr nav::TraceMask kGroundSurface = 1;
inline constexpr nav::TraceMask kObstacleSurface = 2;

/// The box a world fills, world centimetres.
struct WorldBounds {
    Vec3d low;
    Vec3d high;
    friend bool operator==(const WorldBounds&, const WorldBounds&) = default;
};

}  // namespace maniple::terrain
