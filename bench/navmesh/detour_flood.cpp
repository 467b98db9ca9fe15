#include "detour_flood.h"

#include <DetourCommon.h>
#include <algorithm>
#include <cmath>

namespace maniple::bench {
namespace {

constexpr float kUnitsPerMetre = 25'600;

/// The middle of the part of an edge that a link leads through.
void middle_of(const dtMeshTile& tile, const dtPoly& poly, const dtLink& link, float* middle) {
    const float* a = &tile.verts[3 * poly.verts[link.edge]];
    const float* b = &tile.verts[3 * poly.verts[(link.edge + 1) % poly.vertCount]];
    float t = 0.5F;
    if (link.side != 0xFF) t = static_cast<float>(link.bmin + link.bmax) / 510.0F;
    dtVlerp(middle, a, b, t);
}

}  // namespace

DetourFlood::DetourFlood(const dtNavMesh& mesh) : mesh_(mesh) {
    for (int slot = 0; slot < mesh.getMaxTiles(); ++slot) {
        const dtMeshTile* tile = mesh.getTile(slot);
        first_.push_back(centre_.size() / 3);
        if (tile->header == nullptr) continue;
        for (int p = 0; p < tile->header->polyCount; ++p) {
            float centre[3];
            dtCalcPolyCenter(centre, tile->polys[p].verts, tile->polys[p].vertCount, tile->verts);
            centre_.insert(centre_.end(), centre, centre + 3);
        }
    }
    dist_.resize(centre_.size() / 3);
}

std::size_t DetourFlood::run(dtPolyRef goal) {
    const auto later = [](const Open& a, const Open& b) { return a.dist > b.dist; };
    std::ranges::fill(dist_, ~std::uint32_t{0});
    heap_.assign(1, {0, goal});
    dist_[index(goal)] = 0;
    std::size_t reached = 0;
    while (!heap_.empty()) {
        std::ranges::pop_heap(heap_, later);
        const Open open = heap_.back();
        heap_.pop_back();
        const std::size_t at = index(open.polygon);
        if (dist_[at] != open.dist) continue;
        ++reached;
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        mesh_.getTileAndPolyByRefUnsafe(open.polygon, &tile, &poly);
        for (unsigned i = poly->firstLink; i != DT_NULL_LINK; i = tile->links[i].next) {
            const dtLink& link = tile->links[i];
            const std::size_t to = index(link.ref);
            float middle[3];
            middle_of(*tile, *poly, link, middle);
            const float metres =
                dtVdist(&centre_[3 * at], middle) + dtVdist(middle, &centre_[3 * to]);
            const std::uint32_t dist =
                open.dist + static_cast<std::uint32_t>(kUnitsPerMetre * metres + 0.5F);
            if (dist >= dist_[to]) continue;
            dist_[to] = dist;
            heap_.push_back({dist, link.ref});
            std::ranges::push_heap(heap_, later);
        }
    }
    return reached;
}

}  // namespace maniple::bench
