#include <DetourNavMeshQuery.h>
#include <algorithm>
#include <cmath>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_replica.h"

#include "replica_impl.h"

namespace maniple::nav {
namespace {

constexpr float kTilesAroundMax = 64;

bool usable(const MeshPosition& position) {
    return std::ranges::all_of(position, [](float v) { return std::abs(v) <= kMeshValueMax; });
}

}  // namespace

struct MeshQuery::Impl {
    struct Free {
        void operator()(dtNavMeshQuery* freed) const { dtFreeNavMeshQuery(freed); }
    };
    const MeshReplica::Impl* replica;
    std::unique_ptr<dtNavMeshQuery, Free> query;
    dtQueryFilter filter;

    [[nodiscard]] dtPolyRef ref_of(PolygonId id) const {
        const dtMeshTile* tile = replica->detour().getTile(id.slot);
        return replica->detour().getPolyRefBase(tile) | static_cast<dtPolyRef>(id.polygon);
    }
};

MeshQuery::MeshQuery(const MeshReplica& replica, std::span<const float, kAreaCount> area_costs)
    : impl_(std::make_unique<Impl>()) {
    impl_->replica = replica.impl_.get();
    impl_->query.reset(dtAllocNavMeshQuery());
    const dtStatus status = impl_->query->init(&impl_->replica->detour(), kSearchNodesMax);
    MANIPLE_ASSERT(dtStatusSucceed(status));
    static_cast<void>(status);
    for (std::size_t area = 0; area < kAreaCount; ++area) {
        impl_->filter.setAreaCost(static_cast<int>(area), area_costs[area]);
    }
}

MeshQuery::~MeshQuery() = default;

std::optional<MeshQuery::Nearest> MeshQuery::nearest(const MeshPosition& position,
                                                     const MeshPosition& half_extents) const {
    if (!usable(position) || !usable(half_extents)) return std::nullopt;
    const dtNavMeshParams* params = impl_->replica->detour().getParams();
    MeshPosition extents = half_extents;
    extents[0] = std::min(extents[0], kTilesAroundMax * params->tileWidth);
    extents[2] = std::min(extents[2], kTilesAroundMax * params->tileHeight);
    dtPolyRef ref = 0;
    Nearest found;
    const dtStatus status = impl_->query->findNearestPoly(
        position.data(), extents.data(), &impl_->filter, &ref, found.position.data());
    if (dtStatusFailed(status) || ref == 0) return std::nullopt;
    found.polygon = impl_->replica->id_of(ref);
    return found;
}

MeshQuery::Path MeshQuery::find_path(const Nearest& from, const Nearest& to) const {
    Path path;
    std::vector<dtPolyRef> corridor(kPathPolygonsMax);
    int count = 0;
    const dtPolyRef target = impl_->ref_of(to.polygon);
    const dtStatus status = impl_->query->findPath(
        impl_->ref_of(from.polygon), target, from.position.data(), to.position.data(),
        &impl_->filter, corridor.data(), &count, kPathPolygonsMax);
    if (dtStatusFailed(status) || count == 0) return path;
    path.complete = corridor[static_cast<std::size_t>(count) - 1] == target;
    for (int i = 0; i < count; ++i) {
        path.corridor.push_back(impl_->replica->id_of(corridor[static_cast<std::size_t>(i)]));
    }
    path.points.resize(kPathPolygonsMax);
    int points = 0;
    impl_->query->findStraightPath(from.position.data(), to.position.data(), corridor.data(), count,
                                   path.points[0].data(), nullptr, nullptr, &points,
                                   kPathPolygonsMax);
    path.points.resize(static_cast<std::size_t>(points));
    return path;
}

}  // namespace maniple::nav
