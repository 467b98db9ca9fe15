#include <algorithm>
#include <array>

#include "arena.h"
#include "marching.h"
#include "stepping.h"

namespace maniple::skirmish {
namespace {

constexpr float kProbe = 80.0F;  ///< Between two looks at the ground of a charge.

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
    void move(std::size_t row, Vec2d to, nav::CellIndex cell) const;
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
        return toward({place.x, place.y}, {centre.x, centre.y});
    }
    if (order.state != OrderState::kUnderWay) return {};
    if (order.kind == OrderKind::kChaseAttack && aim.valid) {
        if (aim.distance <= kind.range_cm * kHaltShare) return {};
        if (aim.distance <= kCharge && open_between(field, at, aim)) {
            return toward({place.x, place.y}, {aim.x, aim.y});
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

/// Takes the step where the ground lets it, else the part of it along one axis. `cell` is where it
/// leads, kNoCell off the grid.
void Steering::move(std::size_t row, Vec2d to, nav::CellIndex cell) const {
    const nav::FlowField& field = *arena.field;
    const std::size_t rank = first_rank + row;
    Position& position = rows.positions[row];
    const Position old = position;
    // Most steps end in the cell they began in. Who stands in a wall may go anywhere.
    const bool free = !arena.places[rank].on_ground || cell == arena.cells[rank] ||
                      (cell != nav::kNoCell && field.passable(cell));
    const Position there = Position::exactly(to);
    if (free) {
        position = there;
    } else if (open_at(field, to.x, old.cm().y)) {
        position.x = there.x;
    } else if (open_at(field, old.cm().x, to.y)) {
        position.y = there.y;
    }
    rows.motions[row] = Motion::between(old, position);
}

void Steering::go(std::size_t begin, std::size_t end) const {
    const std::size_t count = end - begin;
    Steps steps;
    std::array<nav::CellIndex, kStepsMax> cells;
    load_steps(arena, kind, rows, first_rank, begin, end, steps);
    take_steps(steps, count);
    arena.field->geometry().locate({steps.x.data(), count}, {steps.y.data(), count},
                                   {cells.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = begin + i;
        if (arena.places[first_rank + row].team < 0) continue;
        move(row, {steps.x[i], steps.y[i]}, cells[i]);
        note_arrival(arena.strides[first_rank + row], rows.orders[row]);
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

}  // namespace

void steer_units(sim::SystemContext& context, Arena& arena) {
    const AllRows all = all_rows(context.world);
    steer(context.executor, arena, all, [&](std::size_t group) {
        return Steering{arena, kUnitKinds[group], all[group], arena.first_rank[group]};
    });
}

}  // namespace maniple::skirmish
