#pragma once

#include <array>
#include <cstdint>

#include "maniple/core/math.h"
#include "maniple/nav/grid_substrate.h"

namespace maniple::nav {

/// Which steps between neighbouring cells the solver allows: bounds, obstacles, corners, slope.
class GridMoves {
  public:
    GridMoves(const GridSubstrate& substrate, const FieldConfig& config,
              const std::uint8_t* current_cost)
        : substrate_(substrate),
          geometry_(substrate.geometry),
          cost_(current_cost),
          ignore_obstacles_(config.ignore_internal_obstacles),
          slope_tested_(config.max_walkable_centideg < 9000) {
        if (!slope_tested_) return;
        const double tangent = core::tan_centideg(config.max_walkable_centideg);
        rise_max_straight_ = tangent * geometry_.cell_size_cm();
        rise_max_diagonal_ = tangent * (geometry_.cell_size_cm() * core::kSqrt2);
    }

    /// The neighbour's index when phase 1 may step from `from` to its neighbour `n`, else kNoCell.
    /// Symmetric but for `enterable`. implements: GRID-037, GRID-038, GRID-039
    [[nodiscard]] CellIndex step(GridCoord from, CellIndex from_index, int n) const {
        const CellIndex to = neighbour(from, from_index, n);
        if (to == kNoCell || !enterable(to)) return kNoCell;
        return connected(from, from_index, to, n) ? to : kNoCell;
    }
    /// The neighbour's index inside the grid, or kNoCell.
    [[nodiscard]] CellIndex neighbour(GridCoord from, CellIndex from_index, int n) const {
        const GridCoord d = kNeighbours[static_cast<std::size_t>(n)];
        if (!geometry_.contains({from.x + d.x, from.y + d.y})) return kNoCell;
        return from_index + static_cast<CellIndex>(d.x * geometry_.y_num() + d.y);
    }
    /// implements: O-GRID-25, O-GRID-26
    [[nodiscard]] bool enterable(CellIndex cell) const {
        const auto type = static_cast<CellType>(substrate_.type[cell]);
        if (type == CellType::kEmpty) return false;
        return !ignore_obstacles_ || !blocks(cell);
    }
    /// Corner rule and slope between two neighbours. implements: O-GRID-09, O-GRID-10
    [[nodiscard]] bool connected(GridCoord from, CellIndex from_index, CellIndex to, int n) const {
        if (n >= 4) {
            const GridCoord d = kNeighbours[static_cast<std::size_t>(n)];
            const CellIndex side_x = from_index + static_cast<CellIndex>(d.x * geometry_.y_num());
            const CellIndex side_y = from_index + static_cast<CellIndex>(d.y);
            if (!geometry_.contains({from.x + d.x, from.y + d.y})) return false;
            if (blocks(side_x) || blocks(side_y)) return false;
        }
        if (!slope_tested_) return true;
        const double dz = static_cast<double>(substrate_.z_cm[to]) - substrate_.z_cm[from_index];
        return (dz < 0 ? -dz : dz) <= (n >= 4 ? rise_max_diagonal_ : rise_max_straight_);
    }
    [[nodiscard]] bool blocks(CellIndex cell) const {
        return static_cast<CellType>(substrate_.type[cell]) == CellType::kObstacle ||
               cost_[cell] == kImpassableCost;
    }

  private:
    const GridSubstrate& substrate_;
    const GridGeometry& geometry_;
    const std::uint8_t* cost_;
    bool ignore_obstacles_;
    bool slope_tested_;
    double rise_max_straight_ = 0;
    double rise_max_diagonal_ = 0;
};

/// Candidate orders of the label and direction passes (O-GRID-07).
inline constexpr std::array<int, 8> kAdjacentOrder{0, 1, 2, 3, 4, 5, 6, 7};
inline constexpr std::array<int, 8> kDiagonalOrder{4, 5, 6, 7, 0, 1, 2, 3};

}  // namespace maniple::nav
