#pragma once

#include <memory>

#include "maniple/skirmish/statistics.h"

namespace maniple::skirmish {

/// Measures the ways that MoveTo units have left over the cells of the grid field.
[[nodiscard]] std::unique_ptr<WayMeter> grid_way_meter();

}  // namespace maniple::skirmish
