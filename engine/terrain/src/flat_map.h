#pragma once

#include <string>

#include "maniple/terrain/grid_map.h"

#include "surface_grid.h"

namespace maniple::terrain {

inline constexpr std::int32_t kCellSizeCm = 100;

/// A flat grid as a map without goals: cells of kCellSizeCm, height 0, normals up. The field's
/// origin is its middle, ((width − 1)/2, (height − 1)/2) cells.
[[nodiscard]] GridMap make_flat_map(std::string name, const SurfaceGrid& surfaces);

}  // namespace maniple::terrain
