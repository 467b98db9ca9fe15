#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "maniple/nav/ground_fall.h"
#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/sample_hash.h"

#include "detour_query.h"
#include "mesh_surface.h"
#include "mesh_vectors.h"

namespace maniple::nav {
namespace {

/// Polygons of one radius query, and the nodes of its search (O-NAVM-09).
constexpr int kSampledMax = 64;
constexpr double kSpacingMinCm = 10;

double to_segment(Vec3d point, Vec3d from, Vec3d to) {
    const Vec3d along = to - from;
    const Vec3d away = point - from;
    const double squared = along.x * along.x + along.y * along.y + along.z * along.z;
    const double t =
        squared == 0
            ? 0
            : std::clamp((away.x * along.x + away.y * along.y + away.z * along.z) / squared, 0.0,
                         1.0);
    return length(away - along * t);
}

void add(SampleHash& hash, PolygonId id) {
    hash.add(static_cast<std::uint32_t>(id.slot));
    hash.add(static_cast<std::uint32_t>(id.polygon));
}

/// The ground polygons around a place, the place's own among them, ascending. Of more than
/// kSampledMax Detour's first.
// implements: NAVM-019, NAVM-020, O-NAVM-09
std::vector<PolygonIndex> polygons_around(const MeshReplica& mesh, const MeshPlace& place,
                                          double radius_cm, MeshContext* context) {
    MeshContext own;
    const dtNavMeshQuery& query = detail::query_of(context == nullptr ? own : *context, mesh);
    const MeshPosition centre = to_mesh(place.location);
    std::array<dtPolyRef, kSampledMax> found;
    int count = 0;
    query.findPolysAroundCircle(mesh.polygon_ref(place.polygon), centre.data(),
                                static_cast<float>(radius_cm / kMeshUnitCm), &mesh.impl().filter,
                                found.data(), nullptr, nullptr, &count, kSampledMax);
    std::vector<PolygonIndex> polygons;
    for (int i = 0; i < count; ++i) {
        const PolygonIndex p =
            mesh.graph().index(mesh.impl().id_of(found[static_cast<std::size_t>(i)]));
        if (!mesh.graph().off_mesh(p)) polygons.push_back(p);
    }
    std::ranges::sort(polygons);
    return polygons;
}

/// How far a polygon is from a place: of a neighbour of the place's polygon the side they share, of
/// any other the nearest point.
double distance_to(const MeshReplica& mesh, const MeshPlace& place, PolygonIndex from,
                   PolygonIndex polygon, const dtNavMeshQuery& query) {
    const MeshGraph& graph = mesh.graph();
    double nearest = std::numeric_limits<double>::infinity();
    for (const MeshEdge& edge : graph.edges_of(from)) {
        if (edge.to != polygon) continue;
        const auto [left, right] = graph.portal(edge);
        nearest = std::min(nearest, to_segment(place.location, left, right));
    }
    if (std::isfinite(nearest)) return nearest;
    const MeshPosition at = to_mesh(place.location);
    MeshPosition closest{};
    query.closestPointOnPoly(mesh.polygon_ref(graph.id(polygon)), at.data(), closest.data(),
                             nullptr);
    return length(place.location - to_world(closest));
}

}  // namespace

// implements: NAVM-007, NAVM-042
Vec3d MeshField::extents_of(Vec3d half_extents_cm) const {
    const Vec3d fallback = search_extents(config_.path_stop_search_cm);
    const auto pick = [](double given, double otherwise) { return given > 0 ? given : otherwise; };
    return {pick(half_extents_cm.x, fallback.x), pick(half_extents_cm.y, fallback.y),
            pick(half_extents_cm.z, fallback.z)};
}

// implements: NAVM-025
std::optional<MeshPlace> MeshField::project(Vec3d location, Vec3d half_extents_cm,
                                            MeshContext* context) const {
    const MeshReplica* mesh = active_mesh();
    if (mesh == nullptr || !is_finite(half_extents_cm)) return std::nullopt;
    return project_to_mesh(*mesh, location, extents_of(half_extents_cm), context);
}

bool MeshField::stands(const MeshLayer& layer, const MeshReplica* mesh) const {
    return mesh != nullptr && layer.solved && layer.mesh_generation == mesh->generation();
}

// implements: NAVM-006, NAVM-015, O-NAVM-05
std::optional<MeshCell> MeshField::cell(const MeshLayer& layer, PolygonId polygon) const {
    const MeshReplica* mesh = active_mesh();
    if (!stands(layer, mesh)) return std::nullopt;
    const MeshGraph& graph = mesh->graph();
    const PolygonIndex p = graph.index(polygon);
    const MeshSolution& s = layer.solution;
    if (p == kNoPolygon || !s.covered(p)) return std::nullopt;
    MeshCell cell;
    cell.polygon = polygon;
    cell.centre = graph.centre(p);
    cell.area = graph.area(p);
    cell.off_mesh = graph.off_mesh(p);
    cell.dist = s.dist[p];
    cell.direction = s.direction[p];
    if (s.next[p] != kNoPolygon) cell.next = graph.id(s.next[p]);
    cell.goal = layer.mesh_goals[s.goal[p]].location;
    return cell;
}

std::optional<MeshCell> MeshField::cell_at(Vec3d location, MeshContext* context) const {
    const auto place = project(location, {}, context);
    if (!place) return std::nullopt;
    return cell(default_layer_, place->polygon);
}

// implements: GRID-007, NAVM-008
CellAnswer MeshField::cell_at(GridCoord) const {
    if (!goal_cell_) return {};
    return {*goal_cell_, true};
}

NavigationAnswer MeshField::answer_of(const MeshLayer& layer, const MeshGraph& graph,
                                      PolygonIndex polygon) const {
    const MeshSolution& s = layer.solution;
    if (!s.covered(polygon)) return {};
    NavigationAnswer answer;
    answer.valid = true;
    answer.direction = s.direction[polygon];
    answer.dist = s.dist[polygon];
    answer.goal = layer.mesh_goals[s.goal[polygon]].location;
    SampleHash hash;
    add(hash, graph.id(polygon));
    answer.sampled_cells_hash = hash.value();
    return answer;
}

// implements: NAVM-017, NAVM-018, NAVM-022, NAVM-042, O-GEN-08
NavigationAnswer MeshField::query(Vec3d location, double radius_cm, Vec3d half_extents_cm,
                                  MeshContext* context) const {
    const MeshReplica* mesh = active_mesh();
    if (!stands(default_layer_, mesh) || !std::isfinite(radius_cm)) return {};
    if (!is_finite(half_extents_cm)) return {};
    auto place = project(location, half_extents_cm, context);
    if (!place) place = project(location, {}, context);
    if (!place) return {};
    if (radius_cm > 0) return average(*mesh, *place, radius_cm, context);
    return answer_of(default_layer_, mesh->graph(), mesh->graph().index(place->polygon));
}

// implements: NAVM-019, NAVM-020, NAVM-021, O-NAVM-07, O-NAVM-08, O-NAVM-09
NavigationAnswer MeshField::average(const MeshReplica& mesh, const MeshPlace& place,
                                    double radius_cm, MeshContext* context) const {
    MeshContext own;
    if (context == nullptr) context = &own;
    const MeshGraph& graph = mesh.graph();
    const PolygonIndex centre = graph.index(place.polygon);
    const dtNavMeshQuery& query = detail::query_of(*context, mesh);
    Vec3d sum;
    SampleHash hash;
    PolygonIndex nearest = kNoPolygon;
    double nearest_cm = 0;
    for (const PolygonIndex p : polygons_around(mesh, place, radius_cm, context)) {
        if (!default_layer_.solution.covered(p)) continue;
        const double away = p == centre ? 0 : distance_to(mesh, place, centre, p, query);
        const Vec3f dir = default_layer_.solution.direction[p];
        sum = sum + Vec3d{dir.x, dir.y, dir.z} * (1.0 / (1.0 + away / radius_cm));
        add(hash, graph.id(p));
        // On a side the polygon that was projected to comes before its neighbour.
        const bool nearer = nearest == kNoPolygon || away < nearest_cm;
        if (p == centre || (nearer && nearest != centre)) {
            nearest = p;
            nearest_cm = away;
        }
    }
    if (nearest == kNoPolygon) return {};
    NavigationAnswer answer = answer_of(default_layer_, graph, nearest);
    answer.direction = unit(sum);
    answer.sampled_cells_hash = hash.value();
    return answer;
}

// implements: LAY-011, LAY-012, LAY-013
NavigationAnswer MeshField::query_layer(const MeshLayer* layer, Vec3d location,
                                        Vec3d half_extents_cm, MeshContext* context) const {
    const MeshReplica* mesh = active_mesh();
    if (layer == nullptr || !stands(*layer, mesh)) return {};
    const auto place = project(location, half_extents_cm, context);
    if (!place) return {};
    return answer_of(*layer, mesh->graph(), mesh->graph().index(place->polygon));
}

// implements: NAVM-016, GRID-047
Vec3f MeshField::average_direction(Vec3d location, double radius_cm, MeshContext* context) const {
    if (!stands(default_layer_, active_mesh()) || !std::isfinite(radius_cm)) return {};
    const double reach = std::max(radius_cm, 1.0);
    if (const auto place = project(location, {reach, reach, 0}, context)) {
        const PolygonIndex p = active_mesh()->graph().index(place->polygon);
        return default_layer_.solution.direction[p];
    }
    const auto place = project(location, {}, context);
    if (!place) return {};
    const Vec2d to =
        core::safe_normal({place->location.x - location.x, place->location.y - location.y});
    return {static_cast<float>(to.x), static_cast<float>(to.y), 0.0F};
}

// implements: NAVM-023, GRID-055, O-NAVM-13
GroundAnswer MeshField::interpolated_ground(Vec3d location, double radius_cm,
                                            MeshContext* context) const {
    const MeshReplica* mesh = active_mesh();
    if (mesh == nullptr || !std::isfinite(radius_cm)) return {};
    const auto centre = project(location, {}, context);
    if (!centre) return {};
    const double spacing = std::max(radius_cm, kSpacingMinCm);
    const Vec3f middle = surface_normal(*mesh, *centre);
    Vec3f sum{2 * middle.x, 2 * middle.y, 2 * middle.z};
    for (const double offset : {spacing, -spacing}) {
        const auto place = project({location.x + offset, location.y, location.z}, {}, context);
        if (!place) continue;
        const Vec3f normal = surface_normal(*mesh, *place);
        sum = {sum.x + normal.x, sum.y + normal.y, sum.z + normal.z};
    }
    return {true, centre->location, core::normalised(sum)};
}

// implements: GRID-056, GRID-057
GroundAnswer MeshField::ground_location(Vec3d agent, double self_radius_cm, double half_height_cm,
                                        TraceMode mode, double kill_z, MeshContext* context) {
    return ground_by(
        mode, host_.lockstep, [&] { return interpolated_ground(agent, self_radius_cm, context); },
        [&] {
            return fall_to_ground(host_.world, {agent, self_radius_cm, half_height_cm}, kill_z,
                                  setup_.ground_mask);
        });
}

}  // namespace maniple::nav
