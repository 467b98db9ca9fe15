#include "maniple/nav/layer.h"

#include <algorithm>
#include <atomic>

#include "flood_rules.h"

namespace maniple::nav {

std::uint8_t Layer::base_direction(CellIndex cell) const {
    if (solution.direction[cell] != kModified) return solution.direction[cell];
    return std::lower_bound(modified.begin(), modified.end(), cell,
                            [](const ModifiedDirection& m, CellIndex c) { return m.cell < c; })
        ->base_code;
}

Vec3f Layer::modified_direction(CellIndex cell) const {
    return std::lower_bound(modified.begin(), modified.end(), cell,
                            [](const ModifiedDirection& m, CellIndex c) { return m.cell < c; })
        ->direction;
}

void Layer::restore_base_directions() {
    for (const ModifiedDirection& entry : modified) {
        solution.direction[entry.cell] = entry.base_code;
    }
    modified.clear();
}

// implements: O-GRID-08
std::uint16_t Layer::goal_label(const GridGeometry& geometry, CellIndex cell) const {
    if (solution.labelled) return solution.known_goal[cell];
    // Whoever finds a label writes the same one, so that no order is needed.
    const auto label = [&](CellIndex at) { return std::atomic_ref(solution.known_goal[at]); };
    const auto is_known = [&](CellIndex at) {
        return label(at).load(std::memory_order_relaxed) != FieldSolution::kNoGoal;
    };
    const NeighbourOffsets offsets(geometry.y_num());
    CellIndex end = cell;
    while (!is_known(end) && base_direction(end) != kNoDirection) {
        end += offsets[base_direction(end)];
    }
    const std::uint16_t found = label(end).load(std::memory_order_relaxed);
    while (cell != end) {
        label(cell).store(found, std::memory_order_relaxed);
        cell += offsets[base_direction(cell)];
    }
    return found;
}

}  // namespace maniple::nav
