#include "maniple/nav/flow_field.h"

#include <algorithm>
#include <cmath>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/core/quantise.h"

namespace maniple::nav {

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
    default_layer_.name = "default";
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
        if (layer.auto_release && layer.user_count > 0) solve(layer);
    }
}

// implements: GRID-015, LAY-006, LAY-007, LAY-009, O-LAY-06
void FlowField::solve(Layer& layer) {
    layer.goal_cells.clear();
    layer.solved = false;
    if (!initialised()) return;
    for (const Vec3d& goal : layer.goals) {
        layer.goal_cells.push_back(
            geometry().index(geometry().world_to_grid({goal.x, goal.y}).coord));
    }
    solve_field({substrate_, substrate_.cost, moves_}, config_, layer.goal_cells, scratch_,
                layer.solution);
    layer.solved = true;
}

Vec3d FlowField::world_location(CellIndex cell) const {
    const Vec2d centre = geometry().cell_centre(geometry().coord(cell));
    return {centre.x, centre.y, geometry().origin().z + substrate_.z_cm[cell]};
}

// implements: GRID-046, O-GRID-14
CellIndex FlowField::nearest_ground(Vec2d location) const {
    const GridGeometry& g = geometry();
    const GridCoord centre = g.world_to_grid(location).coord;
    const double reach = config_.path_stop_search_cm.x;
    const auto rings =
        core::clamp_to_i32(std::floor(reach / g.cell_size_cm()) + 1, 0, g.x_num() + g.y_num());
    for (std::int32_t ring = 0; ring <= rings; ++ring) {
        CellIndex best = kNoCell;
        double best_squared = reach * reach;
        for (std::int32_t x = centre.x - ring; x <= centre.x + ring; ++x) {
            const bool edge_column = x == centre.x - ring || x == centre.x + ring;
            for (std::int32_t y = centre.y - ring; y <= centre.y + ring;
                 y += edge_column || ring == 0 ? 1 : 2 * ring) {
                if (!g.contains({x, y})) continue;
                const CellIndex cell = g.index({x, y});
                if (static_cast<CellType>(substrate_.type[cell]) != CellType::kGround) continue;
                const Vec2d away = g.cell_centre({x, y}) - location;
                const double squared = dot(away, away);
                if (best == kNoCell ? squared <= best_squared : squared < best_squared) {
                    best = cell;
                    best_squared = squared;
                }
            }
        }
        if (best != kNoCell) return best;
    }
    return kNoCell;
}

const Layer* FlowField::find_layer(LayerHandle handle) const {
    const auto found = layers_.find(handle.id);
    return found == layers_.end() ? nullptr : &found->second;
}

// implements: LAY-001
LayerHandle FlowField::create_layer(std::string name, std::vector<Vec3d> goals) {
    const LayerHandle handle{next_layer_id_++};
    Layer& layer = layers_[handle.id];
    layer.name = std::move(name);
    layer.goals = std::move(goals);
    return handle;
}

bool FlowField::update_layer(LayerHandle handle) {
    const auto found = layers_.find(handle.id);
    if (found == layers_.end()) return false;
    found->second.solved = false;
    if (found->second.goals.empty()) return false;
    solve(found->second);
    return found->second.solved;
}

// implements: LAY-003, O-LAY-07
void FlowField::destroy_layer(LayerHandle handle) {
    layers_.erase(handle.id);
    std::erase(pending_destroys_, handle.id);
}

// implements: O-LAY-03
std::uint32_t FlowField::managed_goal_hash(const std::vector<Vec3d>& goals) const {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    for (const Vec3d& goal : goals) {
        out.i32(core::quant_cm(goal.x, 0));
        out.i32(core::quant_cm(goal.y, 0));
        out.i32(core::quant_cm(goal.z, 0));
    }
    out.text(name_);
    const std::uint32_t hash = core::crc32(bytes);
    return hash == 0 ? 1 : hash;
}

// implements: LAY-023, LAY-024, LAY-025, LAY-027, LAY-030, O-LAY-04
LayerHandle FlowField::get_or_acquire_layer(const std::vector<Vec3d>& goals) {
    if (goals.empty()) return {};
    const std::uint32_t hash = managed_goal_hash(goals);
    for (auto& [id, layer] : layers_) {
        if (!layer.auto_release || layer.goal_hash != hash) continue;
        if (!layer.solved || layer.goals != goals) {
            layer.goals = goals;
            solve(layer);
        }
        ++layer.user_count;
        return {id};
    }
    const LayerHandle handle = create_layer("MBManaged_" + std::to_string(hash), goals);
    Layer& layer = layers_[handle.id];
    layer.auto_release = true;
    layer.goal_hash = hash;
    layer.user_count = 1;
    solve(layer);
    return handle;
}

// implements: LAY-016
bool FlowField::acquire_layer(LayerHandle handle) {
    const auto found = layers_.find(handle.id);
    if (found == layers_.end()) return false;
    ++found->second.user_count;
    return true;
}

