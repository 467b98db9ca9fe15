#pragma once

#include "maniple/core/math.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// Where a step over the surface ends: from a place on the ground towards `to`, world cm, sliding
/// along walls and never over an off-mesh connection; a step crosses some 16 polygons at most. The
/// same bits for equal meshes. Any number of threads, each with its own context.
/// @return place on the surface; `from` for a polygon that is not there and for numbers that are
/// not finite.
[[nodiscard]] MeshPlace walk_on_mesh(const MeshReplica& mesh, const MeshPlace& from, Vec3d to,
                                     MeshContext& context);

}  // namespace maniple::nav
