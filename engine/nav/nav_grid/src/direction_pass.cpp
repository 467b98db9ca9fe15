#include "direction_pass.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "dial_flood.h"

namespace maniple::nav {
namespace {

/// Candidate order of the label and direction passes (O-GRID-07).
constexpr std::array<std::uint8_t, 8> candidate_order(Style style) {
    if (style == Style::kAdjacentFirst) return {0, 1, 2, 3, 4, 5, 6, 7};
    return {4, 5, 6, 7, 0, 1, 2, 3};
}

// implements: GRID-044, O-GRID-07, O-GRID-09, O-GRID-29
template <class Dist, Style style, Metric metric>
void write_codes(const GridSubstrate& ground, const std::uint8_t* moves, std::uint8_t neighbours,
                 const DistanceField& field, std::uint8_t* codes) {
    constexpr std::array<std::uint8_t, 8> kOrder = candidate_order(style);
    const NeighbourOffsets offsets(ground.geometry.y_num());
    const Dist* dist = field.column<Dist>();
    for (CellIndex cell = 0; cell < field.size(); ++cell) {
        const std::uint64_t own = dist[cell];
        codes[cell] = kNoDirection;
        if (own == field.limit()) continue;
        // The key of a candidate with its rank below it: the least of all keys is the answer.
        std::uint64_t best = ~std::uint64_t{0};
        const std::uint32_t mask = moves[cell] & neighbours;
        const std::uint64_t cost = ground.cost[cell] == 0 ? 1 : ground.cost[cell];
        for (std::uint64_t rank = 0; rank < 8; ++rank) {
            const std::size_t n = kOrder[rank];
            if ((mask >> n & 1) == 0) continue;
            const std::uint64_t to = dist[cell + offsets[n]];
            const std::uint64_t key =
                metric == Metric::kCells ? to : to + cost * step_factor(metric, n);
            if (to < own) best = std::min(best, key << 3 | rank);
        }
        if (best != ~std::uint64_t{0}) codes[cell] = kOrder[best & 7];
    }
}

template <class Dist, Style style>
void write_codes(const GridSubstrate& ground, const std::uint8_t* moves, Metric metric,
                 std::uint8_t neighbours, const DistanceField& dist, std::uint8_t* codes) {
    if (metric == Metric::kCells) {
        write_codes<Dist, style, Metric::kCells>(ground, moves, neighbours, dist, codes);
    } else {
        write_codes<Dist, style, Metric::kOctile>(ground, moves, neighbours, dist, codes);
    }
}

template <class Dist>
void write_codes(const GridSubstrate& ground, const std::uint8_t* moves, const FieldConfig& config,
                 std::uint8_t neighbours, const DistanceField& dist, std::uint8_t* codes) {
    if (config.style == Style::kAdjacentFirst) {
        write_codes<Dist, Style::kAdjacentFirst>(ground, moves, config.metric, neighbours, dist,
                                                 codes);
    } else {
        write_codes<Dist, Style::kDiagonalFirst>(ground, moves, config.metric, neighbours, dist,
                                                 codes);
    }
}

/// Bresenham from a cell to its goal over cells that block the view. The goal itself never does,
/// and neither does the start: an impassable cell has no direction at all. implements: O-GRID-12
bool sees(const GridGeometry& g, const std::uint8_t* opaque, GridCoord start, GridCoord goal) {
    const std::int32_t dx = std::abs(goal.x - start.x);
    const std::int32_t dy = std::abs(goal.y - start.y);
    const CellIndex step_x = static_cast<CellIndex>(goal.x > start.x ? g.y_num() : -g.y_num());
    const CellIndex step_y = static_cast<CellIndex>(goal.y > start.y ? 1 : -1);
    std::int32_t error = dx - dy;
    CellIndex at = g.index(start);
    for (const CellIndex end = g.index(goal);;) {
        const std::int32_t twice = 2 * error;
        if (twice > -dy) {
            error -= dy;
            at += step_x;
        }
        if (twice < dx) {
            error += dx;
            at += step_y;
        }
        if (at == end) return true;
        if (opaque[at] != 0) return false;
    }
}

}  // namespace

void write_best_neighbours(const GridSubstrate& ground, const std::uint8_t* moves,
                           const FieldConfig& config, std::uint8_t neighbours,
                           const DistanceField& dist, std::uint8_t* codes) {
    if (dist.is_narrow()) {
        write_codes<std::uint16_t>(ground, moves, config, neighbours, dist, codes);
    } else {
        write_codes<std::uint32_t>(ground, moves, config, neighbours, dist, codes);
    }
}

// implements: GRID-043
void write_lines_of_sight(const SolverGround& ground, std::span<const CellIndex> goals,
                          FieldSolution& solution) {
    const GridGeometry& g = ground.now.geometry;
    std::vector<std::uint8_t> opaque(g.cell_count());
    for (CellIndex cell = 0; cell < g.cell_count(); ++cell) {
        const std::uint8_t cost = ground.now.cost[cell];
        opaque[cell] = (cost == kImpassableCost) | (cost != ground.base_cost[cell]);
    }
    for (const CellIndex goal : goals) opaque[goal] = ground.base_cost[goal] != 0;
    for (std::int32_t x = 0; x < g.x_num(); ++x) {
        for (std::int32_t y = 0; y < g.y_num(); ++y) {
            const CellIndex cell = g.index({x, y});
            if (solution.direction[cell] == kNoDirection) continue;
            const GridCoord goal = g.coord(goals[solution.goal[cell]]);
            if (sees(g, opaque.data(), {x, y}, goal)) solution.direction[cell] = kStraightToGoal;
        }
    }
}

}  // namespace maniple::nav
