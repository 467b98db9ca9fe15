#include "maniple/nav/mesh_walk.h"

#include <array>

#include "detour_query.h"
#include "mesh_vectors.h"

namespace maniple::nav {
namespace {

constexpr int kCrossedMax = 16;

}  // namespace

MeshPlace walk_on_mesh(const MeshReplica& mesh, const MeshPlace& from, Vec3d to,
                       MeshContext& context) {
    const dtPolyRef ref = mesh.polygon_ref(from.polygon);
    if (ref == 0 || !is_finite(from.location) || !is_finite(to)) return from;
    const dtNavMeshQuery& query = detail::query_of(context, mesh);
    const MeshPosition start = to_mesh(from.location);
    const MeshPosition end = to_mesh(to);
    MeshPosition reached{};
    std::array<dtPolyRef, kCrossedMax> crossed;
    int count = 0;
    const dtStatus status =
        query.moveAlongSurface(ref, start.data(), end.data(), &mesh.impl().filter, reached.data(),
                               crossed.data(), &count, kCrossedMax);
    if (dtStatusFailed(status) || count == 0) return from;
    const dtPolyRef last = crossed[static_cast<std::size_t>(count) - 1];
    // The move itself is flat; the height is the surface's.
    float height = 0;
    if (dtStatusSucceed(query.getPolyHeight(last, reached.data(), &height))) reached[1] = height;
    return {mesh.impl().id_of(last), to_world(reached)};
}

}  // namespace maniple::nav
