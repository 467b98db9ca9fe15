#pragma once

#include <cmath>

#include "maniple/core/math.h"

namespace maniple::nav {

[[nodiscard]] inline bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

[[nodiscard]] inline double length(Vec3d v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// Of unit length; zero for no length.
[[nodiscard]] inline Vec3f unit(Vec3d v) {
    const double size = length(v);
    if (size == 0) return {};
    return {static_cast<float>(v.x / size), static_cast<float>(v.y / size),
            static_cast<float>(v.z / size)};
}

}  // namespace maniple::nav
