#include <algorithm>
#include <cmath>

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr float kPushMax = 12.0F;
constexpr float kStepMore = 8.0F;   ///< Over its speed, when pushed: far less than a cell.
constexpr float kSlowdown = 0.2F;   ///< A neighbour in the way costs this share of haste.
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

double on_lattice(double cm) { return std::floor(cm * 1024.0 + 0.5) / 1024.0; }

/// Steers the rows of one group; every call writes its own row only and sees others as they were
/// before the tick.
struct Steering {
    const Arena& arena;
    const UnitKind& kind;
    const UnitRows& rows;
    std::size_t first_rank;

    [[nodiscard]] Flat heading(const Order& order, const Aim& aim, const Place& place,
                               nav::CellIndex cell) const;
    /// Where it wants to go: heading and task of its stride.
    void aim(std::size_t row, Stride& stride) const;
    /// Goes there as far as the crowd and the ground allow.
    void go(std::size_t row, const Stride& stride) const;
    [[nodiscard]] GoalZone zone_of(const Order& order, nav::CellIndex cell) const;
    void move(std::size_t row, Flat step) const;
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

void Steering::move(std::size_t row, Flat step) const {
    const nav::FlowField& field = *arena.field;
    Position& position = rows.positions[row];
    const Position old = position;
    const double x = on_lattice(old.x + step.x);
    const double y = on_lattice(old.y + step.y);
    const nav::GridGeometry::Located at = field.geometry().world_to_grid({x, y});
    const nav::CellIndex cell = field.geometry().index(at.coord);
    // Most steps end in the cell they began in. Who stands in a wall may go anywhere.
    const bool stays = at.inside && cell == arena.cells[first_rank + row];
    if (!arena.places[first_rank + row].on_ground || stays || (at.inside && field.passable(cell))) {
        position = {x, y};
    } else if (open_at(field, x, old.y)) {
        position.x = x;
    } else if (open_at(field, old.x, y)) {
        position.y = y;
    }
    rows.motions[row] = {static_cast<float>(position.x - old.x),
                         static_cast<float>(position.y - old.y)};
}

void Steering::aim(std::size_t row, Stride& stride) const {
    const std::size_t rank = first_rank + row;
    const Order& order = rows.orders[row];
    const bool moves = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    stride.heading = heading(order, arena.aims[rank], arena.places[rank], arena.cells[rank]);
    stride.move_task = moves ? order.task_id : -1;
    stride.zone = moves ? zone_of(order, arena.cells[rank]) : GoalZone::kFar;
}

void Steering::go(std::size_t row, const Stride& stride) const {
    // An army marches at the pace of its foot; only the hunt goes at a gallop.
    const bool hunts = rows.orders[row].kind == OrderKind::kChaseAttack;
    const float speed = hunts ? kind.speed_cm : kFootSpeedCm;
    const Crowd& crowd = stride.crowd;
    const float haste = speed / (1.0F + kSlowdown * crowd.in_the_way);
    const Flat push = limited(crowd.push, kPushMax);
    const Flat step = limited(
        {stride.heading.x * haste + push.x, stride.heading.y * haste + push.y}, speed + kStepMore);
    move(row, step);
    const bool in_crowd = stride.zone == GoalZone::kNear && crowd.touches_arrived;
    if (stride.zone == GoalZone::kGoal || in_crowd) rows.orders[row].state = OrderState::kArrived;
}

/// Calls visit(steering, row, stride) for every living unit, in parallel over blocks of rows.
template <typename Visit>
void for_units(sim::SystemContext& context, Arena& arena, const AllRows& all, const Visit& visit) {
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const std::size_t first = arena.first_rank[group];
        const Steering steering{arena, kUnitKinds[group], all[group], first};
        core::for_blocks(context.executor, all[group].size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) {
                                 if (arena.places[first + row].team < 0) continue;
                                 visit(steering, row, arena.strides[first + row]);
                             }
                         });
    }
}

/// All units around one cell, team by team and row by row.
void gather(const Arena& arena, std::int32_t row, std::int32_t column, Neighbours& neighbours) {
    neighbours.clear();
    for (const UnitGrid& grid : arena.grids) {
        if (grid.size() == 0) continue;
        const GridBounds& bounds = grid.bounds();
        const std::int32_t low = std::max(column - 1, 0);
        const std::int32_t high = std::min(column + 1, bounds.x_num - 1);
        const std::int32_t last = std::min(row + 1, bounds.y_num - 1);
        for (std::int32_t r = std::max(row - 1, 0); r <= last; ++r) {
            const UnitGrid::Span span = grid.slots(r, low, high);
            neighbours.add(grid.x().data() + span.begin, grid.y().data() + span.begin,
                           grid.arrived_task().data() + span.begin, span.end - span.begin);
        }
    }
    neighbours.pad();
}

