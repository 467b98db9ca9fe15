#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/assert.h"
#include "maniple/core/executor.h"
#include "maniple/nav/field_answers.h"
#include "maniple/nav/field_host.h"
#include "maniple/nav/layer_head.h"
#include "maniple/nav/modifier.h"

namespace maniple::nav {

/// What fields of either mode share: the layers, who uses them and how long they live, and what an
/// update, a modifier and a trace may do. `Layer` derives from LayerHead. `Field` derives from this
/// class, befriends it, and has
///   bool solve(Layer&)               solves the layer for its collected goals; false: unsolved
///   void warn(FieldLog, const std::string&) const
///   const std::string& name() const
/// Everything here belongs to the serial window of a tick but for the const calls.
template <class Field, class Layer>
class LayeredField {
  public:
    // implements: LAY-004, LAY-029
    /// Null for a handle that is invalid or whose layer is gone.
    [[nodiscard]] const Layer* find_layer(LayerHandle handle) const {
        const auto found = layers_.find(handle.id);
        return found == layers_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::size_t layer_count() const { return layers_.size(); }
    /// What every layer in use was last solved for, in id order: the goals that a change of the
    /// ground solves anew.
    [[nodiscard]] std::vector<std::vector<Vec3d>> goals_in_use() const {
        std::vector<std::vector<Vec3d>> goals;
        for (const auto& [id, layer] : layers_) {
            if (in_use(layer)) goals.push_back(layer.goals);
        }
        return goals;
    }

    // implements: LAY-001
    /// A layer of that name and goals, not solved yet.
    LayerHandle create_layer(std::string name, GoalSet goals) {
        const LayerHandle handle{next_layer_id_++};
        Layer& layer = layers_[handle.id];
        layer.name = std::move(name);
        layer.given = std::move(goals);
        return handle;
    }
    // implements: LAY-005
    /// Replaces the goals; the layer is unsolved until its next update. Warns of a missing layer.
    bool set_layer_goals(LayerHandle handle, GoalSet goals) {
        Layer* layer = layer_at(handle);
        if (layer == nullptr) {
            self().warn(FieldLog::kMissingLayer, "goals for a layer that is not there");
            return false;
        }
        layer->given = std::move(goals);
        layer->solved = false;
        return true;
    }
    // implements: LAY-006, LAY-009, LAY-010
    /// Collects the goals and solves the layer. False, and unsolved, without goals, with a goal
    /// that is not finite, or (with a warning) before the field has ground.
    bool update_layer(LayerHandle handle) {
        Layer* layer = layer_at(handle);
        if (layer == nullptr) return false;
        layer->goals = layer->given.collect();
        return self().solve(*layer);
    }
    // implements: LAY-003, O-LAY-07
    void destroy_layer(LayerHandle handle) {
        MANIPLE_ASSERT(!core::in_parallel_stage());
        layers_.erase(handle.id);
        std::erase(pending_destroys_, handle.id);
    }

    // implements: LAY-016
    /// Adds or takes a user: one for each task, never for each agent. False with a warning for a
    /// missing layer or a release without a user. At 0 users a managed layer is queued and goes at
    /// the next flush if nobody took it again.
    bool acquire_layer(LayerHandle handle) {
        Layer* layer = layer_at(handle);
        if (layer == nullptr) {
            self().warn(FieldLog::kMissingLayer, "a user for a layer that is not there");
            return false;
        }
        ++layer->user_count;
        return true;
    }
    // implements: LAY-017, LAY-018, LAY-019, O-LAY-10
    bool release_layer(LayerHandle handle) {
        Layer* layer = layer_at(handle);
        if (layer == nullptr) {
            self().warn(FieldLog::kMissingLayer, "a release of a layer that is not there");
            return false;
        }
        if (layer->user_count == 0) {
            self().warn(FieldLog::kUserCount,
                        "a release of layer " + layer->name + ", which has no user");
            return false;
        }
        --layer->user_count;
        const bool queued = std::find(pending_destroys_.begin(), pending_destroys_.end(),
                                      handle.id) != pending_destroys_.end();
        if (layer->user_count == 0 && layer->auto_release && !queued) {
            pending_destroys_.push_back(handle.id);
        }
        return true;
    }
    // implements: LAY-028
    [[nodiscard]] std::int32_t layer_user_count(LayerHandle handle) const {
        const Layer* layer = find_layer(handle);
        return layer == nullptr ? 0 : layer->user_count;
    }
    // implements: LAY-020
    void flush_pending_destroys() {
        MANIPLE_ASSERT(!core::in_parallel_stage());
        for (const std::int32_t id : pending_destroys_) {
            const auto found = layers_.find(id);
            if (found != layers_.end() && found->second.user_count == 0 &&
                found->second.auto_release) {
                layers_.erase(found);
            }
        }
        pending_destroys_.clear();
    }

    // --- managed layers: found by their goals, gone with their last user ---
    // implements: LAY-023, LAY-024, LAY-025, O-LAY-04, O-LAY-11, O-LAY-12
    /// Makes and solves one; `name` may be empty. Invalid for hash 0 or no goals. A field without
    /// ground gives an unsolved layer and a warning.
    LayerHandle create_managed_layer(std::string name, const std::vector<Vec3d>& goals,
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
    [[nodiscard]] LayerHandle find_managed_layer(std::uint32_t goal_hash) const {
        if (goal_hash == 0) return {};
        for (const auto& [id, layer] : layers_) {
            if (layer.auto_release && layer.goal_hash == goal_hash) return {id};
        }
        return {};
    }
    // implements: LAY-026, O-LAY-08
    /// New goals and hash, solved in the same call. False for hash 0, no goals, and a layer that is
    /// missing or not managed.
    bool update_managed_layer_goals(LayerHandle handle, const std::vector<Vec3d>& goals,
                                    std::uint32_t goal_hash) {
        Layer* layer = layer_at(handle);
        if (layer == nullptr || !layer->auto_release || goal_hash == 0 || goals.empty()) {
            return false;
        }
        layer->given = {{}, goals};
        layer->goal_hash = goal_hash;
        update_layer(handle);
        return true;
    }
    // implements: LAY-030
    /// The managed layer of these goals with one user for the caller: found by goal hash or made
    /// and solved at once. Invalid for no goals or one that is not finite.
    LayerHandle get_or_acquire_layer(const std::vector<Vec3d>& goals) {
        const bool finite = std::all_of(goals.begin(), goals.end(), [](const Vec3d& goal) {
            return std::isfinite(goal.x) && std::isfinite(goal.y) && std::isfinite(goal.z);
        });
        if (!finite) {
            self().warn(FieldLog::kBadGoal, "a task's goal is not finite");
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
    [[nodiscard]] std::uint32_t managed_goal_hash(const std::vector<Vec3d>& goals) const {
        return nav::managed_goal_hash(goals, self().name());
    }

  protected:
    LayeredField() = default;
    [[nodiscard]] Layer* layer_at(LayerHandle handle) {
        return const_cast<Layer*>(find_layer(handle));
    }

    /// In id order.
    template <class Visit>
    void for_each_layer(const Visit& visit) {
        for (auto& [id, layer] : layers_) visit(layer);
    }

    // implements: O-ASY-02
    /// The claim of an asynchronous update on the field, which takes no other while it lives. Null
    /// with a warning while there is one.
    [[nodiscard]] std::shared_ptr<const bool> claim_update() {
        if (!update_in_flight_.expired()) {
            self().warn(FieldLog::kUpdateInFlight, "an asynchronous update is in flight");
            return nullptr;
        }
        const auto claim = std::make_shared<const bool>(true);
        update_in_flight_ = claim;
        return claim;
    }

    // implements: GRID-056, GRID-058, O-GEN-09
    /// An agent's ground by trace mode: what the field knows of it, what its capsule falls on, or
    /// the one where the other fails. In lockstep always what the field knows, with one warning.
    template <class ByField, class ByFall>
    [[nodiscard]] GroundAnswer ground_by(TraceMode mode, bool lockstep, const ByField& by_field,
                                         const ByFall& by_fall) {
        if (lockstep && mode != TraceMode::kFlowField) {
            if (!warned_trace_)
                self().warn(FieldLog::kTraceRefused, "no ground traces in lockstep");
            warned_trace_ = true;
            mode = TraceMode::kFlowField;
        }
        if (mode == TraceMode::kCapsuleSweep) return by_fall();
        const GroundAnswer ground = by_field();
        return ground.valid || mode == TraceMode::kFlowField ? ground : by_fall();
    }

    // implements: O-MOD-09, O-MOD-10
    /// Whether `origin` may change the field's modifiers now: those of a synced field belong to
    /// commands. Warns where it may not.
    [[nodiscard]] bool may_change_modifiers(bool synced, ModifierOrigin origin) const {
        MANIPLE_ASSERT(!core::in_parallel_stage());
        if (!synced || origin == ModifierOrigin::kCommand) return true;
        self().warn(FieldLog::kSyncedModifier, "only commands change modifiers of a synced field");
        return false;
    }

    // implements: O-LAY-02
    /// After the ground has changed: managed layers with users are solved anew in id order, all
    /// others become unsolved.
    void resolve_layers() {
        for (auto& [id, layer] : layers_) {
            layer.solved = false;
            if (in_use(layer)) update_layer({id});
        }
    }

  private:
    [[nodiscard]] static bool in_use(const Layer& layer) {
        return layer.auto_release && layer.user_count > 0;
    }
    [[nodiscard]] Field& self() { return static_cast<Field&>(*this); }
    [[nodiscard]] const Field& self() const { return static_cast<const Field&>(*this); }

    std::map<std::int32_t, Layer> layers_;
    std::int32_t next_layer_id_ = 1;
    std::vector<std::int32_t> pending_destroys_;
    std::weak_ptr<const bool> update_in_flight_;
    bool warned_trace_ = false;
};

}  // namespace maniple::nav
