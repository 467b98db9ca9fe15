#pragma once

#include <cstdint>

#include "maniple/core/math.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// What a navigation query answers (GRID-048 … 053).
struct NavigationAnswer {
    bool valid = false;
    Vec3f direction;
    std::uint32_t dist = 0;
    Vec3d goal;
    std::uint32_t sampled_cells_hash = 0;  ///< FNV-1a over the sampled indices; 0 for none.
};

/// One cell of the default layer, put together from the stored columns (O-GRID-01, O-GRID-35).
struct GridCell {
    GridCoord coord;
    Vec3d location;
    Vec3f normal{0, 0, 1};
    std::uint8_t cost = 0;  ///< Current: modifiers applied, goals at 0.
    CellType type = CellType::kEmpty;
    std::uint32_t dist = 0;
    Vec3f direction;
    GridCoord goal_coord{-1, -1};  ///< (−1, −1) where unreached.
    Vec3d goal;
};

/// Outside the grid the clamped cell, invalid but usable; before the field has ground the default
/// cell (GRID-026 … 028).
struct CellAnswer {
    GridCell cell;
    bool valid = false;
};

/// The index of a world position (GRID-025).
struct CellIndexAnswer {
    CellIndex index = 0;
    bool inside = false;
};

/// A place on the ground. Invalid: location zero, normal up (GRID-055).
struct GroundAnswer {
    bool valid = false;
    Vec3d location;
    Vec3f normal{0, 0, 1};
};

/// Where an agent's ground comes from (GRID-056 … 058).
enum class TraceMode : std::uint8_t { kFlowField, kCapsuleSweep, kFlowFieldOrCapsuleSweep };

}  // namespace maniple::nav
