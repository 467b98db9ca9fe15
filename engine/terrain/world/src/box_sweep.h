#pragma once

#include <optional>

#include "maniple/core/math.h"

namespace maniple::terrain {

/// An axis-aligned box; a side may lie at infinity.
struct Box {
    Vec3d low;
    Vec3d high;
};

/// The share of `way`, 0 … 1, after which a ball of `radius` that starts at `from` touches the box;
/// 0 when it does so at once. Exact: the box grown by the ball is three boxes, twelve cylinders and
/// eight balls.
[[nodiscard]] std::optional<double> sweep_ball_to_box(const Vec3d& from, const Vec3d& way,
                                                      double radius, const Box& box);

/// The point of the box nearest to `point`.
[[nodiscard]] Vec3d nearest_in_box(const Vec3d& point, const Box& box);

}  // namespace maniple::terrain
