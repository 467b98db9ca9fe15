#pragma once

#include <cstddef>
#include <cstdint>

namespace maniple::nav {

/// Cells in lines of y_num along y.
struct LabelTask {
    std::ptrdiff_t x_num, y_num;
    const std::uint8_t*
        predecessor;      ///< Neighbour code a cell; none of a goal or an unreached one.
    std::uint16_t* goal;  ///< Labels; kNoGoal where none is known yet.
    std::uint8_t* winds;  ///< By line: set to 1 where cells are left without a label.
};

/// Hands labels on along ways that keep to one quadrant, eight cells at a time. @return false, with
/// nothing done, where there are no vectors or lines are too short for them.
bool sweep_labels_simd(const LabelTask& task);

}  // namespace maniple::nav
