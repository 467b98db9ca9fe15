#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// A world of formulas: a ground height and normal for each place (none = a hole), and boxes of
/// obstacles. Bit 1 is ground, bit 2 obstacles.
class FormulaWorld final : public WorldQuery {
  public:
    struct Box {
        Vec3d low;
        Vec3d high;
    };
    std::function<std::optional<SurfaceHit>(double x, double y)> ground;
    std::vector<Box> boxes;

    [[nodiscard]] std::optional<SurfaceHit> trace_line(Vec3d from, Vec3d to,
                                                       TraceMask mask) const override {
        if ((mask & 1U) == 0 || !ground) return std::nullopt;
        const auto hit = ground(from.x, from.y);
        if (!hit || hit->point.z > from.z || hit->point.z < to.z) return std::nullopt;
        return hit;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_sphere(Vec3d from, Vec3d, double radius_cm,
                                                         TraceMask mask) const override {
        if ((mask & 2U) == 0) return std::nullopt;
        for (const Box& box : boxes) {
            const auto gap = [](double v, double low, double high) {
                return v < low ? low - v : v > high ? v - high : 0.0;
            };
            const double dx = gap(from.x, box.low.x, box.high.x);
            const double dy = gap(from.y, box.low.y, box.high.y);
            const double dz = gap(from.z, box.low.z, box.high.z);
            if (dx * dx + dy * dy + dz * dz <= radius_cm * radius_cm) return SurfaceHit{from, {}};
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_capsule(Vec3d from, Vec3d to, double, double,
                                                          TraceMask mask) const override {
        return trace_line(from, to, mask);
    }
};

inline FormulaWorld flat_world(double z) {
    FormulaWorld world;
    world.ground = [z](double x, double y) { return SurfaceHit{{x, y, z}, {0, 0, 1}}; };
    return world;
}

}  // namespace maniple::nav
