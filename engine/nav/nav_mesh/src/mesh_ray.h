#pragma once

#include "maniple/nav/mesh_graph.h"

namespace maniple::nav {

/// A ray of the direction field that crosses more polygons counts as stopped.
inline constexpr int kRayPolygonsMax = 64;

/// Walks straight over the surface, as Detour's raycast does but in this layer's own arithmetic:
/// `start` lies in `from`, heights do not count, off-mesh connections are not taken.
/// @return the polygon that `end` was reached in, or kNoPolygon for a ray that hits a wall or
/// crosses more than `polygons_max`.
[[nodiscard]] PolygonIndex cast_ray(const MeshGraph& graph, PolygonIndex from, FlatPoint start,
                                    FlatPoint end, int polygons_max = kRayPolygonsMax);

}  // namespace maniple::nav
