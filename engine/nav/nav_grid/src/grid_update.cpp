#include "grid_update.h"

#include <algorithm>
#include <utility>

namespace maniple::nav {

// implements: GRID-017, MOD-018
void GridUpdate::run(SolverScratch& scratch, core::Executor* executor) {
    for (const Vec3d& goal : goals) {
        const GridCoord at = ground.geometry.world_to_grid({goal.x, goal.y}).coord;
        goal_cells.push_back(ground.geometry.index(at));
    }
    modify_cost();
    moves.build(ground, config);
    label_components(ground, config, moves, components);
    const std::span<const std::uint8_t> base = initial_cost.empty() ? ground.cost : initial_cost;
    solve_field({ground, base, moves}, config, goal_cells, scratch, solution, FloodKernel::kFastest,
                executor, Labels::kOnDemand);
    modify_directions(ground, direction_modifiers, solution, modified);
}

void GridUpdate::sort_grid_modified() {
    std::sort(grid_modified.begin(), grid_modified.end());
    const auto repeated = std::unique(grid_modified.begin(), grid_modified.end());
    grid_modified.erase(repeated, grid_modified.end());
}

// implements: GRID-006, MOD-015, O-SYNC-20
void GridUpdate::modify_cost() {
    if (cost_modifiers.empty() && extra_costs.empty()) return;
    std::vector<std::uint8_t> without_goals = modified_costs({});
    current_cost = modified_costs(goal_cells);
    initial_cost = std::exchange(ground.cost, std::move(without_goals));
}

// implements: MOD-015, O-MOD-04
std::vector<std::uint8_t> GridUpdate::modified_costs(std::span<const CellIndex> free_goals) {
    std::vector<std::uint8_t> cost = ground.cost;
    for (const CellIndex goal : free_goals) cost[goal] = 0;
    CostEdit edit{ground, cost};
    for (const auto& modifier : cost_modifiers) modifier->apply_cost(edit);
    for (const auto& [cell, extra] : extra_costs) {
        if (cell >= cost.size()) {
            extra_cost_outside = true;
            continue;
        }
        cost[cell] = static_cast<std::uint8_t>(
            std::clamp<std::int64_t>(std::int64_t{cost[cell]} + extra, 0, kImpassableCost));
    }
    return cost;
}

// implements: MOD-016, MOD-018, SYNC-058
void modify_directions(const GridSubstrate& ground, const DirectionModifiers& modifiers,
                       FieldSolution& solution, std::vector<ModifiedDirection>& modified) {
    modified.clear();
    if (modifiers.empty()) return;
    std::vector<ModifiedDirection> set;
    DirectionEdit edit(ground, solution, set);
    for (const auto& modifier : modifiers) modifier->apply_direction(edit);
    std::stable_sort(set.begin(), set.end(),
                     [](const auto& a, const auto& b) { return a.cell < b.cell; });
    for (const ModifiedDirection& entry : set) {
        if (!modified.empty() && modified.back().cell == entry.cell) {
            modified.back().direction = entry.direction;
        } else {
            modified.push_back(entry);
        }
    }
    for (const ModifiedDirection& entry : modified) solution.direction[entry.cell] = kModified;
}

}  // namespace maniple::nav
