#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/core/quantise.h"
#include "maniple/nav/flow_field.h"

namespace maniple::nav {

// implements: GRID-015, O-SYNC-04
std::vector<Vec3d> GoalSet::collect() const {
    std::vector<Vec3d> goals;
    for (const GoalSource& source : sources) {
        if (const std::optional<Vec3d> at = source()) goals.push_back(*at);
    }
    goals.insert(goals.end(), locations.begin(), locations.end());
    return goals;
}

// implements: LAY-004, LAY-029
const Layer* FlowField::find_layer(LayerHandle handle) const {
    const auto found = layers_.find(handle.id);
    return found == layers_.end() ? nullptr : &found->second;
}

Layer* FlowField::layer_at(LayerHandle handle) { return const_cast<Layer*>(find_layer(handle)); }

// implements: LAY-001
LayerHandle FlowField::create_layer(std::string name, GoalSet goals) {
    const LayerHandle handle{next_layer_id_++};
    Layer& layer = layers_[handle.id];
    layer.name = std::move(name);
    layer.given = std::move(goals);
    return handle;
}

// implements: LAY-005
bool FlowField::set_layer_goals(LayerHandle handle, GoalSet goals) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr) {
        warn(FieldLog::kMissingLayer, "goals for a layer that is not there");
        return false;
    }
    layer->given = std::move(goals);
    layer->solved = false;
    return true;
}

// implements: LAY-006, LAY-009, LAY-010
bool FlowField::update_layer(LayerHandle handle) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr) return false;
    layer->goals = layer->given.collect();
    return solve(*layer);
}

// implements: LAY-003, O-LAY-07
void FlowField::destroy_layer(LayerHandle handle) {
    MANIPLE_ASSERT(!core::in_parallel_stage());
    layers_.erase(handle.id);
    std::erase(pending_destroys_, handle.id);
}

// implements: LAY-016
bool FlowField::acquire_layer(LayerHandle handle) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr) {
        warn(FieldLog::kMissingLayer, "a user for a layer that is not there");
        return false;
    }
    ++layer->user_count;
    return true;
}

// implements: LAY-017, LAY-018, LAY-019, O-LAY-10
bool FlowField::release_layer(LayerHandle handle) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr) {
        warn(FieldLog::kMissingLayer, "a release of a layer that is not there");
        return false;
    }
    if (layer->user_count == 0) {
        warn(FieldLog::kUserCount, "a release of layer " + layer->name + ", which has no user");
        return false;
    }
    --layer->user_count;
    const bool queued = std::find(pending_destroys_.begin(), pending_destroys_.end(), handle.id) !=
                        pending_destroys_.end();
    if (layer->user_count == 0 && layer->auto_release && !queued) {
        pending_destroys_.push_back(handle.id);
    }
    return true;
}

// implements: LAY-028
std::int32_t FlowField::layer_user_count(LayerHandle handle) const {
    const Layer* layer = find_layer(handle);
    return layer == nullptr ? 0 : layer->user_count;
}

// implements: LAY-020
void FlowField::flush_pending_destroys() {
    MANIPLE_ASSERT(!core::in_parallel_stage());
    for (const std::int32_t id : pending_destroys_) {
        const auto found = layers_.find(id);
        if (found != layers_.end() && found->second.user_count == 0 && found->second.auto_release) {
            layers_.erase(found);
        }
    }
    pending_destroys_.clear();
}

// implements: LAY-023, LAY-024, LAY-025, O-LAY-04, O-LAY-11, O-LAY-12
LayerHandle FlowField::create_managed_layer(std::string name, const std::vector<Vec3d>& goals,
                                            std::uint32_t goal_hash) {
    if (goal_hash == 0 || goals.empty()) return {};
    if (name.empty()) name = "MBManaged_" + std::to_string(goal_hash);
    const LayerHandle handle = create_layer(std::move(name), {{}, goals});
    Layer& layer = layers_[handle.id];
    layer.auto_release = true;
    layer.goal_hash = goal_hash;
    update_layer(handle);
    return handle;
}

// implements: LAY-027
LayerHandle FlowField::find_managed_layer(std::uint32_t goal_hash) const {
    if (goal_hash == 0) return {};
    for (const auto& [id, layer] : layers_) {
        if (layer.auto_release && layer.goal_hash == goal_hash) return {id};
    }
    return {};
}

// implements: LAY-026, O-LAY-08
bool FlowField::update_managed_layer_goals(LayerHandle handle, const std::vector<Vec3d>& goals,
                                           std::uint32_t goal_hash) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr || !layer->auto_release || goal_hash == 0 || goals.empty()) return false;
    layer->given = {{}, goals};
    layer->goal_hash = goal_hash;
    update_layer(handle);
    return true;
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

// implements: LAY-030
LayerHandle FlowField::get_or_acquire_layer(const std::vector<Vec3d>& goals) {
    const bool finite = std::all_of(goals.begin(), goals.end(), [](const Vec3d& goal) {
        return std::isfinite(goal.x) && std::isfinite(goal.y) && std::isfinite(goal.z);
    });
    if (!finite) {
        warn(FieldLog::kBadGoal, "a task's goal is not finite");
        return {};
    }
    const std::uint32_t hash = managed_goal_hash(goals);
    LayerHandle handle = find_managed_layer(hash);
    if (!handle.valid()) {
        handle = create_managed_layer({}, goals, hash);
    } else {
        const Layer& layer = layers_[handle.id];
        if (!layer.solved || layer.given.locations != goals) {
            update_managed_layer_goals(handle, goals, hash);
        }
    }
    if (handle.valid()) acquire_layer(handle);
    return handle;
}

}  // namespace maniple::nav
