#include "maniple/nav/lazy_solve.h"

#include <algorithm>

#include "direction_pass.h"
#include "flood_rules.h"
#include "solver_scratch.h"

namespace maniple::nav {

struct LazySolve::Parts {
    SolverScratch::Parts flood;  ///< The tiles of the flood as it stopped.
};

LazySolve::LazySolve() : parts_(std::make_unique<Parts>()) {}
LazySolve::~LazySolve() = default;

namespace {

bool can_stop(const FieldConfig& config, const MoveMap& moves, std::span<const CellIndex> goals) {
    return goals.size() <= FieldSolution::kNoGoal && config.metric == Metric::kCells &&
           config.style == Style::kAdjacentFirst && !config.straight_first &&
           config.ignore_internal_obstacles && !moves.is_winding();
}

/// Gives the settled cells of some tiles their directions.
void point(const SolverGround& ground, const MoveMap& moves, const FieldConfig& config,
           std::span<const std::uint32_t> tiles, FieldSolution& solution) {
    const GridGeometry& g = ground.now.geometry;
    constexpr auto kSize = static_cast<std::int32_t>(kTileSize);
    const std::int32_t tiles_y = (g.y_num() + kSize - 1) / kSize;
    for (const std::uint32_t tile : tiles) {
        const std::int32_t x = static_cast<std::int32_t>(tile) / tiles_y * kSize;
        const std::int32_t y = static_cast<std::int32_t>(tile) % tiles_y * kSize;
        const auto lanes = static_cast<CellIndex>(std::min(kSize, g.y_num() - y));
        for (std::int32_t row = x; row < std::min(x + kSize, g.x_num()); ++row) {
            const CellIndex begin = g.index({row, y});
            write_best_neighbours_of(ground.now, moves.data(), config, solution.dist, begin,
                                     begin + lanes, solution.direction.data());
        }
    }
}

}  // namespace

void LazySolve::begin(const SolverGround& ground, const FieldConfig& config,
                      FieldSolution& solution) {
    const std::size_t cells = ground.now.geometry.cell_count();
    solution.dist.resize(cells, config.distance_limit);
    solution.dist.fill_unreached();
    solution.direction.assign(cells, kNoDirection);
    solution.known_goal.assign(cells, FieldSolution::kNoGoal);
    solution.labelled = false;
    begun_ = complete_ = false;
}

template <class Dist>
bool LazySolve::flood(const SolverGround& ground, const MoveMap& moves, const FieldConfig& config,
                      std::span<const CellIndex> goals, std::vector<CellIndex>& needed,
                      FieldSolution& solution) {
    TileStore<Dist>& store = parts_->flood.tiles<Dist>();
    store.dist.resize(solution.dist.size());
    const TileFloodTask<Dist> task{ground.now,
                                   moves.data(),
                                   flood_neighbours(config),
                                   config.distance_limit,
                                   false,
                                   goals,
                                   store,
                                   store.dist.data(),
                                   &needed,
                                   solution.dist.column<Dist>(),
                                   begun_};
    if (!flood_tiles(task)) return false;
    if (!begun_) {
        for (std::size_t i = goals.size(); i-- > 0;) {
            solution.known_goal[goals[i]] = static_cast<std::uint16_t>(i);
        }
    }
    begun_ = true;
    complete_ = store.queue.empty();
    point(ground, moves, config, store.written, solution);
    return true;
}

// implements: O-GRID-36
void LazySolve::settle(const SolverGround& ground, const FieldConfig& config,
                       std::span<const CellIndex> goals, std::vector<CellIndex> needed,
                       SolverScratch& scratch, FieldSolution& solution) {
    std::erase_if(needed, [&](CellIndex cell) {
        return complete_ || solution.dist[cell] != config.distance_limit;
    });
    if (needed.empty()) return;
    const MoveMap* moves = &ground.moves;
    const auto opens = [&](CellIndex goal) { return MoveMap::needs_opening(ground.now, goal); };
    if (std::any_of(goals.begin(), goals.end(), opens)) {
        parts_->flood.moves = ground.moves;
        parts_->flood.moves.open_goals(ground.now, config, goals);
        moves = &parts_->flood.moves;
    }
    if (can_stop(config, ground.moves, goals)) {
        const bool narrow = solution.dist.is_narrow();
        if (narrow ? flood<std::uint16_t>(ground, *moves, config, goals, needed, solution)
                   : flood<std::uint32_t>(ground, *moves, config, goals, needed, solution)) {
            return;
        }
    }
    solve_field(ground, config, goals, scratch, solution, FloodKernel::kFastest, nullptr,
                Labels::kOnDemand);
    complete_ = true;
}

}  // namespace maniple::nav
