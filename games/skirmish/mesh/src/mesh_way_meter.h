#pragma once

#include <memory>

#include "maniple/skirmish/statistics.h"

namespace maniple::skirmish {

/// Measures the ways that MoveTo units have left on a navmesh.
[[nodiscard]] std::unique_ptr<WayMeter> mesh_way_meter();

}  // namespace maniple::skirmish
