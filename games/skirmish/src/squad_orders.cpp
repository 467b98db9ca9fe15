#include "squad_orders.h"

#include <algorithm>
#include <string>
#include <utility>

namespace maniple::skirmish {
namespace {

constexpr std::int64_t kBatchesMax = 100;
constexpr std::int32_t kFullAt = 1 << 20;  ///< Entities; with as many a command asks in vain.
constexpr std::int32_t kGuardSquad = 1;    ///< The best armed of each team.
constexpr Kit kGuardKit{.armour = 3};

}  // namespace

Result<SquadName> squad_of(const sim::Command& command) {
    const auto* team = command.param<std::int64_t>("team");
    const auto* squad = command.param<std::int64_t>("squad");
    if (team == nullptr || *team < 0 || *team >= kTeamCount) {
        return refuse(ErrorCode::kBadValue, "no such team");
    }
    if (squad == nullptr || *squad < 0 || *squad >= kSquadsMax) {
        return refuse(ErrorCode::kBadValue, "no such squad");
    }
    return SquadName{static_cast<std::int32_t>(*team), static_cast<std::int32_t>(*squad)};
}

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

Result<void> no_more_orders() {
    return refuse(ErrorCode::kOverCap, "no more orders of this kind in this battle");
}

void give_order(sim::World& world, const sim::TaskRecord& task, OrderKind kind) {
    for (const std::int32_t uid : task.agent_uids) {
        *world.fragment<Order>({uid}) = {kind, OrderState::kUnderWay, task.id};
    }
}

Result<Wall> wall_of(const sim::Command& command) {
    Wall wall;
    for (auto [name, value] :
         {std::pair{"low_x", &wall.low_x}, std::pair{"low_y", &wall.low_y},
          std::pair{"high_x", &wall.high_x}, std::pair{"high_y", &wall.high_y}}) {
        const auto* number = command.param<std::int64_t>(name);
        if (number == nullptr || *number < INT32_MIN || *number > INT32_MAX) {
            return refuse(ErrorCode::kBadValue, "a wall without " + std::string(name));
        }
        *value = static_cast<std::int32_t>(*number);
    }
    return wall;
}

namespace {

Result<void> check_room(const sim::World& world) {
    if (world.state().occupied_count() < kFullAt) return {};
    return refuse(ErrorCode::kOverCap, "the battle is full");
}

// implements: SNAP-048
Result<void> raise_wall(sim::World& world, const sim::Command& command) {
    const Result<Wall> wall = wall_of(command);
    if (!wall) return refuse(wall.error());
    if (const auto room = check_room(world); !room) return room;
    const sim::Uid uid = world.spawn(*world.definition().find_template(kWallKey));
    if (uid.valid()) *world.fragment<Wall>(uid) = *wall;
    return {};
}

Result<void> raze_wall(sim::World& world, const sim::Command& command) {
    const Result<Wall> wall = wall_of(command);
    if (!wall) return refuse(wall.error());
    const sim::TemplateId id = *world.definition().find_template(kWallKey);
    const auto walls = world.column<Wall>(id);
    const auto found = std::ranges::find(walls, *wall);
    if (found == walls.end()) return refuse(ErrorCode::kNotFound, "no such wall stands");
    world.queue_destroy(world.group(id).uids[static_cast<std::size_t>(found - walls.begin())]);
    return {};
}

Result<void> set_stance(sim::World& world, const sim::Command& command) {
    const auto* team = command.param<std::int64_t>("team");
    const auto* stance = command.param<std::int64_t>("stance");
    auto& tactics = world.edit_variables<Tactics>(kTacticsKey);
    if (team == nullptr || *team < 0 || *team >= std::ssize(tactics.stances)) {
        return refuse(ErrorCode::kBadValue, "no such team");
    }
    if (stance == nullptr || (*stance != 0 && *stance != 1)) {
        return refuse(ErrorCode::kBadValue, "no such stance");
    }
    tactics.stances[static_cast<std::size_t>(*team)] = static_cast<Stance>(*stance);
    if (tactics.calls < kCallsMax) ++tactics.calls;
    return {};
}

Result<void> chase_attack(sim::World& world, const sim::Command& command) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    sim::Int32List agents = agents_of(world, *name);
    if (agents.empty()) return {};
    if (world.state().next_chase_attack_task_id > kTaskIdsMax) return no_more_orders();
    // The task's first tick chooses the goals.
    sim::TaskRecord& task = world.create_task(kChaseAttackTask, std::move(agents), {});
    sim::set_task_variables(task, Hunt{name->team});
    give_order(world, task, OrderKind::kChaseAttack);
    return {};
}

}  // namespace

Result<void> request_squad(sim::World& world, const sim::Command& command,
                           std::vector<Vec3d> places) {
    const Result<SquadName> name = squad_of(command);
    if (!name) return refuse(name.error());
    const auto* key = command.param<std::string>("template");
    if (key == nullptr) return refuse(ErrorCode::kBadValue, "template missing");
    const Result<sim::TemplateId> kind = world.definition().find_template(*key);
    if (!kind) return refuse(kind.error());
    if (kind->index >= kGroupCount) return refuse(ErrorCode::kBadValue, *key + " is no unit");
    const auto* batches = command.param<std::int64_t>("batches");
    if (batches != nullptr && (*batches < 1 || *batches > kBatchesMax)) {
        return refuse(ErrorCode::kBadValue, "no such number of batches");
    }
    if (const auto room = check_room(world); !room) return room;
    if (places.empty()) return {};
    sim::SpawnRequest request;
    request.template_key = *key;
    request.quantity = static_cast<std::int32_t>(places.size());
    request.locations = std::move(places);
    request.team = name->squad * kTeamCount + name->team;
    request.substeps = batches == nullptr ? 0 : static_cast<std::int32_t>(*batches);
    return world.request_spawn(std::move(request));
}

void place_unit(sim::World& world, sim::Uid uid, const sim::SpawnRequest& request,
                const Vec3d& location) {
    *world.fragment<Position>(uid) = Position::nearest({location.x, location.y});
    Unit& unit = *world.fragment<Unit>(uid);
    unit.team = static_cast<std::int8_t>(request.team % kTeamCount);
    unit.squad = static_cast<std::int16_t>(request.team / kTeamCount);
    if (unit.squad == kGuardSquad) world.set_shared(uid, kGuardKit);
}

void add_commands(sim::GameDefinition& definition, const GroundCommands& ground) {
    definition.add_command({kCommandSpawnSquad, "SpawnSquad", ground.spawn_squad});
    definition.add_command({kCommandMoveTo, "MoveTo", ground.move_to});
    definition.add_command({kCommandChaseAttack, "ChaseAttack", chase_attack});
    definition.add_command({kCommandRaiseWall, "RaiseWall", raise_wall});
    definition.add_command({kCommandRazeWall, "RazeWall", raze_wall});
    definition.add_command({kCommandSetStance, "SetStance", set_stance});
}

}  // namespace maniple::skirmish
