#pragma once

#include <DetourNavMeshQuery.h>
#include <optional>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_query.h"

#include "replica_impl.h"

namespace maniple::nav {

struct MeshContext::Impl {
    dtNavMeshQuery query;
    std::uint64_t generation = 0;  ///< Of the mesh that the query is set up for; 0 is none.
};

namespace detail {

/// Nodes of a query object that runs no search.
inline constexpr int kNoSearchNodes = 64;
/// Nodes of a context's, which looks for the polygons around a place.
inline constexpr int kCircleNodes = 512;

inline void set_up(dtNavMeshQuery& query, const MeshReplica& mesh, int nodes) {
    const dtStatus status = query.init(&mesh.impl().detour(), nodes);
    MANIPLE_ASSERT(dtStatusSucceed(status));
    static_cast<void>(status);
}

/// The context's query object, set up for `mesh`.
const dtNavMeshQuery& query_of(MeshContext& context, const MeshReplica& mesh);

/// A polygon of the ground, and the point on it in Recast coordinates.
struct Projection {
    dtPolyRef ref = 0;
    MeshPosition position{};
};
/// As project_to_mesh, with a query object that was set up for the mesh.
std::optional<Projection> project(const dtNavMeshQuery& query, const MeshReplica& mesh,
                                  Vec3d location, Vec3d half_extents_cm);

}  // namespace detail
}  // namespace maniple::nav
