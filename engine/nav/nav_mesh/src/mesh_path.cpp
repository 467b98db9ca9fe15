#include "maniple/nav/mesh_path.h"

#include <array>

#include "detour_query.h"
#include "mesh_ray.h"

namespace maniple::nav {
namespace {

using detail::Projection;

/// Points nearer than this to an end of the path are that end.
constexpr double kSamePointCm = 1;

bool same_point(Vec3d a, Vec3d b) {
    const Vec3d d = a - b;
    return d.x * d.x + d.y * d.y + d.z * d.z < kSamePointCm * kSamePointCm;
}

/// One search on one mesh, with a query object of its own (KI-011: nothing is carried over between
/// calls, threads or peers).
// implements: PATH-025, O-PATH-05
class MeshSearch {
  public:
    explicit MeshSearch(const MeshReplica& mesh) : mesh_(mesh) {
        detail::set_up(query_, mesh, kMeshSearchNodesMax);
    }

    [[nodiscard]] std::optional<Projection> project(Vec3d at, Vec3d half_extents_cm) const {
        return detail::project(query_, mesh_, at, half_extents_cm);
    }

    /// Whether a straight line over the surface leads to the goal's polygon; a line that ends on
    /// another floor above or below it does not. By this layer's own ray: Detour's goes round for
    /// ever in some degenerate polygons.
    // implements: PATH-016, PATH-023
    [[nodiscard]] bool sees(const Projection& from, const Projection& to) const {
        const PolygonIndex goal = index_of(to.ref);
        return goal != kNoPolygon &&
               cast_ray(mesh_.graph(), index_of(from.ref), {from.position[0], from.position[2]},
                        {to.position[0], to.position[2]}, kMeshCorridorMax) == goal;
    }

    /// The corridor from one polygon to the other, or to the reachable one nearest to it.
    /// @return its length, 0 for none.
    [[nodiscard]] int find_corridor(const Projection& from, const Projection& to) {
        int count = 0;
        const dtStatus status =
            query_.findPath(from.ref, to.ref, from.position.data(), to.position.data(), &filter(),
                            corridor_.data(), &count, kMeshCorridorMax);
        return dtStatusFailed(status) ? 0 : count;
    }
    [[nodiscard]] bool reaches(const Projection& from, const Projection& to) {
        const int count = find_corridor(from, to);
        return count > 0 && last(count) == to.ref;
    }

    /// The path from the projection of the start to that of the goal, at least two points.
    // implements: PATH-020, O-PATH-07
    bool find_path(const Projection& from, const Projection& to, std::vector<Vec3d>& path) {
        const int corridor = find_corridor(from, to);
        if (corridor == 0) return false;
        MeshPosition end = to.position;
        if (last(corridor) != to.ref) {
            query_.closestPointOnPoly(last(corridor), to.position.data(), end.data(), nullptr);
        }
        std::array<float, 3 * kMeshPathPointsMax> points;
        int count = 0;
        query_.findStraightPath(from.position.data(), end.data(), corridor_.data(), corridor,
                                points.data(), nullptr, nullptr, &count, kMeshPathPointsMax);
        path.clear();
        for (int i = 0; i < count; ++i) path.push_back(to_world(points.data() + 3 * i));
        if (path.empty()) return false;
        if (path.size() == 1) path.push_back(to_world(end));
        return true;
    }

  private:
    [[nodiscard]] PolygonIndex index_of(dtPolyRef ref) const {
        unsigned salt = 0;
        unsigned slot = 0;
        unsigned polygon = 0;
        mesh_.impl().detour().decodePolyId(ref, salt, slot, polygon);
        return mesh_.graph().index(
            {static_cast<std::int32_t>(slot), static_cast<std::int32_t>(polygon)});
    }
    [[nodiscard]] const dtQueryFilter& filter() const { return mesh_.impl().filter; }
    [[nodiscard]] dtPolyRef last(int count) const {
        return corridor_[static_cast<std::size_t>(count) - 1];
    }

    const MeshReplica& mesh_;
    dtNavMeshQuery query_;
    std::array<dtPolyRef, kMeshCorridorMax> corridor_;
};

/// The search both kinds of fields share, between two places on the mesh.
// implements: PATH-017, PATH-024
bool find_between(MeshSearch& search, const FieldConfig& config, const Projection& from,
                  const Projection& to, Vec3d start, std::vector<Vec3d>& path) {
    if (config.straight_first && search.sees(from, to)) {
        path = {start, to_world(to.position)};
        return true;
    }
    if (!search.find_path(from, to, path)) return false;
    path.front() = start;
    return true;
}

/// Puts the true ends around a path between their projections. Points that coincide with an end go.
// implements: PATH-018
void splice_ends(Vec3d start, Vec3d goal, std::vector<Vec3d>& path) {
    std::vector<Vec3d> whole{start};
    for (const Vec3d point : path) {
        if (!same_point(point, start) && !same_point(point, goal)) whole.push_back(point);
    }
    whole.push_back(goal);
    path = std::move(whole);
}

}  // namespace

// implements: PATH-020, PATH-021, PATH-022, PATH-026, PATH-036, O-PATH-06
bool find_path_replica(const MeshReplica* mesh, const FieldConfig& config, Vec3d start, Vec3d goal,
                       MeshContext* context, std::vector<Vec3d>& path) {
    static_cast<void>(context);
    path.clear();
    if (mesh == nullptr) return false;
    MeshSearch search(*mesh);
    const Vec3d extents = search_extents(config.path_stop_search_cm);
    const auto from = search.project(start, extents);
    const auto to = search.project(goal, extents);
    return from && to && find_between(search, config, *from, *to, start, path);
}

// implements: PATH-014, PATH-015, PATH-018, PATH-019
bool find_path_navmesh(const MeshReplica* mesh, const FieldConfig& config, Vec3d start, Vec3d goal,
                       std::vector<Vec3d>& path) {
    path.clear();
    if (mesh == nullptr) return false;
    MeshSearch search(*mesh);
    const Vec3d extents = search_extents(config.path_stop_search_cm);
    const auto to = search.project(goal, extents);
    if (!to) return false;
    if (const auto from = search.project(start, kAgentExtentsCm)) {
        return find_between(search, config, *from, *to, start, path);
    }
    const auto from = search.project(start, extents);
    if (!from || !search.find_path(*from, *to, path)) return false;
    splice_ends(start, goal, path);
    return true;
}

// implements: PATH-002, PATH-036, O-PATH-12
bool is_reachable_replica(const MeshReplica* mesh, const FieldConfig& config, Vec3d start,
                          Vec3d goal) {
    if (mesh == nullptr) return false;
    MeshSearch search(*mesh);
    const Vec3d extents = search_extents(config.path_stop_search_cm);
    const auto from = search.project(start, extents);
    const auto to = search.project(goal, extents);
    return from && to && search.reaches(*from, *to);
}

// implements: PATH-003, O-PATH-12
bool is_reachable_navmesh(const MeshReplica* mesh, Vec3d start, Vec3d goal) {
    if (mesh == nullptr) return false;
    MeshSearch search(*mesh);
    const auto from = search.project(start, kAgentExtentsCm);
    const auto to = search.project(goal, kAgentExtentsCm);
    return from && to && search.reaches(*from, *to);
}

}  // namespace maniple::nav
