#pragma once

#include <string>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/nav_provider.h"
#include "maniple/skirmish/mesh_edits.h"
#include "maniple/substrate/navmesh_stream.h"

#include "goal_option.h"

namespace maniple::cli {

/// Where a navmesh comes from: a triangle mesh and what it is baked for.
struct NavMeshInput {
    std::string map;         ///< An `.obj`.
    double unit_cm = 100;    ///< Of it.
    std::string nav_config;  ///< A JSON file; empty: the defaults.
};

/// Bakes MAP, with a progress bar where that takes long; an interrupt stops it.
/// @return navmesh and what it was baked with; the refusal of a file, of its loader or of the
/// baker; kUnsupported for a map that is no triangle mesh.
[[nodiscard]] Result<skirmish::BakedGround> bake_ground(const NavMeshInput& input,
                                                        core::Executor& executor);

/// A navmesh as a stream, whose origin anchors the goals alone. A goal without a height lies on the
/// uppermost ground there, or at the origin's height where there is none.
[[nodiscard]] Result<substrate::NavMeshStream> write_navmesh(
    const nav::NavMesh& mesh, const substrate::SubstrateIdentity& identity,
    const GoalPlaces& goals);

}  // namespace maniple::cli
