#include "maniple/nav/lazy_solve.h"

#include <algorithm>

#include "direction_pass.h"
#include "flood_rules.h"
#include "solver_scratch.h"

namespace maniple::nav {

struct LazySolve::Parts {
    SolverScratch::Parts flood;  ///< The tiles of the flood as it stopped.
    std::vector<CellIndex> trail;
};

LazySolve::LazySolve() : parts_(std::make_unique<Parts>()) {}
LazySolve::~LazySolve() = default;

namespace {

bool can_stop(const FieldConfig& config, const MoveMap& moves) {
    return config.metric == Metric::kCells && config.style == Style::kAdjacentFirst &&
           !config.straight_first && config.ignore_internal_obstacles && !moves.is_winding();
}

/// Gives settled cells of some tiles their directions and labels.
class SettledTiles {
  public:
    SettledTiles(const SolverGround& ground, const MoveMap& moves, const FieldConfig& config,
                 std::vector<CellIndex>& trail, FieldSolution& solution)
        : ground_(ground),
          moves_(moves),
          config_(config),
          offsets_(ground.now.geometry.y_num()),
          trail_(trail),
          solution_(solution) {}

    void point_and_label(std::span<const std::uint32_t> tiles) {
        for_each_row(tiles, [&](CellIndex begin, CellIndex end) {
            write_best_neighbours_of(ground_.now, moves_.data(), config_, solution_.dist, begin,
                                     end, solution_.direction.data());
        });
        for_each_row(tiles, [&](CellIndex begin, CellIndex end) {
            for (CellIndex cell = begin; cell < end; ++cell) label(cell);
        });
    }

  private:
    template <class Body>
    void for_each_row(std::span<const std::uint32_t> tiles, Body body) const {
        const GridGeometry& g = ground_.now.geometry;
        constexpr auto kSize = static_cast<std::int32_t>(kTileSize);
        const std::int32_t tiles_y = (g.y_num() + kSize - 1) / kSize;
        for (const std::uint32_t tile : tiles) {
            const std::int32_t x = static_cast<std::int32_t>(tile) / tiles_y * kSize;
            const std::int32_t y = static_cast<std::int32_t>(tile) % tiles_y * kSize;
            const auto lanes = static_cast<CellIndex>(std::min(kSize, g.y_num() - y));
            for (std::int32_t row = x; row < std::min(x + kSize, g.x_num()); ++row) {
                const CellIndex begin = g.index({row, y});
                body(begin, begin + lanes);
            }
        }
    }
    /// Every way from a settled cell runs over settled ones.
    void label(CellIndex cell) {
        trail_.clear();
        while (solution_.goal[cell] == FieldSolution::kNoGoal &&
               solution_.direction[cell] != kNoDirection) {
            trail_.push_back(cell);
            cell += offsets_[solution_.direction[cell]];
        }
        for (const CellIndex passed : trail_) solution_.goal[passed] = solution_.goal[cell];
    }

    const SolverGround& ground_;
    const MoveMap& moves_;
    const FieldConfig& config_;
    NeighbourOffsets offsets_;
    std::vector<CellIndex>& trail_;
    FieldSolution& solution_;
};

}  // namespace

void LazySolve::begin(const SolverGround& ground, const FieldConfig& config,
                      FieldSolution& solution) {
    const std::size_t cells = ground.now.geometry.cell_count();
    solution.dist.resize(cells, config.distance_limit);
    solution.dist.fill_unreached();
    solution.direction.assign(cells, kNoDirection);
    solution.goal.assign(cells, FieldSolution::kNoGoal);
    solution.labelled = true;  // Settled cells are.
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
            solution.goal[goals[i]] = static_cast<std::uint16_t>(i);
        }
    }
    begun_ = true;
    complete_ = store.queue.empty();
    SettledTiles(ground, moves, config, parts_->trail, solution).point_and_label(store.written);
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
    if (can_stop(config, ground.moves)) {
        const bool narrow = solution.dist.is_narrow();
        if (narrow ? flood<std::uint16_t>(ground, *moves, config, goals, needed, solution)
                   : flood<std::uint32_t>(ground, *moves, config, goals, needed, solution)) {
            return;
        }
    }
    solve_field(ground, config, goals, scratch, solution);
    complete_ = true;
}

}  // namespace maniple::nav
