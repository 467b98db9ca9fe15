#include "maniple/nav/solver.h"

#include <algorithm>

#include "maniple/core/assert.h"

#include "dial_flood.h"
#include "direction_kernels.h"
#include "direction_pass.h"
#include "integration.h"
#include "solver_scratch.h"

namespace maniple::nav {
namespace {

/// One solve.
class Solve {
  public:
    Solve(const SolverGround& ground, const FieldConfig& config, std::span<const CellIndex> goals,
          SolverScratch::Parts& scratch, FieldSolution& out, FloodKernel kernel)
        : ground_(ground),
          config_(config),
          goals_(goals),
          scratch_(scratch),
          out_(out),
          kernel_(kernel),
          moves_(&ground.moves) {}

    void run() {
        open_goals();
        integrate(ground_.now, *moves_, config_, goals_, scratch_, out_.dist, kernel_);
        out_.direction.resize(cell_count());
        write_best_neighbours(ground_.now, moves_->data(), config_, 0xFF, out_.dist,
                              out_.direction.data());
        label_goals();
        hide_impassable();
        if (config_.straight_first) write_lines_of_sight(ground_, goals_, out_);
    }

  private:
    [[nodiscard]] std::size_t cell_count() const { return ground_.now.geometry.cell_count(); }

    void open_goals() {
        const auto opens = [&](CellIndex goal) {
            return MoveMap::needs_opening(ground_.now, goal);
        };
        if (std::none_of(goals_.begin(), goals_.end(), opens)) return;
        scratch_.moves = ground_.moves;
        scratch_.moves.open_goals(ground_.now, config_, goals_);
        moves_ = &scratch_.moves;
    }

    // implements: O-GRID-08
    void label_goals() {
        out_.goal.resize(cell_count());
        const bool one_goal = std::all_of(goals_.begin(), goals_.end(),
                                          [&](CellIndex goal) { return goal == goals_.front(); });
        if (one_goal) {
            if (out_.dist.is_narrow()) {
                write_single_label(out_.dist.column<std::uint16_t>(), cell_count(),
                                   config_.distance_limit, out_.goal.data());
            } else {
                write_single_label(out_.dist.column<std::uint32_t>(), cell_count(),
                                   config_.distance_limit, out_.goal.data());
            }
            return;
        }
        std::fill(out_.goal.begin(), out_.goal.end(), FieldSolution::kNoGoal);
        for (std::size_t i = goals_.size(); i-- > 0;) {
            out_.goal[goals_[i]] = static_cast<std::uint16_t>(i);
        }
        const std::uint8_t* predecessor = predecessors();
        for (CellIndex cell = 0; cell < cell_count(); ++cell) follow(cell, predecessor);
    }
    /// The neighbour each distance came from. Where phase 1 takes all eight neighbours, it is the
    /// one the direction pass found.
    const std::uint8_t* predecessors() {
        if (flood_neighbours(config_) == 0xFF) return out_.direction.data();
        scratch_.predecessor.resize(cell_count());
        write_best_neighbours(ground_.now, moves_->data(), config_, flood_neighbours(config_),
                              out_.dist, scratch_.predecessor.data());
        return scratch_.predecessor.data();
    }
    /// Labels the cells from `cell` to the first labelled one on the way to its goal.
    void follow(CellIndex cell, const std::uint8_t* predecessor) {
        const NeighbourOffsets offsets(ground_.now.geometry.y_num());
        scratch_.trail.clear();
        while (out_.goal[cell] == FieldSolution::kNoGoal && predecessor[cell] != kNoDirection) {
            scratch_.trail.push_back(cell);
            cell += offsets[predecessor[cell]];
        }
        for (const CellIndex passed : scratch_.trail) out_.goal[passed] = out_.goal[cell];
    }

    /// implements: GRID-042
    void hide_impassable() {
        if (config_.ignore_internal_obstacles) return;  // then only goals are, and have none anyway
        for (CellIndex cell = 0; cell < cell_count(); ++cell) {
            if (ground_.now.cost[cell] == kImpassableCost) out_.direction[cell] = kNoDirection;
        }
    }

    const SolverGround& ground_;
    const FieldConfig& config_;
    std::span<const CellIndex> goals_;
    SolverScratch::Parts& scratch_;
    FieldSolution& out_;
    FloodKernel kernel_;
    const MoveMap* moves_;
};

}  // namespace

SolverScratch::SolverScratch() : parts_(std::make_unique<Parts>()) {}
SolverScratch::~SolverScratch() = default;

void solve_field(const SolverGround& ground, const FieldConfig& config,
                 std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& solution,
                 FloodKernel kernel) {
    MANIPLE_ASSERT(goals.size() <= std::size_t{FieldSolution::kNoGoal} + 1);
    MANIPLE_ASSERT(config.distance_limit >= 1);
    MANIPLE_ASSERT(config.distance_limit <= 2'147'483'647U);
    MANIPLE_ASSERT(ground.moves.size() == ground.now.geometry.cell_count());
    Solve(ground, config, goals, scratch.parts(), solution, kernel).run();
}

}  // namespace maniple::nav
