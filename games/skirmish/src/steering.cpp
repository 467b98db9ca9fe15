#include <cmath>

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr float kSpeed = static_cast<float>(kUnitSpeedCm);
constexpr float kApartCm = 80.0F;    ///< Units closer than this push each other away.
constexpr float kTouchCm = 130.0F;   ///< A unit that touches one that arrived has arrived.
constexpr float kPushShare = 0.25F;  ///< Of the overlap, a tick.
constexpr float kPushMax = 12.0F;
constexpr float kStepMax = 28.0F;   ///< Well under half a cell: no wall is jumped.
constexpr float kSlowdown = 0.35F;  ///< A neighbour in the way costs this share of haste.
constexpr float kCharge = 600.0F;   ///< Straight at an enemy from this near.
constexpr float kProbe = 50.0F;

struct Flat {
    float x = 0, y = 0;
};

/// What the neighbourhood does to a unit.
struct Crowd {
    Flat push;
    float in_the_way = 0;
    bool touches_arrived = false;
};

Crowd feel_crowd(const Arena& arena, Flat at, std::int32_t uid, Flat heading,
                 std::int32_t move_task) {
    Crowd crowd;
    const float reach = move_task != 0 ? kTouchCm : kApartCm;
    for (const UnitGrid& grid : arena.grids) {
        grid.for_near(at.x, at.y, reach, [&](const GridUnit& other) {
            const Flat off{at.x - other.x, at.y - other.y};
            const float square = off.x * off.x + off.y * off.y;
            if (square > reach * reach || other.uid == uid) return;
            if (move_task != 0 && other.arrived_task == move_task) crowd.touches_arrived = true;
            if (square >= kApartCm * kApartCm) return;
            const float distance = std::sqrt(square);
            if (distance < 1.0F) {
                // On one spot: the UIDs decide who goes which way.
                crowd.push.x += uid < other.uid ? -4.0F : 4.0F;
                crowd.push.y += (uid & 1) != 0 ? 2.0F : -2.0F;
                return;
            }
            const float share = kPushShare * (kApartCm - distance) / distance;
            crowd.push.x += off.x * share;
            crowd.push.y += off.y * share;
            const float ahead = -(off.x * heading.x + off.y * heading.y) / distance;
            if (ahead > 0.5F) crowd.in_the_way += ahead;
        });
    }
    return crowd;
}

Flat limited(Flat v, float length_max) {
    const float square = v.x * v.x + v.y * v.y;
    if (square <= length_max * length_max) return v;
    const float scale = length_max / std::sqrt(square);
    return {v.x * scale, v.y * scale};
}

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

double on_lattice(double cm) { return std::floor(cm * 1024.0 + 0.5) / 1024.0; }

/// Steers the rows of one group; every call writes its own row only and sees others as they were
/// before the tick.
struct Steering {
    const Arena& arena;
    const UnitKind& kind;
    std::span<const sim::Uid> uids;
    std::span<Position> positions;
    std::span<Motion> motions;
    std::span<Order> orders;
    std::span<const Aim> aims;

    void steer(std::size_t row) const;
    [[nodiscard]] Flat heading(const Order& order, const Aim& aim, Flat at,
                               nav::CellIndex cell) const;
    void settle(Order& order, const Crowd& crowd, nav::CellIndex cell) const;
    void move(Position& position, Motion& motion, Flat step, bool inside_wall) const;
};

/// The unit vector of where the unit wants to go; zero to stand.
Flat Steering::heading(const Order& order, const Aim& aim, Flat at, nav::CellIndex cell) const {
    const nav::FlowField& field = *arena.field;
    if (!field.passable(cell)) {
        const nav::CellIndex exit = field.nearest_ground({at.x, at.y});
        if (exit == nav::kNoCell) return {};
        const Vec3d centre = field.world_location(exit);
        return toward(at, centre.x, centre.y);
    }
    if (order.state != OrderState::kUnderWay) return {};
    if (order.kind == OrderKind::kChaseAttack && aim.valid) {
        if (aim.distance <= kind.range_cm * 0.9F) return {};
        if (aim.distance <= kCharge && open_between(field, at, aim)) {
            return toward(at, aim.x, aim.y);
        }
    }
    const TaskView task = arena.task_of(order);
    if (task.layer == nullptr || !is_reached(*task.layer, cell)) return {};
    const Vec3f way = field.direction(*task.layer, cell);
    return {way.x, way.y};
}

/// A MoveTo ends at its goal, or where the crowd around it begins.
void Steering::settle(Order& order, const Crowd& crowd, nav::CellIndex cell) const {
    if (order.kind != OrderKind::kMoveTo || order.state != OrderState::kUnderWay) return;
    const TaskView task = arena.task_of(order);
    if (task.layer == nullptr || !is_reached(*task.layer, cell)) return;
    const std::uint32_t dist = task.layer->solution.dist[cell];
    const bool in_crowd = crowd.touches_arrived && dist <= task.arrival_dist;
    if (dist <= 1 || in_crowd) order.state = OrderState::kArrived;
}

void Steering::move(Position& position, Motion& motion, Flat step, bool inside_wall) const {
    const nav::FlowField& field = *arena.field;
    const Position old = position;
    const double x = on_lattice(old.x + step.x);
    const double y = on_lattice(old.y + step.y);
    if (inside_wall || open_at(field, x, y)) {
        position = {x, y};
    } else if (open_at(field, x, old.y)) {
        position.x = x;
    } else if (open_at(field, old.x, y)) {
        position.y = y;
    }
    motion = {static_cast<float>(position.x - old.x), static_cast<float>(position.y - old.y)};
}

void Steering::steer(std::size_t row) const {
    const Flat at{static_cast<float>(positions[row].x), static_cast<float>(positions[row].y)};
    const nav::CellIndex cell = cell_at(*arena.field, positions[row].x, positions[row].y);
    Order& order = orders[row];
    const Flat way = heading(order, aims[row], at, cell);
    const bool moves = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    const std::int32_t move_task = moves ? order.task_id : 0;
    const Crowd crowd = feel_crowd(arena, at, uids[row].value, way, move_task);
    const float haste = kSpeed / (1.0F + kSlowdown * crowd.in_the_way);
    const Flat push = limited(crowd.push, kPushMax);
    const Flat step = limited({way.x * haste + push.x, way.y * haste + push.y}, kStepMax);
    move(positions[row], motions[row], step, !arena.field->passable(cell));
    settle(order, crowd, cell);
}

}  // namespace

void steer_units(sim::SystemContext& context, Arena& arena) {
    sim::World& world = context.world;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::TemplateId id = template_of(group);
        const sim::EntityGroup& rows = world.group(id);
        const Steering steering{arena,
                                kUnitKinds[group],
                                rows.uids,
                                world.column<Position>(id),
                                world.column<Motion>(id),
                                world.column<Order>(id),
                                arena.aims[group]};
        core::for_blocks(context.executor, rows.size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) {
                                 if (is_fighting(rows.tags[row])) steering.steer(row);
                             }
                         });
    }
}

}  // namespace maniple::skirmish
