#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/sim/events.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/skirmish.h"

#include "flat.h"
#include "unit_grid.h"

namespace maniple::skirmish {

inline constexpr std::size_t kGroupCount = kTemplateKeys.size();
inline constexpr std::size_t kBlockRows = 512;
inline constexpr std::int8_t kAppearTicks = 10;
inline constexpr std::int8_t kDyingTicks = 20;
inline constexpr float kSightCm = 1500.0F;
/// Nine cells hold all that touch a unit in the middle one, roundings of places included.
inline constexpr float kGridCellCm = 102.0F;
/// The number of a cell fits u32, of both teams in the widest battle.
static_assert(kTeamCount * (2 * Position::kEdgeCm / kGridCellCm + 2) *
                  (2 * Position::kEdgeCm / kGridCellCm + 2) <
              4294967295.0);

/// What differs between the templates, in key order.
struct UnitKind {
    std::int16_t health;
    std::int16_t cooldown_ticks;
    std::int32_t damage_min, damage_spread;
    std::int32_t volley_ticks;   ///< Squads shoot together every so many ticks; 0 = each alone.
    std::int32_t charge_damage;  ///< More for a blow at a gallop.
    float range_cm;
    float speed_cm;  ///< A tick, in a hunt.
};
inline constexpr float kFootSpeedCm = static_cast<float>(kUnitSpeedCm);
inline constexpr std::array<UnitKind, kGroupCount> kUnitKinds{{
    {150, 20, 10, 7, 0, 35, 160.0F, 32.0F},
    {120, 16, 12, 9, 0, 0, 140.0F, kFootSpeedCm},
    {80, 0, 8, 7, 20, 0, 1000.0F, kFootSpeedCm},
}};

/// Where a unit's target stood at the start of the tick.
struct Aim {
    float x = 0, y = 0;
    float distance = 0;
    bool valid = false;
};

enum class GoalZone : std::uint8_t {
    kFar,
    kNear,  ///< A crowd that stands here has arrived.
    kGoal,
};

/// How a unit wants to move, and what the crowd around it does to that. Half a cache line, since it
/// is written in the order of rows and read in the order of places.
struct alignas(32) Stride {
    Flat heading;                    ///< Unit vector; zero to stand.
    std::int32_t move_task = -1;     ///< MoveTo task under way; −1 = none.
    GoalZone zone = GoalZone::kFar;  ///< Of that task's goal.
    bool touches_arrived = false;    ///< A unit that stands at that goal.
    Flat push;
    float in_the_way = 0;
};
static_assert(sizeof(Stride) == 32);

/// By OrderKind, then by task id.
template <class View>
using TaskViews = std::array<std::vector<View>, 3>;

/// What the systems need to know of one task.
struct TaskView {
    const nav::Layer* layer = nullptr;
    std::uint32_t arrival_dist = 0;  ///< A crowd that stands this near has arrived.
};

/// The view of a unit's task; an empty one without a task.
template <class View>
[[nodiscard]] View view_of(const TaskViews<View>& tasks, const Order& order) {
    const auto& views = tasks[static_cast<std::size_t>(order.kind)];
    const auto at = static_cast<std::size_t>(order.task_id);
    return at < views.size() ? views[at] : View{};
}
/// Makes the views anew: view(task, side), where side is that of a square of as many places as the
/// task has agents.
template <class View, class MakeView>
void view_tasks(const sim::World& world, TaskViews<View>& tasks, const MakeView& view) {
    for (auto& views : tasks) views.clear();
    for (const sim::TaskRecord& task : world.state().tasks) {
        const OrderKind kind =
            task.kind == sim::TaskKind::kMoveTo ? OrderKind::kMoveTo : OrderKind::kChaseAttack;
        auto& views = tasks[static_cast<std::size_t>(kind)];
        views.resize(std::max(views.size(), static_cast<std::size_t>(task.id) + 1));
        views[static_cast<std::size_t>(task.id)] =
            view(task, std::sqrt(static_cast<double>(task.agent_uids.size())));
    }
}

/// The columns of one group, looked up once a system.
struct UnitRows {
    std::span<const sim::Uid> uids;
    std::span<std::uint16_t> tags;
    std::span<Position> positions;
    std::span<Motion> motions;
    std::span<Unit> units;
    std::span<Order> orders;
    std::span<Target> targets;
    [[nodiscard]] std::size_t size() const { return uids.size(); }
};
using AllRows = std::array<UnitRows, kGroupCount>;
[[nodiscard]] AllRows all_rows(sim::World& world);

/// Where a team hunts, chosen once for all its squads.
struct ChaseGoals {
    sim::Tick tick = 0;
    std::vector<Vec3d> goals;
};

/// The derived state of a tick: made anew from the columns by the first system, read by the others.
struct Arena {
    const nav::FlowField* field = nullptr;
    std::array<Flat, 8> compass;  ///< Unit vectors to neighbours.
    /// Units of all groups are numbered on: a row's rank is its group's first rank + the row.
    std::array<std::size_t, kGroupCount> first_rank;
    std::vector<Place> places;          ///< By rank.
    std::vector<nav::CellIndex> cells;  ///< By rank.
    std::vector<Aim> aims;              ///< By rank.
    std::vector<Stride> strides;        ///< By rank.
    UnitGrid grid;                      ///< The living.
    Heights heights = Heights::kSame;  ///< Of the ground: differ where floors lie above each other.
    std::array<NearMap, kTeamCount> near;  ///< Who may see a team.
    TaskViews<TaskView> tasks;
    sim::EventQueue<std::int32_t> hits;  ///< Damage.
    std::array<ChaseGoals, kTeamCount> chase_goals;

