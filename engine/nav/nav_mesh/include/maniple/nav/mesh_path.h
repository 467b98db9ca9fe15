#pragma once

#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// Polygons that one search opens, those of its corridor, and points of its path. Equal on every
/// peer: a search that meets a limit gives the part it has, as a partial path (O-PATH-05).
inline constexpr int kMeshSearchNodesMax = 2048;
inline constexpr int kMeshCorridorMax = 512;
inline constexpr int kMeshPathPointsMax = 512;

/// How far off the mesh an agent may stand for a plain search on a provider's mesh to take it as
/// standing on it: Unreal's default query extent, half extents in cm. Reachability on a provider's
/// mesh has these extents at both ends instead of path_stop_search_cm, as TestPathSync has them
/// (PATH-003): from a place farther off find_path_navmesh goes straight to the mesh, over ground
/// that nothing has tested, so what it finds from there is no proof of a way. A synced field's
/// reachability is its path's, with the path's extents (PATH-002).
inline constexpr Vec3d kAgentExtentsCm{50, 50, 250};

/// The path of a synced field: Detour's corridor search, pulled straight, on the replica alone
/// (PATH-020 … 026). Both ends are projected with config.path_stop_search_cm. A goal that cannot be
/// reached gives the way to the reachable polygon nearest to it. `mesh` null: no replica yet
/// (PATH-036). Each call has a query object of its own; `context` is reserved and not used.
/// @return true and the points in world cm, first `start`, last the projected goal or, of a partial
/// path, the point of its last polygon nearest to that; false and no points where an end does not
/// project.
bool find_path_replica(const MeshReplica* mesh, const FieldConfig& config, Vec3d start, Vec3d goal,
                       MeshContext* context, std::vector<Vec3d>& path);

/// The path of a field that is not synced, on the provider's mesh (PATH-014 … 019): the same, but
/// the search begins where `start` stands on the mesh within kAgentExtentsCm. A start
/// farther off is projected with config.path_stop_search_cm, as the goal is, and the way from it to
/// the mesh becomes a segment of its own. `mesh` null: no navmesh.
/// @return true and the points, false and none where an end does not project.
bool find_path_navmesh(const MeshReplica* mesh, const FieldConfig& config, Vec3d start, Vec3d goal,
                       std::vector<Vec3d>& path);

/// Whether a complete path leads from start to goal; a partial one does not count (PATH-002,
/// PATH-003, O-PATH-12). The first is of a synced field, the second of a provider's mesh, whose
/// ends have to lie within kAgentExtentsCm of it.
[[nodiscard]] bool is_reachable_replica(const MeshReplica* mesh, const FieldConfig& config,
                                        Vec3d start, Vec3d goal);
[[nodiscard]] bool is_reachable_navmesh(const MeshReplica* mesh, Vec3d start, Vec3d goal);

}  // namespace maniple::nav
