#pragma once

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_replica.h"

#include "tile_baker.h"

namespace maniple::tests {

/// Detour called the way its own samples call it, on tiles added in slot order: what the replica's
/// answers are compared with.
class DetourReference {
  public:
    explicit DetourReference(const BakedMesh& baked, int search_nodes = 2048)
        : mesh_(dtAllocNavMesh()) {
        dtNavMeshParams params{};
        std::ranges::copy(baked.params.origin, params.orig);
        params.tileWidth = baked.params.tile_width;
        params.tileHeight = baked.params.tile_height;
        params.maxTiles = baked.params.tiles_max;
        params.maxPolys = baked.params.polygons_max;
        mesh_->init(&params);
        for (std::size_t i = 0; i < baked.blobs.size(); ++i) add(baked.slots[i], baked.blobs[i]);
        query_.init(mesh_.get(), search_nodes);
    }
    /// Takes the tile out of a slot and puts another in, as Detour updates a standing mesh.
    void replace(std::int32_t slot, const core::Bytes& blob) {
        mesh_->removeTile(mesh_->getTileRef(std::as_const(*mesh_).getTile(slot)), nullptr, nullptr);
        add(slot, blob);
    }
    [[nodiscard]] const dtNavMesh& mesh() const { return *mesh_; }
    void set_costs(const nav::AreaCosts& costs) {
        for (int area = 0; area < DT_MAX_AREAS; ++area) {
            filter_.setAreaCost(area, costs[static_cast<std::size_t>(area)]);
        }
    }

    /// Which polygons' flags pass.
    void set_flags(unsigned short include, unsigned short exclude) {
        filter_.setIncludeFlags(include);
        filter_.setExcludeFlags(exclude);
    }

    struct Nearest {
        nav::PolygonId polygon;
        dtPolyRef ref = 0;
        nav::MeshPosition position{};
    };
    [[nodiscard]] std::optional<Nearest> nearest(Vec3d world, Vec3d half_extents_cm) const {
        const nav::MeshPosition centre = nav::to_mesh(world);
        const float extents[3] = {static_cast<float>(half_extents_cm.x / 100),
                                  static_cast<float>(half_extents_cm.z / 100),
                                  static_cast<float>(half_extents_cm.y / 100)};
        Nearest found;
        query_.findNearestPoly(centre.data(), extents, &filter_, &found.ref, found.position.data());
        if (found.ref == 0) return std::nullopt;
        found.polygon = {static_cast<std::int32_t>(mesh_->decodePolyIdTile(found.ref)),
                         static_cast<std::int32_t>(mesh_->decodePolyIdPoly(found.ref))};
        return found;
    }

    struct Path {
        bool complete = false;
        std::vector<Vec3d> points;
    };
    [[nodiscard]] Path find_path(const Nearest& from, const Nearest& to) const {
        Path path;
        dtPolyRef corridor[512];
        int count = 0;
        query_.findPath(from.ref, to.ref, from.position.data(), to.position.data(), &filter_,
                        corridor, &count, 512);
        if (count == 0) return path;
        path.complete = corridor[count - 1] == to.ref;
        nav::MeshPosition end = to.position;
        if (!path.complete) {
            query_.closestPointOnPoly(corridor[count - 1], to.position.data(), end.data(), nullptr);
        }
        float points[3 * 512];
        int point_count = 0;
        query_.findStraightPath(from.position.data(), end.data(), corridor, count, points, nullptr,
                                nullptr, &point_count, 512);
        for (int i = 0; i < point_count; ++i) path.points.push_back(nav::to_world(points + 3 * i));
        return path;
    }

    struct Ray {
        bool reaches = false;
        nav::PolygonId last;  ///< The last polygon on its way.
    };
    [[nodiscard]] Ray raycast(const Nearest& from, const nav::MeshPosition& to) const {
        float t = 0;
        float normal[3];
        dtPolyRef passed[512];
        int count = 0;
        query_.raycast(from.ref, from.position.data(), to.data(), &filter_, &t, normal, passed,
                       &count, 512);
        const dtPolyRef last = count == 0 ? from.ref : passed[count - 1];
        return {t > 1,
                {static_cast<std::int32_t>(mesh_->decodePolyIdTile(last)),
                 static_cast<std::int32_t>(mesh_->decodePolyIdPoly(last))}};
    }

  private:
    void add(std::int32_t slot, const core::Bytes& blob) {
        auto* data = static_cast<unsigned char*>(dtAlloc(blob.size(), DT_ALLOC_PERM));
        std::memcpy(data, blob.data(), blob.size());
        mesh_->addTile(data, static_cast<int>(blob.size()), DT_TILE_FREE_DATA,
                       mesh_->encodePolyId(1, static_cast<unsigned>(slot), 0), nullptr);
    }

    struct Free {
        void operator()(dtNavMesh* freed) const { dtFreeNavMesh(freed); }
    };
    std::unique_ptr<dtNavMesh, Free> mesh_;
    dtNavMeshQuery query_;
    dtQueryFilter filter_;
};

}  // namespace maniple::tests
