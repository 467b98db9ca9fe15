#include "maniple/nav/mesh_field.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_debug_draw.h"

namespace maniple::nav {
namespace {

/// Updates without a flow field until one is logged (O-NAVM-17).
constexpr int kMissingStreakLogged = 3;

/// Zeros of different signs lead to different bits.
bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}

}  // namespace

void MeshFlows::weigh(const MeshReplica& mesh, const AreaCostContext& areas) {
    mesh_generation = mesh.generation();
    weights = weigh_edges(mesh.graph(), areas);
}

void MeshFlows::flood(const MeshReplica& mesh, std::vector<Vec3d> goals,
                      std::vector<MeshGoal> mesh_goals) {
    MANIPLE_ASSERT(mesh_generation == mesh.generation());
    MeshScratch scratch;
    core::SerialExecutor serial;
    Flow& flow = flows.emplace_back(Flow{std::move(goals), std::move(mesh_goals), {}});
    solve_mesh(mesh.graph(), weights, flow.mesh_goals, serial, scratch, flow.solution);
}

MeshField::MeshField(std::string name, FieldConfig config, FieldHost host,
                     const NavProvider* provider)
    : name_(std::move(name)),
      config_(std::move(config)),
      host_(std::move(host)),
      provider_(provider) {
    default_layer_.name = "default";
}

MeshField::MeshField(const MeshField& shown, std::vector<Vec3d> goals)
    : MeshField(shown.name_, shown.config_, shown.host_, shown.provider_) {
    setup_ = shown.setup_;
    ground_ = shown.ground_;
    modifiers_ = shown.modifiers_;
    diagnostics_ = shown.diagnostics_;
    default_layer_.goals = std::move(goals);
}

void MeshField::warn(FieldLog code, const std::string& message) const {
    host_.log(
        {core::Severity::kWarning, static_cast<int>(code), "field " + name_ + ": " + message});
}

void MeshField::log(core::Severity severity, MeshFieldLog code, const std::string& message) const {
    host_.log({severity, static_cast<int>(code), "field " + name_ + ": " + message});
}

core::Executor& MeshField::executor() const {
    static core::SerialExecutor serial;
    return host_.executor == nullptr ? serial : *host_.executor;
}

// implements: NAVM-002
std::shared_ptr<const NavMesh> MeshField::resolve_engine_mesh() {
    if (ground_.engine_mesh != nullptr || provider_ == nullptr) return ground_.engine_mesh;
    if (!target_mesh_.empty()) ground_.engine_mesh = provider_->find(target_mesh_);
    if (ground_.engine_mesh == nullptr) ground_.engine_mesh = provider_->default_mesh();
    return ground_.engine_mesh;
}

// implements: NAVM-024
const MeshReplica* MeshField::Ground::mesh() const {
    if (synced) return replica.get();
    return engine_mesh == nullptr ? nullptr : engine_mesh->mesh.get();
}

const MeshReplica* MeshField::active_mesh() const { return ground_.mesh(); }

// implements: GRID-013
Result<void> MeshField::set_setup(const FieldSetup& setup) {
    const Result<FieldSetup> bounded = clamped(setup);
    if (!bounded) return refuse(bounded.error());
    setup_ = *bounded;
    return {};
}

// implements: GRID-011, GRID-012, GRID-014, NAVM-001
void MeshField::init(InitMode mode) {
    if (mode != InitMode::kRuntime) {
        timer_.reset();
        ground_.engine_mesh = nullptr;
        resolve_engine_mesh();
        collect_links();
    }
    if (host_.draw != nullptr) {
        draw_setup(GenerationMode::kNavMesh, setup_, GridGeometry(), *host_.draw);
    }
}

// implements: NAVM-003, SYNC-060
bool MeshField::update(bool full) {
    begin_update(full);
    return end_update();
}

// implements: GRID-020, O-GRID-24
bool MeshField::update_timed(bool full, double dt_s) {
    const bool flows = !timer_.due() || update(full);
    timer_.advance(setup_.refresh_interval_s, dt_s);
    return flows;
}

void MeshField::begin_update(bool full) {
    const bool begin_play = !initialised_;
    init(begin_play ? InitMode::kBeginPlay : InitMode::kRuntime);
    if (!ground_.synced) resolve_engine_mesh();
    default_layer_.goals = collect_goals();
    if (full || begin_play) rescan_modifiers();
}

std::vector<Vec3d> MeshField::collect_goals() const {
    return ground_.synced ? ground_.stream_goals : goals_.collect();
}

bool MeshField::end_update() {
    const bool flows = calculate();
    if (ground_.synced) flood_applied_ = flows || ground_.stream_goals.empty();
    initialised_ = true;
    follow_mesh();
    if (host_.draw != nullptr) {
        draw_mesh_arrows(*this, host_.world, setup_.ground_mask, *host_.draw);
        draw_area_costs(*this, *host_.draw);
    }
    return flows;
}

