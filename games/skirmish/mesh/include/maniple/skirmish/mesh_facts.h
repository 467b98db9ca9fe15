#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/nav/mesh_replica.h"
#include "maniple/nav/mesh_solver.h"
#include "maniple/substrate/navmesh_stream.h"

namespace maniple::skirmish {

/// A place on the mesh where a unit may stand.
struct Spot {
    nav::PolygonIndex polygon;
    std::array<std::int32_t, 3> at_cm;  ///< World.
};

/// What the plan and the map edits know of a navmesh: the authored one, nothing of a simulation.
struct MeshFacts {
    std::shared_ptr<const nav::MeshReplica> mesh;
    nav::MeshWeights weights;
    std::vector<Spot> spots;  ///< Of the largest connected ground, by polygon, then by place.

    /// Spots lie a metre apart, closer where the ground is too small for one for each of `units`.
    /// @return facts, kBadTile as MeshReplica::build, kOverCap for a mesh that reaches beyond
    /// the lattice of positions, kNoGround for one without a spot, or kTooManyUnits for more units
    /// than the largest connected ground has spots.
    [[nodiscard]] static Result<MeshFacts> of(const substrate::NavMeshView& stream,
                                              std::size_t units);

    /// What the way from each polygon to `goal` costs, and where it leads on.
    [[nodiscard]] nav::MeshSolution ways_to(nav::PolygonIndex goal) const;
};

}  // namespace maniple::skirmish
