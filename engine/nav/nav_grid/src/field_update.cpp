#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/nav/flow_field.h"

#include "grid_update.h"
#include "grid_update_job.h"

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
        timer_.reset();
        grid_dirty_ = true;
    }
    if (host_.draw != nullptr) {
        draw_setup(GenerationMode::kGrid, setup_, init_geometry_, *host_.draw);
    }
    return {};
}

const WorldQuery& FlowField::world() const {
    return host_.world == nullptr ? kEmptyWorld : *host_.world;
}

EnvironmentQuery FlowField::environment_query(const GridGeometry& grid) const {
    return EnvironmentQuery(grid, setup_, config_.max_walkable_centideg);
}

// implements: GRID-022
Result<GridSubstrate> FlowField::make_grid() const {
    core::SerialExecutor serial;
    core::Executor& executor = host_.executor == nullptr ? serial : *host_.executor;
    return build_ground(setup_, config_.max_walkable_centideg, world(), executor, host_.progress);
}

// implements: SYNC-061, O-ASY-06, O-SYNC-34
bool FlowField::ignores_update() {
    if (!synced_ || host_.role != FieldRole::kClient) return false;
    if (!warned_synced_) warn(FieldLog::kSyncedUpdate, "a client never rebuilds what it synced");
    warned_synced_ = true;
    return true;
}

// implements: GRID-008, GRID-009, GRID-016, GRID-017, GRID-018, GRID-019, ASY-014, O-ASY-04
Result<void> FlowField::update(bool full) {
    if (ignores_update()) return {};
    GridUpdate update;
    if (auto prepared = prepare_update(full, update); !prepared) return prepared;
    if (!update.new_grid) {
        update.ground = std::move(substrate_);
        if (!initial_cost_.empty()) update.ground.cost = std::move(initial_cost_);
    }
    if (!full) modify_grid(update);
    // Memory of the last results, for these.
    update.moves = std::move(moves_);
    update.components = std::move(components_);
    update.solution = std::move(default_layer_.solution);
    update.run(scratch_, host_.executor);
    apply_update(std::move(update));
    return {};
}

// implements: O-ASY-02
std::unique_ptr<FieldJob> FlowField::async_update(bool full) {
    if (ignores_update()) return nullptr;
    auto claim = claim_update();
    return claim ? std::make_unique<GridUpdateJob>(*this, full, std::move(claim)) : nullptr;
}

/// All but the grid modifiers; fills `ground` of a new grid alone. What the field computed stays.
// implements: GRID-017, GRID-018, O-GRID-30, O-MOD-11, O-ASY-07
Result<void> FlowField::prepare_update(bool full, GridUpdate& update) {
    const bool traces = setup_.trace_ground || setup_.trace_obstacles;
    if (host_.lockstep && host_.role == FieldRole::kClient && traces) {
        return refuse(ErrorCode::kUnsupported,
                      "field " + name_ + ": in lockstep only the server traces its ground");
    }
    const bool begin_play = !initialised();
    const InitMode mode = begin_play ? InitMode::kBeginPlay : InitMode::kRuntime;
    if (auto ready = init(mode); !ready) return ready;
    return collect_update(full || synced_, full || begin_play, update);
}

Result<void> FlowField::collect_update(bool new_grid, bool rescan, GridUpdate& update) {
    update.config = config_;
    update.goals = goals_.collect();
    if (auto checked = check_goals(update.goals); !checked) return checked;
    update.new_grid = new_grid || grid_dirty_;
    if (update.new_grid) {
        Result<GridSubstrate> grid = make_grid();
        if (!grid) return refuse(grid.error());
        update.ground = std::move(*grid);
    }
    if (rescan) rescan_modifiers();
    update.extra_costs = extra_costs_;
    update.cost_modifiers = modifiers_.cost.enabled_as<CostModifier>();
    update.direction_modifiers = modifiers_.direction.enabled_as<DirectionModifier>();
    return {};
}

void FlowField::copy_initial_cells(GridUpdate& update) const {
    update.ground = substrate_;
    if (!initial_cost_.empty()) update.ground.cost = initial_cost_;
}

// implements: MOD-013, O-MOD-08
void FlowField::modify_grid(GridUpdate& update) const {
    const EnvironmentQuery environment = environment_query(update.ground.geometry);
    GridEdit edit(update.ground, environment, world(), update.grid_modified);
    for (const auto& modifier : modifiers_.grid.enabled()) {
        static_cast<GridModifier&>(*modifier).apply_grid(edit);
    }
    update.sort_grid_modified();
}

/// Writes a finished update back.
// implements: GRID-008, GRID-017, O-MOD-07, SYNC-062, O-SYNC-32
void FlowField::apply_update(GridUpdate&& update) {
    if (update.extra_cost_outside) {
        warn(FieldLog::kExtraCost, "an extra cost for no cell of the grid");
    }
    substrate_ = std::move(update.ground);
    substrate_.goals_cm.clear();
    const Vec3d origin = geometry().origin();
    for (const Vec3d& goal : update.goals) {
        substrate_.goals_cm.push_back({core::quant_cm(goal.x, origin.x),
                                       core::quant_cm(goal.y, origin.y),
                                       core::quant_cm(goal.z, origin.z)});
    }
    initial_cost_ = std::move(update.initial_cost);
    current_cost_ = std::move(update.current_cost);
    grid_modified_ = std::move(update.grid_modified);
    moves_ = std::move(update.moves);
    components_ = std::move(update.components);
    default_layer_.goals = std::move(update.goals);
    default_layer_.goal_cells = std::move(update.goal_cells);
    default_layer_.solution = std::move(update.solution);
    default_layer_.modified = std::move(update.modified);
    synced_ = false;
    version_ = 0;
    if (update.new_grid) grid_dirty_ = false;
    components_stale_ = false;
    edits_known_ = false;
    editing_ = false;
    default_layer_.solved = true;
    default_layer_.solved_ground = ++ground_count_;
    ++generation_;
    if (update.new_grid) resolve_layers();
    if (host_.draw != nullptr) {
        draw_cells(*this, *host_.draw);
        draw_arrows(*this, *host_.draw);
    }
}

// implements: VIS-003
Result<void> FlowField::on_construction(const std::function<void()>& construct_host) {
    construct_host();
    return draw_debug();
}

// implements: VIS-004
Result<void> FlowField::draw_debug() {
    if (auto ready = init(InitMode::kConstruction); !ready) return ready;
    if (host_.draw == nullptr || !host_.draw->switches.editor_live_update) return {};
    GridUpdate update;
    if (auto collected = collect_update(true, true, update); !collected) return collected;
    modify_grid(update);
    update.run(scratch_, host_.executor);
    FlowField preview(name_, config_, host_);
    preview.apply_update(std::move(update));
    return {};
}

// implements: GRID-020, O-GRID-24
Result<void> FlowField::update_timed(bool full, double dt_s) {
    Result<void> updated;
    if (timer_.due()) updated = update(full);
    timer_.advance(setup_.refresh_interval_s, dt_s);
    return updated;
}

}  // namespace maniple::nav
