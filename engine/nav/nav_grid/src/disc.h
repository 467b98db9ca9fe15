#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "maniple/nav/grid_geometry.h"

#include "locate_kernel.h"

namespace maniple::nav {

/// Up to eight cells that follow each other along Y, and how they lie to a circle.
struct DiscCells {
    CellIndex first = 0;
    std::uint64_t within = 0;  ///< Bit i: cell first + i is asked for and inside the circle.
    double squared[8];         ///< Distances from the circle's middle to the cells' centres.
    double weight[8];          ///< Less with distance, 1 in the middle.
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

    /// Calls use(cells) for each eight of them. `counts(cell)` tells which of the eight cells from
    /// `cell` on, as far as there are any, are asked for: bit i is cell + i.
    template <class Counts, class Use>
    void for_each_eight(const Counts& counts, const Use& use) const {
        Lanes lanes;
        DiscCells cells;
        for (std::int32_t x = x_.first; x <= x_.last; ++x) {
            for (std::int32_t y = y_.first; y <= y_.last; y += 8) {
                if (y != lanes.y) lanes = lanes_from(y);
                cells.first = geometry_.index({x, y});
                measure(x, lanes, cells);
                cells.within &= counts(cells.first) & lanes.inside;
                use(cells);
            }
        }
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
        std::size_t pairs_end = 0;  ///< Their number, rounded up to an even one.
        std::uint64_t inside = 0;   ///< Those of the window.
        double sin[8];
        double cos[8];
    };
    [[nodiscard]] Lanes lanes_from(std::int32_t y) const {
        const auto count = static_cast<std::size_t>(std::min(y_.last - y + 1, 8));
        Lanes lanes;
        lanes.y = y;
        lanes.pairs_end = (count + 1) / 2 * 2;
        lanes.inside = (std::uint64_t{1} << count) - 1;
        for (std::int32_t i = 0; i < 8; ++i) {
            const double local = (y + i - frame_.middle_y) * frame_.cell_cm;
            lanes.sin[i] = local * frame_.sin_yaw;
            lanes.cos[i] = local * frame_.cos_yaw;
        }
        return lanes;
    }

    /// The operations of cell_centre() and of the weight in their order, two cells at a time: the
    /// loop has no constant end lest compilers unroll it into single ones.
    void measure(std::int32_t x, const Lanes& lanes, DiscCells& cells) const {
        static constexpr std::uint64_t kBits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
        const double local = (x - frame_.middle_x) * frame_.cell_cm;
        const double cos = local * frame_.cos_yaw;
        const double sin = local * frame_.sin_yaw;
        const double radius_squared = radius_ * radius_;
        std::uint64_t within = 0;
        for (std::size_t i = 0; i < lanes.pairs_end; ++i) {
            const double away_x = cos - lanes.sin[i] + frame_.origin_x - middle_.x;
            const double away_y = sin + lanes.cos[i] + frame_.origin_y - middle_.y;
            const double squared = away_x * away_x + away_y * away_y;
            cells.squared[i] = squared;
            cells.weight[i] = 1.0 / (1.0 + std::sqrt(squared) / radius_);
            within |= squared > radius_squared ? 0 : kBits[i];
        }
        cells.within = within;
    }

    const GridGeometry& geometry_;
    const GridFrame frame_;
    const Vec2d middle_;
    const double radius_;
    Window x_{};
    Window y_{};
};

}  // namespace maniple::nav
