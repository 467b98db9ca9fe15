#include "mesh_ray.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace maniple::nav {
namespace {

constexpr float kParallel = 1e-8F;
constexpr int kEndsInside = -1;

struct Ray {
    FlatPoint start;
    FlatPoint along;
};

/// Where a ray leaves a convex polygon.
struct Exit {
    int side = kEndsInside;
    float t = 1;  ///< Of the whole ray.
};

/// Nothing when the ray misses the polygon. Its vertices go round so that the inside is on the
/// positive side of every edge.
std::optional<Exit> leave(const Ray& ray, std::span<const MeshPosition> vertices) {
    float entered = 0;
    Exit exit;
    std::size_t j = vertices.size() - 1;
    for (std::size_t i = 0; i < vertices.size(); j = i++) {
        const FlatPoint corner{vertices[j][0], vertices[j][2]};
        const FlatPoint edge{vertices[i][0] - corner.x, vertices[i][2] - corner.z};
        const FlatPoint away{ray.start.x - corner.x, ray.start.z - corner.z};
        const float inside = edge.z * away.x - edge.x * away.z;
        const float turn = ray.along.z * edge.x - ray.along.x * edge.z;
        if (std::abs(turn) < kParallel) {
            if (inside < 0) return std::nullopt;
            continue;
        }
        const float t = inside / turn;
        if (turn < 0) {
            entered = std::max(entered, t);
        } else if (t < exit.t) {
            exit = {static_cast<int>(j), t};
        }
        if (entered > exit.t) return std::nullopt;
    }
    return exit;
}

/// Whether a ray that leaves by this edge meets the part of it that leads to the neighbour.
bool passes(const MeshGraph& graph, const MeshEdge& edge, const Ray& ray, float t) {
    if (edge.side == MeshEdge::kInside) return true;
    if (edge.portal_low == 0 && edge.portal_high == MeshEdge::kWholeEdge) return true;
    const auto vertices = graph.vertices(edge.from);
    const MeshPosition& left = vertices[edge.edge];
    const MeshPosition& right = vertices[(edge.edge + 1U) % vertices.size()];
    // Sides 0 and 4 of a tile run along Z, 2 and 6 along X.
    const bool along_z = edge.side == 0 || edge.side == 4;
    const std::size_t axis = along_z ? 2 : 0;
    const auto place = [&](std::uint8_t part) {
        return left[axis] + (right[axis] - left[axis]) *
                                (static_cast<float>(part) / float{MeshEdge::kWholeEdge});
    };
    const auto [low, high] = std::minmax({place(edge.portal_low), place(edge.portal_high)});
    const float at = along_z ? ray.start.z + ray.along.z * t : ray.start.x + ray.along.x * t;
    return at >= low && at <= high;
}

}  // namespace

PolygonIndex cast_ray(const MeshGraph& graph, PolygonIndex from, FlatPoint start, FlatPoint end,
                      int polygons_max) {
    const Ray ray{start, {end.x - start.x, end.z - start.z}};
    PolygonIndex polygon = from;
    for (int visited = 0; visited < polygons_max; ++visited) {
        const std::optional<Exit> exit = leave(ray, graph.vertices(polygon));
        if (!exit) return kNoPolygon;
        if (exit->side == kEndsInside) return polygon;
        PolygonIndex next = kNoPolygon;
        for (const MeshEdge& edge : graph.edges_of(polygon)) {
            if (edge.edge != exit->side || !passes(graph, edge, ray, exit->t)) continue;
            next = edge.to;
            break;
        }
        if (next == kNoPolygon) return kNoPolygon;
        polygon = next;
    }
    return kNoPolygon;
}

}  // namespace maniple::nav
