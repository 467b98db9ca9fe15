#include "maniple/nav/mesh_query.h"

#include <algorithm>
#include <cmath>

#include "detour_query.h"

namespace maniple::nav {
namespace {

constexpr double kExtentFallbackCm = 500;
constexpr float kTilesAroundMax = 64;

/// Whether Recast coordinates of a place are numbers that tiles may hold, too; false for NaN.
bool usable(Vec3d cm) {
    constexpr double kMax = kMeshUnitCm * kMeshValueMax;
    return std::abs(cm.x) <= kMax && std::abs(cm.y) <= kMax && std::abs(cm.z) <= kMax;
}

MeshPosition mesh_extents(const dtNavMeshParams& params, Vec3d half_extents_cm) {
    MeshPosition extents = to_mesh(half_extents_cm);
    for (float& extent : extents) extent = std::abs(extent);
    extents[0] = std::min(extents[0], kTilesAroundMax * params.tileWidth);
    extents[2] = std::min(extents[2], kTilesAroundMax * params.tileHeight);
    return extents;
}

}  // namespace

MeshContext::MeshContext() : impl_(std::make_unique<Impl>()) {}
MeshContext::~MeshContext() = default;
MeshContext::MeshContext(MeshContext&&) noexcept = default;
MeshContext& MeshContext::operator=(MeshContext&&) noexcept = default;

// implements: O-NAVM-12
Vec3d search_extents(Vec3d half_extents_cm) {
    const auto or_fallback = [](double extent) { return extent > 0 ? extent : kExtentFallbackCm; };
    return {or_fallback(half_extents_cm.x), or_fallback(half_extents_cm.y),
            or_fallback(half_extents_cm.z)};
}

std::optional<MeshPlace> project_to_mesh(const MeshReplica& mesh, Vec3d location,
                                         Vec3d half_extents_cm, MeshContext* context) {
    std::optional<detail::Projection> found;
    if (context != nullptr) {
        found = detail::project(detail::query_of(*context, mesh), mesh, location, half_extents_cm);
    } else {
        dtNavMeshQuery query;
        detail::set_up(query, mesh, detail::kNoSearchNodes);
        found = detail::project(query, mesh, location, half_extents_cm);
    }
    if (!found) return std::nullopt;
    return MeshPlace{mesh.impl().id_of(found->ref), to_world(found->position)};
}

namespace detail {

// implements: NAVM-027, O-NAVM-14
const dtNavMeshQuery& query_of(MeshContext& context, const MeshReplica& mesh) {
    MeshContext::Impl& impl = context.impl();
    if (impl.generation != mesh.generation()) {
        set_up(impl.query, mesh, kCircleNodes);
        impl.generation = mesh.generation();
    }
    return impl.query;
}

// implements: NAVM-025, NAVM-026
std::optional<Projection> project(const dtNavMeshQuery& query, const MeshReplica& mesh,
                                  Vec3d location, Vec3d half_extents_cm) {
    if (!usable(location) || !usable(half_extents_cm)) return std::nullopt;
    const MeshReplica::Impl& impl = mesh.impl();
    const MeshPosition centre = to_mesh(location);
    const MeshPosition extents = mesh_extents(*impl.detour().getParams(), half_extents_cm);
    Projection found;
    const dtStatus status = query.findNearestPoly(centre.data(), extents.data(), &impl.filter,
                                                  &found.ref, found.position.data());
    if (dtStatusFailed(status) || found.ref == 0) return std::nullopt;
    const dtMeshTile* tile = nullptr;
    const dtPoly* polygon = nullptr;
    impl.detour().getTileAndPolyByRefUnsafe(found.ref, &tile, &polygon);
    if (polygon->getType() == DT_POLYTYPE_OFFMESH_CONNECTION) return std::nullopt;
    return found;
}

}  // namespace detail
}  // namespace maniple::nav
