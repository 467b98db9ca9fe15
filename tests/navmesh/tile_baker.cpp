#include "tile_baker.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

namespace maniple::tests {
namespace {

constexpr float kCellHeight = 0.2F;
constexpr float kAgentHeight = 2.0F;
constexpr float kAgentRadius = 0.5F;
constexpr float kClimb = 0.9F;
constexpr int kBorderCells = 4;
constexpr unsigned char kWalkFlag = 1;
constexpr unsigned char kLinkArea = 5;

/// A Recast object with its own allocate and free.
template <typename T, T* (*kAllocate)(), void (*kFree)(T*)>
struct Owned {
    std::unique_ptr<T, void (*)(T*)> object{kAllocate(), kFree};
    T& operator*() { return *object; }
    T* operator->() { return object.get(); }
};
using Heightfield = Owned<rcHeightfield, rcAllocHeightfield, rcFreeHeightField>;
using Compact = Owned<rcCompactHeightfield, rcAllocCompactHeightfield, rcFreeCompactHeightfield>;
using Contours = Owned<rcContourSet, rcAllocContourSet, rcFreeContourSet>;
using PolyMesh = Owned<rcPolyMesh, rcAllocPolyMesh, rcFreePolyMesh>;
using Detail = Owned<rcPolyMeshDetail, rcAllocPolyMeshDetail, rcFreePolyMeshDetail>;

struct Triangles {
    std::vector<float> verts;
    std::vector<int> indices;
    std::vector<int> areas;  ///< Of each triangle; empty for Recast's own.
};

void require(bool done) {
    if (!done) std::abort();
}

rcConfig config_of(const BakeSettings& s, int tile_x, int tile_z) {
    rcConfig c{};
    c.cs = s.cell_size;
    c.ch = kCellHeight;
    c.walkableSlopeAngle = 50;
    c.walkableHeight = static_cast<int>(std::ceil(kAgentHeight / c.ch));
    c.walkableClimb = static_cast<int>(kClimb / c.ch);
    c.walkableRadius = static_cast<int>(std::ceil(kAgentRadius / c.cs));
    c.maxEdgeLen = 24;
    c.maxSimplificationError = 1.3F;
    c.minRegionArea = 4;
    c.mergeRegionArea = 20;
    c.maxVertsPerPoly = DT_VERTS_PER_POLYGON;
    c.tileSize = s.tile_cells;
    c.borderSize = kBorderCells;
    c.width = c.tileSize + 2 * c.borderSize;
    c.height = c.width;
    c.detailSampleDist = 3;
    c.detailSampleMaxError = kCellHeight;
    const float edge = s.cell_size * static_cast<float>(s.tile_cells);
    const float border = s.cell_size * static_cast<float>(c.borderSize);
    const float low[3] = {edge * static_cast<float>(tile_x) - border, -1,
                          edge * static_cast<float>(tile_z) - border};
    const float high[3] = {edge * static_cast<float>(tile_x + 1) + border, 20,
                           edge * static_cast<float>(tile_z + 1) + border};
    std::ranges::copy(low, c.bmin);
    std::ranges::copy(high, c.bmax);
    return c;
}

/// Two triangles a cell of one height function, where all four corners are at or above `lowest`.
void add_sheet(const BakeSettings& s, const std::function<float(int, int)>& height, float lowest,
               int tile_x, int tile_z, Triangles& out) {
    const int x_begin = std::max(0, tile_x * s.tile_cells - kBorderCells);
    const int z_begin = std::max(0, tile_z * s.tile_cells - kBorderCells);
    const int x_end =
        std::min(s.tiles_x * s.tile_cells, (tile_x + 1) * s.tile_cells + kBorderCells);
    const int z_end =
        std::min(s.tiles_z * s.tile_cells, (tile_z + 1) * s.tile_cells + kBorderCells);
    const int row = z_end - z_begin + 1;
    const int first = static_cast<int>(out.verts.size() / 3);
    for (int x = x_begin; x <= x_end; ++x) {
        for (int z = z_begin; z <= z_end; ++z) {
            out.verts.insert(out.verts.end(), {static_cast<float>(x) * s.cell_size, height(x, z),
                                               static_cast<float>(z) * s.cell_size});
            if (x == x_end || z == z_end) continue;
            const float low = std::min(std::min(height(x, z), height(x + 1, z)),
                                       std::min(height(x, z + 1), height(x + 1, z + 1)));
            if (low < lowest) continue;
            const int corner = first + (x - x_begin) * row + (z - z_begin);
            out.indices.insert(out.indices.end(), {corner, corner + 1, corner + row + 1, corner,
                                                   corner + row + 1, corner + row});
            if (s.area) out.areas.insert(out.areas.end(), 2, s.area(x, z));
        }
    }
}

/// The ground around a tile, and the floor over it; nothing outside the world.
Triangles ground_of(const BakeSettings& s, int tile_x, int tile_z) {
    Triangles out;
    add_sheet(s, s.height, std::numeric_limits<float>::lowest(), tile_x, tile_z, out);
    if (s.floor) add_sheet(s, s.floor, 0, tile_x, tile_z, out);
    return out;
}

bool build_poly_mesh(rcContext& context, const rcConfig& c, const Triangles& ground, PolyMesh& mesh,
                     Detail& detail) {
    const int triangles = static_cast<int>(ground.indices.size() / 3);
    const int verts = static_cast<int>(ground.verts.size() / 3);
    std::vector<unsigned char> areas(static_cast<std::size_t>(triangles), 0);
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, ground.verts.data(), verts,
                            ground.indices.data(), triangles, areas.data());
    for (std::size_t t = 0; t < ground.areas.size(); ++t) {
        if (areas[t] != 0) areas[t] = static_cast<unsigned char>(ground.areas[t]);
    }
    Heightfield solid;
    require(rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch));
    require(rcRasterizeTriangles(&context, ground.verts.data(), verts, ground.indices.data(),
                                 areas.data(), triangles, *solid, c.walkableClimb));
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
    Compact compact;
    require(
        rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *compact));
    require(rcErodeWalkableArea(&context, c.walkableRadius, *compact));
    require(rcBuildDistanceField(&context, *compact));
    require(rcBuildRegions(&context, *compact, c.borderSize, c.minRegionArea, c.mergeRegionArea));
    Contours contours;
    require(rcBuildContours(&context, *compact, c.maxSimplificationError, c.maxEdgeLen, *contours));
    if (contours->nconts == 0) return false;
    require(rcBuildPolyMesh(&context, *contours, c.maxVertsPerPoly, *mesh));
    require(rcBuildPolyMeshDetail(&context, *mesh, *compact, c.detailSampleDist,
                                  c.detailSampleMaxError, *detail));
    return mesh->npolys > 0;
}

