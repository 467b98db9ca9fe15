#include <string>
#include <utility>

#include "arena.h"

namespace maniple::skirmish {
namespace {

struct SquadName {
    std::int32_t team = 0;
    std::int32_t squad = 0;
};

Result<SquadName> squad_of(const sim::Command& command) {
    const auto* team = command.param<std::int64_t>("team");
    const auto* squad = command.param<std::int64_t>("squad");
    if (team == nullptr || *team < 0 || *team >= kTeamCount) {
        return refuse(ErrorCode::kBadValue, "no such team");
    }
    if (squad == nullptr || *squad < 0 || *squad > INT32_MAX) {
        return refuse(ErrorCode::kBadValue, "no such squad");
    }
    return SquadName{static_cast<std::int32_t>(*team), static_cast<std::int32_t>(*squad)};
}

/// The living units of a squad.
sim::Int32List agents_of(sim::World& world, SquadName name) {
    sim::Int32List agents;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::EntityGroup& rows = world.group(template_of(group));
        const auto units = world.column<Unit>(template_of(group));
        for (std::size_t row = 0; row < units.size(); ++row) {
            if (units[row].team != name.team || units[row].squad != name.squad) continue;
            if (is_fighting(rows.tags[row])) agents.push_back(rows.uids[row].value);
        }
    }
    return agents;
}

void give_order(sim::World& world, const sim::TaskRecord& task, OrderKind kind) {
    for (const std::int32_t uid : task.agent_uids) {
        *world.fragment<Order>({uid}) = {kind, OrderState::kUnderWay, task.id};
    }
}

Result<void> spawn_squad(sim::World& world, const sim::Command& command) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    const auto* key = command.param<std::string>("template");
    const auto* cells = command.param<sim::Int32List>("cells");
    if (key == nullptr || cells == nullptr) {
        return refuse(ErrorCode::kBadValue, "template or cells missing");
    }
    const Result<sim::TemplateId> kind = world.definition().find_template(*key);
    if (!kind) return refuse(kind.error());
    const nav::FlowField& field = *world.find_field(kFieldName);
    for (const std::int32_t cell : *cells) {
        const bool inside =
            cell >= 0 && static_cast<std::size_t>(cell) < field.geometry().cell_count();
        if (!inside || !field.passable(static_cast<nav::CellIndex>(cell))) {
            return refuse(ErrorCode::kBadValue, "cell " + std::to_string(cell) + " is no ground");
        }
    }
    for (const std::int32_t cell : *cells) {
        const sim::Uid uid = world.spawn(*kind);
        if (!uid.valid()) break;
        const Vec3d at = field.world_location(static_cast<nav::CellIndex>(cell));
        *world.fragment<Position>(uid) = {at.x, at.y};
        Unit& unit = *world.fragment<Unit>(uid);
        unit.team = name->team;
        unit.squad = name->squad;
    }
    return {};
}

Result<void> move_to(sim::World& world, const sim::Command& command) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    nav::FlowField& field = *world.find_field(kFieldName);
    const auto* goal = command.param<std::int64_t>("goal");
    if (goal == nullptr || *goal < 0 ||
        static_cast<std::size_t>(*goal) >= field.geometry().cell_count()) {
        return refuse(ErrorCode::kBadValue, "the goal is no cell of the field");
    }
    sim::Int32List agents = agents_of(world, *name);
    if (agents.empty()) return {};
    sim::TaskRecord& task = world.create_task(
        kMoveToTask, std::move(agents), {field.world_location(static_cast<nav::CellIndex>(*goal))});
    task.layer_handle = field.get_or_acquire_layer(task.goals).id;
    give_order(world, task, OrderKind::kMoveTo);
    return {};
}

Result<void> chase_attack(sim::World& world, const sim::Command& command) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    sim::Int32List agents = agents_of(world, *name);
    if (agents.empty()) return {};
    // The task's first tick chooses the goals.
    sim::TaskRecord& task = world.create_task(kChaseAttackTask, std::move(agents), {});
    core::ByteWriter(task.variables).i32(name->team);
    give_order(world, task, OrderKind::kChaseAttack);
    return {};
}

}  // namespace

void register_commands(sim::GameDefinition& definition) {
    definition.add_command({kCommandSpawnSquad, "SpawnSquad", spawn_squad});
    definition.add_command({kCommandMoveTo, "MoveTo", move_to});
    definition.add_command({kCommandChaseAttack, "ChaseAttack", chase_attack});
}

}  // namespace maniple::skirmish
