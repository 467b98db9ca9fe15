#include "line_of_sight.h"

#include <cstdlib>

namespace maniple::nav {

// implements: GRID-043, PATH-010, O-GRID-12
bool field_sees(const FlowField& field, CellIndex start, CellIndex goal) {
    const GridGeometry& g = field.geometry();
    const GridCoord first = g.coord(start);
    const GridCoord last = g.coord(goal);
    const std::int32_t dx = std::abs(last.x - first.x);
    const std::int32_t dy = std::abs(last.y - first.y);
    const std::int32_t step_x = first.x < last.x ? 1 : -1;
    const std::int32_t step_y = first.y < last.y ? 1 : -1;
    std::int32_t error = dx - dy;
    for (GridCoord at = first; !(at == last);) {
        const CellIndex cell = g.index(at);
        const std::uint8_t cost = field.current_cost(cell);
        if (cost == kImpassableCost) return false;
        if (cell != start && cost != field.base_cost(cell)) return false;
        const std::int32_t twice = 2 * error;
        if (twice > -dy) {
            error -= dy;
            at.x += step_x;
        }
        if (twice < dx) {
            error += dx;
            at.y += step_y;
        }
    }
    return true;
}

}  // namespace maniple::nav
