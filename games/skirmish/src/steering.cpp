#include <algorithm>
#include <array>

#include "arena.h"
#include "stepping.h"

namespace maniple::skirmish {
namespace {

constexpr float kCharge = 600.0F;   ///< Straight at an enemy from this near.
constexpr float kHaltShare = 0.7F;  ///< Of the range: a rider strikes before it halts.
constexpr float kProbe = 80.0F;     ///< Between two looks at the ground of a charge.

bool open_at(const nav::FlowField& field, double x, double y) {
    const nav::GridGeometry::Located at = field.geometry().world_to_grid({x, y});
    return at.inside && field.passable(field.geometry().index(at.coord));
}

bool open_between(const nav::FlowField& field, Flat from, const Aim& to) {
    const int probes = static_cast<int>(to.distance / kProbe);
    for (int i = 1; i < probes; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(probes);
        if (!open_at(field, from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)) {
            return false;
        }
    }
    return true;
}

Flat toward(Flat from, double x, double y) {
    const Vec2d way = core::safe_normal({x - from.x, y - from.y});
    return {static_cast<float>(way.x), static_cast<float>(way.y)};
}

/// Steers the rows of one group; every call writes its own rows only and sees others as they were
/// before the tick.
struct Steering {
    const Arena& arena;
    const UnitKind& kind;
    const UnitRows& rows;
    std::size_t first_rank;

