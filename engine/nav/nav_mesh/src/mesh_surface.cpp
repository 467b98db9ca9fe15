#include "mesh_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "maniple/nav/mesh_coordinates.h"

#include "replica_impl.h"

namespace maniple::nav {
namespace {

using Triangle = std::array<Vec3d, 3>;

double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Vec3d cross(Vec3d a, Vec3d b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double squared(Vec3d v) { return dot(v, v); }

double squared_to_segment(Vec3d point, Vec3d from, Vec3d to) {
    const Vec3d along = to - from;
    const double length = squared(along);
    const double t = length == 0 ? 0 : std::clamp(dot(point - from, along) / length, 0.0, 1.0);
    return squared(point - (from + along * t));
}

/// Upwards and of unit length; nothing for a triangle without area.
std::optional<Vec3d> normal_of(Vec3d across) {
    const double length = std::sqrt(squared(across));
    if (length == 0) return std::nullopt;
    return across * ((across.z < 0 ? -1.0 : 1.0) / length);
}

/// To the plane where the triangle is under or over the point along its normal, else to its nearest
/// side.
double squared_to_triangle(Vec3d point, const Triangle& t, Vec3d normal) {
    double nearest = std::numeric_limits<double>::infinity();
    int inside = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d from = t[i];
        const Vec3d to = t[(i + 1) % 3];
        inside += dot(cross(to - from, point - from), normal) >= 0 ? 1 : -1;
        nearest = std::min(nearest, squared_to_segment(point, from, to));
    }
    if (inside != 3 && inside != -3) return nearest;
    const double height = dot(point - t[0], normal);
    return height * height;
}

class DetailMesh {
  public:
    DetailMesh(const dtMeshTile& tile, int polygon)
        : tile_(tile), poly_(tile.polys[polygon]), detail_(tile.detailMeshes[polygon]) {}

    [[nodiscard]] int triangle_count() const { return detail_.triCount; }
    [[nodiscard]] Triangle triangle(int index) const {
        const unsigned char* corners =
            &tile_.detailTris[4 * (detail_.triBase + static_cast<unsigned>(index))];
        return {corner(corners[0]), corner(corners[1]), corner(corners[2])};
    }
    /// Twice the polygon's area along each axis.
    [[nodiscard]] Vec3d polygon_across() const {
        Vec3d sum;
        for (unsigned i = 1; i + 1 < poly_.vertCount; ++i) {
            sum = sum + cross(corner(i) - corner(0), corner(i + 1) - corner(0));
        }
        return sum;
    }

  private:
    [[nodiscard]] Vec3d corner(unsigned index) const {
        if (index < poly_.vertCount) return to_world(&tile_.verts[3 * poly_.verts[index]]);
        return to_world(&tile_.detailVerts[3 * (detail_.vertBase + index - poly_.vertCount)]);
    }

    const dtMeshTile& tile_;
    const dtPoly& poly_;
    const dtPolyDetail& detail_;
};

}  // namespace

// implements: NAVM-023, O-NAVM-13
Vec3f surface_normal(const MeshReplica& mesh, const MeshPlace& place) {
    const DetailMesh detail(*mesh.impl().detour().getTile(place.polygon.slot),
                            place.polygon.polygon);
    std::optional<Vec3d> best;
    double best_squared = std::numeric_limits<double>::infinity();
    for (int i = 0; i < detail.triangle_count(); ++i) {
        const Triangle t = detail.triangle(i);
        const std::optional<Vec3d> normal = normal_of(cross(t[1] - t[0], t[2] - t[0]));
        if (!normal) continue;
        const double away = squared_to_triangle(place.location, t, *normal);
        if (away >= best_squared) continue;
        best = normal;
        best_squared = away;
    }
    if (!best) best = normal_of(detail.polygon_across());
    const Vec3d normal = best.value_or(Vec3d{0, 0, 1});
    return {static_cast<float>(normal.x), static_cast<float>(normal.y),
            static_cast<float>(normal.z)};
}

}  // namespace maniple::nav
