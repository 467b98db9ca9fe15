#include "maniple/nav/mesh_solver.h"

#include <optional>

#include "mesh_ray.h"
#include "mesh_vectors.h"

namespace maniple::nav {
namespace {

/// Polygons of the goal chain that a direction looks ahead (O-NAVM-06).
constexpr int kChainMax = 16;
constexpr std::size_t kBlock = 256;

// implements: O-NAVM-18, O-NAVM-20
/// The edge to the neighbour that the distance comes from: of those the one of the least distance,
/// then (slot, polygon), then edge. Edges stand in that order but for the distance.
std::uint32_t edge_on(const MeshGraph& graph, const MeshWeights& weights,
                      const std::vector<std::uint32_t>& dist, PolygonIndex polygon) {
    std::uint32_t best = MeshSolution::kNoEdge;
    std::uint32_t best_dist = kUncovered;
    const std::span<const MeshEdge> edges = graph.edges_of(polygon);
    const std::size_t begin = graph.edges_begin(polygon);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::uint32_t after = dist[edges[i].to];
        if (after >= best_dist) continue;
        if (std::uint64_t{after} + weights.of_edge[begin + i] != dist[polygon]) continue;
        best = static_cast<std::uint32_t>(begin + i);
        best_dist = after;
    }
    return best;
}

void find_next(const MeshGraph& graph, const MeshWeights& weights, MeshSolution& solution) {
    solution.via.assign(graph.size(), MeshSolution::kNoEdge);
    solution.next.assign(graph.size(), kNoPolygon);
    for (PolygonIndex p = 0; p < graph.size(); ++p) {
        if (!solution.covered(p) || solution.dist[p] == 0) continue;
        solution.via[p] = edge_on(graph, weights, solution.dist, p);
        solution.next[p] = graph.edges()[solution.via[p]].to;
    }
}

// implements: O-NAVM-22
/// Every polygon has the goal of the one it leads to.
void label_goals(std::span<const MeshGoal> goals, MeshSolution& solution) {
    solution.goal.assign(solution.dist.size(), MeshSolution::kNoGoal);
    for (std::uint32_t g = 0; g < goals.size(); ++g) {
        std::uint32_t& label = solution.goal[goals[g].polygon];
        if (label == MeshSolution::kNoGoal) label = g;
    }
    std::vector<PolygonIndex> chain;
    for (PolygonIndex p = 0; p < solution.dist.size(); ++p) {
        if (!solution.covered(p)) continue;
        PolygonIndex at = p;
        for (; solution.goal[at] == MeshSolution::kNoGoal; at = solution.next[at]) {
            chain.push_back(at);
        }
        for (const PolygonIndex passed : chain) solution.goal[passed] = solution.goal[at];
        chain.clear();
    }
}

/// Where the agents of a polygon head for.
class Target {
  public:
    Target(const MeshGraph& graph, std::span<const MeshGoal> goals, const MeshSolution& solution)
        : graph_(graph), goals_(goals), solution_(solution) {}

    // implements: NAVM-014, O-NAVM-06
    [[nodiscard]] Vec3d of(PolygonIndex polygon) const {
        if (is_goal(polygon)) return goal_of(polygon).projected;
        if (!graph_.off_mesh(polygon)) {
            if (const auto seen = farthest_seen(polygon)) return *seen;
        }
        return graph_.edges()[solution_.via[polygon]].middle;
    }

  private:
    [[nodiscard]] bool is_goal(PolygonIndex polygon) const { return solution_.dist[polygon] == 0; }
    [[nodiscard]] const MeshGoal& goal_of(PolygonIndex polygon) const {
        return goals_[solution_.goal[polygon]];
    }

    [[nodiscard]] std::optional<Vec3d> farthest_seen(PolygonIndex from) const {
        std::optional<Vec3d> seen;
        PolygonIndex at = solution_.next[from];
        for (int i = 0; i < kChainMax && at != kNoPolygon; ++i, at = solution_.next[at]) {
            if (graph_.off_mesh(at)) break;
            const bool goal = is_goal(at);
            const Vec3d target = goal ? goal_of(at).projected : graph_.centre(at);
            const FlatPoint end = goal ? to_flat(target) : graph_.flat_centre(at);
            if (cast_ray(graph_, from, graph_.flat_centre(from), end) != at) break;
            seen = target;
        }
        return seen;
    }

    const MeshGraph& graph_;
    std::span<const MeshGoal> goals_;
    const MeshSolution& solution_;
};

}  // namespace

// implements: NAVM-010, NAVM-011, NAVM-014, NAVM-015
void solve_mesh(const MeshGraph& graph, const MeshWeights& weights, std::span<const MeshGoal> goals,
                core::Executor& executor, MeshScratch& scratch, MeshSolution& solution) {
    flood_mesh(weights, goals, scratch, solution.dist);
    find_next(graph, weights, solution);
    label_goals(goals, solution);
    solution.direction.assign(graph.size(), {});
    const Target target(graph, goals, solution);
    core::for_blocks(executor, graph.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const auto polygon = static_cast<PolygonIndex>(p);
            if (!solution.covered(polygon)) continue;
            solution.direction[p] = unit(target.of(polygon) - graph.centre(polygon));
        }
    });
}

}  // namespace maniple::nav
