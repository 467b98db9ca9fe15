#include "maniple/terrain/height_map_world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "triangle_traces.h"

namespace maniple::terrain {
namespace {

/// A place between four samples.
struct LatticePlace {
    std::int32_t x0, x1, y0, y1;
    double across, along;  ///< From the sample (x0, y0), 0 … 1.
};

LatticePlace locate(const HeightMap& map, Vec2d place) {
    const auto axis = [&](double world, std::int32_t count) {
        const double at = std::clamp(world / map.spacing_cm, 0.0, count - 1.0);
        const auto low = std::min(static_cast<std::int32_t>(at), std::max(count - 2, 0));
        return std::pair(low, at - low);
    };
    const auto [x, across] = axis(place.x, map.width);
    const auto [y, along] = axis(place.y, map.height);
    return {x, std::min(x + 1, map.width - 1), y, std::min(y + 1, map.height - 1), across, along};
}

double height_at(const HeightMap& map, const LatticePlace& p) {
    const double right = map.z_cm(p.x1, p.y0);
    const double below = map.z_cm(p.x0, p.y1);
    if (p.across + p.along <= 1) {
        const double corner = map.z_cm(p.x0, p.y0);
        return corner + p.across * (right - corner) + p.along * (below - corner);
    }
    const double corner = map.z_cm(p.x1, p.y1);
    return corner + (1 - p.across) * (below - corner) + (1 - p.along) * (right - corner);
}

/// Rise per centimetre at a sample: central differences, at the border one-sided.
Vec2d gradient_at(const HeightMap& map, std::int32_t x, std::int32_t y) {
    const std::int32_t x0 = std::max(x - 1, 0), x1 = std::min(x + 1, map.width - 1);
    const std::int32_t y0 = std::max(y - 1, 0), y1 = std::min(y + 1, map.height - 1);
    const double spacing = map.spacing_cm;
    return {x1 == x0 ? 0 : (map.z_cm(x1, y) - map.z_cm(x0, y)) / ((x1 - x0) * spacing),
            y1 == y0 ? 0 : (map.z_cm(x, y1) - map.z_cm(x, y0)) / ((y1 - y0) * spacing)};
}

Vec3f normal_at(const HeightMap& map, const LatticePlace& p) {
    const Vec2d upper =
        gradient_at(map, p.x0, p.y0) * (1 - p.across) + gradient_at(map, p.x1, p.y0) * p.across;
    const Vec2d lower =
        gradient_at(map, p.x0, p.y1) * (1 - p.across) + gradient_at(map, p.x1, p.y1) * p.across;
    const Vec2d rise = upper * (1 - p.along) + lower * p.along;
    return core::normalised({static_cast<float>(-rise.x), static_cast<float>(-rise.y), 1.0F});
}

}  // namespace

struct HeightMapWorld::Triangles final : TriangleSource {
    explicit Triangles(const HeightMap& of) : map(of) {
        const auto [low, high] = std::minmax_element(of.samples.begin(), of.samples.end());
        box = {{0, 0, of.low_cm + of.step_cm * *low},
               {double(of.width - 1) * of.spacing_cm, double(of.height - 1) * of.spacing_cm,
                of.low_cm + of.step_cm * *high}};
    }

    [[nodiscard]] WorldBounds bounds() const override { return box; }

    void visit(btTriangleCallback& callback, const btVector3& low,
               const btVector3& high) const override {
        const auto square = [&](double world, std::int32_t count) {
            return static_cast<std::int32_t>(
                std::clamp(std::floor(world / map.spacing_cm), 0.0, std::max(count - 2.0, 0.0)));
        };
        if (map.width < 2 || map.height < 2) return;
        for (std::int32_t x = square(low.x(), map.width); x <= square(high.x(), map.width); ++x) {
            for (std::int32_t y = square(low.y(), map.height); y <= square(high.y(), map.height);
                 ++y) {
                visit_square(callback, x, y);
            }
        }
    }

    void visit_square(btTriangleCallback& callback, std::int32_t x, std::int32_t y) const {
        const auto corner = [&](std::int32_t i, std::int32_t j) {
            return btVector3(double(i) * map.spacing_cm, double(j) * map.spacing_cm,
                             map.z_cm(i, j));
        };
        const std::int32_t number = 2 * (x * (map.height - 1) + y);
        btVector3 first[3] = {corner(x, y), corner(x + 1, y), corner(x, y + 1)};
        callback.processTriangle(first, 0, number);
        btVector3 second[3] = {corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)};
        callback.processTriangle(second, 0, number + 1);
    }

    const HeightMap& map;
    WorldBounds box;
};

HeightMapWorld::HeightMapWorld(HeightMap map)
    : map_(std::move(map)), triangles_(std::make_unique<Triangles>(map_)) {}
HeightMapWorld::~HeightMapWorld() = default;

WorldBounds HeightMapWorld::bounds() const {
    WorldBounds bounds = triangles_->bounds();
    const double half = map_.spacing_cm / 2.0;
    bounds.low = bounds.low - Vec3d{half, half, 0};
    bounds.high = bounds.high + Vec3d{half, half, 0};
    return bounds;
}

std::optional<nav::SurfaceHit> HeightMapWorld::surface_below(Vec2d place) const {
    const WorldBounds inside = bounds();
    if (!(place.x >= inside.low.x && place.x < inside.high.x && place.y >= inside.low.y &&
          place.y < inside.high.y)) {
        return std::nullopt;
    }
    const LatticePlace lattice = locate(map_, place);
    return nav::SurfaceHit{{place.x, place.y, height_at(map_, lattice)}, normal_at(map_, lattice)};
}

std::optional<nav::SurfaceHit> HeightMapWorld::trace_line(Vec3d from, Vec3d to,
                                                          nav::TraceMask mask) const {
    if ((mask & kGroundSurface) == 0) return std::nullopt;
    if (from.x != to.x || from.y != to.y) return terrain::trace_line(*triangles_, from, to);
    const auto hit = surface_below({from.x, from.y});
    if (!hit || !(hit->point.z >= std::min(from.z, to.z)) ||
        !(hit->point.z <= std::max(from.z, to.z))) {
        return std::nullopt;
    }
    if (from.z >= hit->point.z) return hit;
    return nav::SurfaceHit{hit->point, {-hit->normal.x, -hit->normal.y, -hit->normal.z}};
}

std::optional<nav::SurfaceHit> HeightMapWorld::sweep_sphere(Vec3d from, Vec3d to, double radius_cm,
                                                            nav::TraceMask mask) const {
    if ((mask & kGroundSurface) == 0) return std::nullopt;
    return terrain::sweep_sphere(*triangles_, from, to, radius_cm);
}

std::optional<nav::SurfaceHit> HeightMapWorld::sweep_capsule(Vec3d from, Vec3d to, double radius_cm,
                                                             double half_height_cm,
                                                             nav::TraceMask mask) const {
    if ((mask & kGroundSurface) == 0) return std::nullopt;
    return terrain::sweep_capsule(*triangles_, from, to, radius_cm, half_height_cm);
}

}  // namespace maniple::terrain
