#pragma once

#include <memory>
#include <span>
#include <vector>

#include "maniple/nav/solver.h"

namespace maniple::nav {

/// A solve that goes only as far as somebody asks and later goes on: a flood settles near cells
/// before far ones. Settled cells have the values of solve_field, all others read as unreached.
/// Where floods cannot stop (octile distances, lines of sight, winding ground, a machine without a
/// vector unit …) the first question solves the whole field. O-GRID-36
class LazySolve {
  public:
    LazySolve();
    ~LazySolve();

    /// Forgets everything. `solution` then has no settled cell.
    void begin(const SolverGround& ground, const FieldConfig& config, FieldSolution& solution);
    /// Settles these cells at least, for the ground, configuration, goals and solution that stay
    /// the same from begin() on. Cells that no goal reaches cost the whole flood.
    void settle(const SolverGround& ground, const FieldConfig& config,
                std::span<const CellIndex> goals, std::vector<CellIndex> needed,
                SolverScratch& scratch, FieldSolution& solution);
    /// Every cell is settled.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    struct Parts;
    template <class Dist>
    bool flood(const SolverGround& ground, const MoveMap& moves, const FieldConfig& config,
               std::span<const CellIndex> goals, std::vector<CellIndex>& needed,
               FieldSolution& solution);

    std::unique_ptr<Parts> parts_;
    bool begun_ = false;
    bool complete_ = false;
};

}  // namespace maniple::nav
