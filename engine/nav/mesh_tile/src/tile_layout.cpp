#include "tile_layout.h"

namespace maniple::nav::tile {

Layout layout_of(core::ByteSpan blob) {
    const auto count = [&](std::size_t at) {
        return core::load_le<std::int32_t>(blob.data() + at);
    };
    Layout l{};
    l.polys = count(kPolyCount);
    l.verts = count(kVertCount);
    l.links = count(kLinkCountMax);
    l.detail_meshes = count(kDetailMeshCount);
    l.detail_verts = count(kDetailVertCount);
    l.detail_tris = count(kDetailTriCount);
    l.bv_nodes = count(kBvNodeCount);
    l.off_mesh = count(kOffMeshCount);

    std::uint64_t at = kHeaderBytes;
    const auto section = [&](std::int32_t items, std::size_t bytes) {
        const std::uint64_t begin = at;
        at += static_cast<std::uint64_t>(items) * bytes;
        return begin;
    };
    l.verts_at = section(l.verts, kVertBytes);
    l.polys_at = section(l.polys, kPolyBytes);
    l.links_at = section(l.links, kLinkBytes);
    l.detail_meshes_at = section(l.detail_meshes, kDetailMeshBytes);
    l.detail_verts_at = section(l.detail_verts, kVertBytes);
    l.detail_tris_at = section(l.detail_tris, kDetailTriBytes);
    l.bv_nodes_at = section(l.bv_nodes, kBvNodeBytes);
    l.off_mesh_at = section(l.off_mesh, kOffMeshBytes);
    l.end = at;
    return l;
}

}  // namespace maniple::nav::tile
