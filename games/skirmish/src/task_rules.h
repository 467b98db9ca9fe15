#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arena.h"
#include "value_checks.h"

/// The tasks of the battle, the same on every ground. A `Ground` has
///   using Derived                        the derived state that its arena is in
///   static Arena& arena(Derived&)
///   explicit Ground(sim::World&)         looks at a world, once a call
///   auto& field                          whose layers the tasks use
///   bool is_lost(const Layer&, sim::EntityRow) const
///                                        whether the layer leads a unit nowhere
///   std::vector<Quarry> quarries(std::int32_t team) const
///                                        the enemies that a team may hunt
namespace maniple::skirmish {

inline constexpr sim::Tick kMoveCheckTicks = 10;
inline constexpr sim::Tick kChaseGoalTicks = 100;
inline constexpr std::size_t kChaseGoalsMax = 64;

template <class Ground>
void acquire_layer(sim::World& world, sim::TaskRecord& task) {
    task.layer_handle = Ground(world).field.get_or_acquire_layer(task.goals).id;
}

template <class Ground>
void release_layer(sim::World& world, sim::TaskRecord& task) {
    if (task.layer_handle == 0) return;
    Ground(world).field.release_layer({task.layer_handle});
    task.layer_handle = 0;
}

/// The agent's row while it lives and still belongs to the task.
[[nodiscard]] inline std::optional<sim::EntityRow> find_agent(const sim::World& world,
                                                              const AllRows& all,
                                                              const sim::TaskRecord& task,
                                                              OrderKind kind, std::int32_t uid) {
    const std::optional<sim::EntityRow> at = find_unit(world, {uid});
    if (!at) return {};
    const Order& order = all[at->group].orders[at->row];
    return order.kind == kind && order.task_id == task.id ? at : std::nullopt;
}

[[nodiscard]] inline bool has_agents(sim::World& world, const sim::TaskRecord& task,
                                     OrderKind kind) {
    const AllRows all = all_rows(world);
    return std::any_of(task.agent_uids.begin(), task.agent_uids.end(), [&](std::int32_t uid) {
        return find_agent(world, all, task, kind, uid).has_value();
    });
}

/// Calls visit(order, row) for every agent that still lives and still belongs to the task.
template <typename Visit>
void for_agents(sim::World& world, const sim::TaskRecord& task, OrderKind kind, Visit&& visit) {
    const AllRows all = all_rows(world);
    for (const std::int32_t uid : task.agent_uids) {
        const std::optional<sim::EntityRow> at = find_agent(world, all, task, kind, uid);
        if (at) visit(all[at->group].orders[at->row], *at);
    }
}

inline void finish(sim::World& world, sim::TaskRecord& task, OrderKind kind, sim::TaskState state) {
    task.state = state;
    for_agents(world, task, kind, [](Order& order, sim::EntityRow) {
        if (order.state == OrderState::kUnderWay) order.state = OrderState::kIdle;
    });
}

/// Ends when no agent is under way any more: done if one arrived, failed if a goal could not be
/// reached, cancelled if all died or were called away.
template <class Ground>
void tick_move_to(sim::World& world, sim::TaskRecord& task) {
    if ((world.tick() - task.start_tick) % kMoveCheckTicks != 0) return;
    const Ground ground(world);
    const auto* layer = ground.field.find_layer({task.layer_handle});
    std::size_t under_way = 0;
    std::size_t arrived = 0;
    std::size_t failed = 0;
    for_agents(world, task, OrderKind::kMoveTo, [&](Order& order, sim::EntityRow at) {
        const bool lost = layer == nullptr || ground.is_lost(*layer, at);
        if (order.state == OrderState::kUnderWay && lost) order.state = OrderState::kFailed;
        if (order.state == OrderState::kUnderWay) ++under_way;
        if (order.state == OrderState::kArrived) ++arrived;
        if (order.state == OrderState::kFailed) ++failed;
    });
    if (under_way > 0) return;
    finish(world, task, OrderKind::kMoveTo,
           arrived > 0  ? sim::TaskState::kDone
           : failed > 0 ? sim::TaskState::kFailed
                        : sim::TaskState::kCancelled);
}

/// An enemy that a team may hunt, and the tile of ground it stands on.
struct Quarry {
    std::int32_t tile_x, tile_y, uid;
    Vec3d location;
    [[nodiscard]] auto key() const { return std::tuple(tile_x, tile_y, uid); }
};

/// One enemy a tile, the one with the lowest UID, tiles ascending; of many tiles an even choice, so
/// that no flank is forgotten.
inline std::vector<Vec3d> choose_quarries(std::vector<Quarry> quarries) {
    std::sort(quarries.begin(), quarries.end(),
              [](const Quarry& a, const Quarry& b) { return a.key() < b.key(); });
    const auto last =
        std::unique(quarries.begin(), quarries.end(), [](const Quarry& a, const Quarry& b) {
            return a.tile_x == b.tile_x && a.tile_y == b.tile_y;
        });
    quarries.erase(last, quarries.end());
    const std::size_t stride = (quarries.size() + kChaseGoalsMax - 1) / kChaseGoalsMax;
    std::vector<Vec3d> goals;
    for (std::size_t i = 0; i < quarries.size(); i += stride) goals.push_back(quarries[i].location);
    return goals;
}

/// All squads of a team choose their goals in the same tick and therefore share one layer.
template <class Ground>
const std::vector<Vec3d>& chase_goals(sim::World& world, Arena& arena, std::int32_t team) {
    ChaseGoals& chosen = arena.chase_goals[static_cast<std::size_t>(team)];
    if (chosen.tick != world.tick()) {
        chosen = {world.tick(), choose_quarries(Ground(world).quarries(team))};
    }
    return chosen.goals;
}

template <class Ground>
void tick_chase_attack(sim::World& world, sim::TaskRecord& task, Arena& arena) {
    const std::int32_t team = sim::task_variables<Hunt>(task).team;
    const bool due = (world.tick() + team * kChaseGoalTicks / 2) % kChaseGoalTicks == 0;
    if (!due && task.layer_handle != 0) return;
    const bool hunted = has_agents(world, task, OrderKind::kChaseAttack);
    const std::vector<Vec3d>& goals = chase_goals<Ground>(world, arena, team);
    if (!hunted || goals.empty()) {
        finish(world, task, OrderKind::kChaseAttack,
               hunted ? sim::TaskState::kDone : sim::TaskState::kCancelled);
        return;
    }
    const nav::LayerHandle before{task.layer_handle};
    task.goals = goals;
    acquire_layer<Ground>(world, task);
    if (before.valid()) Ground(world).field.release_layer(before);
}

template <class Ground>
void register_tasks_on(sim::GameDefinition& definition,
                       sim::DerivedHandle<typename Ground::Derived> derived) {
    const auto tick_chase = [derived](sim::World& world, sim::TaskRecord& task) {
        tick_chase_attack<Ground>(world, task, Ground::arena(world.derived(derived)));
    };
    definition.add_task_type({std::string(kMoveToTask),
                              sim::TaskKind::kMoveTo,
                              tick_move_to<Ground>,
                              acquire_layer<Ground>,
                              release_layer<Ground>,
                              {},
                              check_move_to});
    definition.add_task_type({std::string(kChaseAttackTask), sim::TaskKind::kChaseAttack,
                              tick_chase, acquire_layer<Ground>, release_layer<Ground>,
                              sim::variables_layout<Hunt>(), check_chase});
}

}  // namespace maniple::skirmish
