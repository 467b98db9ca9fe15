#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "maniple/core/math.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// Where a grid lies in the world: the quantised pose of its pivot (the grid's centre in XY) and
/// its size. World XY of every cell is derived from it, equal on every peer (O-GRID-05, O-GRID-31).
class GridGeometry {
  public:
    GridGeometry() = default;
    /// `yaw_centideg` in [-18000, 18000), x_num · y_num ≤ 64 Mi, cell_size_cm ≥ 1.
    GridGeometry(std::int32_t origin_x_cm, std::int32_t origin_y_cm, std::int32_t origin_z_cm,
                 std::int32_t yaw_centideg, std::int32_t x_num, std::int32_t y_num,
                 std::int32_t cell_size_cm);

    [[nodiscard]] std::int32_t x_num() const { return x_num_; }
    [[nodiscard]] std::int32_t y_num() const { return y_num_; }
    [[nodiscard]] std::int32_t cell_size_cm() const { return cell_size_cm_; }
    [[nodiscard]] std::int32_t yaw_centideg() const { return yaw_centideg_; }
    [[nodiscard]] Vec3d origin() const { return origin_; }
    [[nodiscard]] std::size_t cell_count() const {
        return static_cast<std::size_t>(x_num_) * static_cast<std::size_t>(y_num_);
    }
    [[nodiscard]] bool contains(GridCoord c) const {
        return c.x >= 0 && c.y >= 0 && c.x < x_num_ && c.y < y_num_;
    }
    [[nodiscard]] CellIndex index(GridCoord c) const {
        return static_cast<CellIndex>(c.x) * static_cast<CellIndex>(y_num_) +
               static_cast<CellIndex>(c.y);
    }
    [[nodiscard]] GridCoord coord(CellIndex i) const {
        return {static_cast<std::int32_t>(i / static_cast<CellIndex>(y_num_)),
                static_cast<std::int32_t>(i % static_cast<CellIndex>(y_num_))};
    }

    struct Located {
        GridCoord coord;      ///< Clamped to the border (GRID-024).
        bool inside = false;  ///< False outside, and for a non-finite position (then (0,0)).
    };
    /// The cell that owns a world position: floor(v / cell + 0.5) in the grid's frame (O-GRID-06).
    [[nodiscard]] Located world_to_grid(Vec2d world) const {
        const Vec2d at = to_grid(world);
        const double rx = at.x + 0.5;
        const double ry = at.y + 0.5;
        const bool inside = rx >= 0 && ry >= 0 && rx < size_.x && ry < size_.y;
        // Not negative, so that narrowing is the floor. Each number for itself: two that come
        // together would be joined in memory, and every reader wait for it.
        if (inside) return {{static_cast<std::int32_t>(rx), static_cast<std::int32_t>(ry)}, true};
        const bool finite = std::isfinite(world.x) && std::isfinite(world.y);
        return {{finite ? clamped(at.x, x_num_) : 0, finite ? clamped(at.y, y_num_) : 0}, false};
    }
    /// The cells of many places at once, as world_to_grid() finds them; kNoCell where that is not
    /// inside. The three have one size.
    void locate(std::span<const double> xs, std::span<const double> ys,
                std::span<CellIndex> cells) const;
    /// A world position in grid coordinates before rounding: cell centres are whole numbers.
    [[nodiscard]] Vec2d to_grid(Vec2d world) const {
        const double px = world.x - origin_.x;
        const double py = world.y - origin_.y;
        return {(px * cos_yaw_ + py * sin_yaw_) / cell_cm_ + middle_.x,
                (-px * sin_yaw_ + py * cos_yaw_) / cell_cm_ + middle_.y};
    }
    /// The centre of a cell in the world, exact inverse of world_to_grid's frame.
    [[nodiscard]] Vec2d cell_centre(GridCoord c) const;
    /// The way from a cell's centre to that of the cell `step` further, in world axes. Free of the
    /// rounding that a difference of two positions far from the world's origin has.
    [[nodiscard]] Vec2d offset(GridCoord step) const;

    /// The step to a neighbour.
    struct Step {
        Vec2d way;           ///< As offset() gives it.
        double squared = 0;  ///< Of its length.
        Vec3f unit;          ///< Its direction on level ground.
    };
    [[nodiscard]] const Step& step(std::size_t neighbour) const { return steps_[neighbour]; }

  private:
    friend struct GridFrame;
    /// The nearest of `count` lines.
    [[nodiscard]] static std::int32_t clamped(double at, std::int32_t count);

    Vec3d origin_;
    std::int32_t yaw_centideg_ = 0;
    std::int32_t x_num_ = 0;
    std::int32_t y_num_ = 0;
    std::int32_t cell_size_cm_ = 1;
    double cell_cm_ = 1;
    double cos_yaw_ = 1;
    double sin_yaw_ = 0;
    Vec2d middle_;  ///< The pivot in grid coordinates.
    Vec2d size_;    ///< Numbers of cells.
    std::array<Step, 8> steps_;
};

}  // namespace maniple::nav
