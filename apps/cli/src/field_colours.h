#pragma once

#include "maniple/core/math.h"

#include "picture.h"

namespace maniple::cli {

inline constexpr Rgb kGroundColour{214, 206, 180};
inline constexpr Rgb kUnreachedColour{128, 118, 116};

/// From pale at the goals over green to deep blue at the farthest place; `share` of the way, 0 … 1.
[[nodiscard]] Rgb distance_colour(double share);
/// Around the colour circle by where it points: right is red, then by way of yellow to down.
/// kUnreachedColour for zero.
[[nodiscard]] Rgb direction_colour(Vec3f direction);

/// An arrow around the pixel (x, y), from tail to head `length` pixels. `dir` has unit length.
void draw_arrow(Picture& picture, double x, double y, Vec2d dir, double length);
void draw_disc(Picture& picture, int x, int y, int radius, Rgb colour);

}  // namespace maniple::cli
