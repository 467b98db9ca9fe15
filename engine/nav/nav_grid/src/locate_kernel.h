#pragma once

#include <cstddef>

#include "maniple/nav/grid_geometry.h"

namespace maniple::nav {

/// What maps world positions to cells.
struct GridFrame {
    explicit GridFrame(const GridGeometry& g)
        : origin_x(g.origin_.x),
          origin_y(g.origin_.y),
          cos_yaw(g.cos_yaw_),
          sin_yaw(g.sin_yaw_),
          cell_cm(g.cell_cm_),
          middle_x(g.middle_.x),
          middle_y(g.middle_.y),
          x_last(g.x_num_ - 1),
          y_last(g.y_num_ - 1) {}
    double origin_x, origin_y;
    double cos_yaw, sin_yaw;
    double cell_cm;
    double middle_x, middle_y;
    double x_last, y_last;
};

/// Locates whole vectors of places, as many as the machine has lanes for.
/// @return how many of the `count` it has done; the rest is the caller's.
[[nodiscard]] std::size_t locate_simd(const GridFrame& frame, const double* xs, const double* ys,
                                      std::size_t count, CellIndex* cells);

}  // namespace maniple::nav
