#pragma once

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <memory>

#include "maniple/nav/mesh_graph.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

struct MeshReplica::Impl {
    struct Free {
        void operator()(dtNavMesh* freed) const { dtFreeNavMesh(freed); }
    };
    std::unique_ptr<dtNavMesh, Free> mesh;
    AreaCosts area_costs{};
    dtQueryFilter filter;  ///< With these costs; blocks what has no flags, as null areas do.
    std::uint64_t generation = 0;
    MeshGraph graph;
    std::size_t tile_count = 0;
    std::size_t polygon_count = 0;

    [[nodiscard]] const dtNavMesh& detour() const { return *mesh; }
    [[nodiscard]] PolygonId id_of(dtPolyRef ref) const {
        return {static_cast<std::int32_t>(mesh->decodePolyIdTile(ref)),
                static_cast<std::int32_t>(mesh->decodePolyIdPoly(ref))};
    }
};

}  // namespace maniple::nav
