#include <algorithm>
#include <bit>
#include <cmath>

#include "maniple/core/assert.h"
#include "maniple/nav/mesh_solver.h"

namespace maniple::nav {
namespace {

constexpr std::uint32_t kRing = 1024;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

// implements: NAVM-011, NAVM-012, O-NAVM-01, O-NAVM-18
std::uint32_t weight_of(const MeshEdge& edge, double from_multiplier, double to_multiplier) {
    const double length = edge.from_cm * from_multiplier + edge.to_cm * to_multiplier;
    const double weight = std::floor(kMeshDistUnitsPerCm * length + 0.5);
    if (weight >= kUncovered) return kUncovered;
    return static_cast<std::uint32_t>(std::max(weight, 1.0));
}

}  // namespace

/// A ring of buckets by distance, and a list of what lies beyond it.
struct MeshScratch::Parts {
    struct Entry {
        PolygonIndex polygon;
        std::uint32_t dist;
        std::uint32_t below;  ///< The next entry of the bucket.
    };
    std::vector<Entry> entries;
    std::vector<std::uint32_t> heads;
    std::vector<Entry> far;
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
    weights.bucket_shift = std::max(0, static_cast<int>(std::bit_width(mean)) - 2);
    return weights;
}

namespace {

/// Label-correcting: a bucket is worked off until nothing in it is new. The distances are those of
/// any other order.
class Flood {
  public:
    Flood(const MeshWeights& weights, MeshScratch::Parts& parts, std::vector<std::uint32_t>& dist)
        : weights_(weights), parts_(parts), dist_(dist) {
        parts_.entries.clear();
        parts_.far.clear();
        parts_.heads.assign(kRing, kNone);
    }

    void run(std::span<const MeshGoal> goals) {
        for (const MeshGoal& goal : goals) {
            if (dist_[goal.polygon] == 0) continue;
            dist_[goal.polygon] = 0;
            push(goal.polygon, 0);
        }
        while (in_ring_ > 0 || !parts_.far.empty()) {
            if (in_ring_ == 0) bucket_ = far_bucket_;
            if (far_bucket_ <= bucket_) bring_near();
            work_off(parts_.heads[bucket_ % kRing]);
            ++bucket_;
        }
    }

  private:
    void push(PolygonIndex polygon, std::uint32_t dist) {
        const std::uint32_t bucket = dist >> weights_.bucket_shift;
        if (bucket - bucket_ >= kRing) {
            parts_.far.push_back({polygon, dist, kNone});
            far_bucket_ = std::min(far_bucket_, bucket);
            return;
        }
        std::uint32_t& head = parts_.heads[bucket % kRing];
        parts_.entries.push_back({polygon, dist, head});
        head = static_cast<std::uint32_t>(parts_.entries.size() - 1);
        ++in_ring_;
    }

    /// Puts what the ring has room for by now into it.
    void bring_near() {
        std::vector<MeshScratch::Parts::Entry> far;
        far.swap(parts_.far);
        far_bucket_ = kNone;
        for (const auto& entry : far) push(entry.polygon, entry.dist);
    }

    void work_off(std::uint32_t& head) {
        while (head != kNone) {
            const MeshScratch::Parts::Entry entry = parts_.entries[head];
            head = entry.below;
            --in_ring_;
            if (dist_[entry.polygon] != entry.dist) continue;
            const std::uint32_t end = weights_.steps_begin[entry.polygon + 1];
            for (std::uint32_t s = weights_.steps_begin[entry.polygon]; s < end; ++s) {
                const MeshWeights::Step step = weights_.steps[s];
                const std::uint64_t dist = std::uint64_t{entry.dist} + step.weight;
                if (dist >= dist_[step.from]) continue;
                dist_[step.from] = static_cast<std::uint32_t>(dist);
                push(step.from, static_cast<std::uint32_t>(dist));
            }
        }
    }

    const MeshWeights& weights_;
    MeshScratch::Parts& parts_;
    std::vector<std::uint32_t>& dist_;
    std::size_t in_ring_ = 0;
    std::uint32_t bucket_ = 0;
    std::uint32_t far_bucket_ = kNone;
};

}  // namespace

// implements: NAVM-011, NAVM-013, O-NAVM-18, O-NAVM-20
void flood_mesh(const MeshWeights& weights, std::span<const MeshGoal> goals, MeshScratch& scratch,
                std::vector<std::uint32_t>& dist) {
    dist.assign(weights.steps_begin.size() - 1, kUncovered);
    Flood(weights, scratch.parts(), dist).run(goals);
}

}  // namespace maniple::nav