    [[nodiscard]] TaskView task_of(const Order& order) const { return view_of(tasks, order); }
};

/// A ChaseAttack task's own variables.
struct Hunt {
    std::int32_t team = 0;
};
BOOST_DESCRIBE_STRUCT(Hunt, (), (team))

/// A unit's row; nothing for what is gone or no unit.
[[nodiscard]] inline std::optional<sim::EntityRow> find_unit(const sim::World& world,
                                                             sim::Uid uid) {
    const std::optional<sim::EntityRow> at = world.find(uid);
    return at && at->group < kGroupCount ? at : std::nullopt;
}
[[nodiscard]] inline sim::TemplateId template_of(std::size_t group) {
    return {static_cast<std::uint16_t>(group)};
}
[[nodiscard]] inline bool is_fighting(std::uint16_t tags) {
    return (tags & (sim::kTagDying | sim::kTagDestroying)) == 0;
}
[[nodiscard]] inline bool is_reached(const nav::Layer& layer, nav::CellIndex cell) {
    return layer.solved &&
           (layer.solution.direction[cell] != nav::kNoDirection || layer.solution.dist[cell] == 0);
}
[[nodiscard]] inline nav::CellIndex cell_at(const nav::FlowField& field, double x, double y) {
    return field.geometry().index(field.geometry().world_to_grid({x, y}).coord);
}

/// What the crowd does to every unit: push, in_the_way and touches_arrived of the strides.
void feel_crowds(core::Executor& executor, Arena& arena);

/// The systems in their order.
void index_units(sim::SystemContext& context, Arena& arena);
void choose_targets(sim::SystemContext& context, Arena& arena);
void steer_units(sim::SystemContext& context, Arena& arena);
void fight(sim::SystemContext& context, Arena& arena);
void live_and_die(sim::SystemContext& context);

/// Puts a unit of a SpawnSquad request on its place.
void place_unit(sim::World& world, sim::Uid uid, const sim::SpawnRequest& request,
                const Vec3d& location);
void register_commands(sim::GameDefinition& definition);
void register_tasks(sim::GameDefinition& definition, sim::DerivedHandle<Arena> arena);

/// What another build of the game adds: fragments, and to each unit's template.
struct Extension {
    std::function<void(sim::GameDefinition&)> fragments;
    std::function<void(sim::TemplateBuilder&)> units;
};
/// The sealed definition of the game on some ground. `add_rules` adds what depends on the ground:
/// derived state, commands, tasks, systems and the field.
[[nodiscard]] std::shared_ptr<const sim::GameDefinition> define_game(
    std::string_view game_id, void (*add_rules)(sim::GameDefinition&), const Extension& extension);
/// The same on a grid; make_skirmish's without an extension.
[[nodiscard]] std::shared_ptr<const sim::GameDefinition> define_skirmish(
    const Extension& extension = {});

}  // namespace maniple::skirmish
