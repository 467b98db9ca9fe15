#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "maniple/nav/grid_geometry.h"

#include "locate_kernel.h"

namespace maniple::nav {

/// Some cells of a circle, in ascending order.
struct DiscCells {
    static constexpr std::size_t kMax = 64;
    std::size_t count = 0;
    CellIndex cell[kMax];
    double squared[kMax];  ///< Distances from the circle's middle to the cells' centres.
};

// implements: GRID-051, LAY-015, O-GRID-17
/// The cells of a grid whose centres lie within a circle, in ascending order.
class Disc {
  public:
    Disc(const GridGeometry& geometry, Vec2d middle, double radius_cm)
        : geometry_(geometry), frame_(geometry), middle_(middle), radius_(radius_cm) {
        const Vec2d at = geometry.to_grid(middle);
        // Where a square overflows, every cell is within it.
        const bool huge = !std::isfinite(radius_cm * radius_cm);
        const double radius = huge ? radius_cm * radius_cm : radius_cm / geometry.cell_size_cm();
        x_ = window(at.x, radius, geometry.x_num());
        y_ = window(at.y, radius, geometry.y_num());
    }

    /// Calls use(cells) until all have been used. `counts(cell)` tells which of the eight cells
    /// from `cell` on, as far as there are any, are asked for: bit i is cell + i.
    template <class Counts, class Use>
    void for_each_few(const Counts& counts, const Use& use) const {
        Lanes lanes;
        DiscCells cells;
        for (std::int32_t x = x_.first; x <= x_.last; ++x) {
            for (std::int32_t y = y_.first; y <= y_.last; y += 8) {
                if (y != lanes.y) lanes = lanes_from(y);
                const CellIndex first = geometry_.index({x, y});
                add(x, lanes, first, counts(first), cells);
                if (cells.count + 8 <= DiscCells::kMax) continue;
                use(cells);
                cells.count = 0;
            }
        }
        use(cells);
    }

  private:
    struct Window {
        std::int32_t first;
        std::int32_t last;
    };
    /// The lines a circle can reach. Rounding moves it by less than the slack.
    static Window window(double at, double radius, std::int32_t count) {
        if (!std::isfinite(at) || !std::isfinite(radius)) return {0, count - 1};
        const double slack = 1e-3 + 1e-9 * (std::abs(at) + radius);
        return {core::clamp_to_i32(at - radius - slack + 1, 0, count),
                core::clamp_to_i32(at + radius + slack, 0, count - 1)};
    }

    /// What eight cells from y on add to their centres.
    struct Lanes {
        std::int32_t y = -1;
        std::size_t count = 0;  ///< Those of the window.
        double sin[8];
        double cos[8];
    };
    [[nodiscard]] Lanes lanes_from(std::int32_t y) const {
        const auto count = static_cast<std::size_t>(std::min(y_.last - y + 1, 8));
        Lanes lanes;
        lanes.y = y;
        lanes.count = count;
        for (std::int32_t i = 0; i < 8; ++i) {
            const double local = (y + i - frame_.middle_y) * frame_.cell_cm;
            lanes.sin[i] = local * frame_.sin_yaw;
            lanes.cos[i] = local * frame_.cos_yaw;
        }
        return lanes;
    }

    /// Adds those of eight cells that are asked for and within the circle.
    void add(std::int32_t x, const Lanes& lanes, CellIndex first, unsigned asked_for,
             DiscCells& cells) const {
        double squared[8];
        measure(x, lanes, squared);
        const double radius_squared = radius_ * radius_;
        std::size_t end = cells.count;
        // Without a branch, which could not be foreseen: the next cell takes the place of one that
        // does not belong.
        for (std::size_t i = 0; i < lanes.count; ++i) {
            cells.cell[end] = first + static_cast<CellIndex>(i);
            cells.squared[end] = squared[i];
            end += asked_for >> i & (squared[i] > radius_squared ? 0U : 1U);
        }
        cells.count = end;
    }
    /// The operations of cell_centre() in their order, two cells at a time: the loop has no
    /// constant end lest compilers unroll it into single ones.
    void measure(std::int32_t x, const Lanes& lanes, double* squared) const {
        const double local = (x - frame_.middle_x) * frame_.cell_cm;
        const double cos = local * frame_.cos_yaw;
        const double sin = local * frame_.sin_yaw;
        const std::size_t pairs_end = (lanes.count + 1) / 2 * 2;
        for (std::size_t i = 0; i < pairs_end; ++i) {
            const double away_x = cos - lanes.sin[i] + frame_.origin_x - middle_.x;
            const double away_y = sin + lanes.cos[i] + frame_.origin_y - middle_.y;
            squared[i] = away_x * away_x + away_y * away_y;
        }
    }

    const GridGeometry& geometry_;
    const GridFrame frame_;
    const Vec2d middle_;
    const double radius_;
    Window x_{};
    Window y_{};
};

}  // namespace maniple::nav