/// On one spot there is no direction to push: the UIDs decide who goes which way.
Flat part_from(const Arena& arena, const CrowdQuery& query, std::int32_t uid) {
    Flat push;
    for (const UnitGrid& grid : arena.grids) {
        grid.for_near(query.x, query.y, kSamePlaceCm, [&](std::uint32_t slot) {
            const float off_x = query.x - grid.x()[slot];
            const float off_y = query.y - grid.y()[slot];
            const bool same = off_x * off_x + off_y * off_y < kSamePlaceCm * kSamePlaceCm;
            if (same && grid.uid()[slot] != uid) {
                push.x += uid < grid.uid()[slot] ? -4.0F : 4.0F;
                push.y += (uid & 1) != 0 ? 2.0F : -2.0F;
            }
            return true;
        });
    }
    return push;
}

/// The memory of one block: what the units of a cell ask together.
struct Gathering {
    Neighbours neighbours;
    std::vector<CrowdQuery> queries;
    std::vector<Crowd> crowds;
};

/// How many slots ahead strides are fetched: they lie in the order of rows.
constexpr std::size_t kFetchSlots = 24;

/// Answers the units of one cell, the slots [begin, end).
void feel_cell(Arena& arena, const UnitGrid& grid, std::size_t begin, std::size_t end,
               Gathering& gathering) {
    gathering.queries.clear();
    gathering.crowds.resize(end - begin);
    for (std::size_t slot = begin; slot < end; ++slot) {
        const Stride& stride = arena.strides[grid.rank()[slot]];
        gathering.queries.push_back(
            {grid.x()[slot], grid.y()[slot], stride.heading, stride.move_task});
    }
    feel_crowd(gathering.neighbours, gathering.queries, gathering.crowds);
    for (std::size_t slot = begin; slot < end; ++slot) {
        Crowd& crowd = arena.strides[grid.rank()[slot]].crowd;
        crowd = gathering.crowds[slot - begin];
        if (crowd.same_place < 2) continue;
        const Flat away = part_from(arena, gathering.queries[slot - begin], grid.uid()[slot]);
        crowd.push = {crowd.push.x + away.x, crowd.push.y + away.y};
    }
}

/// Answers the units of the cells that begin in the slots [begin, end).
void feel_block(Arena& arena, const UnitGrid& grid, std::size_t begin, std::size_t end) {
    const std::vector<std::uint32_t>& cells = grid.cell();
    const auto x_num = static_cast<std::uint32_t>(grid.bounds().x_num);
    Gathering gathering;
    std::size_t i = begin;
    while (i < end && i > 0 && cells[i] == cells[i - 1]) ++i;
    while (i < end) {
        std::size_t stop = i + 1;
        while (stop < grid.size() && cells[stop] == cells[i]) ++stop;
        for (std::size_t slot = i + kFetchSlots; slot < std::min(stop + kFetchSlots, grid.size());
             ++slot) {
            __builtin_prefetch(&arena.strides[grid.rank()[slot]], 1);
        }
        gather(arena, static_cast<std::int32_t>(cells[i] / x_num),
               static_cast<std::int32_t>(cells[i] % x_num), gathering.neighbours);
        feel_cell(arena, grid, i, stop, gathering);
        i = stop;
    }
}

}  // namespace

void steer_units(sim::SystemContext& context, Arena& arena) {
    const AllRows all = all_rows(context.world);
    for_units(context, arena, all, [](const Steering& steering, std::size_t row, Stride& stride) {
        steering.aim(row, stride);
    });
    for (const UnitGrid& grid : arena.grids) {
        core::for_blocks(
            context.executor, grid.size(), kBlockRows,
            [&](std::size_t begin, std::size_t end) { feel_block(arena, grid, begin, end); });
    }
    for_units(context, arena, all,
              [](const Steering& steering, std::size_t row, const Stride& stride) {
                  steering.go(row, stride);
              });
}

}  // namespace maniple::skirmish