struct Connections {
    std::vector<float> ends;
    std::vector<float> radii;
    std::vector<unsigned short> flags;
    std::vector<unsigned char> areas, directions;
    std::vector<unsigned int> user_ids;

    void add(const BakedLink& link) {
        ends.insert(ends.end(), link.from.begin(), link.from.end());
        ends.insert(ends.end(), link.to.begin(), link.to.end());
        radii.push_back(1);
        flags.push_back(kWalkFlag);
        areas.push_back(kLinkArea);
        directions.push_back(link.both_ways ? DT_OFFMESH_CON_BIDIR : 0);
        user_ids.push_back(7);
    }
};

Connections connections_of(const BakeSettings& s, int tile_x, int tile_z) {
    Connections out;
    const float edge = s.cell_size * static_cast<float>(s.tile_cells);
    const float low_x = edge * static_cast<float>(tile_x) + edge / 4;
    const float low_z = edge * static_cast<float>(tile_z) + edge / 4;
    if (s.off_mesh) {
        const float height = s.height(0, 0);
        out.add({{low_x, height, low_z}, {low_x + edge / 2, height, low_z + edge / 2}, true});
    }
    for (const BakedLink& link : s.links) {
        const auto tile = [&](float at) { return static_cast<int>(std::floor(at / edge)); };
        if (tile(link.from[0]) == tile_x && tile(link.from[2]) == tile_z) out.add(link);
    }
    return out;
}

