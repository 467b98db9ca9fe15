#pragma once

#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/grid_path.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_query.h"

namespace maniple::nav {

/// A field with both of its possible grounds; `configured` is what it stands on while it is not
/// synced.
struct FieldGrounds {
    const FlowField& grid;
    const MeshField& mesh;
    GenerationMode configured = GenerationMode::kGrid;

    /// A synced field is of the stream's mode, whatever was configured (O-SYNC-17).
    [[nodiscard]] GenerationMode mode() const {
        if (mesh.synced()) return GenerationMode::kNavMesh;
        return grid.synced() ? GenerationMode::kGrid : configured;
    }
};

/// FindPath: the replica's path on a synced navmesh field, the provider's on another navmesh field,
/// the documented A* on a grid (PATH-001). A synced field never asks the provider's mesh.
/// @return true and the points in world cm; false and none.
bool find_path(const FieldGrounds& field, Vec3d start, Vec3d goal, PathContext& context,
               std::vector<Vec3d>& path);

/// Whether there is a valid path by the same choice; on a grid only whether its ends are valid
/// (PATH-002 … 004).
[[nodiscard]] bool is_reachable(const FieldGrounds& field, Vec3d start, Vec3d goal);

}  // namespace maniple::nav
