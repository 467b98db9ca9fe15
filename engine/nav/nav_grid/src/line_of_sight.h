#pragma once

#include "maniple/nav/flow_field.h"

namespace maniple::nav {

/// The solver's line of sight between two cells of a field's default layer: Bresenham, both ends on
/// the line. A blocking cell ends it, and one whose cost is not its base cost, ends aside
/// (GRID-043, O-GRID-12).
[[nodiscard]] bool field_sees(const FlowField& field, CellIndex start, CellIndex goal);

}  // namespace maniple::nav
