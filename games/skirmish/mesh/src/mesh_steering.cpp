#include <algorithm>
#include <array>
#include <cmath>

#include "marching.h"
#include "mesh_arena.h"

namespace maniple::skirmish {
namespace {

constexpr double kStepOnCm = 100;       ///< Of a connection's end: near enough to step on it.
constexpr double kGoalCm = 100;         ///< Of the goal: arrived.
constexpr double kPortalMargin = 0.15;  ///< Of a portal's width, kept free at each end.

double length(Vec3d v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

double cross(Vec2d a, Vec2d b) { return a.x * b.y - a.y * b.x; }

/// Where on a portal to leave through it: where the wanted direction crosses it, else its nearest
/// point; never close to its posts.
Vec2d through(const nav::MeshGraph::Portal& portal, Vec2d from, Vec2d direction) {
    const Vec2d left{portal.left.x, portal.left.y};
    const Vec2d side = Vec2d{portal.right.x, portal.right.y} - left;
    const double across = cross(direction, side);
    const double square = dot(side, side);
    double t = square > 0 ? dot(from - left, side) / square : 0.5;
    if (across != 0 && cross(left - from, side) / across > 0) {
        t = cross(left - from, direction) / across;
    }
    return left + side * std::clamp(t, kPortalMargin, 1 - kPortalMargin);
}

/// Steers the rows of one group; every call writes its own rows only and sees others as they were
/// before the tick.
struct MeshSteering {
    const MeshArena& arena;
    const UnitKind& kind;
    const UnitRows& rows;
    std::span<Footing> footings;
    std::size_t first_rank;

    [[nodiscard]] const nav::MeshGraph& graph() const { return arena.mesh->graph(); }
    /// The way that the layer leads on from a polygon; null at a goal and off the flow.
    [[nodiscard]] const nav::MeshEdge* way_on(const nav::MeshLayer* layer,
                                              nav::PolygonIndex polygon) const;
    [[nodiscard]] Flat heading(std::size_t row) const;
    [[nodiscard]] Flat along_flow(const nav::MeshLayer& layer, nav::PolygonIndex polygon,
                                  Vec2d at) const;
    [[nodiscard]] GoalZone zone_of(std::size_t row) const;
    void aim(std::size_t row, Stride& stride) const;
    void go(std::size_t begin, std::size_t end) const;
    void move(std::size_t row, Vec2d to, double speed, nav::MeshContext& context) const;
    void walk(std::size_t row, Vec2d to, nav::MeshContext& context) const;
    /// @return whether it arrived.
    bool go_straight(std::size_t row, Vec3d to, double speed) const;
    void find_ground(std::size_t row, double speed, nav::MeshContext& context) const;
    void cross_over(std::size_t row, nav::PolygonIndex connection, double speed) const;
    void step_onto_connection(std::size_t row) const;
};

const nav::MeshEdge* MeshSteering::way_on(const nav::MeshLayer* layer,
                                          nav::PolygonIndex polygon) const {
    if (layer == nullptr || !leads_on(*layer, polygon)) return nullptr;
    const std::uint32_t edge = layer->solution.via[polygon];
    return edge == nav::MeshSolution::kNoEdge ? nullptr : &graph().edges()[edge];
}

Flat MeshSteering::along_flow(const nav::MeshLayer& layer, nav::PolygonIndex polygon,
                              Vec2d at) const {
    const nav::MeshEdge* way = way_on(&layer, polygon);
    if (way == nullptr) {
        const std::uint32_t goal = layer.solution.goal[polygon];
        const Vec3d& place = layer.mesh_goals[goal].projected;
        return toward(at, {place.x, place.y});
    }
    const Vec3f& wanted = layer.solution.direction[polygon];
    return toward(at, through(graph().portal(*way), at, {wanted.x, wanted.y}));
}

/// The unit vector of where the unit wants to go; zero to stand.
Flat MeshSteering::heading(std::size_t row) const {
    const std::size_t rank = first_rank + row;
    const nav::PolygonIndex polygon = arena.polygons[rank];
    const Order& order = rows.orders[row];
    if (polygon == nav::kNoPolygon || order.state != OrderState::kUnderWay) return {};
    const Vec2d at = rows.positions[row].cm();
    const Aim& aim = arena.arena.aims[rank];
    if (order.kind == OrderKind::kChaseAttack && aim.valid) {
        if (aim.distance <= kind.range_cm * kHaltShare) return {};
        if (aim.distance <= kCharge) return toward(at, {aim.x, aim.y});
    }
    const MeshTaskView task = arena.task_of(order);
    if (task.layer == nullptr || !leads_on(*task.layer, polygon)) return {};
    return along_flow(*task.layer, polygon, at);
}

GoalZone MeshSteering::zone_of(std::size_t row) const {
    const nav::PolygonIndex polygon = arena.polygons[first_rank + row];
    const MeshTaskView task = arena.task_of(rows.orders[row]);
    if (task.layer == nullptr || !leads_on(*task.layer, polygon)) return GoalZone::kFar;
    const std::uint32_t goal = task.layer->solution.goal[polygon];
    const Vec3d off =
        task.layer->mesh_goals[goal].projected - location_of(rows.positions[row], footings[row]);
    const double distance = length(off);
    if (distance <= kGoalCm) return GoalZone::kGoal;
    return distance <= task.arrival_cm ? GoalZone::kNear : GoalZone::kFar;
}

void MeshSteering::aim(std::size_t row, Stride& stride) const {
    const Order& order = rows.orders[row];
    const bool moves = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    stride.heading = heading(row);
    stride.move_task = moves ? order.task_id : -1;
    stride.zone = moves ? zone_of(row) : GoalZone::kFar;
}

void MeshSteering::walk(std::size_t row, Vec2d to, nav::MeshContext& context) const {
    Footing& footing = footings[row];
    Position& at = rows.positions[row];
    if (Position::exactly(to) == at) return;
    const nav::MeshPlace from{{footing.slot, footing.polygon}, location_of(at, footing)};
    stand(nav::walk_on_mesh(*arena.mesh, from, {to.x, to.y, footing.z}, context), at, footing);
}

bool MeshSteering::go_straight(std::size_t row, Vec3d to, double speed) const {
    const Vec3d at = location_of(rows.positions[row], footings[row]);
    const Vec3d off = to - at;
    const double left = length(off);
    const bool arrives = left <= speed;
    put(arrives ? to : at + off * (speed / left), rows.positions[row], footings[row]);
    return arrives;
}

/// Out of a wall that rose around it, whatever is in between.
void MeshSteering::find_ground(std::size_t row, double speed, nav::MeshContext& context) const {
    const Vec3d at = location_of(rows.positions[row], footings[row]);
    const auto place = nearest_ground(*arena.mesh, at, context);
    if (place && go_straight(row, place->location, speed)) {
        stand(*place, rows.positions[row], footings[row]);
    }
}

/// One step towards the end of a connection that the order leads off by, else its first.
void MeshSteering::cross_over(std::size_t row, nav::PolygonIndex connection, double speed) const {
    const auto ways = graph().edges_of(connection);
    const nav::MeshEdge* way = way_on(arena.task_of(rows.orders[row]).layer, connection);
    if (way == nullptr && !ways.empty()) way = &ways.front();
    if (way == nullptr) {
        footings[row].polygon = -1;  // No way off: it looks for ground.
    } else if (go_straight(row, way->middle, speed)) {
        stand({graph().id(way->to), way->middle}, rows.positions[row], footings[row]);
    }
}

void MeshSteering::step_onto_connection(std::size_t row) const {
    Footing& footing = footings[row];
    if (rows.orders[row].state != OrderState::kUnderWay) return;
    const nav::PolygonIndex polygon = graph().index({footing.slot, footing.polygon});
    const nav::MeshEdge* way = way_on(arena.task_of(rows.orders[row]).layer, polygon);
    if (way == nullptr || !graph().off_mesh(way->to)) return;
    if (length(way->middle - location_of(rows.positions[row], footing)) > kStepOnCm) return;
    footing.slot = graph().id(way->to).slot;
    footing.polygon = graph().id(way->to).polygon;
}

void MeshSteering::move(std::size_t row, Vec2d to, double speed, nav::MeshContext& context) const {
    const nav::PolygonIndex polygon = arena.polygons[first_rank + row];
    if (polygon == nav::kNoPolygon) {
        find_ground(row, speed, context);
    } else if (graph().off_mesh(polygon)) {
        cross_over(row, polygon, speed);
    } else {
        walk(row, to, context);
        step_onto_connection(row);
    }
}

void MeshSteering::go(std::size_t begin, std::size_t end) const {
    nav::MeshContext context;
    Steps steps;
    load_steps(arena.arena, kind, rows, first_rank, begin, end, steps);
    take_steps(steps, end - begin);
    for (std::size_t row = begin; row < end; ++row) {
        if (arena.arena.places[first_rank + row].team < 0) continue;
        const std::size_t i = row - begin;
        const Position old = rows.positions[row];
        move(row, {steps.x[i], steps.y[i]}, double{steps.speed[i]}, context);
        rows.motions[row] = Motion::between(old, rows.positions[row]);
        note_arrival(arena.arena.strides[first_rank + row], rows.orders[row]);
    }
}

}  // namespace

void steer_on_mesh(sim::SystemContext& context, MeshArena& mesh_arena) {
    if (mesh_arena.mesh == nullptr) return;
    const AllRows all = all_rows(context.world);
    const AllFootings footings = all_footings(context.world);
    steer(context.executor, mesh_arena.arena, all, [&](std::size_t group) {
        return MeshSteering{mesh_arena, kUnitKinds[group], all[group], footings[group],
                            mesh_arena.arena.first_rank[group]};
    });
}

}  // namespace maniple::skirmish
