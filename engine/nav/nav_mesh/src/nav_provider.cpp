#include "maniple/nav/nav_provider.h"

#include <utility>

namespace maniple::nav {

std::vector<MeshTile> NavMesh::tile_views() const {
    std::vector<MeshTile> views;
    views.reserve(tiles.size());
    for (const BakedTile& tile : tiles) views.push_back({tile.slot, tile.blob});
    return views;
}

Result<void> NavMesh::assemble() {
    Result<MeshReplica> built = MeshReplica::build(params, tile_views(), area_costs);
    if (!built) return refuse(built.error());
    mesh = std::make_shared<const MeshReplica>(std::move(*built));
    return {};
}

}  // namespace maniple::nav
