#pragma once

#include <cstdint>
#include <span>

#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Replaces the code of every cell with a direction that sees its goal by kStraightToGoal: no cell
/// between them on the Bresenham line is impassable or has another cost than in the base array
/// (GRID-043, O-GRID-12).
void write_lines_of_sight(const SolverGround& ground, std::span<const CellIndex> goals,
                          FieldSolution& solution);

}  // namespace maniple::nav