core::Bytes bake_tile(const BakeSettings& s, int tile_x, int tile_z) {
    rcContext context(false);
    const rcConfig c = config_of(s, tile_x, tile_z);
    PolyMesh mesh;
    Detail detail;
    if (!build_poly_mesh(context, c, ground_of(s, tile_x, tile_z), mesh, detail)) return {};
    std::fill_n(mesh->flags, mesh->npolys, kWalkFlag);

    dtNavMeshCreateParams p{};
    p.verts = mesh->verts;
    p.vertCount = mesh->nverts;
    p.polys = mesh->polys;
    p.polyAreas = mesh->areas;
    p.polyFlags = mesh->flags;
    p.polyCount = mesh->npolys;
    p.nvp = mesh->nvp;
    p.detailMeshes = detail->meshes;
    p.detailVerts = detail->verts;
    p.detailVertsCount = detail->nverts;
    p.detailTris = detail->tris;
    p.detailTriCount = detail->ntris;
    const Connections links = connections_of(s, tile_x, tile_z);
    p.offMeshConVerts = links.ends.data();
    p.offMeshConRad = links.radii.data();
    p.offMeshConFlags = links.flags.data();
    p.offMeshConAreas = links.areas.data();
    p.offMeshConDir = links.directions.data();
    p.offMeshConUserID = links.user_ids.data();
    p.offMeshConCount = static_cast<int>(links.radii.size());
    p.walkableHeight = kAgentHeight;
    p.walkableRadius = kAgentRadius;
    p.walkableClimb = kClimb;
    p.tileX = tile_x;
    p.tileY = tile_z;
    std::ranges::copy(mesh->bmin, p.bmin);
    std::ranges::copy(mesh->bmax, p.bmax);
    p.cs = c.cs;
    p.ch = c.ch;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    require(dtCreateNavMeshData(&p, &data, &size));
    core::Bytes blob(data, data + size);
    dtFree(data);
    return blob;
}

}  // namespace

std::vector<nav::MeshTile> BakedMesh::tiles() const {
    std::vector<nav::MeshTile> all;
    for (std::size_t i = 0; i < blobs.size(); ++i) all.push_back({slots[i], blobs[i]});
    return all;
}

std::function<float(int, int)> pillars(std::uint32_t seed) {
    return [seed](int x, int z) {
        std::uint32_t h = seed ^ (static_cast<std::uint32_t>(x / 3) * 0x9E3779B1U) ^
                          (static_cast<std::uint32_t>(z / 3) * 0x85EBCA77U);
        h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
        h ^= h >> 12;
        const int ridge = std::abs(x % 16 - 8) + std::abs(z % 12 - 6);
        return static_cast<float>(ridge) * 0.15F + (h % 7 == 0 ? 5.0F : 0.0F);
    };
}

BakedMesh bake(const BakeSettings& settings) {
    BakedMesh baked;
    const float edge = settings.cell_size * static_cast<float>(settings.tile_cells);
    baked.params.tile_width = edge;
    baked.params.tile_height = edge;
    baked.params.tiles_max = settings.tiles_x * settings.tiles_z;
    baked.params.polygons_max = 256;
    for (int z = 0; z < settings.tiles_z; ++z) {
        for (int x = 0; x < settings.tiles_x; ++x) {
            core::Bytes blob = bake_tile(settings, x, z);
            if (blob.empty()) continue;
            baked.slots.push_back(x + settings.tiles_x * z);
            baked.blobs.push_back(std::move(blob));
        }
    }
    return baked;
}

}  // namespace maniple::tests
