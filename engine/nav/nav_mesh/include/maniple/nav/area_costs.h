#pragma once

#include <array>
#include <cstdint>

#include "maniple/nav/grid_types.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// What the areas cost a flow field (NAVM-029 … 035): the one table for its flood and for drawing.
struct AreaCostContext {
    bool enabled = false;
    AreaCosts cost{};  ///< Defaults with the field's overrides; all 1 when disabled.
    /// What lengths are multiplied with. Above 1000 exactly 100: a penalty, no wall (O-NAVM-02,
    /// O-NAVM-03).
    std::array<double, kMeshAreaCount> multiplier{};
};

/// `defaults` are the mesh's own: a provider's, or those a stream brought (O-NAVM-15).
[[nodiscard]] AreaCostContext area_cost_context(const FieldConfig& config,
                                                const AreaCosts& defaults);

}  // namespace maniple::nav
