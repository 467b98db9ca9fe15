#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr sim::Tick kMoveCheckTicks = 10;
constexpr sim::Tick kChaseGoalTicks = 100;
constexpr std::size_t kChaseGoalsMax = 64;
constexpr std::int32_t kChaseTileCells = 16;

void acquire_layer(sim::World& world, sim::TaskRecord& task) {
    task.layer_handle = world.find_field(kFieldName)->get_or_acquire_layer(task.goals).id;
}

void release_layer(sim::World& world, sim::TaskRecord& task) {
    if (task.layer_handle == 0) return;
    world.find_field(kFieldName)->release_layer({task.layer_handle});
    task.layer_handle = 0;
}

/// Calls visit(order, position) for every agent that still lives and still belongs to the task.
template <typename Visit>
void for_agents(sim::World& world, const sim::TaskRecord& task, OrderKind kind, Visit&& visit) {
    const AllRows all = all_rows(world);
    for (const std::int32_t uid : task.agent_uids) {
        const std::optional<sim::EntityRow> at = world.find({uid});
        if (!at) continue;
        Order& order = all[at->group].orders[at->row];
        if (order.kind != kind || order.task_id != task.id) continue;
        visit(order, all[at->group].positions[at->row]);
    }
}

void finish(sim::World& world, sim::TaskRecord& task, OrderKind kind, sim::TaskState state) {
    task.state = state;
    for_agents(world, task, kind, [](Order& order, const Position&) {
        if (order.state == OrderState::kUnderWay) order.state = OrderState::kIdle;
    });
}

/// Ends when no agent is under way any more: done if one arrived, failed if a goal could not be
/// reached, cancelled if all died or were called away.
void tick_move_to(sim::World& world, sim::TaskRecord& task) {
    if ((world.tick() - task.start_tick) % kMoveCheckTicks != 0) return;
    const nav::FlowField& field = *world.find_field(kFieldName);
    const nav::Layer* layer = field.find_layer({task.layer_handle});
    std::size_t under_way = 0;
    std::size_t arrived = 0;
    std::size_t failed = 0;
    for_agents(world, task, OrderKind::kMoveTo, [&](Order& order, const Position& at) {
        const nav::CellIndex cell = cell_at(field, at.x, at.y);
        // A unit inside a fresh wall walks out first.
        const bool lost = layer == nullptr || (field.passable(cell) && !is_reached(*layer, cell));
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

/// One enemy a tile, the one with the lowest UID, tiles ascending: where a team hunts.
std::vector<Vec3d> enemy_places(sim::World& world, std::int32_t team) {
    const nav::FlowField& field = *world.find_field(kFieldName);
    struct Quarry {
        std::int32_t tile_x, tile_y, uid;
        nav::CellIndex cell;
        bool operator<(const Quarry& other) const {
            return std::tie(tile_x, tile_y, uid) < std::tie(other.tile_x, other.tile_y, other.uid);
        }
        bool shares_tile(const Quarry& other) const {
            return tile_x == other.tile_x && tile_y == other.tile_y;
        }
    };
    std::vector<Quarry> places;
    for (const UnitRows& rows : all_rows(world)) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.units[row].team == team || !is_fighting(rows.tags[row])) continue;
            const Position& at = rows.positions[row];
            const nav::CellIndex cell = cell_at(field, at.x, at.y);
            if (!field.passable(cell)) continue;
            const nav::GridCoord c = field.geometry().coord(cell);
            places.push_back(
                {c.x / kChaseTileCells, c.y / kChaseTileCells, rows.uids[row].value, cell});
        }
    }
    std::sort(places.begin(), places.end());
    const auto last =
        std::unique(places.begin(), places.end(),
                    [](const Quarry& a, const Quarry& b) { return a.shares_tile(b); });
    places.erase(last, places.end());
    // Of many tiles an even choice, so that no flank is forgotten.
    const std::size_t stride = (places.size() + kChaseGoalsMax - 1) / kChaseGoalsMax;
    std::vector<Vec3d> goals;
    for (std::size_t i = 0; i < places.size(); i += stride) {
        goals.push_back(field.world_location(places[i].cell));
    }
    return goals;
}

/// All squads of a team choose their goals in the same tick and therefore share one layer.
const std::vector<Vec3d>& chase_goals(sim::World& world, Arena& arena, std::int32_t team) {
    ChaseGoals& chosen = arena.chase_goals[static_cast<std::size_t>(team)];
    if (chosen.tick != world.tick()) chosen = {world.tick(), enemy_places(world, team)};
    return chosen.goals;
}

void tick_chase_attack(sim::World& world, sim::TaskRecord& task, Arena& arena) {
    const std::int32_t team = core::load_le<std::int32_t>(task.variables.data());
    const bool due = (world.tick() + team * kChaseGoalTicks / 2) % kChaseGoalTicks == 0;
    if (!due && task.layer_handle != 0) return;
    std::size_t agents = 0;
    for_agents(world, task, OrderKind::kChaseAttack, [&](Order&, const Position&) { ++agents; });
    const std::vector<Vec3d>& goals = chase_goals(world, arena, team);
    if (agents == 0 || goals.empty()) {
        finish(world, task, OrderKind::kChaseAttack,
               agents == 0 ? sim::TaskState::kCancelled : sim::TaskState::kDone);
        return;
    }
    const nav::LayerHandle before{task.layer_handle};
    task.goals = goals;
    acquire_layer(world, task);
    if (before.valid()) world.find_field(kFieldName)->release_layer(before);
}

}  // namespace

void register_tasks(sim::GameDefinition& definition, sim::DerivedHandle<Arena> arena) {
    const auto tick_chase = [arena](sim::World& world, sim::TaskRecord& task) {
        tick_chase_attack(world, task, world.derived(arena));
    };
    definition.add_task_type({std::string(kMoveToTask), sim::TaskKind::kMoveTo, tick_move_to,
                              acquire_layer, release_layer});
    definition.add_task_type({std::string(kChaseAttackTask), sim::TaskKind::kChaseAttack,
                              tick_chase, acquire_layer, release_layer});
}

}  // namespace maniple::skirmish