// implements: LAY-017, LAY-018, LAY-019, O-LAY-10
bool FlowField::release_layer(LayerHandle handle) {
    const auto found = layers_.find(handle.id);
    if (found == layers_.end() || found->second.user_count == 0) return false;
    Layer& layer = found->second;
    if (--layer.user_count == 0 && layer.auto_release &&
        std::find(pending_destroys_.begin(), pending_destroys_.end(), handle.id) ==
            pending_destroys_.end()) {
        pending_destroys_.push_back(handle.id);
    }
    return true;
}

// implements: LAY-020
void FlowField::flush_pending_destroys() {
    for (const std::int32_t id : pending_destroys_) {
        const auto found = layers_.find(id);
        if (found != layers_.end() && found->second.user_count == 0 && found->second.auto_release) {
            layers_.erase(found);
        }
    }
    pending_destroys_.clear();
}

// implements: O-GRID-11
Vec3f FlowField::direction(const Layer& layer, CellIndex cell) const {
    const std::uint8_t code = layer.solution.direction[cell];
    if (code == kNoDirection) return {};
    Vec3d target;
    if (code == kStraightToGoal) {
        target = world_location(layer.goal_cells[layer.solution.goal[cell]]);
    } else {
        const GridCoord d = kNeighbours[code];
        target = world_location(cell + static_cast<CellIndex>(d.x * geometry().y_num() + d.y));
    }
    const Vec3d away = target - world_location(cell);
    const double length = std::sqrt(away.x * away.x + away.y * away.y + away.z * away.z);
    if (length == 0) return {};
    return {static_cast<float>(away.x / length), static_cast<float>(away.y / length),
            static_cast<float>(away.z / length)};
}

namespace {
// implements: O-GRID-16
struct SampleHash {
    std::uint32_t value = 2166136261U;
    void add(CellIndex cell) {
        for (int shift = 0; shift < 32; shift += 8) {
            value = (value ^ ((cell >> shift) & 0xFFU)) * 16777619U;
        }
    }
};
}  // namespace

// implements: GRID-049, GRID-050, GRID-051, GRID-052, LAY-012, LAY-014, O-GRID-15, O-GRID-17
NavigationAnswer FlowField::query(const Layer& layer, Vec2d location, double radius_cm) const {
    NavigationAnswer answer;
    const bool finite =
        std::isfinite(location.x) && std::isfinite(location.y) && std::isfinite(radius_cm);
    if (!initialised() || !layer.solved || !finite) return answer;
    const GridGeometry& g = geometry();
    const GridCoord centre = g.world_to_grid(location).coord;
    const auto fill = [&](CellIndex cell) {
        answer.valid = true;
        answer.dist = layer.solution.dist[cell];
        const std::uint16_t goal = layer.solution.goal[cell];
        if (goal != FieldSolution::kNoGoal) answer.goal = layer.goals[goal];
    };
    if (radius_cm <= 0) {
        const CellIndex cell = g.index(centre);
        fill(cell);
        answer.direction = direction(layer, cell);
        SampleHash hash;
        hash.add(cell);
        answer.sampled_cells_hash = hash.value;
        return answer;
    }
    const auto reach = core::clamp_to_i32(std::floor(radius_cm / g.cell_size_cm()) + 1, 0,
                                          std::max(g.x_num(), g.y_num()));
    Vec3d sum;
    double weights = 0;
    double nearest_squared = 0;
    CellIndex nearest = kNoCell;
    SampleHash hash;
    for (std::int32_t x = std::max(0, centre.x - reach);
         x <= std::min(g.x_num() - 1, centre.x + reach); ++x) {
        for (std::int32_t y = std::max(0, centre.y - reach);
             y <= std::min(g.y_num() - 1, centre.y + reach); ++y) {
            const CellIndex cell = g.index({x, y});
            const Vec2d away = g.cell_centre({x, y}) - location;
            const double squared = dot(away, away);
            if (squared > radius_cm * radius_cm) continue;
            if (substrate_.cost[cell] == kImpassableCost ||
                static_cast<CellType>(substrate_.type[cell]) != CellType::kGround) {
                continue;
            }
            const Vec3f dir = direction(layer, cell);
            const double weight = 1.0 / (1.0 + std::sqrt(squared) / radius_cm);
            sum = sum + Vec3d{dir.x, dir.y, dir.z} * weight;
            weights += weight;
            hash.add(cell);
            if (nearest == kNoCell || squared < nearest_squared) {
                nearest = cell;
                nearest_squared = squared;
            }
        }
    }
    if (nearest == kNoCell) {
        const CellIndex found = nearest_ground(location);
        if (found == kNoCell) return answer;
        fill(found);
        const Vec2d toward = core::safe_normal(g.cell_centre(g.coord(found)) - location);
        answer.direction = {static_cast<float>(toward.x), static_cast<float>(toward.y), 0.0F};
        return answer;
    }
    fill(nearest);
    const Vec2d mean = core::safe_normal({sum.x / weights, sum.y / weights});
    answer.direction = {static_cast<float>(mean.x), static_cast<float>(mean.y), 0.0F};
    answer.sampled_cells_hash = hash.value;
    return answer;
}

}  // namespace maniple::nav
