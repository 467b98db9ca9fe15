#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// A polygon by its place among all of a mesh, in (slot, polygon) order.
using PolygonIndex = std::uint32_t;
inline constexpr PolygonIndex kNoPolygon = ~PolygonIndex{0};

/// A place seen from above, in Recast coordinates.
struct FlatPoint {
    float x = 0, z = 0;
};
[[nodiscard]] inline FlatPoint to_flat(Vec3d world_cm) {
    const MeshPosition at = to_mesh(world_cm);
    return {at[0], at[2]};
}

/// A way from one polygon to a neighbour, in the direction an agent walks it.
struct MeshEdge {
    PolygonIndex from;
    PolygonIndex to;
    double from_cm;  ///< From the centre of `from` to the middle of the portal.
    double to_cm;    ///< From there to the centre of `to`.
    Vec3d middle;    ///< Of the portal, world cm. Of an off-mesh connection: its end.
    /// The side of `from` that the way leaves by. kFirstEnd + 0 or 1 for the step onto an off-mesh
    /// connection by its start or end; 0 or 1 for the step off it there.
    std::uint8_t edge;
    static constexpr std::uint8_t kFirstEnd = 6;
    static constexpr std::uint8_t kInside = 0xFF;
    std::uint8_t side = kInside;  ///< Of the tile, for a portal between tiles.
    static constexpr std::uint8_t kWholeEdge = 255;
    std::uint8_t portal_low = 0;  ///< The part of the edge that is open, of kWholeEdge.
    std::uint8_t portal_high = kWholeEdge;

    friend bool operator==(const MeshEdge&, const MeshEdge&) = default;
};

/// A mesh as flat arrays: what floods and raycasts read, without Detour's references and lists. A
/// function of the mesh's content; polygons ascend by (slot, polygon), edges by (to, edge)
/// (O-NAVM-20).
class MeshGraph {
  public:
    [[nodiscard]] std::size_t size() const { return id_.size(); }
    [[nodiscard]] PolygonId id(PolygonIndex polygon) const { return id_[polygon]; }
    /// kNoPolygon for a polygon that is not there.
    [[nodiscard]] PolygonIndex index(PolygonId id) const;

    /// The mean of the vertices in order, world cm (O-NAVM-18).
    [[nodiscard]] const Vec3d& centre(PolygonIndex polygon) const { return centre_[polygon]; }
    [[nodiscard]] std::span<const Vec3d> centres() const { return centre_; }
    [[nodiscard]] std::uint8_t area(PolygonIndex polygon) const { return area_[polygon]; }
    /// An off-mesh connection: two vertices, its start and its end.
    [[nodiscard]] bool off_mesh(PolygonIndex polygon) const { return off_mesh_[polygon] != 0; }
    /// False for the null area, and for polygons whose flags no filter includes (O-NAVM-11).
    [[nodiscard]] bool open(PolygonIndex polygon) const { return open_[polygon] != 0; }
    /// The centre from above, Recast coordinates: where rays begin and end.
    [[nodiscard]] FlatPoint flat_centre(PolygonIndex polygon) const {
        return flat_centre_[polygon];
    }
    /// In order, Recast coordinates.
    [[nodiscard]] std::span<const MeshPosition> vertices(PolygonIndex polygon) const {
        return {vertices_.data() + vertices_begin_[polygon],
                vertices_.data() + vertices_begin_[polygon + 1]};
    }

    /// Both ends of the part of a side that an edge leads through, world cm; of an edge on or off
    /// an off-mesh connection the connection's end.
    struct Portal {
        Vec3d left, right;
    };
    [[nodiscard]] Portal portal(const MeshEdge& edge) const;

    /// All edges; those of a polygon follow one another. None begins or ends at a polygon that is
    /// not open.
    [[nodiscard]] std::span<const MeshEdge> edges() const { return edges_; }
    [[nodiscard]] std::size_t edges_begin(PolygonIndex polygon) const {
        return edges_begin_[polygon];
    }
    [[nodiscard]] std::span<const MeshEdge> edges_of(PolygonIndex polygon) const {
        return {edges_.data() + edges_begin_[polygon], edges_.data() + edges_begin_[polygon + 1]};
    }

  private:
    friend class MeshGraphBuilder;

    std::vector<PolygonId> id_;
    std::vector<PolygonIndex> slot_begin_;  ///< By slot, and the end.
    std::vector<Vec3d> centre_;
    std::vector<FlatPoint> flat_centre_;
    std::vector<std::uint8_t> area_;
    std::vector<std::uint8_t> off_mesh_;
    std::vector<std::uint8_t> open_;
    std::vector<std::uint32_t> vertices_begin_;
    std::vector<MeshPosition> vertices_;
    std::vector<std::uint32_t> edges_begin_;
    std::vector<MeshEdge> edges_;
};

}  // namespace maniple::nav
