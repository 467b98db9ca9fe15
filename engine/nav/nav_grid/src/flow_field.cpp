#include "maniple/nav/flow_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/quantise.h"

namespace maniple::nav {

FlowField::FlowField(std::string name, FieldConfig config, FieldHost host)
    : name_(std::move(name)), config_(config), host_(std::move(host)) {
    config_.distance_limit = std::clamp(config_.distance_limit, 1U, 2'147'483'647U);
    config_.max_walkable_centideg = std::clamp(config_.max_walkable_centideg, 0, 9000);
    default_layer_.name = "default";
}

void FlowField::warn(FieldLog code, const std::string& message) const {
    host_.log(
        {core::Severity::kWarning, static_cast<int>(code), "field " + name_ + ": " + message});
}

void FlowField::set_substrate(GridSubstrate substrate) {
    substrate_ = std::move(substrate);
    moves_.build(substrate_, config_);
    solve_all();
}

void FlowField::set_substrate(GridSubstrate substrate, std::span<const CellIndex> changed) {
    MANIPLE_ASSERT(changed.empty() || changed.back() < substrate.cost.size());
    set_substrate(std::move(substrate));
}

void FlowField::set_cells(GridCoord low, GridCoord high, CellType type, std::uint8_t cost) {
    const GridGeometry& g = geometry();
    for (std::int32_t x = std::max(low.x, 0); x <= std::min(high.x, g.x_num() - 1); ++x) {
        for (std::int32_t y = std::max(low.y, 0); y <= std::min(high.y, g.y_num() - 1); ++y) {
            const CellIndex cell = g.index({x, y});
            substrate_.type[cell] = static_cast<std::uint8_t>(type);
            substrate_.cost[cell] = cost;
        }
    }
    const GridCoord first{std::max(low.x, 0), std::max(low.y, 0)};
    const GridCoord last{std::min(high.x, g.x_num() - 1), std::min(high.y, g.y_num() - 1)};
    if (first.x <= last.x && first.y <= last.y) moves_.update(substrate_, config_, first, last);
}

void FlowField::commit_edits() { solve_all(); }

// implements: O-LAY-02, SYNC-047, SYNC-058, SYNC-059
void FlowField::solve_all() {
    components_ = label_components(substrate_, config_, moves_);
    default_layer_.goals.clear();
    const Vec3d origin = geometry().origin();
    for (const auto& goal : substrate_.goals_cm) {
        default_layer_.goals.push_back({core::dequant_cm(goal[0], origin.x),
                                        core::dequant_cm(goal[1], origin.y),
                                        core::dequant_cm(goal[2], origin.z)});
    }
    solve(default_layer_);
    for (auto& [id, layer] : layers_) {
        layer.solved = false;
        if (layer.auto_release && layer.user_count > 0) update_layer({id});
    }
}

// implements: GRID-015, LAY-006, LAY-007, LAY-009, O-LAY-02, O-LAY-06
bool FlowField::solve(Layer& layer) {
    layer.goal_cells.clear();
    layer.solved = false;
    if (!initialised()) {
        warn(FieldLog::kLayerNotSolved, "layer " + layer.name + " before the field has ground");
        return false;
    }
    if (&layer != &default_layer_ && layer.goals.empty()) return false;
    if (layer.goals.size() > kGoalsMax) {
        warn(FieldLog::kBadGoal,
             "layer " + layer.name + " has more goals than a field tells apart");
        return false;
    }
    for (const Vec3d& goal : layer.goals) {
        if (!std::isfinite(goal.x) || !std::isfinite(goal.y) || !std::isfinite(goal.z)) {
            warn(FieldLog::kBadGoal, "layer " + layer.name + " has a goal that is not finite");
            return false;
        }
        layer.goal_cells.push_back(
            geometry().index(geometry().world_to_grid({goal.x, goal.y}).coord));
    }
    solve_field({substrate_, substrate_.cost, moves_}, config_, layer.goal_cells, scratch_,
                layer.solution);
    layer.solved = true;
    return true;
}

Vec3d FlowField::world_location(CellIndex cell) const {
    const Vec2d centre = geometry().cell_centre(geometry().coord(cell));
    return {centre.x, centre.y, geometry().origin().z + substrate_.z_cm[cell]};
}

}  // namespace maniple::nav