// implements: VIS-003
void MeshField::on_construction(const std::function<void()>& construct_host) {
    construct_host();
    draw_debug();
}

// implements: NAVM-003, VIS-004
void MeshField::draw_debug() {
    init(InitMode::kConstruction);
    if (host_.draw == nullptr || !host_.draw->switches.editor_live_update) return;
    std::vector<Vec3d> goals = collect_goals();
    rescan_modifiers();
    MeshField preview(*this, std::move(goals));
    preview.end_update();
    diagnostics_ = preview.diagnostics_;
}

// implements: O-LAY-02
void MeshField::follow_mesh() {
    const MeshReplica* mesh = active_mesh();
    const std::uint64_t generation = mesh == nullptr ? 0 : mesh->generation();
    if (generation == layers_mesh_) return;
    layers_mesh_ = generation;
    resolve_layers();
}

// implements: NAVM-029, NAVM-035
AreaCostContext MeshField::area_costs() const {
    const MeshReplica* mesh = active_mesh();
    return area_cost_context(config_, mesh == nullptr ? AreaCosts{} : mesh->area_costs());
}

void MeshField::weigh(const MeshReplica& mesh) {
    if (weighed_mesh_ == mesh.generation()) return;
    const bool prepared = prepared_.mesh_generation == mesh.generation();
    weights_ = prepared ? std::move(prepared_.weights) : weigh_edges(mesh.graph(), area_costs());
    weighed_mesh_ = mesh.generation();
}

// implements: NAVM-009, O-NAVM-19, O-NAVM-22
/// Where goals lie on the mesh; those that do not project are left out, but for the last.
Result<std::vector<MeshGoal>> MeshField::place_goals(const MeshReplica& mesh,
                                                     const std::vector<Vec3d>& goals) const {
    if (auto checked = check_goals(goals); !checked) return refuse(checked.error());
    MeshContext context;
    std::vector<MeshGoal> placed;
    for (const Vec3d& goal : goals) {
        const auto place = project_to_mesh(mesh, goal, extents_of({}), &context);
        if (!place) continue;
        placed.push_back({mesh.graph().index(place->polygon), goal, place->location});
    }
    if (placed.empty()) return refuse(ErrorCode::kNotFound, "no goal lies on the navmesh");
    return placed;
}

// implements: NAVM-003, NAVM-004, NAVM-005, NAVM-009, SYNC-056, SYNC-057, SYNC-067
/// CalculateFlowField_NavMesh for the default layer's goals.
bool MeshField::calculate() {
    MeshLayer& layer = default_layer_;
    ++calculations_;
    layer.solved = false;
    goal_cell_.reset();
    if (layer.goals.empty()) {
        if (!diagnostics_.warned_no_goals) {
            log(core::Severity::kWarning, MeshFieldLog::kNoGoals, "no goals, no flow field");
        }
        diagnostics_.warned_no_goals = true;
        return false;
    }
    goal_cell_.emplace();
    goal_cell_->location = layer.goals.front();
    goal_cell_->type = CellType::kGround;
    goal_cell_->goal_coord = goal_cell_->coord;
    goal_cell_->goal = layer.goals.front();
    const MeshReplica* mesh = active_mesh();
    if (mesh == nullptr) return failed("there is no navmesh");
    if (const auto flowed = flow(*mesh, layer); !flowed) return failed(flowed.error().message);
    succeeded();
    return true;
}

// implements: NAVM-004, O-NAVM-17
bool MeshField::failed(const std::string& reason) {
    ++diagnostics_.flow_missing_streak;
    if (diagnostics_.flow_missing_streak == kMissingStreakLogged && !diagnostics_.logged_no_flow) {
        diagnostics_.logged_no_flow = true;
        log(core::Severity::kError, MeshFieldLog::kNoFlow,
            "no flow field " + std::to_string(diagnostics_.flow_missing_streak) +
                " times in a row: " + reason);
    }
    return false;
}

void MeshField::succeeded() { diagnostics_ = {}; }

// implements: LAY-006, LAY-008, LAY-009, LAY-010
bool MeshField::solve(MeshLayer& layer) {
    layer.solved = false;
    const MeshReplica* mesh = active_mesh();
    if (!initialised_ || mesh == nullptr) {
        warn(FieldLog::kLayerNotSolved, "layer " + layer.name + " before the field has a navmesh");
        return false;
    }
    if (layer.goals.empty()) return false;
    if (const auto flowed = flow(*mesh, layer); !flowed) {
        warn(FieldLog::kBadGoal, "layer " + layer.name + ": " + flowed.error().message);
        return false;
    }
    return true;
}

