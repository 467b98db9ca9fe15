#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/nav/flow_field.h"

namespace maniple::nav {
namespace {

/// A host without a world: nothing is ever hit.
class EmptyWorld final : public WorldQuery {
  public:
    [[nodiscard]] std::optional<SurfaceHit> trace_line(Vec3d, Vec3d, TraceMask) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_sphere(Vec3d, Vec3d, double,
                                                         TraceMask) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_capsule(Vec3d, Vec3d, double, double,
                                                          TraceMask) const override {
        return std::nullopt;
    }
};

const EmptyWorld kEmptyWorld;

}  // namespace

// implements: GRID-011, GRID-012, GRID-013, GRID-014
Result<void> FlowField::init(InitMode mode) {
    const Result<FieldSetup> setup = clamped(setup_);
    if (!setup) return refuse(setup.error());
    const Result<GridGeometry> grid = grid_of(*setup);
    if (!grid) return refuse(grid.error());
    setup_ = *setup;
    init_geometry_ = *grid;
    if (mode != InitMode::kRuntime) {
        next_update_s_ = 0;
        grid_dirty_ = true;
    }
    return {};
}

// implements: GRID-022
Result<GridSubstrate> FlowField::make_grid() const {
    const WorldQuery& world = host_.world == nullptr ? kEmptyWorld : *host_.world;
    core::SerialExecutor serial;
    core::Executor& executor = host_.executor == nullptr ? serial : *host_.executor;
    return build_ground(setup_, config_.max_walkable_centideg, world, executor, host_.progress);
}

// implements: GRID-008, GRID-009, GRID-016, GRID-017, GRID-018, GRID-019, O-GRID-30, O-MOD-07
// implements: O-MOD-11, SYNC-061, SYNC-062, O-SYNC-32
Result<void> FlowField::update(bool full) {
    if (synced_ && host_.role == FieldRole::kClient) {
        if (!warned_synced_)
            warn(FieldLog::kSyncedUpdate, "a client never rebuilds what it synced");
        warned_synced_ = true;
        return {};
    }
    const bool begin_play = !initialised();
    if (auto ready = init(begin_play ? InitMode::kBeginPlay : InitMode::kRuntime); !ready) {
        return ready;
    }
    std::vector<Vec3d> goals = goals_.collect();
    if (auto checked = check_goals(goals); !checked) return checked;
    const bool rebuild = grid_dirty_ || full || synced_;
    if (rebuild) {
        Result<GridSubstrate> grid = make_grid();
        if (!grid) return refuse(grid.error());
        substrate_ = std::move(*grid);
        forget_modifications();
    }
    synced_ = false;
    version_ = 0;
    if (full || begin_play) rescan_modifiers();
    if (!full) modify_grid();

    default_layer_.goals = std::move(goals);
    substrate_.goals_cm.clear();
    const Vec3d origin = geometry().origin();
    for (const Vec3d& goal : default_layer_.goals) {
        substrate_.goals_cm.push_back({core::quant_cm(goal.x, origin.x),
                                       core::quant_cm(goal.y, origin.y),
                                       core::quant_cm(goal.z, origin.z)});
    }
    modify_cost(default_layer_);
    moves_.build(substrate_, config_);
    components_ = label_components(substrate_, config_, moves_);
    components_stale_ = false;
    begin_edits();
    edits_known_ = false;
    editing_ = false;
    solve(default_layer_);
    if (rebuild) resolve_layers();
    return {};
}

// implements: GRID-020, GRID-021, O-GRID-24
Result<void> FlowField::update_timed(bool full, double dt_s) {
    Result<void> updated;
    if (next_update_s_ <= 0) updated = update(full);
    if (next_update_s_ <= 0) {
        next_update_s_ = std::max(setup_.refresh_interval_s, 0.0);
    } else {
        next_update_s_ -= dt_s;
    }
    return updated;
}

// implements: MOD-013, O-MOD-08
void FlowField::modify_grid() {
    grid_modified_.clear();
    const auto modifiers = modifiers_.grid.enabled();
    if (modifiers.empty()) return;
    if (initial_cost_.empty()) initial_cost_ = substrate_.cost;
    const EnvironmentQuery environment(geometry(), setup_, config_.max_walkable_centideg);
    GridEdit edit(substrate_, initial_cost_, environment,
                  host_.world == nullptr ? kEmptyWorld : *host_.world, grid_modified_);
    for (const auto& modifier : modifiers) {
        static_cast<GridModifier&>(*modifier).apply_grid(edit);
    }
    std::sort(grid_modified_.begin(), grid_modified_.end());
    const auto repeated = std::unique(grid_modified_.begin(), grid_modified_.end());
    grid_modified_.erase(repeated, grid_modified_.end());
}

// implements: GRID-006, MOD-015, O-SYNC-20
void FlowField::modify_cost(const Layer& layer) {
    if (!initial_cost_.empty()) substrate_.cost = initial_cost_;
    initial_cost_.clear();
    current_cost_.clear();
    if (modifiers_.cost.enabled().empty() && extra_costs_.empty()) return;
    std::vector<CellIndex> goals;
    for (const Vec3d& goal : layer.goals) goals.push_back(world_to_index({goal.x, goal.y}).index);
    std::vector<std::uint8_t> without_goals = modified_costs({});
    current_cost_ = modified_costs(goals);
    initial_cost_ = std::exchange(substrate_.cost, std::move(without_goals));
}

// implements: MOD-015, O-MOD-04
std::vector<std::uint8_t> FlowField::modified_costs(std::span<const CellIndex> goals) {
    std::vector<std::uint8_t> cost = substrate_.cost;
    for (const CellIndex goal : goals) cost[goal] = 0;
    CostEdit edit{substrate_, cost};
    for (const auto& modifier : modifiers_.cost.enabled()) {
        static_cast<const CostModifier&>(*modifier).apply_cost(edit);
    }
    for (const auto& [cell, extra] : extra_costs_) {
        if (cell >= cost.size()) {
            // Costs are made twice; the pass with goals speaks.
            if (goals.empty()) warn(FieldLog::kExtraCost, "an extra cost for no cell of the grid");
            continue;
        }
        cost[cell] = static_cast<std::uint8_t>(
            std::clamp<std::int64_t>(std::int64_t{cost[cell]} + extra, 0, kImpassableCost));
    }
    return cost;
}

// implements: MOD-016, MOD-018, SYNC-058
void FlowField::modify_directions(Layer& layer) {
    const auto modifiers = modifiers_.direction.enabled();
    if (modifiers.empty()) return;
    std::vector<ModifiedDirection> set;
    DirectionEdit edit(substrate_, layer.solution, set);
    for (const auto& modifier : modifiers) {
        static_cast<const DirectionModifier&>(*modifier).apply_direction(edit);
    }
    std::stable_sort(set.begin(), set.end(),
                     [](const auto& a, const auto& b) { return a.cell < b.cell; });
    for (const ModifiedDirection& entry : set) {
        if (!layer.modified.empty() && layer.modified.back().cell == entry.cell) {
            layer.modified.back().direction = entry.direction;
        } else {
            layer.modified.push_back(entry);
        }
    }
    for (const ModifiedDirection& entry : layer.modified) {
        layer.solution.direction[entry.cell] = kModified;
    }
}

}  // namespace maniple::nav
