#include <algorithm>
#include <cmath>
#include <tuple>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_solver.h"

#include "mesh_scratch.h"

namespace maniple::nav {
namespace {

/// A window of the flood in mean edges: narrow ones are many, wide ones correct more distances.
constexpr std::uint64_t kWindowEdges = 4;

// implements: NAVM-011, NAVM-012, O-NAVM-01, O-NAVM-18
std::uint32_t weight_of(const MeshEdge& edge, double from_multiplier, double to_multiplier) {
    const double length = edge.from_cm * from_multiplier + edge.to_cm * to_multiplier;
    const double weight = std::floor(kMeshDistUnitsPerCm * length + 0.5);
    if (weight >= kUncovered) return kUncovered;
    return static_cast<std::uint32_t>(std::max(weight, 1.0));
}

}  // namespace

MeshScratch::MeshScratch() : parts_(std::make_unique<Parts>()) {}
MeshScratch::~MeshScratch() = default;

MeshSteps::MeshSteps(std::size_t polygons, std::span<const Way> ways) {
    MANIPLE_ASSERT(std::ranges::is_sorted(ways, {}, &Way::from));
    constexpr std::size_t kLanes = std::tuple_size_v<decltype(Row::from)>;
    std::vector<std::uint32_t> counts(polygons);
    for (const Way& way : ways) ++counts[way.to];
    begin_.reserve(polygons + 1);
    for (const std::uint32_t count : counts) {
        begin_.push_back(begin_.back() + static_cast<std::uint32_t>((count + kLanes - 1) / kLanes));
    }
    rows_.resize(begin_.back());
    for (PolygonIndex to = 0; to < polygons; ++to) {
        for (std::uint32_t r = begin_[to]; r < begin_[to + 1]; ++r) {
            rows_[r].from.fill(to);
            rows_[r].weight.fill(0);
        }
        counts[to] = 0;
    }
    for (const Way& way : ways) {
        if (way.from == way.to) continue;
        Row* const rows = &rows_[begin_[way.to]];
        std::uint32_t lane = counts[way.to];
        const std::uint32_t last = lane - 1;
        const bool again = lane > 0 && rows[last / kLanes].from[last % kLanes] == way.from;
        if (again) lane = last;
        std::uint32_t& weight = rows[lane / kLanes].weight[lane % kLanes];
        weight = again ? std::min(weight, way.weight) : way.weight;
        rows[lane / kLanes].from[lane % kLanes] = way.from;
        counts[way.to] = lane + 1;
    }
}

MeshWeights weigh_edges(const MeshGraph& graph, const AreaCostContext& areas) {
    MeshWeights weights;
    const std::span<const MeshEdge> edges = graph.edges();
    weights.of_edge.reserve(edges.size());
    std::vector<MeshSteps::Way> ways;
    ways.reserve(edges.size());
    std::uint64_t sum = 0;
    for (const MeshEdge& edge : edges) {
        const std::uint32_t weight = weight_of(edge, areas.multiplier[graph.area(edge.from)],
                                               areas.multiplier[graph.area(edge.to)]);
        weights.of_edge.push_back(weight);
        if (weight == kUncovered) continue;
        ways.push_back({edge.from, edge.to, weight});
        sum += weight;
    }
    weights.steps = MeshSteps(graph.size(), ways);
    const std::uint64_t mean = sum / std::max<std::size_t>(1, ways.size());
    weights.window = std::max<std::uint64_t>(1, kWindowEdges * mean);
    return weights;
}

}  // namespace maniple::nav
