#pragma once

#include <vector>

#include "maniple/nav/mesh_solver.h"

namespace maniple::nav {

/// Polygons whose ways are still to be followed: those below the end of the window, and the others.
/// As much of both as is in use has a count of its own.
struct MeshScratch::Parts {
    std::vector<PolygonIndex> near;
    std::vector<PolygonIndex> far;
};

}  // namespace maniple::nav
