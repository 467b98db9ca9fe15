#pragma once

#include <cstdint>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/grid_geometry.h"
#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// Most cells of a grid (O-SYNC-10).
inline constexpr std::int64_t kGridCellsMax = 67'108'864;

// implements: O-GRID-22
/// Where a field of the host stands and how its ground comes from the world (GRID-013, O-GRID-22).
/// A field that lives by imported streams needs none of it.
struct FieldSetup {
    Vec3d location_cm;  ///< The pivot: the grid's centre in XY, the volume's bottom in Z.
    double yaw_degrees = 0;
    double cell_size_cm = 100;
    Vec3d size_cm{5000, 5000, 1000};  ///< The whole volume.
    std::int32_t initial_cost = 1;    ///< Of ground without an obstacle; 255 makes it one.
    bool trace_ground = false;        ///< Off: flat ground in the middle of the volume's height.
    bool trace_obstacles = false;
    TraceMask ground_mask = 1;
    TraceMask obstacle_mask = 2;
    double refresh_interval_s = 1;  ///< Of the timed update; 0 is every tick.
};

/// The setup with every value inside its bounds: cell size ≥ 1, each side at least a cell, height
/// ≥ 0, cost 0 … 255, interval ≥ 0 (O-GRID-04).
/// @return setup, or kBadValue for a number that is not finite.
[[nodiscard]] Result<FieldSetup> clamped(FieldSetup setup);

/// The grid of a clamped setup: pose rounded to whole centimetres and hundredths of a degree,
/// max(1, size / cell) cells a side, halves rounded away from zero (O-GRID-04, O-GRID-35).
/// @return geometry, kBadValue for a cell size that is no whole number of centimetres, or kOverCap
/// for more than kGridCellsMax cells.
[[nodiscard]] Result<GridGeometry> grid_of(const FieldSetup& setup);

}  // namespace maniple::nav
