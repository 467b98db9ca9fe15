#include "sight_pass.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "byte_lanes.h"

namespace maniple::nav {
namespace {

/// A slope, cells aside for cells ahead: numerator / denominator, the latter positive.
struct Slope {
    std::int64_t numerator;
    std::int64_t denominator;
    friend bool operator<(const Slope& a, const Slope& b) {
        return a.numerator * b.denominator < b.numerator * a.denominator;
    }
    /// ceil(slope · n) for slope ≥ 0.
    [[nodiscard]] std::int64_t ceil_times(std::int64_t n) const {
        return (numerator * n + denominator - 1) / denominator;
    }
    /// floor(slope · n + 1/2) for slope ≥ 0.
    [[nodiscard]] std::int64_t round_times(std::int64_t n) const {
        return (2 * numerator * n + denominator) / (2 * denominator);
    }
};

/// Slopes from `low` up to, but without, `high`.
struct Beam {
    Slope low;
    Slope high;
};

/// Which cells block the view: 1 where the cost is impassable or not the base cost, goals at 0.
std::vector<std::uint8_t> opaque_cells(const SolverGround& ground,
                                       std::span<const CellIndex> goals) {
    const std::size_t cells = ground.now.geometry.cell_count();
    std::vector<std::uint8_t> opaque(cells);
    for (std::size_t i = 0; i < cells; i += 8) {
        const std::uint64_t cost = load_bytes(ground.now.cost.data() + i, cells - i);
        const std::uint64_t base = load_bytes(ground.base_cost.data() + i, cells - i);
        const std::uint64_t lanes = lanes_of_255(cost) | lanes_not_0(cost ^ base);
        std::memcpy(opaque.data() + i, &lanes, std::min<std::size_t>(8, cells - i));
    }
    for (const CellIndex goal : goals) opaque[goal] = ground.base_cost[goal] != 0 ? 1 : 0;
    return opaque;
}

/// An eighth of the grid as seen from a goal: rows ahead of it, cells aside of the middle.
struct Octant {
    CellIndex goal;
    CellIndex ahead;     ///< Index difference of one row, modulo 2^32.
    CellIndex aside;     ///< Of one cell aside.
    std::int64_t rows;   ///< Rows ahead inside the area asked for.
    std::int64_t cells;  ///< Cells aside inside it.
    bool diagonal;       ///< Lines with as many cells aside as ahead belong to this octant.
};

/// The Bresenham line of O-GRID-12 from a cell m aside and M ahead of its goal passes, n rows ahead
/// of the goal, the cell floor(n · m / M + 1/2) aside. So a cell (n, k) hides exactly the slopes
/// from (2k − 1) / 2n up to, but without, (2k + 1) / 2n, in every row behind it, and the slopes
/// that still see the goal are beams that narrow row by row.
class SightCast {
  public:
    SightCast(const std::vector<std::uint8_t>& opaque, FieldSolution& solution)
        : opaque_(opaque), solution_(solution) {}

    // implements: GRID-043, O-GRID-12
    void cast(const Octant& octant, std::uint16_t goal_label) {
        beams_.assign(1, Beam{{0, 1}, {2, 1}});
        for (std::int64_t row = 1; row <= octant.rows && !beams_.empty(); ++row) {
            const CellIndex middle = octant.goal + octant.ahead * static_cast<CellIndex>(row);
            const std::int64_t cells_end = std::min(octant.cells, row) + 1;
            mark(octant, middle, row, octant.diagonal ? cells_end : std::min(cells_end, row),
                 goal_label);
            narrow(octant, middle, row, cells_end);
        }
    }

  private:
    void mark(const Octant& octant, CellIndex middle, std::int64_t row, std::int64_t cells_end,
              std::uint16_t goal_label) {
        for (const Beam& beam : beams_) {
            const std::int64_t end = std::min(beam.high.ceil_times(row), cells_end);
            for (std::int64_t m = beam.low.ceil_times(row); m < end; ++m) {
                const CellIndex cell = middle + octant.aside * static_cast<CellIndex>(m);
                std::uint8_t& code = solution_.direction[cell];
                if (code != kNoDirection && solution_.known_goal[cell] == goal_label) {
                    code = kStraightToGoal;
                }
            }
        }
    }
    /// Takes the slopes that this row's opaque cells hide out of the beams.
    void narrow(const Octant& octant, CellIndex middle, std::int64_t row, std::int64_t cells_end) {
        narrowed_.clear();
        for (Beam beam : beams_) {
            // Cells that hide a slope of the beam: from round(low · row) while (2k − 1) / 2row
            // is below high.
            for (std::int64_t k = beam.low.round_times(row); k < cells_end; ++k) {
                const Slope hidden{2 * k - 1, 2 * row};
                if (!(hidden < beam.high)) break;
                if (opaque_[middle + octant.aside * static_cast<CellIndex>(k)] == 0) continue;
                if (beam.low < hidden) narrowed_.push_back({beam.low, hidden});
                beam.low = {2 * k + 1, 2 * row};
            }
            if (beam.low < beam.high) narrowed_.push_back(beam);
        }
        beams_.swap(narrowed_);
    }

