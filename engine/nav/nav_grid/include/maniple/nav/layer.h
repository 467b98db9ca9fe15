#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/layer_head.h"
#include "maniple/nav/lazy_solve.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// A direction that a modifier gave, and the code the solver had there (MOD-018).
struct ModifiedDirection {
    CellIndex cell;
    Vec3f direction;
    std::uint8_t base_code;
};

// implements: LAY-002, O-LAY-01
/// A goal set solved over a field's ground (LAY-002).
struct Layer : LayerHead {
    std::vector<CellIndex> goal_cells;  ///< Clamped onto the grid, in goal order.
    FieldSolution solution;
    std::unique_ptr<LazySolve> lazy;          ///< Of a solution that may still lack cells.
    std::uint64_t solved_ground = 0;          ///< FlowField's count of grounds at the last solve.
    std::vector<ModifiedDirection> modified;  ///< In cell order; coded kModified in `solution`.

    /// Index of the goal that the way of a reached cell leads to. What is not known yet is found
    /// along that way, once for all its cells; any number of threads may ask.
    [[nodiscard]] std::uint16_t goal_label(const GridGeometry& geometry, CellIndex cell) const;
    /// The direction the solver gave, whatever modifiers did to it (BaseDirArray).
    [[nodiscard]] std::uint8_t base_direction(CellIndex cell) const;
    /// The modifiers' direction of a cell coded kModified.
    [[nodiscard]] Vec3f modified_direction(CellIndex cell) const;
    /// Undoes the modifiers.
    void restore_base_directions();
    [[nodiscard]] bool reached(CellIndex cell) const {
        return solution.dist[cell] != solution.dist.limit();
    }
};

}  // namespace maniple::nav
