#include <algorithm>
#include <cmath>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_solver.h"

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

/// Polygons whose ways are still to be followed: those below the end of the window, and the others.
/// As much of both as is in use has a count of its own.
struct MeshScratch::Parts {
    std::vector<PolygonIndex> near;
    std::vector<PolygonIndex> far;
};

MeshScratch::MeshScratch() : parts_(std::make_unique<Parts>()) {}
MeshScratch::~MeshScratch() = default;

MeshWeights weigh_edges(const MeshGraph& graph, const AreaCostContext& areas) {
    MeshWeights weights;
    const std::span<const MeshEdge> edges = graph.edges();
    weights.of_edge.reserve(edges.size());
    weights.steps_begin.assign(graph.size() + 1, 0);
    std::uint64_t sum = 0;
    for (const MeshEdge& edge : edges) {
        const std::uint32_t weight = weight_of(edge, areas.multiplier[graph.area(edge.from)],
                                               areas.multiplier[graph.area(edge.to)]);
        weights.of_edge.push_back(weight);
        sum += weight;
        if (weight != kUncovered) ++weights.steps_begin[edge.to + 1];
    }
    for (std::size_t p = 0; p < graph.size(); ++p) {
        weights.steps_begin[p + 1] += weights.steps_begin[p];
    }
    weights.steps.resize(weights.steps_begin.back());
    std::vector<std::uint32_t> place(weights.steps_begin.begin(), weights.steps_begin.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (weights.of_edge[e] == kUncovered) continue;
        weights.steps[place[edges[e].to]++] = {edges[e].from, weights.of_edge[e]};
    }
    const std::uint64_t mean = sum / std::max<std::size_t>(1, edges.size());
    weights.window = std::max<std::uint64_t>(1, kWindowEdges * mean);
    return weights;
}

namespace {

/// Label-correcting, one window of distances after the other: a window is worked off, first in
/// first out, until nothing in it is new. The distances are those of any other order. No branch
/// asks whether a way is shorter, which nothing foretells: every way is written behind the end of
/// both lists, and the end moves or does not.
class Flood {
  public:
    Flood(const MeshWeights& weights, MeshScratch::Parts& parts, std::vector<std::uint32_t>& dist)
        : weights_(weights),
          near_(parts.near),
          far_(parts.far),
          dist_(dist),
          end_(weights.window) {}

    void run(std::span<const MeshGoal> goals) {
        make_room(goals.size());
        for (const MeshGoal& goal : goals) {
            if (dist_[goal.polygon] == 0) continue;
            dist_[goal.polygon] = 0;
            near_[near_count_++] = goal.polygon;
        }
        while (near_count_ > 0) {
            for (std::size_t i = 0; i < near_count_; ++i) follow(near_[i]);
            near_count_ = 0;
            if (far_count_ > 0) move_window();
        }
    }

  private:
    void make_room(std::size_t count) {
        const std::size_t room = std::max(near_count_, far_count_) + count;
        if (near_.size() < room) near_.resize(2 * room);
        if (far_.size() < room) far_.resize(2 * room);
    }

    void follow(PolygonIndex polygon) {
        const std::uint32_t begin = weights_.steps_begin[polygon];
        const std::uint32_t end = weights_.steps_begin[polygon + 1];
        make_room(end - begin);
        const std::uint64_t here = dist_[polygon];
        PolygonIndex* near = near_.data() + near_count_;
        PolygonIndex* far = far_.data() + far_count_;
        for (std::uint32_t s = begin; s < end; ++s) {
            const MeshWeights::Step step = weights_.steps[s];
            const std::uint64_t dist = here + step.weight;
            std::uint32_t& known = dist_[step.from];
            const bool shorter = dist < known;
            const bool is_near = dist < end_;
            known = shorter ? static_cast<std::uint32_t>(dist) : known;
            *near = step.from;
            *far = step.from;
            near += shorter & is_near;
            far += shorter & !is_near;
        }
        near_count_ = static_cast<std::size_t>(near - near_.data());
        far_count_ = static_cast<std::size_t>(far - far_.data());
    }

    /// To the nearest of the far polygons. Those that the last window reached meanwhile are done.
    void move_window() {
        const std::uint64_t begin = end_;
        std::uint64_t nearest = kUncovered;
        for (std::size_t i = 0; i < far_count_; ++i) {
            const std::uint32_t dist = dist_[far_[i]];
            if (dist >= begin) nearest = std::min<std::uint64_t>(nearest, dist);
        }
        end_ = nearest + weights_.window;
        make_room(0);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < far_count_; ++i) {
            const PolygonIndex polygon = far_[i];
            const std::uint32_t dist = dist_[polygon];
            const bool waits = dist >= begin;
            const bool is_near = dist < end_;
            near_[near_count_] = polygon;
            far_[kept] = polygon;
            near_count_ += waits & is_near;
            kept += waits & !is_near;
        }
        far_count_ = kept;
    }

    const MeshWeights& weights_;
    std::vector<PolygonIndex>& near_;
    std::vector<PolygonIndex>& far_;
    std::vector<std::uint32_t>& dist_;
    std::size_t near_count_ = 0;
    std::size_t far_count_ = 0;
    std::uint64_t end_;  ///< Of the window: distances below it are near.
};

}  // namespace

// implements: NAVM-011, NAVM-013, O-NAVM-18, O-NAVM-20
void flood_mesh(const MeshWeights& weights, std::span<const MeshGoal> goals, MeshScratch& scratch,
                std::vector<std::uint32_t>& dist) {
    dist.assign(weights.steps_begin.size() - 1, kUncovered);
    Flood(weights, scratch.parts(), dist).run(goals);
}

}  // namespace maniple::nav
