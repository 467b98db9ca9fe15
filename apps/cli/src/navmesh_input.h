#pragma once

#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/nav_provider.h"
#include "maniple/skirmish/mesh_edits.h"
#include "maniple/substrate/navmesh_stream.h"

#include "goal_option.h"
#include "refusal.h"

namespace maniple::cli {

/// Where a navmesh comes from: a triangle mesh and what it is baked for.
struct NavMeshInput {
    std::string map;         ///< An `.obj`.
    double unit_cm = 100;    ///< Of it.
    std::string nav_config;  ///< A JSON file; empty: the defaults.
};

/// Bakes MAP, with a progress bar where that takes long; an interrupt stops it.
/// @return navmesh and what it was baked with; the refusal of a file, of its loader or of the
/// baker; kUnsupported for a map that is no triangle mesh. A link that joins nothing is the
/// configuration's.
[[nodiscard]] FileResult<skirmish::BakedGround> bake_ground(const NavMeshInput& input,
                                                            core::Executor& executor);

/// The goals with heights, world cm: one without lies on the uppermost ground there, or at
/// `otherwise_cm` where there is none.
[[nodiscard]] std::vector<Vec3d> goals_on_ground(const nav::MeshReplica& mesh,
                                                 const GoalPlaces& goals, double otherwise_cm);

/// A place given as X,Y[,Z], found like a goal; without ground at height 0.
[[nodiscard]] Vec3d place_on_ground(const nav::MeshReplica& mesh, const Place& place);

/// Says on stderr which places lie on no ground; `texts` are what `option` had of them.
void warn_off_mesh(const nav::MeshReplica& mesh, const std::string& option,
                   const std::vector<std::string>& texts, const std::vector<Vec3d>& places);

/// World places as a stream with this identity has them.
[[nodiscard]] std::vector<substrate::GoalCm> relative_goals(
    const std::vector<Vec3d>& goals, const substrate::SubstrateIdentity& identity);

}  // namespace maniple::cli
