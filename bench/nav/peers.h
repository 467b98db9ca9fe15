#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench_maps.h"

namespace maniple::bench {

/// What a textbook solver keeps for a cell.
struct TextbookCell {
    std::uint32_t dist = 0;
    std::uint8_t cost = 0;
    std::uint8_t type = 0;
    std::int32_t came_from_x = 0;
    std::int32_t came_from_y = 0;
};

/// Dijkstra by std::priority_queue over one struct a cell, rules evaluated at every step.
class TextbookSolver {
  public:
    explicit TextbookSolver(const BenchMap& map);
    /// Distances to the map's goal, in cells().
    void solve();
    [[nodiscard]] const std::vector<TextbookCell>& cells() const { return cells_; }

  private:
    const BenchMap& map_;
    std::vector<TextbookCell> cells_;
};

/// boost::dijkstra_shortest_paths over an implicit graph of the same moves, prepared beforehand as
/// boost::compressed_sparse_row_graph.
class BoostSolver {
  public:
    explicit BoostSolver(const BenchMap& map);
    ~BoostSolver();
    BoostSolver(const BoostSolver&) = delete;
    BoostSolver& operator=(const BoostSolver&) = delete;
    void solve();
    [[nodiscard]] const std::vector<std::uint32_t>& dist() const { return dist_; }

  private:
    struct Graph;
    const BenchMap& map_;
    std::unique_ptr<Graph> graph_;
    std::vector<std::uint32_t> dist_;
};

/// boost::astar_search over the same moves with the octile heuristic, stopped at the goal.
class BoostPaths {
  public:
    explicit BoostPaths(const BenchMap& map);
    ~BoostPaths();
    BoostPaths(const BoostPaths&) = delete;
    BoostPaths& operator=(const BoostPaths&) = delete;
    /// Octile length of the shortest way; costs are not looked at.
    double length(nav::CellIndex from, nav::CellIndex to);

  private:
    struct Graph;
    const BenchMap& map_;
    std::unique_ptr<Graph> graph_;
};

}  // namespace maniple::bench
