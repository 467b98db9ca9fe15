#include "maniple/terrain/grid_world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "maniple/core/quantise.h"
#include "maniple/substrate/grid_export.h"

#include "box_sweep.h"

namespace maniple::terrain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Far over the rounding of a turned grid, far under a quantised centimetre.
constexpr double kObstacleInsetCm = 1e-3;

bool is_finite(const Vec3d& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The part of the way, in shares of it, on which low − radius ≤ from + t·way ≤ high + radius.
struct Part {
    double begin = 0;
    double end = 1;
    void cut(double from, double way, double low, double high) {
        if (way == 0) {
            if (from < low || from > high) end = -1;
            return;
        }
        begin = std::max(begin, std::min((low - from) / way, (high - from) / way));
        end = std::min(end, std::max((low - from) / way, (high - from) / way));
    }
};

std::int32_t cell_at(double local, double cell_cm, std::int32_t count) {
    return core::clamp_to_i32(std::floor(local / cell_cm + 0.5), 0, count - 1);
}

}  // namespace

/// The nearest thing met so far.
struct GridWorld::Contact {
    double at = kInfinity;  ///< Share of the way.
    Box box;                ///< Grown up and down by the body's core.
    bool is_ground = false;
    nav::CellIndex cell = nav::kNoCell;
};

GridWorld::GridWorld(const substrate::CheckedView& map)
    : ground_(substrate::read_grid_stream(map)),
      cos_yaw_(core::cos_centideg(ground_.geometry.yaw_centideg())),
      sin_yaw_(core::sin_centideg(ground_.geometry.yaw_centideg())) {}

Vec3d GridWorld::to_local(Vec3d world) const {
    const nav::GridGeometry& grid = ground_.geometry;
    const Vec3d p = world - grid.origin();
    const double half = grid.cell_size_cm() / 2.0;
    return {p.x * cos_yaw_ + p.y * sin_yaw_ + (grid.x_num() - 1) * half,
            -p.x * sin_yaw_ + p.y * cos_yaw_ + (grid.y_num() - 1) * half, p.z};
}

Vec3d GridWorld::to_world(Vec3d local) const {
    const nav::GridGeometry& grid = ground_.geometry;
    const double half = grid.cell_size_cm() / 2.0;
    const double x = local.x - (grid.x_num() - 1) * half;
    const double y = local.y - (grid.y_num() - 1) * half;
    return grid.origin() + Vec3d{x * cos_yaw_ - y * sin_yaw_, x * sin_yaw_ + y * cos_yaw_, local.z};
}

WorldBounds GridWorld::bounds() const {
    const nav::GridGeometry& grid = ground_.geometry;
    const double half = grid.cell_size_cm() / 2.0;
    WorldBounds bounds{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const double x : {-half, grid.x_num() * 2 * half - half}) {
        for (const double y : {-half, grid.y_num() * 2 * half - half}) {
            const Vec3d corner = to_world({x, y, 0});
            bounds.low.x = std::min(bounds.low.x, corner.x);
            bounds.low.y = std::min(bounds.low.y, corner.y);
            bounds.high.x = std::max(bounds.high.x, corner.x);
            bounds.high.y = std::max(bounds.high.y, corner.y);
        }
    }
    for (const std::int32_t z : ground_.z_cm) {
        bounds.low.z = std::min(bounds.low.z, grid.origin().z + z);
        bounds.high.z = std::max(bounds.high.z, grid.origin().z + z);
    }
    return bounds;
}

std::optional<std::uint8_t> GridWorld::ground_cost(Vec2d place) const {
    const auto located = ground_.geometry.world_to_grid(place);
    const nav::CellIndex cell = ground_.geometry.index(located.coord);
    const bool is_ground = static_cast<nav::CellType>(ground_.type[cell]) == nav::CellType::kGround;
    if (!located.inside || !is_ground) return std::nullopt;
    return ground_.cost[cell];
}

void GridWorld::meet_cell(nav::CellIndex cell, const Vec3d& from, const Vec3d& way,
                          const Body& body, nav::TraceMask mask, Contact& nearest) const {
    const auto type = static_cast<nav::CellType>(ground_.type[cell]);
    if (type == nav::CellType::kEmpty) return;
    const nav::GridCoord coord = ground_.geometry.coord(cell);
    const double size = ground_.geometry.cell_size_cm();
    const double x = coord.x * size;
    const double y = coord.y * size;
    const auto meet = [&](double half, double top, bool is_ground) {
        const Box box{{x - half, y - half, -kInfinity}, {x + half, y + half, top}};
        const auto at = sweep_ball_to_box(from, way, body.radius_cm, box);
        if (at && *at < nearest.at) nearest = {*at, box, is_ground, cell};
    };
    const bool is_obstacle =
        type == nav::CellType::kObstacle || ground_.cost[cell] == nav::kImpassableCost;
    if (is_obstacle && (mask & kObstacleSurface) != 0) {
        meet(size / 2 - kObstacleInsetCm, kInfinity, false);
    }
    if ((mask & kGroundSurface) != 0) meet(size / 2, ground_.z_cm[cell] + body.core_cm, true);
}

