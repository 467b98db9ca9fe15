#include "maniple/nav/mesh_graph.h"

#include <algorithm>

#include "mesh_graph_builder.h"
#include "mesh_vectors.h"

namespace maniple::nav {
namespace {

Vec3d between(Vec3d a, Vec3d b, double t) { return a + (b - a) * t; }

}  // namespace

PolygonIndex MeshGraph::index(PolygonId id) const {
    if (id.slot < 0 || id.polygon < 0) return kNoPolygon;
    const auto slot = static_cast<std::size_t>(id.slot);
    if (slot + 1 >= slot_begin_.size()) return kNoPolygon;
    const PolygonIndex polygon = slot_begin_[slot] + static_cast<PolygonIndex>(id.polygon);
    return polygon < slot_begin_[slot + 1] ? polygon : kNoPolygon;
}

MeshGraph::Portal MeshGraph::portal(const MeshEdge& edge) const {
    if (off_mesh(edge.from) || off_mesh(edge.to)) return {edge.middle, edge.middle};
    const std::span<const MeshPosition> corners = vertices(edge.from);
    const Vec3d a = to_world(corners[edge.edge]);
    const Vec3d b = to_world(corners[(edge.edge + 1U) % corners.size()]);
    const auto part = [&](std::uint8_t of_edge) {
        return between(a, b, of_edge / double{MeshEdge::kWholeEdge});
    };
    return {part(edge.portal_low), part(edge.portal_high)};
}

class MeshGraphBuilder {
  public:
    explicit MeshGraphBuilder(const dtNavMesh& mesh) : mesh_(mesh) {}

    MeshGraph build() {
        for_tiles([&](int slot, const dtMeshTile& tile) { add_polygons(slot, tile); });
        graph_.slot_begin_.push_back(static_cast<PolygonIndex>(graph_.size()));
        graph_.vertices_begin_.push_back(static_cast<std::uint32_t>(graph_.vertices_.size()));
        for_tiles([&](int slot, const dtMeshTile& tile) {
            for (int p = 0; p < tile.header->polyCount; ++p) {
                const PolygonIndex polygon = graph_.index({slot, p});
                if (!graph_.open(polygon)) continue;
                if (graph_.off_mesh(polygon)) {
                    add_connection(polygon, tile, p);
                } else {
                    add_portals(polygon, tile, tile.polys[p]);
                }
            }
        });
        sort_edges();
        return std::move(graph_);
    }

  private:
    template <class Visit>
    void for_tiles(Visit visit) {
        for (int slot = 0; slot < mesh_.getMaxTiles(); ++slot) {
            const dtMeshTile* tile = mesh_.getTile(slot);
            if (graph_.slot_begin_.size() <= static_cast<std::size_t>(slot)) {
                graph_.slot_begin_.push_back(static_cast<PolygonIndex>(graph_.size()));
            }
            if (tile->header != nullptr) visit(slot, *tile);
        }
    }

    // implements: O-NAVM-05, O-NAVM-11
    void add_polygons(int slot, const dtMeshTile& tile) {
        for (int p = 0; p < tile.header->polyCount; ++p) {
            const dtPoly& poly = tile.polys[p];
            graph_.id_.push_back({slot, p});
            graph_.area_.push_back(poly.getArea());
            graph_.off_mesh_.push_back(poly.getType() == DT_POLYTYPE_OFFMESH_CONNECTION ? 1 : 0);
            graph_.open_.push_back(poly.getArea() != 0 && poly.flags != 0 ? 1 : 0);
            graph_.vertices_begin_.push_back(static_cast<std::uint32_t>(graph_.vertices_.size()));
            Vec3d sum;
            for (int v = 0; v < poly.vertCount; ++v) {
                const float* at = &tile.verts[3 * poly.verts[v]];
                graph_.vertices_.push_back({at[0], at[1], at[2]});
                sum = sum + to_world(at);
            }
            const double count = poly.vertCount;
            graph_.centre_.push_back({sum.x / count, sum.y / count, sum.z / count});
            graph_.flat_centre_.push_back(to_flat(graph_.centre_.back()));
        }
    }

