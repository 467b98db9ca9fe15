#pragma once

#include <DetourNavMesh.h>

#include "maniple/nav/mesh_graph.h"

namespace maniple::nav {

/// The graph of a mesh whose tiles are all in place.
[[nodiscard]] MeshGraph build_mesh_graph(const dtNavMesh& mesh);

}  // namespace maniple::nav
