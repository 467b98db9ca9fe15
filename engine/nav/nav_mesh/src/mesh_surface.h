#pragma once

#include "maniple/nav/mesh_query.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// The normal of the detail triangle nearest to a place on a ground polygon, the first of equals,
/// else the polygon's own; of unit length, upwards (O-NAVM-13).
[[nodiscard]] Vec3f surface_normal(const MeshReplica& mesh, const MeshPlace& place);

}  // namespace maniple::nav
