#include "maniple/nav/flow_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/quantise.h"

#include "grid_update.h"

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
    forget_modifications();
    moves_.build(substrate_, config_);
    begin_edits();
    edits_known_ = false;
    components_stale_ = true;
    take_stream_goals();
    solve_all();
}

// implements: O-SYNC-21, SYNC-050
void FlowField::forget_modifications() {
    initial_cost_.clear();
    current_cost_.clear();
    grid_modified_.clear();
    grid_dirty_ = false;
}

namespace {
/// Where one cell in so many changes, a new solve is faster than a repair.
constexpr std::size_t kEditedShareMax = 16;

/// The runs of following cells in each column.
std::vector<CellRect> rects_of(const GridGeometry& g, std::span<const CellIndex> cells) {
    std::vector<CellRect> rects;
    for (const CellIndex cell : cells) {
        const GridCoord at = g.coord(cell);
        if (!rects.empty() && rects.back().high == GridCoord{at.x, at.y - 1}) {
            rects.back().high = at;
        } else {
            rects.push_back({at, at});
        }
    }
    return rects;
}
}  // namespace

void FlowField::set_substrate(GridSubstrate substrate, std::span<const CellIndex> changed) {
    const std::size_t cells = substrate.geometry.cell_count();
    MANIPLE_ASSERT(changed.empty() || changed.back() < cells);
    const bool modified = !initial_cost_.empty();
    if (modified || moves_.size() != cells || changed.size() > cells / kEditedShareMax) {
        set_substrate(std::move(substrate));
        return;
    }
    substrate_ = std::move(substrate);
    forget_modifications();
    begin_edits();
    for (const CellRect& rect : rects_of(geometry(), changed)) edited(rect);
    take_stream_goals();
    solve_all();
}

void FlowField::set_cells(GridCoord low, GridCoord high, CellType type, std::uint8_t cost) {
    const GridGeometry& g = geometry();
    const CellRect rect{{std::max(low.x, 0), std::max(low.y, 0)},
                        {std::min(high.x, g.x_num() - 1), std::min(high.y, g.y_num() - 1)}};
    if (rect.low.x > rect.high.x || rect.low.y > rect.high.y) return;
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        for (std::int32_t y = rect.low.y; y <= rect.high.y; ++y) {
            const CellIndex cell = g.index({x, y});
            substrate_.type[cell] = static_cast<std::uint8_t>(type);
            substrate_.cost[cell] = cost;
            if (!initial_cost_.empty()) initial_cost_[cell] = cost;
            if (!current_cost_.empty()) current_cost_[cell] = cost;
        }
    }
    begin_edits();
    edited(rect);
}

/// The first change after a solve makes another ground.
void FlowField::begin_edits() {
    if (editing_) return;
    editing_ = true;
    ++ground_count_;
    edits_known_ = true;
    edits_.clear();
}

void FlowField::edited(CellRect rect) {
    edits_.push_back(rect);
    if (moves_.update(substrate_, config_, rect.low, rect.high)) components_stale_ = true;
    // A lone cell's moves are 0 whether it can be stood on or not.
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        for (std::int32_t y = rect.low.y; y <= rect.high.y; ++y) {
            const CellIndex cell = geometry().index({x, y});
            const bool stands = static_cast<CellType>(substrate_.type[cell]) == CellType::kGround &&
                                substrate_.cost[cell] != kImpassableCost;
            const bool stood = components_.label[cell] != Components::kNone;
            if (stands != stood) components_stale_ = true;
        }
    }
}

void FlowField::commit_edits() { solve_all(); }

// implements: SYNC-047, SYNC-058
void FlowField::take_stream_goals() {
    default_layer_.goals.clear();
    const Vec3d origin = geometry().origin();
    for (const auto& goal : substrate_.goals_cm) {
        default_layer_.goals.push_back({core::dequant_cm(goal[0], origin.x),
                                        core::dequant_cm(goal[1], origin.y),
                                        core::dequant_cm(goal[2], origin.z)});
    }
}

// implements: O-LAY-02, SYNC-047, SYNC-058, SYNC-059
void FlowField::solve_all() {
    if (components_stale_) label_components(substrate_, config_, moves_, components_);
    components_stale_ = false;
    editing_ = false;
    ++generation_;
    solve(default_layer_);
    resolve_layers();
}

// implements: GRID-015, LAY-006, LAY-007, LAY-009, O-LAY-02, O-LAY-06
bool FlowField::solve(Layer& layer) {
    const std::vector<CellIndex> goals_before = std::exchange(layer.goal_cells, {});
    const std::uint64_t ground_before = std::exchange(layer.solved_ground, 0);
    layer.solved = false;
    if (!initialised()) {
        warn(FieldLog::kLayerNotSolved, "layer " + layer.name + " before the field has ground");
        return false;
    }
    if (&layer != &default_layer_ && layer.goals.empty()) return false;
    if (const auto checked = check_goals(layer.goals); !checked) {
        warn(FieldLog::kBadGoal, "layer " + layer.name + ": " + checked.error().message);
        return false;
    }
    for (const Vec3d& goal : layer.goals) {
        layer.goal_cells.push_back(
            geometry().index(geometry().world_to_grid({goal.x, goal.y}).coord));
    }
    layer.restore_base_directions();
    const SolverGround ground{substrate_, base_costs(), moves_};
    const auto modifiers = modifiers_.direction.enabled_as<DirectionModifier>();
    const bool whole = layer.lazy == nullptr || layer.lazy->complete();
    if (whole && edits_known_ && ground_before != 0 && ground_before + 1 == ground_count_) {
        layer.lazy.reset();
        repair_field(ground, config_, layer.goal_cells, goals_before, edits_, scratch_,
                     layer.solution, Labels::kOnDemand);
    } else if (lazy_layers_ && &layer != &default_layer_ && modifiers.empty()) {
        layer.lazy = std::make_unique<LazySolve>();
        layer.lazy->begin(ground, config_, layer.solution);
    } else {
        layer.lazy.reset();
        solve_field(ground, config_, layer.goal_cells, scratch_, layer.solution,
                    FloodKernel::kFastest, host_.executor, Labels::kOnDemand);
    }
    modify_directions(substrate_, modifiers, layer.solution, layer.modified);
    layer.solved = true;
    layer.solved_ground = ground_count_;
    return true;
}

Vec3d FlowField::world_location(CellIndex cell) const {
    const Vec2d centre = geometry().cell_centre(geometry().coord(cell));
    return {centre.x, centre.y, geometry().origin().z + substrate_.z_cm[cell]};
}

}  // namespace maniple::nav