    const std::vector<std::uint8_t>& opaque_;
    FieldSolution& solution_;
    std::vector<Beam> beams_;  ///< Ascending and apart.
    std::vector<Beam> narrowed_;
};

/// A rectangle around a goal and the cells labelled with it.
struct Area {
    GridCoord low;
    GridCoord high;
    void include(GridCoord at) {
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    [[nodiscard]] std::size_t cells() const {
        return static_cast<std::size_t>(high.x - low.x + 1) *
               static_cast<std::size_t>(high.y - low.y + 1);
    }
};

std::vector<Area> areas_of(const GridGeometry& g, std::span<const CellIndex> goals,
                           const FieldSolution& solution) {
    std::vector<Area> areas;
    if (goals.size() == 1) return {{{0, 0}, {g.x_num() - 1, g.y_num() - 1}}};
    for (const CellIndex goal : goals) areas.push_back({g.coord(goal), g.coord(goal)});
    for (std::int32_t x = 0; x < g.x_num(); ++x) {
        for (std::int32_t y = 0; y < g.y_num(); ++y) {
            const CellIndex cell = g.index({x, y});
            if (solution.direction[cell] == kNoDirection) continue;
            areas[solution.known_goal[cell]].include({x, y});
        }
    }
    return areas;
}

void cast_all_octants(const GridGeometry& g, CellIndex goal, std::uint16_t label, const Area& area,
                      SightCast& sight) {
    const auto y_num = static_cast<CellIndex>(g.y_num());
    const GridCoord at = g.coord(goal);
    const std::int32_t reach_x[2] = {area.high.x - at.x, at.x - area.low.x};
    const std::int32_t reach_y[2] = {area.high.y - at.y, at.y - area.low.y};
    for (std::size_t sx = 0; sx < 2; ++sx) {
        for (std::size_t sy = 0; sy < 2; ++sy) {
            const CellIndex along_x = sx == 0 ? y_num : 0 - y_num;
            const CellIndex along_y = sy == 0 ? 1 : 0 - CellIndex{1};
            sight.cast({goal, along_x, along_y, reach_x[sx], reach_y[sy], true}, label);
            sight.cast({goal, along_y, along_x, reach_y[sy], reach_x[sx], false}, label);
        }
    }
}

/// Cell by cell, for so many goals in each other's way that casting from each would take longer.
void walk_all_lines(const GridGeometry& g, std::span<const CellIndex> goals,
                    const std::vector<std::uint8_t>& opaque, FieldSolution& solution) {
    const auto sees = [&](GridCoord at, GridCoord goal) {
        const std::int32_t dx = std::abs(goal.x - at.x);
        const std::int32_t dy = std::abs(goal.y - at.y);
        for (std::int32_t error = dx - dy;;) {
            const std::int32_t twice = 2 * error;
            if (twice > -dy) {
                error -= dy;
                at.x += goal.x > at.x ? 1 : -1;
            }
            if (twice < dx) {
                error += dx;
                at.y += goal.y > at.y ? 1 : -1;
            }
            if (at == goal) return true;
            if (opaque[g.index(at)] != 0) return false;
        }
    };
    for (std::int32_t x = 0; x < g.x_num(); ++x) {
        for (std::int32_t y = 0; y < g.y_num(); ++y) {
            const CellIndex cell = g.index({x, y});
            if (solution.direction[cell] == kNoDirection) continue;
            if (sees({x, y}, g.coord(goals[solution.known_goal[cell]]))) {
                solution.direction[cell] = kStraightToGoal;
            }
        }
    }
}

}  // namespace

void write_lines_of_sight(const SolverGround& ground, std::span<const CellIndex> goals,
                          FieldSolution& solution) {
    constexpr std::size_t kCastsPerCellMax = 16;
    const GridGeometry& g = ground.now.geometry;
    const std::vector<std::uint8_t> opaque = opaque_cells(ground, goals);
    const std::vector<Area> areas = areas_of(g, goals, solution);
    std::size_t casts = 0;
    for (const Area& area : areas) casts += area.cells();
    if (casts > kCastsPerCellMax * g.cell_count()) {
        walk_all_lines(g, goals, opaque, solution);
        return;
    }
    SightCast sight(opaque, solution);
    for (std::size_t i = 0; i < goals.size(); ++i) {
        cast_all_octants(g, goals[i], static_cast<std::uint16_t>(i), areas[i], sight);
    }
}

}  // namespace maniple::nav
