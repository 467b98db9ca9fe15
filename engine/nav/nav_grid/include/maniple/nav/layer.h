#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/lazy_solve.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Most goals of one layer; the wire carries as many (O-SYNC-29).
inline constexpr std::size_t kGoalsMax = 65'536;

/// Process-local name of a layer: never hashed, never on the wire (O-LAY-05). 0 is invalid.
struct LayerHandle {
    std::int32_t id = 0;
    [[nodiscard]] bool valid() const { return id != 0; }
    friend bool operator==(const LayerHandle&, const LayerHandle&) = default;
};

/// Something of the host that a layer leads to, asked where it is when goals are collected. Nothing
/// for a thing that is gone: it is no goal then.
using GoalSource = std::function<std::optional<Vec3d>()>;

/// Goals as the host gives them; sources come first in goal order (O-SYNC-04).
struct GoalSet {
    std::vector<GoalSource> sources;
    std::vector<Vec3d> locations;  ///< World cm.
    /// Where all of them are now (GRID-015).
    [[nodiscard]] std::vector<Vec3d> collect() const;
};

/// A direction that a modifier gave, and the code the solver had there (MOD-018).
struct ModifiedDirection {
    CellIndex cell;
    Vec3f direction;
    std::uint8_t base_code;
};

// implements: LAY-002, O-LAY-01
/// A goal set solved over a field's ground (LAY-002).
struct Layer {
    std::string name;
    GoalSet given;
    std::vector<Vec3d> goals;           ///< World cm, as collected for the last solve.
    std::vector<CellIndex> goal_cells;  ///< Clamped onto the grid, in goal order.
    bool solved = false;
    bool auto_release = false;
    std::uint32_t goal_hash = 0;
    std::int32_t user_count = 0;
    FieldSolution solution;
    std::unique_ptr<LazySolve> lazy;          ///< Of a solution that may still lack cells.
    std::uint64_t solved_ground = 0;          ///< FlowField's count of grounds at the last solve.
    std::vector<ModifiedDirection> modified;  ///< In cell order; coded kModified in `solution`.

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