    [[nodiscard]] PolygonIndex index_of(dtPolyRef ref) const {
        return graph_.index({static_cast<std::int32_t>(mesh_.decodePolyIdTile(ref)),
                             static_cast<std::int32_t>(mesh_.decodePolyIdPoly(ref))});
    }

    /// The sides of a ground polygon that lead to ground. Links to connections are left out: the
    /// connections themselves say which ways are open.
    void add_portals(PolygonIndex polygon, const dtMeshTile& tile, const dtPoly& poly) {
        for (unsigned i = poly.firstLink; i != DT_NULL_LINK; i = tile.links[i].next) {
            const dtLink& link = tile.links[i];
            const PolygonIndex to = index_of(link.ref);
            if (graph_.off_mesh(to)) continue;
            const bool inside = link.side == MeshEdge::kInside;
            const std::uint8_t low = inside ? 0 : link.bmin;
            const std::uint8_t high = inside ? MeshEdge::kWholeEdge : link.bmax;
            MeshEdge edge{polygon, to, 0, 0, {}, link.edge, link.side, low, high};
            const auto [left, right] = graph_.portal(edge);
            edge.middle = between(left, right, 0.5);
            add_edge(edge);
        }
    }

    // implements: NAVM-013, O-NAVM-04, O-NAVM-05
    /// The ways over an off-mesh connection: on at its start, off at its end; both ways if it says
    /// so.
    void add_connection(PolygonIndex polygon, const dtMeshTile& tile, int p) {
        const dtPoly& poly = tile.polys[p];
        const dtOffMeshConnection& connection = tile.offMeshCons[p - tile.header->offMeshBase];
        const bool both = (connection.flags & DT_OFFMESH_CON_BIDIR) != 0;
        for (unsigned i = poly.firstLink; i != DT_NULL_LINK; i = tile.links[i].next) {
            const std::uint8_t end = tile.links[i].edge;
            const PolygonIndex ground = index_of(tile.links[i].ref);
            const Vec3d middle = to_world(&tile.verts[3 * poly.verts[end]]);
            const auto step_on = static_cast<std::uint8_t>(MeshEdge::kFirstEnd + end);
            if (end == 0 || both) add_edge({ground, polygon, 0, 0, middle, step_on});
            if (end == 1 || both) add_edge({polygon, ground, 0, 0, middle, end});
        }
    }

    // implements: O-NAVM-01
    void add_edge(MeshEdge edge) {
        if (!graph_.open(edge.from) || !graph_.open(edge.to)) return;
        edge.from_cm = length(graph_.centre(edge.from) - edge.middle);
        edge.to_cm = length(edge.middle - graph_.centre(edge.to));
        graph_.edges_.push_back(edge);
    }

    // implements: O-NAVM-20
    void sort_edges() {
        std::ranges::stable_sort(graph_.edges_, [](const MeshEdge& a, const MeshEdge& b) {
            if (a.from != b.from) return a.from < b.from;
            if (a.to != b.to) return a.to < b.to;
            if (a.edge != b.edge) return a.edge < b.edge;
            return a.portal_low < b.portal_low;
        });
        graph_.edges_begin_.assign(graph_.size() + 1, 0);
        for (const MeshEdge& edge : graph_.edges_) ++graph_.edges_begin_[edge.from + 1];
        for (std::size_t p = 0; p < graph_.size(); ++p) {
            graph_.edges_begin_[p + 1] += graph_.edges_begin_[p];
        }
    }

    const dtNavMesh& mesh_;
    MeshGraph graph_;
};

MeshGraph build_mesh_graph(const dtNavMesh& mesh) { return MeshGraphBuilder(mesh).build(); }

}  // namespace maniple::nav
