#include <algorithm>
#include <cmath>

#include "maniple/core/quantise.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/ground_fall.h"

namespace maniple::nav {
namespace {

bool is_finite(Vec2d v) { return std::isfinite(v.x) && std::isfinite(v.y); }

/// Between two normals, of unit length again.
Vec3f blend(Vec3f a, Vec3f b, double t) {
    const auto s = static_cast<float>(t);
    return core::normalised({a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s, a.z + (b.z - a.z) * s});
}

double blend(double a, double b, double t) { return a + (b - a) * t; }

}  // namespace

// implements: GRID-007, GRID-025, O-GRID-27
CellIndexAnswer FlowField::world_to_index(Vec2d location) const {
    if (!initialised()) return {};
    const GridGeometry::Located located = geometry().world_to_grid(location);
    return {geometry().index(located.coord), located.inside};
}

// implements: GRID-003, GRID-004, GRID-005, O-GRID-01, O-GRID-35
GridCell FlowField::cell_view(CellIndex index) const {
    const auto& n = substrate_.normal[index];
    GridCell cell;
    cell.coord = geometry().coord(index);
    cell.location = world_location(index);
    cell.normal = core::dequant_normal(n[0], n[1], n[2]);
    cell.cost = current_cost(index);
    cell.type = static_cast<CellType>(substrate_.type[index]);
    cell.dist = config_.distance_limit;
    if (!default_layer_.solved) return cell;
    cell.dist = default_layer_.solution.dist[index];
    cell.direction = direction(default_layer_, index);
    if (!default_layer_.reached(index)) return cell;
    const std::uint16_t goal = default_layer_.goal_label(geometry(), index);
    cell.goal_coord = geometry().coord(default_layer_.goal_cells[goal]);
    cell.goal = default_layer_.goals[goal];
    return cell;
}

// implements: GRID-010, GRID-026, GRID-027
CellAnswer FlowField::cell_at(Vec2d location) const {
    if (!initialised()) return cell_at(GridCoord{});
    const GridGeometry::Located located = geometry().world_to_grid(location);
    return {cell_view(geometry().index(located.coord)), located.inside};
}

// implements: GRID-010, GRID-028
CellAnswer FlowField::cell_at(GridCoord coord) const {
    if (!initialised()) {
        GridCell none;
        none.dist = config_.distance_limit;
        return {none, false};
    }
    const GridCoord inside{std::clamp(coord.x, 0, geometry().x_num() - 1),
                           std::clamp(coord.y, 0, geometry().y_num() - 1)};
    return {cell_view(geometry().index(inside)), inside == coord};
}

// implements: GRID-045, GRID-046, GRID-047, O-GRID-23, O-GRID-33
Vec3f FlowField::average_direction(Vec2d location, double radius_cm) const {
    if (!default_layer_.solved || !is_finite(location) || !std::isfinite(radius_cm)) return {};
    const GridGeometry& g = geometry();
    const Vec2d at = g.to_grid(location);
    const double radius = std::max(radius_cm, 0.0) / g.cell_size_cm();
    const auto first = [&](double v, std::int32_t count) {
        return core::clamp_to_i32(std::floor(v - radius), 0, count);
    };
    const auto last = [&](double v, std::int32_t count) {
        return core::clamp_to_i32(std::ceil(v + radius), -1, count - 1);
    };
    Vec2d sum;
    bool any = false;
    for (std::int32_t x = first(at.x, g.x_num()); x <= last(at.x, g.x_num()); ++x) {
        for (std::int32_t y = first(at.y, g.y_num()); y <= last(at.y, g.y_num()); ++y) {
            // The point of the cell's square nearest to the circle's centre.
            const Vec2d away{std::max(std::abs(at.x - x) - 0.5, 0.0),
                             std::max(std::abs(at.y - y) - 0.5, 0.0)};
            const CellIndex cell = g.index({x, y});
            if (dot(away, away) > radius * radius) continue;
            if (current_cost(cell) == kImpassableCost || !default_layer_.reached(cell)) continue;
            const Vec3f dir = direction(default_layer_, cell);
            sum = sum + Vec2d{dir.x, dir.y};
            any = true;
        }
    }
    if (!any) {
        const CellIndex ground = nearest_ground(location);
        if (ground == kNoCell) return {};
        sum = g.cell_centre(g.coord(ground)) - location;
    }
    const Vec2d mean = core::safe_normal(sum);
    return {static_cast<float>(mean.x), static_cast<float>(mean.y), 0.0F};
}

// implements: GRID-054, GRID-055, O-GRID-18
GroundAnswer FlowField::interpolated_ground(Vec2d location) const {
    if (!initialised() || !is_finite(location)) return {};
    const GridGeometry& g = geometry();
    const Vec2d at = g.to_grid(location);
    const GridCoord low{core::clamp_to_i32(std::floor(at.x), -1, g.x_num()),
                        core::clamp_to_i32(std::floor(at.y), -1, g.y_num())};
    if (!g.contains(low) || !g.contains({low.x + 1, low.y + 1})) return {};
    const double tx = at.x - low.x;
    const double ty = at.y - low.y;
    const auto corner = [&](std::int32_t dx, std::int32_t dy) {
        return g.index({low.x + dx, low.y + dy});
    };
    const auto empty = [&](CellIndex cell) {
        return static_cast<CellType>(substrate_.type[cell]) == CellType::kEmpty;
    };
    const auto normal = [&](CellIndex cell) {
        const auto& n = substrate_.normal[cell];
        return core::dequant_normal(n[0], n[1], n[2]);
    };
    const CellIndex c00 = corner(0, 0), c10 = corner(1, 0), c01 = corner(0, 1), c11 = corner(1, 1);
    if (empty(c00) || empty(c10) || empty(c01) || empty(c11)) return {};
    const auto height = [&](CellIndex cell) { return static_cast<double>(substrate_.z_cm[cell]); };
    GroundAnswer answer;
    answer.valid = true;
    const double low_z = blend(height(c00), height(c10), tx);
    const double high_z = blend(height(c01), height(c11), tx);
    answer.location = {location.x, location.y, g.origin().z + blend(low_z, high_z, ty)};
    answer.normal =
        blend(blend(normal(c00), normal(c10), tx), blend(normal(c01), normal(c11), tx), ty);
    return answer;
}

// implements: GRID-056, GRID-057
GroundAnswer FlowField::ground_location(Vec3d agent, double self_radius_cm, double half_height_cm,
                                        TraceMode mode, double kill_z) {
    return ground_by(
        mode, host_.lockstep, [&] { return interpolated_ground({agent.x, agent.y}); },
        [&] {
            return fall_to_ground(host_.world, {agent, self_radius_cm, half_height_cm}, kill_z,
                                  setup_.ground_mask);
        });
}

}  // namespace maniple::nav
