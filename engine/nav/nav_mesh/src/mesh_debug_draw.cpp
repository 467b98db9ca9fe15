#include "maniple/nav/mesh_debug_draw.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace maniple::nav {
namespace {

/// How far above and below its centre a polygon's surface is looked for.
constexpr double kTraceReachCm = 200;

DrawColour between(DrawColour a, DrawColour b, double share) {
    const auto channel = [&](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(std::floor(from + (to - from) * share + 0.5));
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

void draw_outline(const MeshGraph& graph, PolygonIndex polygon, DrawColour colour,
                  std::vector<DrawLine>& lines) {
    const auto corners = graph.vertices(polygon);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const MeshPosition& next = corners[(i + 1) % corners.size()];
        lines.push_back({to_world(corners[i]), to_world(next), colour});
    }
}

/// A direction's part in a surface; zero for one straight up.
Vec3f in_surface(Vec3f way, Vec3f up) {
    const float rise = way.x * up.x + way.y * up.y + way.z * up.z;
    return core::normalised({way.x - up.x * rise, way.y - up.y * rise, way.z - up.z * rise});
}

}  // namespace

// implements: VIS-015, O-VIS-04
DrawColour area_cost_colour(float cost) {
    const double at = std::clamp(static_cast<double>(cost), 1.0, 10.0);
    return at <= 5 ? between(kGreen, kYellow, (at - 1) / 4) : between(kYellow, kRed, (at - 5) / 5);
}

// implements: VIS-001, VIS-005, VIS-006
void draw_mesh_frame(const MeshField& field, bool world_runs, DebugDraw& draw) {
    draw.lines.clear();
    if (!draw.switches.graph_edges_in_game || !world_runs || !field.synced()) return;
    const MeshReplica* replica = field.active_mesh();
    if (replica == nullptr) return;
    const MeshGraph& graph = replica->graph();
    for (PolygonIndex polygon = 0; polygon < graph.size(); ++polygon) {
        if (graph.off_mesh(polygon)) {
            const auto ends = graph.vertices(polygon);
            draw.lines.push_back({to_world(ends.front()), to_world(ends.back()), kMagenta});
        } else if (graph.open(polygon)) {
            const bool plain = replica->area_costs()[graph.area(polygon)] == 1.0F;
            draw_outline(graph, polygon, plain ? kSilver : kOrange, draw.lines);
        }
    }
}

// implements: VIS-011, VIS-014
void draw_mesh_arrows(const MeshField& field, const WorldQuery* world, TraceMask ground,
                      DebugDraw& draw) {
    draw.arrows.clear();
    const MeshReplica* mesh = field.active_mesh();
    if (!draw.switches.arrows || mesh == nullptr) return;
    const MeshGraph& graph = mesh->graph();
    const MeshLayer& layer = field.default_layer();
    const bool flows = layer.solved && layer.mesh_generation == mesh->generation();
    for (PolygonIndex polygon = 0; polygon < graph.size(); ++polygon) {
        if (graph.off_mesh(polygon)) continue;
        const Vec3d centre = graph.centre(polygon);
        std::optional<SurfaceHit> hit;
        if (world != nullptr) {
            hit = world->trace_line(centre + Vec3d{0, 0, kTraceReachCm},
                                    centre - Vec3d{0, 0, kTraceReachCm}, ground);
        }
        DrawArrow arrow;
        arrow.location_cm = hit ? hit->point : centre;
        arrow.up = hit ? hit->normal : Vec3f{0, 0, 1};
        if (!flows || !layer.solution.covered(polygon)) {
            arrow.kind = ArrowKind::kNoDirection;
        } else {
            const Vec3f direction = layer.solution.direction[polygon];
            const bool turned = !(direction == layer.unmodified_direction(polygon));
            if (turned) arrow.kind = ArrowKind::kModified;
            arrow.along = in_surface(direction, arrow.up);
        }
        draw.arrows.push_back(arrow);
    }
}

// implements: VIS-015, O-VIS-03
void draw_area_costs(const MeshField& field, DebugDraw& draw) {
    draw.area_costs.clear();
    const MeshReplica* mesh = field.active_mesh();
    if (!draw.switches.area_costs || mesh == nullptr) return;
    const AreaCosts cost = field.area_costs().cost;
    const MeshGraph& graph = mesh->graph();
    for (PolygonIndex polygon = 0; polygon < graph.size(); ++polygon) {
        if (graph.off_mesh(polygon) || !graph.open(polygon)) continue;
        const float own = cost[graph.area(polygon)];
        if (own != 1.0F) draw_outline(graph, polygon, area_cost_colour(own), draw.area_costs);
    }
}

}  // namespace maniple::nav