std::optional<nav::SurfaceHit> GridWorld::sweep(Vec3d world_from, Vec3d world_to, const Body& body,
                                                nav::TraceMask mask) const {
    if (!is_finite(world_from) || !is_finite(world_to)) return std::nullopt;
    const nav::GridGeometry& grid = ground_.geometry;
    const double size = grid.cell_size_cm();
    const Vec3d from = to_local(world_from);
    const Vec3d way = to_local(world_to) - from;
    const double reach = body.radius_cm + size / 2;
    Part part;
    part.cut(from.x, way.x, -reach, grid.x_num() * size + reach);
    part.cut(from.y, way.y, -reach, grid.y_num() * size + reach);
    if (part.begin > part.end) return std::nullopt;
    // Piece by piece of about a cell, so that only cells near the way are asked.
    const double across = std::max(std::abs(way.x), std::abs(way.y)) * (part.end - part.begin);
    const double pieces = std::floor(across / size) + 1;
    Contact nearest;
    for (double piece = 0; piece < pieces; ++piece) {
        const double t0 = part.begin + (part.end - part.begin) * (piece / pieces);
        const double t1 = part.begin + (part.end - part.begin) * ((piece + 1) / pieces);
        const Vec3d a = from + way * t0;
        const Vec3d b = from + way * t1;
        const auto low_x = cell_at(std::min(a.x, b.x) - body.radius_cm, size, grid.x_num());
        const auto high_x = cell_at(std::max(a.x, b.x) + body.radius_cm, size, grid.x_num());
        const auto low_y = cell_at(std::min(a.y, b.y) - body.radius_cm, size, grid.y_num());
        const auto high_y = cell_at(std::max(a.y, b.y) + body.radius_cm, size, grid.y_num());
        for (std::int32_t x = low_x; x <= high_x; ++x) {
            for (std::int32_t y = low_y; y <= high_y; ++y) {
                meet_cell(grid.index({x, y}), from, way, body, mask, nearest);
            }
        }
        if (nearest.at <= t1) break;
    }
    if (nearest.cell == nav::kNoCell) return std::nullopt;

    return surface_at(nearest, from + way * nearest.at, way, body);
}

nav::SurfaceHit GridWorld::surface_at(const Contact& contact, const Vec3d& centre, const Vec3d& way,
                                      const Body& body) const {
    Vec3d touched = nearest_in_box(centre, contact.box);
    Vec3d away = centre - touched;
    const bool on_top = contact.is_ground && touched.z >= contact.box.high.z;
    if (on_top) touched.z -= body.core_cm;
    if (on_top && away.x == 0 && away.y == 0) {
        const auto& normal = ground_.normal[contact.cell];
        return {to_world(touched), core::dequant_normal(normal[0], normal[1], normal[2])};
    }
    // A line, or a start inside: the side that the way comes from.
    if (away == Vec3d{}) away = Vec3d{-way.x, -way.y, 0};
    const Vec3d turned = to_world(away) - to_world({});
    const Vec3f normal = core::normalised(
        {static_cast<float>(turned.x), static_cast<float>(turned.y), static_cast<float>(turned.z)});
    return {to_world(touched), normal == Vec3f{} ? Vec3f{0, 0, 1} : normal};
}

std::optional<nav::SurfaceHit> GridWorld::trace_line(Vec3d from, Vec3d to,
                                                     nav::TraceMask mask) const {
    const bool upright = from.x == to.x && from.y == to.y;
    if (!upright || !is_finite(from) || !is_finite(to)) return sweep(from, to, {0, 0}, mask);
    // On a border between two cells the one that owns the place is asked (GRID-023).
    const auto located = ground_.geometry.world_to_grid({from.x, from.y});
    if (!located.inside) return std::nullopt;
    const nav::CellIndex cell = ground_.geometry.index(located.coord);
    const auto type = static_cast<nav::CellType>(ground_.type[cell]);
    if (type == nav::CellType::kEmpty) return std::nullopt;
    const auto& normal = ground_.normal[cell];
    nav::SurfaceHit hit{from, core::dequant_normal(normal[0], normal[1], normal[2])};
    const bool is_obstacle =
        type == nav::CellType::kObstacle || ground_.cost[cell] == nav::kImpassableCost;
    if (is_obstacle && (mask & kObstacleSurface) != 0) return hit;
    if ((mask & kGroundSurface) == 0) return std::nullopt;
    const double top = ground_.geometry.origin().z + ground_.z_cm[cell];
    if (from.z <= top) return hit;
    if (to.z > top) return std::nullopt;
    hit.point.z = top;
    return hit;
}

std::optional<nav::SurfaceHit> GridWorld::sweep_sphere(Vec3d from, Vec3d to, double radius_cm,
                                                       nav::TraceMask mask) const {
    return sweep(from, to, {radius_cm, 0}, mask);
}

std::optional<nav::SurfaceHit> GridWorld::sweep_capsule(Vec3d from, Vec3d to, double radius_cm,
                                                        double half_height_cm,
                                                        nav::TraceMask mask) const {
    return sweep(from, to, {radius_cm, half_height_cm - radius_cm}, mask);
}

}  // namespace maniple::terrain