Result<void> MeshField::flow(const MeshReplica& mesh, MeshLayer& layer) {
    weigh(mesh);
    if (!take_prepared(mesh, layer)) {
        Result<std::vector<MeshGoal>> goals = place_goals(mesh, layer.goals);
        if (!goals) return refuse(std::move(goals.error()));
        layer.mesh_goals = std::move(*goals);
        solve_mesh(mesh.graph(), weights_, layer.mesh_goals, executor(), scratch_, layer.solution);
    }
    layer.mesh_generation = mesh.generation();
    modify_directions(mesh.graph(), layer);
    layer.solved = true;
    return {};
}

bool MeshField::take_prepared(const MeshReplica& mesh, MeshLayer& layer) {
    if (prepared_.mesh_generation != mesh.generation()) return false;
    const auto flow = std::ranges::find_if(
        prepared_.flows, [&](const auto& each) { return same_bits(each.goals, layer.goals); });
    if (flow == prepared_.flows.end()) return false;
    layer.mesh_goals = std::move(flow->mesh_goals);
    layer.solution = std::move(flow->solution);
    prepared_.flows.erase(flow);  // A second layer of these goals has a flow of its own.
    return true;
}

// implements: MOD-017, MOD-018, O-MOD-06, SYNC-067
void MeshField::modify_directions(const MeshGraph& graph, MeshLayer& layer) const {
    layer.base_direction.clear();
    const auto modifiers = modifiers_.direction.enabled();
    if (modifiers.empty()) return;
    layer.base_direction = layer.solution.direction;
    std::vector<std::uint8_t> covered(graph.size());
    for (PolygonIndex p = 0; p < graph.size(); ++p) covered[p] = layer.solution.covered(p) ? 1 : 0;
    MeshDirectionEdit edit(graph.centres(), covered, layer.solution.direction);
    for (const auto& modifier : modifiers) {
        static_cast<const DirectionModifier&>(*modifier).apply_direction_mesh(edit);
    }
}

// implements: SYNC-047, SYNC-050, SYNC-057, SYNC-059, SYNC-064, SYNC-065, O-NAVM-16
bool MeshField::set_replica(std::shared_ptr<const MeshReplica> replica,
                            std::vector<Vec3d> stream_goals, std::uint32_t version,
                            MeshFlows prepared) {
    ground_ = {std::move(ground_.engine_mesh), std::move(replica), true, std::move(stream_goals),
               version};
    initialised_ = true;
    prepared_ = std::move(prepared);
    collect_links();
    default_layer_.goals = ground_.stream_goals;
    flood_applied_ = calculate() || ground_.stream_goals.empty();
    follow_mesh();
    prepared_ = {};
    return flood_applied_;
}

// implements: NAVM-010
MeshFlows MeshField::prepare_flows(const MeshReplica& replica,
                                   const std::vector<std::vector<Vec3d>>& goal_sets) const {
    MeshFlows prepared;
    prepared.weigh(replica, area_cost_context(config_, replica.area_costs()));
    add_flows(replica, goal_sets, prepared);
    return prepared;
}

void MeshField::add_flows(const MeshReplica& replica,
                          const std::vector<std::vector<Vec3d>>& goal_sets,
                          MeshFlows& prepared) const {
    for (const std::vector<Vec3d>& goals : goal_sets) {
        if (auto placed = place_goals(replica, goals)) {
            prepared.flood(replica, goals, std::move(*placed));
        }
    }
}

// implements: SYNC-063, O-NAVM-16, O-SYNC-32
void MeshField::release_replica() {
    if (!ground_.synced) return;
    ground_ = {std::move(ground_.engine_mesh), nullptr, false, {}, 0};
    flood_applied_ = false;
    default_layer_.solved = false;
    ++calculations_;
    goal_cell_.reset();
    collect_links();
    follow_mesh();
}

// implements: MOD-001, MOD-003, MOD-005, MOD-008, O-MOD-05
bool MeshField::register_modifier(const std::shared_ptr<Modifier>& modifier,
                                  ModifierOrigin origin) {
    MANIPLE_ASSERT(modifier != nullptr);
    if (!may_change_modifiers(ground_.synced, origin)) return false;
    const bool added = modifiers_.of(modifier->family()).add_runtime(modifier);
    if (added && modifier->family() != ModifierFamily::kDirection) {
        log(core::Severity::kWarning, MeshFieldLog::kUnsupportedModifier,
            "a grid or cost modifier does nothing on a navmesh");
    }
    return true;
}

// implements: MOD-010
bool MeshField::unregister_modifier(const Modifier& modifier, ModifierOrigin origin) {
    if (!may_change_modifiers(ground_.synced, origin)) return false;
    modifiers_.of(modifier.family()).remove_runtime(modifier);
    return true;
}

// implements: MOD-007, MOD-011, MOD-012
void MeshField::rescan_modifiers() {
    modifiers_.rescan(include_modifiers_, host_.attached_modifiers);
    if (modifiers_.grid.active().empty() && modifiers_.cost.active().empty()) return;
    log(core::Severity::kWarning, MeshFieldLog::kUnsupportedModifier,
        "grid and cost modifiers do nothing on a navmesh");
}

}  // namespace maniple::nav
