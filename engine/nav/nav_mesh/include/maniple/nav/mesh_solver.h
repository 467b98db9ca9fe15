#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/math.h"
#include "maniple/nav/area_costs.h"
#include "maniple/nav/mesh_graph.h"

namespace maniple::nav {

/// Distances are 1/256 cm (O-NAVM-18).
inline constexpr std::uint32_t kMeshDistUnitsPerCm = 256;
/// The distance of a polygon that no flow reaches (NAVM-015).
inline constexpr std::uint32_t kUncovered = ~std::uint32_t{0};

/// A goal on the mesh.
struct MeshGoal {
    PolygonIndex polygon;
    Vec3d location;  ///< As given, world cm (O-NAVM-22).
    Vec3d projected;
};

/// The ways into each polygon as the flood reads them: in rows of as many as one vector takes, each
/// a cache line.
class MeshSteps {
  public:
    struct Way {
        PolygonIndex from, to;
        std::uint32_t weight;
    };
    struct alignas(64) Row {
        std::array<PolygonIndex, 8> from;
        std::array<std::uint32_t, 8> weight;
    };
    MeshSteps() = default;
    /// Of several ways from one polygon to another the shortest counts. `ways` ascend by `from`, as
    /// a graph's edges do, so that those between the same two follow one another.
    MeshSteps(std::size_t polygons, std::span<const Way> ways);

    [[nodiscard]] std::size_t polygons() const { return begin_.size() - 1; }
    /// The ways into a polygon. Lanes without one lead from it to itself and cost nothing; no other
    /// polygon is in a row twice.
    [[nodiscard]] std::span<const Row> into(PolygonIndex polygon) const {
        return {rows_.data() + begin_[polygon], rows_.data() + begin_[polygon + 1]};
    }

  private:
    std::vector<std::uint32_t> begin_{0};  ///< Of a polygon's rows, and the end.
    std::vector<Row> rows_;
};

/// The edges of a graph with what they cost under one table.
struct MeshWeights {
    std::vector<std::uint32_t> of_edge;  ///< In the graph's edge order; kUncovered: no way.
    MeshSteps steps;
    /// Distances that the flood works off together: a few edges' weight.
    std::uint64_t window = 1;
};
[[nodiscard]] MeshWeights weigh_edges(const MeshGraph& graph, const AreaCostContext& areas);

/// The solved field of one goal set, by polygon.
struct MeshSolution {
    std::vector<std::uint32_t> dist;
    std::vector<PolygonIndex> next;   ///< kNoPolygon at goals and where no flow is.
    std::vector<std::uint32_t> via;   ///< The graph's edge to `next`; kNoEdge without one.
    std::vector<std::uint32_t> goal;  ///< Index into the goals; kNoGoal where no flow is.
    std::vector<Vec3f> direction;     ///< World axes, of unit length or zero.
    static constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};
    static constexpr std::uint32_t kNoGoal = ~std::uint32_t{0};

    [[nodiscard]] bool covered(PolygonIndex polygon) const { return dist[polygon] != kUncovered; }
};

/// Reusable memory of floods; one for each thread that solves. Holds nothing of a solve.
class MeshScratch {
  public:
    struct Parts;
    MeshScratch();
    ~MeshScratch();
    MeshScratch(const MeshScratch&) : MeshScratch() {}
    MeshScratch& operator=(const MeshScratch&) { return *this; }
    [[nodiscard]] Parts& parts() { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

/// The distances alone, a unique fixpoint of the weights: no queue and no order of edges can change
/// them (O-NAVM-18, O-NAVM-20).
void flood_mesh(const MeshWeights& weights, std::span<const MeshGoal> goals, MeshScratch& scratch,
                std::vector<std::uint32_t>& dist);

/// CalculateNavMeshFlow: distances, next polygons, goal labels, then directions in parallel
/// (NAVM-010 … 015). Pure, on any thread. `weights` are the graph's; with several goals in one
/// polygon the first counts.
void solve_mesh(const MeshGraph& graph, const MeshWeights& weights, std::span<const MeshGoal> goals,
                core::Executor& executor, MeshScratch& scratch, MeshSolution& solution);

}  // namespace maniple::nav
