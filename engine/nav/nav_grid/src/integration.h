#pragma once

#include <cstdint>
#include <span>

#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Phase 1: fills `dist` from the goals over `moves`, by the kernel asked for or the fastest.
void integrate(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
               std::span<const CellIndex> goals, SolverScratch::Parts& scratch, DistanceField& dist,
               FloodKernel kernel);

}  // namespace maniple::nav
