#include "maniple/nav/mesh_replica.h"

#include <DetourAlloc.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "mesh_graph_builder.h"
#include "replica_impl.h"

namespace maniple::nav {
namespace {

struct FreeData {
    void operator()(unsigned char* data) const { dtFree(data); }
};
using LiveTile = std::unique_ptr<unsigned char, FreeData>;

dtMeshHeader read_header(core::ByteSpan blob) {
    dtMeshHeader header;
    std::memcpy(&header, blob.data(), sizeof header);
    return header;
}

/// A copy for Detour to write into, with room for one link more than the blob has. Detour drops
/// links it has no room for without a word: the spare link is in use exactly when that happened to
/// the blob as it is.
LiveTile copy_with_spare_link(core::ByteSpan blob, std::size_t& size) {
    dtMeshHeader header = read_header(blob);
    const std::size_t links_end = sizeof header +
                                  3 * sizeof(float) * std::size_t(header.vertCount) +
                                  sizeof(dtPoly) * std::size_t(header.polyCount) +
                                  sizeof(dtLink) * std::size_t(header.maxLinkCount);
    size = blob.size() + sizeof(dtLink);
    LiveTile live(static_cast<unsigned char*>(dtAlloc(size, DT_ALLOC_PERM)));
    MANIPLE_ASSERT(live != nullptr);
    ++header.maxLinkCount;
    std::memcpy(live.get(), blob.data(), links_end);
    std::memcpy(live.get(), &header, sizeof header);
    std::memset(live.get() + links_end, 0, sizeof(dtLink));
    std::memcpy(live.get() + links_end + sizeof(dtLink), blob.data() + links_end,
                blob.size() - links_end);
    return live;
}

dtNavMeshParams detour_params(const MeshParams& params) {
    dtNavMeshParams out{};
    std::ranges::copy(params.origin, out.orig);
    out.tileWidth = params.tile_width;
    out.tileHeight = params.tile_height;
    out.maxTiles = params.tiles_max;
    out.maxPolys = params.polygons_max;
    return out;
}

// implements: O-NAVM-14
std::uint64_t next_generation() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

/// Takes the flags of every polygon of the null area: the stock filter asks for at least one. The
/// pristine blob keeps them.
// implements: NAVM-026, PATH-021, O-NAVM-11
void block_null_areas(dtNavMesh& mesh, dtTileRef place) {
    const dtMeshTile* tile = mesh.getTileByRef(place);
    const dtPolyRef base = mesh.getPolyRefBase(tile);
    for (int i = 0; i < tile->header->polyCount; ++i) {
        if (tile->polys[i].getArea() != 0) continue;
        mesh.setPolyFlags(base | static_cast<dtPolyRef>(i), 0);
    }
}

}  // namespace

MeshReplica::MeshReplica(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MeshReplica::~MeshReplica() = default;
MeshReplica::MeshReplica(MeshReplica&&) noexcept = default;
MeshReplica& MeshReplica::operator=(MeshReplica&&) noexcept = default;

// implements: O-SYNC-12, O-SYNC-13, O-SYNC-14, O-SYNC-37
Result<MeshReplica> MeshReplica::build(const MeshParams& params, std::span<const MeshTile> tiles,
                                       const AreaCosts& area_costs) {
    auto impl = std::make_unique<Impl>();
    impl->generation = next_generation();
    impl->area_costs = area_costs;
    for (std::size_t area = 0; area < kMeshAreaCount; ++area) {
        impl->filter.setAreaCost(static_cast<int>(area), area_costs[area]);
    }
    impl->mesh.reset(dtAllocNavMesh());
    const dtNavMeshParams detour = detour_params(params);
    if (dtStatusFailed(impl->mesh->init(&detour))) {
        return refuse(ErrorCode::kBadValue, "Detour refuses the navmesh parameters");
    }
    const std::uint32_t salts = (1U << salt_bits(params)) - 1;
    for (const MeshTile& tile : tiles) {
        MANIPLE_ASSERT(tile.slot < params.tiles_max);
        const std::uint32_t salt = 1 + core::crc32(tile.blob) % salts;
        const dtTileRef place = impl->mesh->encodePolyId(salt, static_cast<unsigned>(tile.slot), 0);
        std::size_t size = 0;
        LiveTile live = copy_with_spare_link(tile.blob, size);
        if (dtStatusFailed(impl->mesh->addTile(live.get(), static_cast<int>(size),
                                               DT_TILE_FREE_DATA, place, nullptr))) {
            return refuse(ErrorCode::kBadTile,
                          "Detour refuses the tile of slot " + std::to_string(tile.slot));
        }
        static_cast<void>(live.release());  // The mesh frees it.
        block_null_areas(*impl->mesh, place);
        ++impl->tile_count;
        impl->polygon_count += std::size_t(read_header(tile.blob).polyCount);
    }
    for (const MeshTile& tile : tiles) {
        if (impl->detour().getTile(tile.slot)->linksFreeList == DT_NULL_LINK) {
            return refuse(ErrorCode::kBadTile, "the tile of slot " + std::to_string(tile.slot) +
                                                   " has more links than room for them");
        }
    }
    impl->graph = build_mesh_graph(impl->detour());
    return MeshReplica(std::move(impl));
}

const MeshGraph& MeshReplica::graph() const { return impl_->graph; }

const AreaCosts& MeshReplica::area_costs() const { return impl_->area_costs; }
std::uint64_t MeshReplica::generation() const { return impl_->generation; }
std::size_t MeshReplica::tile_count() const { return impl_->tile_count; }
std::size_t MeshReplica::polygon_count() const { return impl_->polygon_count; }

std::uint32_t MeshReplica::polygon_ref(PolygonId id) const {
    const dtNavMesh& mesh = impl_->detour();
    if (id.slot < 0 || id.slot >= mesh.getMaxTiles()) return 0;
    const dtMeshTile* tile = mesh.getTile(id.slot);
    if (tile->header == nullptr || id.polygon < 0 || id.polygon >= tile->header->polyCount) {
        return 0;
    }
    return mesh.getPolyRefBase(tile) | static_cast<dtPolyRef>(id.polygon);
}

}  // namespace maniple::nav
