#include "maniple/skirmish/mesh_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "maniple/nav/area_costs.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/skirmish/fragments.h"

namespace maniple::skirmish {
namespace {

/// Of spots along both axes, widest first.
constexpr std::array<std::int32_t, 3> kSpacingsCm{100, 50, 35};
constexpr Vec3d kSpotExtents{1, 1, 300};

nav::MeshWeights weights_of(const nav::MeshReplica& mesh) {
    return nav::weigh_edges(mesh.graph(),
                            nav::area_cost_context(nav::FieldConfig{}, mesh.area_costs()));
}

/// Polygons between which a way leads there and back, by the lowest of each set.
std::vector<nav::PolygonIndex> components_of(const nav::MeshGraph& graph) {
    std::vector<nav::PolygonIndex> lowest(graph.size());
    std::iota(lowest.begin(), lowest.end(), nav::PolygonIndex{0});
    const auto find = [&](nav::PolygonIndex p) {
        while (lowest[p] != p) p = lowest[p] = lowest[lowest[p]];
        return p;
    };
    for (const nav::MeshEdge& edge : graph.edges()) {
        const auto back = graph.edges_of(edge.to);
        const bool both = std::ranges::any_of(
            back, [&](const nav::MeshEdge& other) { return other.to == edge.from; });
        if (!both) continue;
        const nav::PolygonIndex a = find(edge.from);
        const nav::PolygonIndex b = find(edge.to);
        lowest[std::max(a, b)] = std::min(a, b);
    }
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) lowest[p] = find(p);
    return lowest;
}

/// Whether a convex polygon holds a place seen from above.
bool holds(std::span<const nav::MeshPosition> vertices, double x, double y) {
    int left = 0;
    int right = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3d a = nav::to_world(vertices[i]);
        const Vec3d b = nav::to_world(vertices[(i + 1) % vertices.size()]);
        const double side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        if (side > 0) ++left;
        if (side < 0) ++right;
    }
    return left == 0 || right == 0;
}

std::int32_t whole_cm(double cm) { return static_cast<std::int32_t>(std::floor(cm + 0.5)); }

/// The spots of one polygon: the lattice points it holds, on its surface.
void add_spots(const nav::MeshReplica& mesh, nav::PolygonIndex polygon, std::int32_t spacing_cm,
               nav::MeshContext& context, std::vector<Spot>& spots) {
    const nav::MeshGraph& graph = mesh.graph();
    const auto vertices = graph.vertices(polygon);
    Vec3d low = nav::to_world(vertices[0]);
    Vec3d high = low;
    for (const nav::MeshPosition& vertex : vertices) {
        const Vec3d at = nav::to_world(vertex);
        low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
    }
    const auto first = [&](double cm) {
        return static_cast<std::int32_t>(std::ceil(cm / spacing_cm)) * spacing_cm;
    };
    for (std::int32_t x = first(low.x); x <= high.x; x += spacing_cm) {
        for (std::int32_t y = first(low.y); y <= high.y; y += spacing_cm) {
            if (!holds(vertices, x, y)) continue;
            const Vec3d at{double(x), double(y), (low.z + high.z) / 2};
            const auto place = nav::project_to_mesh(mesh, at, kSpotExtents, &context);
            if (!place || graph.index(place->polygon) != polygon) continue;
            spots.push_back({polygon, {x, y, whole_cm(place->location.z)}});
        }
    }
}

/// The spots of the component with the most of them.
std::vector<Spot> largest_ground(const nav::MeshReplica& mesh,
                                 const std::vector<nav::PolygonIndex>& component,
                                 std::int32_t spacing_cm) {
    const nav::MeshGraph& graph = mesh.graph();
    std::vector<Spot> all;
    nav::MeshContext context;
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
        if (graph.open(p) && !graph.off_mesh(p)) add_spots(mesh, p, spacing_cm, context, all);
    }
    std::vector<std::size_t> sizes(graph.size());
    for (const Spot& spot : all) ++sizes[component[spot.polygon]];
    const auto largest = std::ranges::max_element(sizes);
    std::erase_if(all, [&](const Spot& spot) {
        return component[spot.polygon] != static_cast<std::size_t>(largest - sizes.begin());
    });
    return all;
}

/// Whether all ground lies on the lattice of positions.
bool positions_reach(const nav::MeshGraph& graph) {
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
        const auto on_lattice = [](const nav::MeshPosition& vertex) {
            const Vec3d at = nav::to_world(vertex);
            return Position::reaches({at.x, at.y});
        };
        if (!std::ranges::all_of(graph.vertices(p), on_lattice)) return false;
    }
    return true;
}

}  // namespace

Result<MeshFacts> MeshFacts::of(const substrate::NavMeshView& stream, std::size_t units) {
    Result<nav::MeshReplica> mesh =
        nav::MeshReplica::build(stream.params(), stream.tiles(), stream.area_costs());
    if (!mesh) return refuse(std::move(mesh.error()));
    MeshFacts facts;
    facts.mesh = std::make_shared<const nav::MeshReplica>(std::move(*mesh));
    if (!positions_reach(facts.mesh->graph())) {
        return refuse(ErrorCode::kOverCap,
                      "the navmesh reaches more than 20 km from the world's origin");
    }
    facts.weights = weights_of(*facts.mesh);
    const std::vector<nav::PolygonIndex> component = components_of(facts.mesh->graph());
    for (const std::int32_t spacing_cm : kSpacingsCm) {
        facts.spots = largest_ground(*facts.mesh, component, spacing_cm);
        if (facts.spots.size() >= units) return facts;
    }
    if (facts.spots.empty()) {
        return refuse(ErrorCode::kNoGround, "the navmesh has no ground to stand on");
    }
    return refuse(ErrorCode::kTooManyUnits, std::to_string(units) +
                                                " units, but the largest connected ground has " +
                                                std::to_string(facts.spots.size()) + " spots");
}

nav::MeshSolution MeshFacts::ways_to(nav::PolygonIndex goal) const {
    const Vec3d centre = mesh->graph().centre(goal);
    const nav::MeshGoal goals[]{{goal, centre, centre}};
    nav::MeshScratch scratch;
    core::SerialExecutor serial;
    nav::MeshSolution ways;
    nav::solve_mesh(mesh->graph(), weights, goals, serial, scratch, ways);
    return ways;
}

}  // namespace maniple::skirmish
