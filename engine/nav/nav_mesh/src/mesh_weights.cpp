#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

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
        const auto lane = [&](std::uint32_t i) {
            Row& row = rows_[begin_[way.to] + i / kLanes];
            return std::pair<PolygonIndex&, std::uint32_t&>(row.from[i % kLanes],
                                                            row.weight[i % kLanes]);
        };
        std::uint32_t i = 0;
        while (i < counts[way.to] && lane(i).first != way.from) ++i;
        const auto [from, weight] = lane(i);
        const bool is_new = i == counts[way.to];
        counts[way.to] += is_new ? 1 : 0;
        from = way.from;
        weight = is_new ? way.weight : std::min(weight, way.weight);
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
        sum += weight;
        if (weight != kUncovered) ways.push_back({edge.from, edge.to, weight});
    }
    weights.steps = MeshSteps(graph.size(), ways);
    const std::uint64_t mean = sum / std::max<std::size_t>(1, edges.size());
    weights.window = std::max<std::uint64_t>(1, kWindowEdges * mean);
    return weights;
}

}  // namespace maniple::nav
