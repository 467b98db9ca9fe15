#pragma once

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::tests {

struct ReferenceGoal {
    nav::PolygonId polygon;
    Vec3d projected;
};

struct ReferenceCell {
    std::uint64_t dist;
    nav::PolygonId next{-1, -1};
    std::size_t goal;
    Vec3f direction;
};

/// The navmesh flow as the requirements say it, as slow as that is: over Detour's own links, by
/// relaxing every edge until nothing changes, with Detour's raycast. It shares nothing with the
/// engine's solver but the coordinates. Uncovered polygons are absent.
class MeshFlowReference {
  public:
    using Cells = std::map<nav::PolygonId, ReferenceCell>;

    MeshFlowReference(const dtNavMesh& mesh, const dtQueryFilter& filter,
                      const std::array<double, 64>& multiplier, std::vector<ReferenceGoal> goals)
        : mesh_(mesh), filter_(filter), multiplier_(multiplier), goals_(std::move(goals)) {
        query_.init(&mesh_, 64);
    }

    Cells solve() {
        collect_edges();
        for (const ReferenceGoal& goal : goals_) cells_[goal.polygon].dist = 0;
        relax_to_fixpoint();
        for (auto& [id, cell] : cells_) choose_next(id, cell);
        for (auto& [id, cell] : cells_) cell.goal = goal_of(id);
        for (auto& [id, cell] : cells_) cell.direction = unit(target(id, cell) - centre(id));
        return cells_;
    }

  private:
    /// An edge as an agent walks it; `edge` orders several between the same two.
    struct Edge {
        nav::PolygonId from, to;
        int edge;
        Vec3d middle;
        std::uint64_t weight;
    };

    [[nodiscard]] const dtMeshTile& tile(nav::PolygonId id) const {
        return *mesh_.getTile(id.slot);
    }
    [[nodiscard]] const dtPoly& poly(nav::PolygonId id) const { return tile(id).polys[id.polygon]; }
    [[nodiscard]] bool is_link(nav::PolygonId id) const {
        return poly(id).getType() == DT_POLYTYPE_OFFMESH_CONNECTION;
    }
    [[nodiscard]] nav::PolygonId id_of(dtPolyRef ref) const {
        return {static_cast<std::int32_t>(mesh_.decodePolyIdTile(ref)),
                static_cast<std::int32_t>(mesh_.decodePolyIdPoly(ref))};
    }
    [[nodiscard]] dtPolyRef ref_of(nav::PolygonId id) const {
        return mesh_.getPolyRefBase(&tile(id)) | static_cast<dtPolyRef>(id.polygon);
    }
    [[nodiscard]] Vec3d corner(nav::PolygonId id, int index) const {
        return nav::to_world(&tile(id).verts[3 * poly(id).verts[index]]);
    }
    [[nodiscard]] Vec3d centre(nav::PolygonId id) const {
        Vec3d sum;
        for (int i = 0; i < poly(id).vertCount; ++i) sum = sum + corner(id, i);
        const double n = poly(id).vertCount;
        return {sum.x / n, sum.y / n, sum.z / n};
    }
    static double length(Vec3d v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

    void add_edge(nav::PolygonId from, nav::PolygonId to, int edge, Vec3d middle) {
        if (poly(from).getArea() == 0 || poly(to).getArea() == 0) return;
        const double cost = length(centre(from) - middle) * multiplier_[poly(from).getArea()] +
                            length(middle - centre(to)) * multiplier_[poly(to).getArea()];
        const double weight = std::max(1.0, std::floor(256 * cost + 0.5));
        if (weight >= 4294967295.0) return;
        edges_.push_back({from, to, edge, middle, static_cast<std::uint64_t>(weight)});
    }

    void collect_edges() {
        for (int slot = 0; slot < mesh_.getMaxTiles(); ++slot) {
            const dtMeshTile* t = mesh_.getTile(slot);
            if (t->header == nullptr) continue;
            for (int p = 0; p < t->header->polyCount; ++p) {
                const nav::PolygonId id{slot, p};
                for (unsigned i = poly(id).firstLink; i != DT_NULL_LINK; i = t->links[i].next) {
                    if (is_link(id)) {
                        link_edges(id, t->links[i]);
                    } else if (!is_link(id_of(t->links[i].ref))) {
                        ground_edge(id, t->links[i]);
                    }
                }
            }
        }
    }

    void ground_edge(nav::PolygonId id, const dtLink& link) {
        const Vec3d a = corner(id, link.edge);
        const Vec3d b = corner(id, (link.edge + 1) % poly(id).vertCount);
        const bool whole = link.side == 0xFF;
        const double low = whole ? 0.0 : link.bmin / 255.0;
        const double high = whole ? 1.0 : link.bmax / 255.0;
        const Vec3d left = a + (b - a) * low;
        const Vec3d right = a + (b - a) * high;
        add_edge(id, id_of(link.ref), link.edge, left + (right - left) * 0.5);
    }

    void link_edges(nav::PolygonId id, const dtLink& link) {
        const dtOffMeshConnection& connection =
            tile(id).offMeshCons[id.polygon - tile(id).header->offMeshBase];
        const bool both = (connection.flags & DT_OFFMESH_CON_BIDIR) != 0;
        const bool at_start = link.edge == 0;
        const nav::PolygonId ground = id_of(link.ref);
        const Vec3d end = corner(id, at_start ? 0 : 1);
        if (at_start || both) add_edge(ground, id, at_start ? 6 : 7, end);
        if (!at_start || both) add_edge(id, ground, at_start ? 0 : 1, end);
    }

    void relax_to_fixpoint() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge& edge : edges_) {
                const auto to = cells_.find(edge.to);
                if (to == cells_.end()) continue;
                const std::uint64_t dist = to->second.dist + edge.weight;
                if (dist >= 4294967295U) continue;
                const auto [from, added] =
                    cells_.try_emplace(edge.from, ReferenceCell{dist, {}, 0, {}});
                if (!added && from->second.dist <= dist) continue;
                from->second.dist = dist;
                changed = true;
            }
        }
    }

    void choose_next(nav::PolygonId id, ReferenceCell& cell) {
        cell.next = {-1, -1};
        if (cell.dist == 0) return;
        std::tuple<std::uint64_t, std::int32_t, std::int32_t, int> best{~0ULL, 0, 0, 0};
        for (const Edge& edge : edges_) {
            if (edge.from != id) continue;
            const auto to = cells_.find(edge.to);
            if (to == cells_.end() || to->second.dist + edge.weight != cell.dist) continue;
            const std::tuple key{to->second.dist, edge.to.slot, edge.to.polygon, edge.edge};
            if (key >= best) continue;
            best = key;
            cell.next = edge.to;
            middle_[id] = edge.middle;
        }
    }

    [[nodiscard]] std::size_t goal_of(nav::PolygonId id) const {
        while (cells_.at(id).dist != 0) id = cells_.at(id).next;
        std::size_t goal = 0;
        while (goals_[goal].polygon != id) ++goal;
        return goal;
    }

    /// Whether a ray from one centre ends, unhindered, in the polygon `to`.
    [[nodiscard]] bool sees(nav::PolygonId from, nav::PolygonId to, Vec3d end) const {
        if (is_link(from) || is_link(to)) return false;
        const nav::MeshPosition a = nav::to_mesh(centre(from));
        const nav::MeshPosition b = nav::to_mesh(end);
        float t = 0;
        float normal[3];
        std::array<dtPolyRef, 64> path;
        int count = 0;
        const dtStatus status = query_.raycast(ref_of(from), a.data(), b.data(), &filter_, &t,
                                               normal, path.data(), &count, 64);
        if (dtStatusFailed(status) || dtStatusDetail(status, DT_BUFFER_TOO_SMALL)) return false;
        return t == FLT_MAX && count > 0 && id_of(path[static_cast<std::size_t>(count) - 1]) == to;
    }

    [[nodiscard]] Vec3d target(nav::PolygonId id, const ReferenceCell& cell) const {
        if (cell.dist == 0) return goals_[cell.goal].projected;
        Vec3d best = middle_.at(id);
        nav::PolygonId at = cell.next;
        for (int i = 0; i < 16; ++i) {
            const ReferenceCell& there = cells_.at(at);
            const Vec3d end = there.dist == 0 ? goals_[there.goal].projected : centre(at);
            if (!sees(id, at, end)) break;
            best = end;
            if (there.dist == 0) break;
            at = there.next;
        }
        return best;
    }

    static Vec3f unit(Vec3d v) {
        const double size = length(v);
        if (size == 0) return {};
        return {static_cast<float>(v.x / size), static_cast<float>(v.y / size),
                static_cast<float>(v.z / size)};
    }

    const dtNavMesh& mesh_;
    const dtQueryFilter& filter_;
    std::array<double, 64> multiplier_;
    std::vector<ReferenceGoal> goals_;
    dtNavMeshQuery query_;
    std::vector<Edge> edges_;
    std::map<nav::PolygonId, Vec3d> middle_;
    Cells cells_;
};

}  // namespace maniple::tests
