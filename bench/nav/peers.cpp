#include "peers.h"

#include <algorithm>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstdlib>
#include <functional>
#include <queue>
#include <utility>

namespace maniple::bench {

using nav::CellIndex;
using nav::GridCoord;

TextbookSolver::TextbookSolver(const BenchMap& map) : map_(map), cells_(map.cells()) {
    for (CellIndex cell = 0; cell < map.cells(); ++cell) {
        cells_[cell].cost = map.ground.cost[cell];
        cells_[cell].type = map.ground.type[cell];
    }
}

void TextbookSolver::solve() {
    using Entry = std::pair<std::uint32_t, CellIndex>;
    const nav::GridGeometry& g = map_.ground.geometry;
    for (TextbookCell& cell : cells_) cell.dist = map_.config.distance_limit;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    cells_[map_.goal].dist = 0;
    open.emplace(0, map_.goal);
    const auto wall = [&](std::int32_t x, std::int32_t y) {
        return cells_[g.index({x, y})].type == 2 || cells_[g.index({x, y})].cost == 255;
    };
    while (!open.empty()) {
        const auto [dist, index] = open.top();
        open.pop();
        if (cells_[index].dist != dist) continue;
        const GridCoord at = g.coord(index);
        for (const GridCoord d : nav::kNeighbours) {
            const GridCoord to{at.x + d.x, at.y + d.y};
            if (!g.contains(to) || wall(to.x, to.y)) continue;
            if (d.x != 0 && d.y != 0 && (wall(to.x, at.y) || wall(at.x, to.y))) continue;
            TextbookCell& cell = cells_[g.index(to)];
            const std::uint32_t next = dist + cell.cost;
            if (next >= cell.dist) continue;
            cell.dist = next;
            cell.came_from_x = at.x;
            cell.came_from_y = at.y;
            open.emplace(next, g.index(to));
        }
    }
}

struct Weight {
    std::uint32_t cost = 0;
};
struct BoostSolver::Graph {
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight> csr;
};

BoostSolver::BoostSolver(const BenchMap& map) : map_(map), dist_(map.cells()) {
    const std::int32_t y_num = map.ground.geometry.y_num();
    std::vector<std::pair<CellIndex, CellIndex>> edges;
    std::vector<Weight> weights;
    for (CellIndex cell = 0; cell < map.cells(); ++cell) {
        for (std::size_t n = 0; n < 8; ++n) {
            if ((map.moves[cell] >> n & 1) == 0) continue;
            const GridCoord d = nav::kNeighbours[n];
            edges.emplace_back(cell, cell + static_cast<CellIndex>(d.x * y_num + d.y));
            weights.push_back({map.ground.cost[edges.back().second]});
        }
    }
    graph_ = std::make_unique<Graph>(
        Graph{{boost::edges_are_sorted, edges.begin(), edges.end(), weights.begin(), map.cells()}});
}

BoostSolver::~BoostSolver() = default;

void BoostSolver::solve() {
    boost::dijkstra_shortest_paths(
        graph_->csr, map_.goal,
        boost::distance_map(boost::make_iterator_property_map(
                                dist_.begin(), boost::get(boost::vertex_index, graph_->csr)))
            .weight_map(boost::get(&Weight::cost, graph_->csr))
            .distance_inf(map_.config.distance_limit));
}

struct Length {
    double cells = 0;
};
struct BoostPaths::Graph {
    using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Length>;
    Csr csr;
    std::vector<double> dist;
    std::vector<CellIndex> from;
};

BoostPaths::BoostPaths(const BenchMap& map) : map_(map) {
    const std::int32_t y_num = map.ground.geometry.y_num();
    std::vector<std::pair<CellIndex, CellIndex>> edges;
    std::vector<Length> lengths;
    for (CellIndex cell = 0; cell < map.cells(); ++cell) {
        for (std::size_t n = 0; n < 8; ++n) {
            if ((map.moves[cell] >> n & 1) == 0) continue;
            const GridCoord d = nav::kNeighbours[n];
            edges.emplace_back(cell, cell + static_cast<CellIndex>(d.x * y_num + d.y));
            lengths.push_back({n < 4 ? 1.0 : 1.4142135623730951});
        }
    }
    graph_ = std::make_unique<Graph>(
        Graph{{boost::edges_are_sorted, edges.begin(), edges.end(), lengths.begin(), map.cells()},
              std::vector<double>(map.cells()),
              std::vector<CellIndex>(map.cells())});
}

BoostPaths::~BoostPaths() = default;

namespace {

struct Found {};
struct StopAtGoal : boost::default_astar_visitor {
    CellIndex goal;
    explicit StopAtGoal(CellIndex at) : goal(at) {}
    template <class Csr>
    void examine_vertex(std::size_t cell, const Csr&) const {
        if (cell == goal) throw Found{};
    }
};

}  // namespace

double BoostPaths::length(CellIndex from, CellIndex to) {
    const nav::GridGeometry& g = map_.ground.geometry;
    const GridCoord goal = g.coord(to);
    const auto octile = [&](std::size_t cell) {
        const GridCoord at = g.coord(static_cast<CellIndex>(cell));
        const double x = std::abs(at.x - goal.x);
        const double y = std::abs(at.y - goal.y);
        return std::max(x, y) + 0.41421356237309515 * std::min(x, y);
    };
    const auto index = boost::get(boost::vertex_index, graph_->csr);
    try {
        boost::astar_search(
            graph_->csr, from, octile,
            boost::distance_map(boost::make_iterator_property_map(graph_->dist.begin(), index))
                .predecessor_map(boost::make_iterator_property_map(graph_->from.begin(), index))
                .weight_map(boost::get(&Length::cells, graph_->csr))
                .visitor(StopAtGoal(to)));
    } catch (const Found&) {
    }
    return graph_->dist[to];
}

}  // namespace maniple::bench
