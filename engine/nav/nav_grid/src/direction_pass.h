#pragma once

#include <cstdint>

#include "maniple/core/executor.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// For every cell the neighbour with the smallest key below the cell's own distance, the first of
/// equals in the style's candidate order; kNoDirection for unreached cells and goals (O-GRID-09).
/// `neighbours` is a mask of the neighbours asked. `codes` holds one byte a cell.
/// Without `simd` the scalar kernel runs, for the same bits; so do any number of threads.
void write_best_neighbours(const GridSubstrate& ground, const std::uint8_t* moves,
                           const FieldConfig& config, std::uint8_t neighbours,
                           const DistanceField& dist, std::uint8_t* codes, bool simd = true,
                           core::Executor* executor = nullptr);

/// The same for the cells `begin` … `end` − 1 alone and all eight neighbours.
void write_best_neighbours_of(const GridSubstrate& ground, const std::uint8_t* moves,
                              const FieldConfig& config, const DistanceField& dist, CellIndex begin,
                              CellIndex end, std::uint8_t* codes);

}  // namespace maniple::nav
