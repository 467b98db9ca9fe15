#include "maniple/nav/solver.h"

#include <algorithm>
#include <cstdlib>

#include "maniple/core/assert.h"

#include "grid_moves.h"

namespace maniple::nav {
namespace {

/// Fills the arrays with the unreached state and lowers the goal cells' costs.
void prepare(const GridSubstrate& substrate, const FieldConfig& config,
             std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& solution) {
    const std::size_t cells = substrate.geometry.cell_count();
    solution.dist.assign(cells, config.distance_limit);
    solution.direction.assign(cells, kNoDirection);
    solution.goal.assign(cells, FieldSolution::kNoGoal);
    scratch.cost = substrate.cost;
    for (const CellIndex goal : goals) scratch.cost[goal] = 0;
    scratch.settled.clear();
    scratch.buckets.resize(config.metric == Metric::kOctile ? 2048 : 256);
    for (auto& bucket : scratch.buckets) bucket.clear();
}

/// One solve over prepared arrays.
class Solve {
  public:
    Solve(const GridSubstrate& substrate, const FieldConfig& config,
          std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& out)
        : substrate_(substrate),
          geometry_(substrate.geometry),
          config_(config),
          goals_(goals),
          scratch_(scratch),
          out_(out),
          order_(config.style == Style::kAdjacentFirst ? kAdjacentOrder : kDiagonalOrder),
          moves_(substrate, config, scratch.cost.data()) {}

    void run() {
        integrate();
        label_goals();
        for (CellIndex cell = 0; cell < geometry_.cell_count(); ++cell) {
            out_.direction[cell] = direction_code(cell);
        }
    }

  private:
    /// What entering `cell` from neighbour direction `n` adds. implements: O-GRID-28, O-GRID-29
    [[nodiscard]] std::uint32_t step_cost(CellIndex cell, int n) const {
        const std::uint32_t cost = std::max<std::uint32_t>(scratch_.cost[cell], 1);
        return config_.metric == Metric::kCells ? cost : cost * (n >= 4 ? 7 : 5);
    }

    // implements: GRID-035, GRID-036, GRID-040, O-GRID-02, O-GRID-13
    void integrate() {
        const std::size_t mask = scratch_.buckets.size() - 1;
        const int neighbours = config_.style == Style::kAdjacentFirst ? 8 : 4;
        std::size_t open = 0;
        for (const CellIndex goal : goals_) {
            if (out_.dist[goal] == 0) continue;
            out_.dist[goal] = 0;
            scratch_.buckets[0].push_back(goal);
            ++open;
        }
        for (std::uint64_t dist = 0; open > 0; ++dist) {
            auto& bucket = scratch_.buckets[dist & mask];
            // Steps cost at least 1 and less than the number of buckets: nothing is added to the
            // bucket that is being emptied.
            open -= bucket.size();
            for (const CellIndex cell : bucket) {
                if (out_.dist[cell] != dist) continue;  // a shorter way was found since
                scratch_.settled.push_back(cell);
                const GridCoord at = geometry_.coord(cell);
                for (int n = 0; n < neighbours; ++n) {
                    const CellIndex to = moves_.step(at, cell, n);
                    if (to == kNoCell) continue;
                    const std::uint64_t next = dist + step_cost(to, n);
                    if (next >= config_.distance_limit || next >= out_.dist[to]) continue;
                    out_.dist[to] = static_cast<std::uint32_t>(next);
                    scratch_.buckets[next & mask].push_back(to);
                    ++open;
                }
            }
            bucket.clear();
        }
    }
    /// implements: O-GRID-08
    void label_goals() {
        for (std::size_t i = goals_.size(); i-- > 0;) {
            out_.goal[goals_[i]] = static_cast<std::uint16_t>(i);
        }
        const int candidates = config_.style == Style::kAdjacentFirst ? 8 : 4;
        for (const CellIndex cell : scratch_.settled) {
            if (out_.dist[cell] == 0) continue;
            out_.goal[cell] = out_.goal[predecessor(cell, candidates)];
        }
    }
    /// The neighbour a distance came from: the smallest key, the first of equals in candidate
    /// order.
    [[nodiscard]] CellIndex predecessor(CellIndex cell, int candidates) const {
        const GridCoord at = geometry_.coord(cell);
        CellIndex best = kNoCell;
        std::uint64_t best_key = ~std::uint64_t{0};
        for (const int n : order_) {
            if (n >= candidates) continue;
            const CellIndex from = moves_.neighbour(at, cell, n);
            if (from == kNoCell || out_.dist[from] >= out_.dist[cell]) continue;
            if (!moves_.connected(at, cell, from, n)) continue;
            const std::uint64_t key = candidate_key(cell, from, n);
            if (key < best_key) {
                best_key = key;
                best = from;
            }
        }
        MANIPLE_ASSERT(best != kNoCell);
        return best;
    }
    [[nodiscard]] std::uint64_t candidate_key(CellIndex cell, CellIndex to, int n) const {
        if (config_.metric == Metric::kCells) return out_.dist[to];
        return std::uint64_t{out_.dist[to]} + step_cost(cell, n);
    }

