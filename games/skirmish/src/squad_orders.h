#pragma once

#include <utility>
#include <vector>

#include "arena.h"
#include "value_checks.h"

/// The game's commands, but for what they say of places.
namespace maniple::skirmish {

struct SquadName {
    std::int32_t team = 0;
    std::int32_t squad = 0;
};
/// The squad that a command is for. @return name, or kBadValue.
[[nodiscard]] Result<SquadName> squad_of(const sim::Command& command);
/// The cells that a command names, as of a wall. @return wall, or kBadValue.
[[nodiscard]] Result<Wall> wall_of(const sim::Command& command);
/// The living units of a squad.
[[nodiscard]] sim::Int32List agents_of(sim::World& world, SquadName name);
/// The refusal of an order once kTaskIdsMax of its kind were given.
Result<void> no_more_orders();
void give_order(sim::World& world, const sim::TaskRecord& task, OrderKind kind);

/// SpawnSquad with its places found: requests one unit on each.
Result<void> request_squad(sim::World& world, const sim::Command& command,
                           std::vector<Vec3d> places);

/// MoveTo with its goal found: a task with a layer of `field`; nothing for a squad without units.
template <class Field>
Result<void> start_move(sim::World& world, const sim::Command& command, const Vec3d& goal,
                        Field& field) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    sim::Int32List agents = agents_of(world, *name);
    if (agents.empty()) return {};
    if (world.state().next_move_to_task_id > kTaskIdsMax) return no_more_orders();
    sim::TaskRecord& task = world.create_task(kMoveToTask, std::move(agents), {goal});
    task.layer_handle = field.get_or_acquire_layer(task.goals).id;
    give_order(world, task, OrderKind::kMoveTo);
    return {};
}

/// The commands that name places of the ground.
struct GroundCommands {
    Result<void> (*spawn_squad)(sim::World&, const sim::Command&);
    Result<void> (*move_to)(sim::World&, const sim::Command&);
};
/// Registers all commands of the game.
void add_commands(sim::GameDefinition& definition, const GroundCommands& ground);

}  // namespace maniple::skirmish
