#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

struct ReferenceSolution {
    std::vector<std::uint32_t> dist;
    std::vector<std::uint16_t> goal;
    std::vector<std::uint8_t> direction;
};

/// The solver as the requirements say it, one sentence at a time and as slow as that is: distances
/// by relaxing every cell until nothing changes, then labels and directions cell by cell. It shares
/// nothing with the engine's solver but the types.
class ReferenceSolver {
  public:
    ReferenceSolver(const GridSubstrate& ground, const FieldConfig& config,
                    const std::vector<CellIndex>& goals)
        : ground_(ground), config_(config), goals_(goals), cost_(ground.cost) {
        for (const CellIndex goal : goals) cost_[goal] = 0;
    }

    ReferenceSolution solve() {
        relax_to_fixpoint();
        for (std::int32_t x = 0; x < ground_.geometry.x_num(); ++x) {
            for (std::int32_t y = 0; y < ground_.geometry.y_num(); ++y) {
                out_.goal.push_back(label({x, y}));
                out_.direction.push_back(direction({x, y}));
            }
        }
        return out_;
    }

  private:
    static constexpr int kSteps[8][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                         {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    [[nodiscard]] bool inside(GridCoord c) const {
        return c.x >= 0 && c.y >= 0 && c.x < ground_.geometry.x_num() &&
               c.y < ground_.geometry.y_num();
    }
    [[nodiscard]] std::size_t at(GridCoord c) const {
        return static_cast<std::size_t>(c.x * ground_.geometry.y_num() + c.y);
    }
    [[nodiscard]] bool wall(GridCoord c) const {
        return ground_.type[at(c)] == 2 || cost_[at(c)] == 255;
    }
    [[nodiscard]] bool may_enter(GridCoord c) const {
        if (ground_.type[at(c)] == 0) return false;
        return !(config_.ignore_internal_obstacles && wall(c));
    }
    [[nodiscard]] bool adjacent(GridCoord a, GridCoord b) const {
        const std::int32_t dx = b.x - a.x;
        const std::int32_t dy = b.y - a.y;
        if (dx != 0 && dy != 0) {
            if (wall({a.x + dx, a.y}) || wall({a.x, a.y + dy})) return false;
        }
        const double run = (dx != 0 && dy != 0) ? ground_.geometry.cell_size_cm() * core::kSqrt2
                                                : ground_.geometry.cell_size_cm();
        const double rise = std::abs(ground_.z_cm[at(b)] - ground_.z_cm[at(a)]);
        return !(rise > core::tan_centideg(config_.max_walkable_centideg) * run);
    }
    [[nodiscard]] std::uint64_t weight(GridCoord entered, bool diagonal) const {
        const std::uint64_t cost = cost_[at(entered)] == 0 ? 1 : cost_[at(entered)];
        if (config_.metric == Metric::kCells) return cost;
        return diagonal ? 7 * cost : 5 * cost;
    }
    [[nodiscard]] bool is_goal(GridCoord c) const {
        for (const CellIndex goal : goals_) {
            if (goal == at(c)) return true;
        }
        return false;
    }

    void relax_to_fixpoint() {
        out_.dist.assign(ground_.cost.size(), config_.distance_limit);
        for (const CellIndex goal : goals_) out_.dist[goal] = 0;
        const int count = config_.style == Style::kAdjacentFirst ? 8 : 4;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::int32_t x = 0; x < ground_.geometry.x_num(); ++x) {
                for (std::int32_t y = 0; y < ground_.geometry.y_num(); ++y) {
                    const GridCoord from{x, y};
                    if (out_.dist[at(from)] == config_.distance_limit) continue;
                    for (int n = 0; n < count; ++n) {
                        const GridCoord to{x + kSteps[n][0], y + kSteps[n][1]};
                        if (!inside(to) || !may_enter(to) || !adjacent(from, to)) continue;
                        const std::uint64_t next = out_.dist[at(from)] + weight(to, n >= 4);
                        if (next >= config_.distance_limit || next >= out_.dist[at(to)]) continue;
                        out_.dist[at(to)] = static_cast<std::uint32_t>(next);
                        changed = true;
                    }
                }
            }
        }
    }

    /// The best lower neighbour among the first `count` steps, −1 if there is none.
    [[nodiscard]] int best_step(GridCoord cell, int count) const {
        const bool diagonals_first = config_.style == Style::kDiagonalFirst;
        int best = -1;
        std::uint64_t best_key = 0;
        for (int i = 0; i < 8; ++i) {
            const int n = diagonals_first ? (i + 4) % 8 : i;
            if (n >= count) continue;
            const GridCoord to{cell.x + kSteps[n][0], cell.y + kSteps[n][1]};
            if (!inside(to) || out_.dist[at(to)] >= out_.dist[at(cell)]) continue;
            if (!adjacent(cell, to)) continue;
            std::uint64_t key = out_.dist[at(to)];
            if (config_.metric == Metric::kOctile) key += weight(cell, n >= 4);
            if (best < 0 || key < best_key) {
                best = n;
                best_key = key;
            }
        }
        return best;
    }
    [[nodiscard]] std::uint16_t label(GridCoord cell) const {
        if (out_.dist[at(cell)] == config_.distance_limit) return FieldSolution::kNoGoal;
        while (!is_goal(cell)) {
            const int n = best_step(cell, config_.style == Style::kAdjacentFirst ? 8 : 4);
            cell = {cell.x + kSteps[n][0], cell.y + kSteps[n][1]};
        }
        for (std::size_t i = 0;; ++i) {
            if (goals_[i] == at(cell)) return static_cast<std::uint16_t>(i);
        }
    }
    [[nodiscard]] std::uint8_t direction(GridCoord cell) const {
        if (cost_[at(cell)] == 255 || out_.dist[at(cell)] == config_.distance_limit) return 9;
        if (is_goal(cell)) return 9;
        if (config_.straight_first && sees_goal(cell)) return 8;
        const int n = best_step(cell, 8);
        return n < 0 ? 9 : static_cast<std::uint8_t>(n);
    }
    [[nodiscard]] bool sees_goal(GridCoord cell) const {
        const CellIndex goal_index = goals_[out_.goal[at(cell)]];
        const GridCoord goal = ground_.geometry.coord(goal_index);
        int x = cell.x, y = cell.y;
        const int dx = std::abs(goal.x - x), dy = std::abs(goal.y - y);
        const int sx = goal.x > x ? 1 : -1, sy = goal.y > y ? 1 : -1;
        for (int e = dx - dy; x != goal.x || y != goal.y;) {
            const GridCoord here{x, y};
            if (cost_[at(here)] == 255) return false;
            const bool start = here == cell;
            if (!start && cost_[at(here)] != ground_.cost[at(here)]) return false;
            const int e2 = 2 * e;
            if (e2 > -dy) e -= dy, x += sx;
            if (e2 < dx) e += dx, y += sy;
        }
        return true;
    }

    const GridSubstrate& ground_;
    const FieldConfig& config_;
    const std::vector<CellIndex>& goals_;
    std::vector<std::uint8_t> cost_;
    ReferenceSolution out_;
};

inline ReferenceSolution reference_solve(const GridSubstrate& ground, const FieldConfig& config,
                                         const std::vector<CellIndex>& goals) {
    return ReferenceSolver(ground, config, goals).solve();
}

}  // namespace maniple::nav
