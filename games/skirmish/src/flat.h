#pragma once

#include <cmath>

namespace maniple::skirmish {

/// A vector of the plane in cm, for pairs of near units.
struct Flat {
    float x = 0, y = 0;
};

[[nodiscard]] inline Flat limited(Flat v, float length_max) {
    const float square = v.x * v.x + v.y * v.y;
    if (square <= length_max * length_max) return v;
    const float scale = length_max / std::sqrt(square);
    return {v.x * scale, v.y * scale};
}

}  // namespace maniple::skirmish
