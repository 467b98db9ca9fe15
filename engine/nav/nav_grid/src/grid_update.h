#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "maniple/nav/modifier.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

using CostModifiers = std::vector<std::shared_ptr<const CostModifier>>;
using DirectionModifiers = std::vector<std::shared_ptr<const DirectionModifier>>;

/// An update of a field's default layer between its preparation and its end. Everything it reads
/// and writes is in here, so that it runs on any thread while the field is in use; the synchronous
/// update runs the same (ASY-009, ASY-014).
struct GridUpdate {
    FieldConfig config;
    bool new_grid = false;
    std::vector<CellIndex> grid_modified;
    std::vector<Vec3d> goals;
    std::map<CellIndex, std::int32_t> extra_costs;
    CostModifiers cost_modifiers;            ///< Enabled ones, in running order.
    DirectionModifiers direction_modifiers;  ///< Likewise.
    GridSubstrate ground;                    ///< Initial cells; once run with the modifiers' costs.

    // Written by run(), as the field holds them.
    std::vector<std::uint8_t> initial_cost;
    std::vector<std::uint8_t> current_cost;
    MoveMap moves;
    Components components;
    std::vector<CellIndex> goal_cells;
    FieldSolution solution;
    std::vector<ModifiedDirection> modified;
    bool extra_cost_outside = false;  ///< An extra cost names no cell.

    /// `executor` may be null.
    void run(SolverScratch& scratch, core::Executor* executor);
    /// Each cell once, ascending.
    void sort_grid_modified();

  private:
    void modify_cost();
    std::vector<std::uint8_t> modified_costs(std::span<const CellIndex> free_goals);
};

/// Runs direction modifiers over a solution that holds the solver's directions. `modified` gets the
/// cells they wrote, in cell order (MOD-016).
void modify_directions(const GridSubstrate& ground, const DirectionModifiers& modifiers,
                       FieldSolution& solution, std::vector<ModifiedDirection>& modified);

}  // namespace maniple::nav
