#pragma once

#include <cstdint>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// The cells `begin` … `end` − 1 of a solved field; all eight neighbours of each lie inside the
/// arrays (not always inside the grid). Where phase 1 took the same neighbours, the best neighbour
/// is the first whose distance is the cell's own less the step, which is what these kernels look
/// for (O-GRID-08, O-GRID-09).
template <class Dist>
struct DirectionTask {
    const Dist* dist;
    const std::uint8_t* cost;
    const std::uint8_t* moves;
    std::uint8_t neighbours;
    Metric metric;
    std::uint32_t limit;
    std::int32_t y_num;
    std::size_t begin;
    std::size_t end;
    std::uint8_t* codes;
};

/// Writes task.codes. False, with nothing written, where this build or machine has no vector unit
/// or the range is shorter than a vector.
[[nodiscard]] bool write_codes_simd(const DirectionTask<std::uint16_t>& task);
[[nodiscard]] bool write_codes_simd(const DirectionTask<std::uint32_t>& task);

/// Labels of a field with one goal: 0, or FieldSolution::kNoGoal where dist is the limit.
void write_single_label(const std::uint16_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal);
void write_single_label(const std::uint32_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal);

}  // namespace maniple::nav
