#include "tile_baker.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>
#include <algorithm>
#include <memory>
#include <new>
#include <string>

namespace maniple::terrain {
namespace {

constexpr unsigned short kWalkFlag = 1;
constexpr float kOutlineErrorCells = 1.3F;
constexpr float kEdgeMetresMax = 12;
constexpr float kDetailSpacingCells = 6;

/// A Recast object with its own allocate and free.
template <typename T, T* (*kAllocate)(), void (*kFree)(T*)>
class Owned {
  public:
    T& operator*() { return *object_; }
    T* operator->() { return object_.get(); }

  private:
    std::unique_ptr<T, void (*)(T*)> object_{kAllocate(), kFree};
};
using Heightfield = Owned<rcHeightfield, rcAllocHeightfield, rcFreeHeightField>;
using Compact = Owned<rcCompactHeightfield, rcAllocCompactHeightfield, rcFreeCompactHeightfield>;
using Contours = Owned<rcContourSet, rcAllocContourSet, rcFreeContourSet>;
using PolyMesh = Owned<rcPolyMesh, rcAllocPolyMesh, rcFreePolyMesh>;
using Detail = Owned<rcPolyMeshDetail, rcAllocPolyMeshDetail, rcFreePolyMeshDetail>;

/// One tile on its way through Recast. Every step is false where Recast runs out of memory or room.
class TileBake {
  public:
    TileBake(const TileInput& input, const TileRules& rules) : input_(input), rules_(rules) {}

    Result<core::Bytes> run() {
        if (input_.corners.empty()) return core::Bytes{};
        if (!voxelise() || !open_ground() || !outline()) {
            return refuse(ErrorCode::kOverCap, "Recast cannot bake " + name());
        }
        if (mesh_->npolys == 0) return core::Bytes{};
        if (mesh_->npolys > rules_.polygons_max || mesh_->nverts >= 0xFFFF) {
            return refuse(ErrorCode::kOverCap, std::to_string(mesh_->npolys) + " polygons in " +
                                                   name() + ", at most " +
                                                   std::to_string(rules_.polygons_max));
        }
        return emit();
    }

  private:
    [[nodiscard]] std::string name() const {
        return "tile (" + std::to_string(input_.x) + ", " + std::to_string(input_.z) + ")";
    }

    bool voxelise() {
        const float border = rules_.cell * static_cast<float>(rules_.border_cells);
        MeshBox box = input_.bounds;
        for (const std::size_t axis : {0u, 2u}) {
            box.low[axis] -= border;
            box.high[axis] += border;
        }
        const int side = rules_.tile_cells + 2 * rules_.border_cells;
        const int triangles = static_cast<int>(input_.corners.size() / 3);
        const int vertices = static_cast<int>(input_.vertices.size() / 3);
        std::vector<unsigned char> areas(static_cast<std::size_t>(triangles), RC_NULL_AREA);
        rcMarkWalkableTriangles(&context_, rules_.slope_deg, input_.vertices.data(), vertices,
                                input_.corners.data(), triangles, areas.data());
        Heightfield solid;
        if (!rcCreateHeightfield(&context_, *solid, side, side, box.low.data(), box.high.data(),
                                 rules_.cell, rules_.cell_height)) {
            return false;
        }
        if (!rcRasterizeTriangles(&context_, input_.vertices.data(), vertices,
                                  input_.corners.data(), areas.data(), triangles, *solid,
                                  rules_.climb_cells)) {
            return false;
        }
        rcFilterLowHangingWalkableObstacles(&context_, rules_.climb_cells, *solid);
        rcFilterLedgeSpans(&context_, rules_.height_cells, rules_.climb_cells, *solid);
        rcFilterWalkableLowHeightSpans(&context_, rules_.height_cells, *solid);
        return rcBuildCompactHeightfield(&context_, rules_.height_cells, rules_.climb_cells, *solid,
                                         *compact_);
    }

    void mark(const std::vector<AreaBox>& boxes) {
        for (const AreaBox& box : boxes) {
            rcMarkBoxArea(&context_, box.box.low.data(), box.box.high.data(), box.area, *compact_);
        }
    }

    bool open_ground() {
        mark(input_.obstacles);
        if (!rcErodeWalkableArea(&context_, rules_.radius_cells, *compact_)) return false;
        mark(input_.areas);
        return rcBuildDistanceField(&context_, *compact_) &&
               rcBuildRegions(&context_, *compact_, rules_.border_cells, rules_.region_cells_min,
                              rules_.region_cells_merged);
    }

    bool outline() {
        Contours contours;
        const int edge = static_cast<int>(kEdgeMetresMax / rules_.cell);
        if (!rcBuildContours(&context_, *compact_, kOutlineErrorCells, edge, *contours)) {
            return false;
        }
        if (contours->nconts == 0) return true;
        return rcBuildPolyMesh(&context_, *contours, DT_VERTS_PER_POLYGON, *mesh_) &&
               rcBuildPolyMeshDetail(&context_, *mesh_, *compact_,
                                     kDetailSpacingCells * rules_.cell, rules_.cell_height,
                                     *detail_);
    }

    Result<core::Bytes> emit() {
        std::fill_n(mesh_->flags, mesh_->npolys, kWalkFlag);
        const ConnectionColumns& connections = input_.connections;
        const std::size_t count = connections.radius.size();
        const std::vector<unsigned short> flags(count, kWalkFlag);
        const std::vector<unsigned int> ids(count, 0);
        dtNavMeshCreateParams p{};
        p.verts = mesh_->verts;
        p.vertCount = mesh_->nverts;
        p.polys = mesh_->polys;
        p.polyAreas = mesh_->areas;
        p.polyFlags = mesh_->flags;
        p.polyCount = mesh_->npolys;
        p.nvp = mesh_->nvp;
        p.detailMeshes = detail_->meshes;
        p.detailVerts = detail_->verts;
        p.detailVertsCount = detail_->nverts;
        p.detailTris = detail_->tris;
        p.detailTriCount = detail_->ntris;
        p.offMeshConVerts = connections.ends.data();
        p.offMeshConRad = connections.radius.data();
        p.offMeshConFlags = flags.data();
        p.offMeshConAreas = connections.area.data();
        p.offMeshConDir = connections.both_ways.data();
        p.offMeshConUserID = ids.data();
        p.offMeshConCount = static_cast<int>(count);
        p.walkableHeight = rules_.agent_height;
        p.walkableRadius = rules_.agent_radius;
        p.walkableClimb = rules_.climb;
        p.tileX = input_.x;
        p.tileY = input_.z;
        std::ranges::copy(mesh_->bmin, p.bmin);
        std::ranges::copy(mesh_->bmax, p.bmax);
        p.cs = rules_.cell;
        p.ch = rules_.cell_height;
        p.buildBvTree = true;
        unsigned char* data = nullptr;
        int size = 0;
        if (!dtCreateNavMeshData(&p, &data, &size)) {
            return refuse(ErrorCode::kOverCap, "Detour cannot lay out " + name());
        }
        core::Bytes blob(data, data + size);
        dtFree(data);
        return blob;
    }

    const TileInput& input_;
    const TileRules& rules_;
    rcContext context_{false};
    Compact compact_;
    PolyMesh mesh_;
    Detail detail_;
};

}  // namespace

Result<core::Bytes> bake_tile(const TileInput& input, const TileRules& rules) {
    return TileBake(input, rules).run();
}

}  // namespace maniple::terrain
