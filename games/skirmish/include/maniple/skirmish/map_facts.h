#pragma once

#include <cstdint>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/solver.h"
#include "maniple/substrate/checked_stream.h"

namespace maniple::skirmish {

/// What the plan and the map edits know of a map: its authored ground, nothing of a simulation.
struct MapFacts {
    nav::GridSubstrate ground;
    nav::Components components;
    std::vector<nav::CellIndex> field_cells;  ///< The largest component, ascending.

    /// @return facts, or kNoGround for a map without a passable cell, kOverCap for one that lies
    /// beyond the lattice of positions.
    [[nodiscard]] static Result<MapFacts> of(const substrate::CheckedView& stream);
    [[nodiscard]] bool in_field(nav::CellIndex cell) const {
        return components.label[cell] == components.label[field_cells.front()];
    }
};

/// Steps from a set of cells inside the largest component, 8 neighbours, no corner cut. A pure
/// function of the ground: equal distances never depend on a queue.
class StepMap {
  public:
    static constexpr std::uint32_t kUnreached = ~std::uint32_t{0};
    /// Visits at most `cell_limit` cells, nearest first.
    StepMap(const MapFacts& facts, nav::CellIndex from, std::size_t cell_limit);

    [[nodiscard]] std::uint32_t steps(nav::CellIndex cell) const { return steps_[cell]; }
    /// Visited cells, nearest first; equals in neighbour order.
    [[nodiscard]] const std::vector<nav::CellIndex>& visited() const { return visited_; }
    [[nodiscard]] std::uint32_t steps_max() const { return steps_[visited_.back()]; }
    /// The cell `count` steps down from `cell`, or the origin if that is nearer.
    [[nodiscard]] nav::CellIndex descend(const MapFacts& facts, nav::CellIndex cell,
                                         std::uint32_t count) const;

  private:
    std::vector<std::uint32_t> steps_;
    std::vector<nav::CellIndex> visited_;
};

}  // namespace maniple::skirmish
