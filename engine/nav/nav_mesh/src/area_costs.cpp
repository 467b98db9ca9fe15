#include "maniple/nav/area_costs.h"

#include <algorithm>

namespace maniple::nav {
namespace {

constexpr float kPenaltyAbove = 1000;
constexpr double kPenalty = 100;

}  // namespace

// implements: NAVM-028, NAVM-029, NAVM-030, NAVM-031, NAVM-032, NAVM-033, NAVM-034, NAVM-035
// implements: O-NAVM-02, O-NAVM-03, O-NAVM-15, O-NAVM-21
AreaCostContext area_cost_context(const FieldConfig& config, const AreaCosts& defaults) {
    AreaCostContext context;
    context.enabled = config.use_area_costs;
    context.cost.fill(1);
    context.multiplier.fill(1);
    if (!context.enabled) return context;
    context.cost = defaults;
    for (const AreaCostOverride& entry : config.area_cost_overrides) {
        if (entry.area >= kMeshAreaCount) continue;
        // In this order a NaN becomes the least cost.
        context.cost[entry.area] =
            std::min(std::max(kAreaCostOverrideMin, entry.cost), kAreaCostOverrideMax);
    }
    for (std::size_t area = 0; area < kMeshAreaCount; ++area) {
        const float cost = context.cost[area];
        context.multiplier[area] = cost > kPenaltyAbove
                                       ? kPenalty
                                       : std::min<double>(cost, config.max_area_cost_multiplier);
    }
    return context;
}

}  // namespace maniple::nav