    // implements: GRID-042, GRID-044, O-GRID-09, O-GRID-34
    [[nodiscard]] std::uint8_t direction_code(CellIndex cell) const {
        const std::uint32_t own = out_.dist[cell];
        if (scratch_.cost[cell] == kImpassableCost || own == config_.distance_limit || own == 0) {
            return kNoDirection;
        }
        const GridCoord at = geometry_.coord(cell);
        if (config_.straight_first && line_of_sight(at, geometry_.coord(goals_[out_.goal[cell]]))) {
            return kStraightToGoal;
        }
        std::uint8_t best = kNoDirection;
        std::uint64_t best_key = ~std::uint64_t{0};
        for (const int n : order_) {
            const CellIndex to = moves_.neighbour(at, cell, n);
            if (to == kNoCell || out_.dist[to] >= own) continue;
            if (!moves_.connected(at, cell, to, n)) continue;
            const std::uint64_t key = candidate_key(cell, to, n);
            if (key < best_key) {
                best_key = key;
                best = static_cast<std::uint8_t>(n);
            }
        }
        return best;
    }

    /// Bresenham from a cell to its goal, both ends on the line. implements: GRID-043, O-GRID-12
    [[nodiscard]] bool line_of_sight(GridCoord start, GridCoord goal) const {
        const std::int32_t dx = std::abs(goal.x - start.x);
        const std::int32_t dy = std::abs(goal.y - start.y);
        const std::int32_t sx = start.x < goal.x ? 1 : -1;
        const std::int32_t sy = start.y < goal.y ? 1 : -1;
        std::int32_t error = dx - dy;
        GridCoord at = start;
        while (!(at == goal)) {
            const CellIndex cell = geometry_.index(at);
            if (scratch_.cost[cell] == kImpassableCost) return false;
            if (!(at == start) && scratch_.cost[cell] != substrate_.cost[cell]) return false;
            const std::int32_t twice = 2 * error;
            if (twice > -dy) {
                error -= dy;
                at.x += sx;
            }
            if (twice < dx) {
                error += dx;
                at.y += sy;
            }
        }
        return true;
    }

    const GridSubstrate& substrate_;
    const GridGeometry& geometry_;
    const FieldConfig& config_;
    std::span<const CellIndex> goals_;
    SolverScratch& scratch_;
    FieldSolution& out_;
    const std::array<int, 8>& order_;
    GridMoves moves_;
};

}  // namespace

void solve_field(const GridSubstrate& substrate, const FieldConfig& config,
                 std::span<const CellIndex> goals, SolverScratch& scratch,
                 FieldSolution& solution) {
    MANIPLE_ASSERT(goals.size() < FieldSolution::kNoGoal);
    prepare(substrate, config, goals, scratch, solution);
    Solve(substrate, config, goals, scratch, solution).run();
}

std::uint32_t Components::largest() const {
    const auto most = std::max_element(cell_count.begin(), cell_count.end());
    return most == cell_count.end()
               ? kNone
               : static_cast<std::uint32_t>(std::distance(cell_count.begin(), most));
}

Components label_components(const GridSubstrate& substrate, const FieldConfig& config) {
    const GridGeometry& geometry = substrate.geometry;
    const GridMoves moves(substrate, config, substrate.cost.data());
    const int neighbours = config.style == Style::kAdjacentFirst ? 8 : 4;
    Components result;
    result.label.assign(geometry.cell_count(), Components::kNone);
    std::vector<CellIndex> open;
    for (CellIndex first = 0; first < geometry.cell_count(); ++first) {
        if (result.label[first] != Components::kNone) continue;
        if (!moves.enterable(first) || moves.blocks(first)) continue;
        const auto label = static_cast<std::uint32_t>(result.cell_count.size());
        result.cell_count.push_back(0);
        result.label[first] = label;
        open.assign(1, first);
        while (!open.empty()) {
            const CellIndex cell = open.back();
            open.pop_back();
            ++result.cell_count[label];
            const GridCoord at = geometry.coord(cell);
            for (int n = 0; n < neighbours; ++n) {
                const CellIndex to = moves.step(at, cell, n);
                if (to == kNoCell || moves.blocks(to)) continue;
                if (result.label[to] != Components::kNone) continue;
                result.label[to] = label;
                open.push_back(to);
            }
        }
    }
    return result;
}

}  // namespace maniple::nav