    [[nodiscard]] Flat heading(const Order& order, const Aim& aim, const Place& place,
                               nav::CellIndex cell) const;
    [[nodiscard]] GoalZone zone_of(const Order& order, nav::CellIndex cell) const;
    /// Where it wants to go: heading, task and zone of its stride.
    void aim(std::size_t row, Stride& stride) const;
    /// Goes there as far as the crowd and the ground allow: the living of the rows [begin, end).
    void go(std::size_t begin, std::size_t end) const;
    void load_steps(std::size_t begin, std::size_t end, Steps& steps) const;
    void move(std::size_t row, Position to, nav::CellIndex cell) const;
};

/// The unit vector of where the unit wants to go; zero to stand.
Flat Steering::heading(const Order& order, const Aim& aim, const Place& place,
                       nav::CellIndex cell) const {
    const nav::FlowField& field = *arena.field;
    const Flat at{place.x, place.y};
    if (!place.on_ground) {
        const nav::CellIndex exit = field.nearest_ground({at.x, at.y});
        if (exit == nav::kNoCell) return {};
        const Vec3d centre = field.world_location(exit);
        return toward(at, centre.x, centre.y);
    }
    if (order.state != OrderState::kUnderWay) return {};
    if (order.kind == OrderKind::kChaseAttack && aim.valid) {
        if (aim.distance <= kind.range_cm * kHaltShare) return {};
        if (aim.distance <= kCharge && open_between(field, at, aim)) {
            return toward(at, aim.x, aim.y);
        }
    }
    const TaskView task = arena.task_of(order);
    if (task.layer == nullptr || !is_reached(*task.layer, cell)) return {};
    const std::uint8_t code = task.layer->solution.direction[cell];
    if (code < arena.compass.size()) return arena.compass[code];
    const Vec3f way = field.direction(*task.layer, cell);
    return {way.x, way.y};
}

GoalZone Steering::zone_of(const Order& order, nav::CellIndex cell) const {
    const TaskView task = arena.task_of(order);
    if (task.layer == nullptr || !task.layer->solved) return GoalZone::kFar;
    const std::uint32_t dist = task.layer->solution.dist[cell];
    if (dist <= 1) return GoalZone::kGoal;
    return dist <= task.arrival_dist ? GoalZone::kNear : GoalZone::kFar;
}

void Steering::load_steps(std::size_t begin, std::size_t end, Steps& steps) const {
    for (std::size_t row = begin; row < end; ++row) {
        const std::size_t i = row - begin;
        const Stride& stride = arena.strides[first_rank + row];
        // An army marches at the pace of its foot; only the hunt goes at a gallop.
        const bool hunts = rows.orders[row].kind == OrderKind::kChaseAttack;
        steps.speed[i] = hunts ? kind.speed_cm : kFootSpeedCm;
        steps.heading_x[i] = stride.heading.x;
        steps.heading_y[i] = stride.heading.y;
        steps.push_x[i] = stride.push.x;
        steps.push_y[i] = stride.push.y;
        steps.in_the_way[i] = stride.in_the_way;
        steps.x[i] = rows.positions[row].x;
        steps.y[i] = rows.positions[row].y;
    }
}

/// Takes the step where the ground lets it, else the part of it along one axis. `cell` is where it
/// leads, kNoCell off the grid.
void Steering::move(std::size_t row, Position to, nav::CellIndex cell) const {
    const nav::FlowField& field = *arena.field;
    const std::size_t rank = first_rank + row;
    Position& position = rows.positions[row];
    const Position old = position;
    // Most steps end in the cell they began in. Who stands in a wall may go anywhere.
    const bool free = !arena.places[rank].on_ground || cell == arena.cells[rank] ||
                      (cell != nav::kNoCell && field.passable(cell));
    if (free) {
        position = to;
    } else if (open_at(field, to.x, old.y)) {
        position.x = to.x;
    } else if (open_at(field, old.x, to.y)) {
        position.y = to.y;
    }
    rows.motions[row] = {static_cast<float>(position.x - old.x),
                         static_cast<float>(position.y - old.y)};
}

void Steering::go(std::size_t begin, std::size_t end) const {
    const std::size_t count = end - begin;
    Steps steps;
    std::array<nav::CellIndex, kStepsMax> cells;
    load_steps(begin, end, steps);
    take_steps(steps, count);
    arena.field->geometry().locate({steps.x.data(), count}, {steps.y.data(), count},
                                   {cells.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = begin + i;
        if (arena.places[first_rank + row].team < 0) continue;
        move(row, {steps.x[i], steps.y[i]}, cells[i]);
        const Stride& stride = arena.strides[first_rank + row];
        const bool in_crowd = stride.zone == GoalZone::kNear && stride.touches_arrived;
        if (stride.zone == GoalZone::kGoal || in_crowd) {
            rows.orders[row].state = OrderState::kArrived;
        }
    }
}

void Steering::aim(std::size_t row, Stride& stride) const {
    const std::size_t rank = first_rank + row;
    const Order& order = rows.orders[row];
    const bool moves = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    stride.heading = heading(order, arena.aims[rank], arena.places[rank], arena.cells[rank]);
    stride.move_task = moves ? order.task_id : -1;
    stride.zone = moves ? zone_of(order, arena.cells[rank]) : GoalZone::kFar;
}

/// Calls visit(steering, begin, end) for blocks of all rows, in parallel.
template <typename Visit>
void for_blocks_of_units(sim::SystemContext& context, const Arena& arena, const AllRows& all,
                         const Visit& visit) {
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const Steering steering{arena, kUnitKinds[group], all[group], arena.first_rank[group]};
        core::for_blocks(context.executor, all[group].size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) { visit(steering, begin, end); });
    }
}

}  // namespace

void steer_units(sim::SystemContext& context, Arena& arena) {
    static_assert(kBlockRows <= kStepsMax);
    const AllRows all = all_rows(context.world);
    for_blocks_of_units(context, arena, all,
                        [&](const Steering& steering, std::size_t begin, std::size_t end) {
                            for (std::size_t row = begin; row < end; ++row) {
                                const std::size_t rank = steering.first_rank + row;
                                if (arena.places[rank].team < 0) continue;
                                steering.aim(row, arena.strides[rank]);
                            }
                        });
    feel_crowds(context.executor, arena);
    for_blocks_of_units(context, arena, all,
                        [](const Steering& steering, std::size_t begin, std::size_t end) {
                            steering.go(begin, end);
                        });
}

}  // namespace maniple::skirmish
