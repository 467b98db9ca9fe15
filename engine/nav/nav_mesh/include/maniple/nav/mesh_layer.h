#pragma once

#include <optional>
#include <vector>

#include "maniple/nav/layer_head.h"
#include "maniple/nav/mesh_replica.h"
#include "maniple/nav/mesh_solver.h"

namespace maniple::nav {

// implements: LAY-002, O-LAY-01
/// A goal set solved over a field's mesh.
struct MeshLayer : LayerHead {
    std::vector<MeshGoal> mesh_goals;  ///< Those that project onto the mesh, in goal order.
    MeshSolution solution;             ///< Directions with the modifiers applied.
    /// The directions before modifiers (BaseNavMeshDirMap); empty where no modifier is.
    std::vector<Vec3f> base_direction;
    std::uint64_t mesh_generation = 0;  ///< Of the mesh it was solved for.

    [[nodiscard]] Vec3f unmodified_direction(PolygonIndex polygon) const {
        return base_direction.empty() ? solution.direction[polygon] : base_direction[polygon];
    }
};

/// A polygon of a layer, put together from the columns (NAVM-006). Uncovered ones have none.
struct MeshCell {
    PolygonId polygon;
    Vec3d centre;  ///< World cm.
    std::uint8_t area = 0;
    bool off_mesh = false;
    std::uint32_t dist = 0;  ///< 1/256 cm.
    Vec3f direction;
    std::optional<PolygonId> next;  ///< Nothing at a goal (O-NAVM-05).
    Vec3d goal;                     ///< As given (O-NAVM-22).
    [[nodiscard]] float dist_cm() const {
        return static_cast<float>(dist) / static_cast<float>(kMeshDistUnitsPerCm);
    }
};

}  // namespace maniple::nav
