#include "maniple/nav/solver.h"

#include <algorithm>
#include <iterator>

#include "maniple/core/assert.h"

#include "direction_kernels.h"
#include "direction_pass.h"
#include "flood_rules.h"
#include "integration.h"
#include "label_pass.h"
#include "repair.h"
#include "sight_pass.h"
#include "solver_scratch.h"

namespace maniple::nav {
namespace {

/// One solve.
class Solve {
  public:
    Solve(const SolverGround& ground, const FieldConfig& config, std::span<const CellIndex> goals,
          SolverScratch::Parts& scratch, FieldSolution& out, FloodKernel kernel,
          core::Executor* executor, Labels labels)
        : ground_(ground),
          config_(config),
          goals_(goals),
          scratch_(scratch),
          out_(out),
          kernel_(kernel),
          executor_(executor),
          labels_(labels),
          moves_(&ground.moves) {}

    void run() {
        open_goals();
        integrate(ground_.now, *moves_, config_, goals_, scratch_, out_.dist, kernel_);
        point_and_label();
    }

    void repair(std::span<const CellIndex> goals_before, std::span<const CellRect> edits) {
        open_goals();
        CellSet stale;
        if (!repair_distances(ground_.now, *moves_, config_, goals_,
                              touched_cells(goals_before, edits), scratch_, out_.dist, stale)) {
            integrate(ground_.now, *moves_, config_, goals_, scratch_, out_.dist, kernel_);
            point_and_label();
        } else if (config_.straight_first || !is_one_goal(goals_) || !is_one_goal(goals_before)) {
            point_and_label();
        } else {
            point_and_label(stale);
        }
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

    static bool is_one_goal(std::span<const CellIndex> goals) {
        return std::all_of(goals.begin(), goals.end(),
                           [&](CellIndex goal) { return goal == goals.front(); });
    }

    /// The cells whose cost, moves or being a goal may have changed.
    std::vector<CellIndex> touched_cells(std::span<const CellIndex> goals_before,
                                         std::span<const CellRect> edits) const {
        std::vector<CellIndex> touched;
        const GridGeometry& g = ground_.now.geometry;
        const auto touch_around = [&](const CellRect& rect) {
            const std::int32_t x_end = std::min(rect.high.x + 2, g.x_num());
            const std::int32_t y_end = std::min(rect.high.y + 2, g.y_num());
            for (std::int32_t x = std::max(rect.low.x - 1, 0); x < x_end; ++x) {
                for (std::int32_t y = std::max(rect.low.y - 1, 0); y < y_end; ++y) {
                    touched.push_back(g.index({x, y}));
                }
            }
        };
        for (const CellRect& rect : edits) touch_around(rect);
        std::vector<CellIndex> before(goals_before.begin(), goals_before.end());
        std::vector<CellIndex> now(goals_.begin(), goals_.end());
        std::sort(before.begin(), before.end());
        std::sort(now.begin(), now.end());
        std::vector<CellIndex> moved;
        std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                      std::back_inserter(moved));
        for (const CellIndex goal : moved) touch_around({g.coord(goal), g.coord(goal)});
        return touched;
    }

    /// Phase 2 and labels of the whole grid.
    void point_and_label() {
        out_.direction.resize(cell_count());
        write_best_neighbours(ground_.now, moves_->data(), config_, 0xFF, out_.dist,
                              out_.direction.data(), true, executor_);
        label_goals();
        hide_impassable(0, static_cast<CellIndex>(cell_count()));
        if (config_.straight_first) write_lines_of_sight(ground_, goals_, out_);
    }
    /// The same for some cells, with one goal and without lines of sight.
    void point_and_label(const CellSet& cells) {
        cells.for_each_run([&](CellIndex begin, CellIndex end) {
            write_best_neighbours_of(ground_.now, moves_->data(), config_, out_.dist, begin, end,
                                     out_.direction.data());
            hide_impassable(begin, end);
            for (CellIndex cell = begin; cell < end; ++cell) {
                const bool reached = out_.dist[cell] != config_.distance_limit;
                out_.known_goal[cell] = reached ? std::uint16_t{0} : FieldSolution::kNoGoal;
            }
        });
    }

    /// Every direction that has a neighbour is the neighbour its distance came from, and a label
    /// that is there is not asked for again.
    [[nodiscard]] bool may_label_on_demand() const {
        return flood_neighbours(config_) == 0xFF && !config_.straight_first &&
               config_.ignore_internal_obstacles && goals_.size() <= FieldSolution::kNoGoal;
    }

    // implements: O-GRID-08
    void label_goals() {
        out_.known_goal.resize(cell_count());
        out_.labelled = true;
        if (is_one_goal(goals_)) {
            if (out_.dist.is_narrow()) {
                write_single_label(out_.dist.column<std::uint16_t>(), cell_count(),
                                   config_.distance_limit, out_.known_goal.data());
            } else {
                write_single_label(out_.dist.column<std::uint32_t>(), cell_count(),
                                   config_.distance_limit, out_.known_goal.data());
            }
            return;
        }
        std::fill(out_.known_goal.begin(), out_.known_goal.end(), FieldSolution::kNoGoal);
        for (std::size_t i = goals_.size(); i-- > 0;) {
            out_.known_goal[goals_[i]] = static_cast<std::uint16_t>(i);
        }
        if (labels_ == Labels::kOnDemand && may_label_on_demand()) {
            out_.labelled = false;
            return;
        }
        LabelPass(ground_.now.geometry, predecessors(), goals_.size(), out_.known_goal.data())
            .run();
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
    /// implements: GRID-042
    void hide_impassable(CellIndex begin, CellIndex end) {
        if (config_.ignore_internal_obstacles) return;  // then only goals are, and have none anyway
        for (CellIndex cell = begin; cell < end; ++cell) {
            if (ground_.now.cost[cell] == kImpassableCost) out_.direction[cell] = kNoDirection;
        }
    }

    const SolverGround& ground_;
    const FieldConfig& config_;
    std::span<const CellIndex> goals_;
    SolverScratch::Parts& scratch_;
    FieldSolution& out_;
    FloodKernel kernel_;
    core::Executor* executor_;
    Labels labels_;
    const MoveMap* moves_;
};

}  // namespace

SolverScratch::SolverScratch() : parts_(std::make_unique<Parts>()) {}
SolverScratch::~SolverScratch() = default;

void solve_field(const SolverGround& ground, const FieldConfig& config,
                 std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& solution,
                 FloodKernel kernel, core::Executor* executor, Labels labels) {
    MANIPLE_ASSERT(goals.size() <= std::size_t{FieldSolution::kNoGoal} + 1);
    MANIPLE_ASSERT(config.distance_limit >= 1);
    MANIPLE_ASSERT(config.distance_limit <= 2'147'483'647U);
    MANIPLE_ASSERT(ground.moves.size() == ground.now.geometry.cell_count());
    Solve(ground, config, goals, scratch.parts(), solution, kernel, executor, labels).run();
}

void repair_field(const SolverGround& ground, const FieldConfig& config,
                  std::span<const CellIndex> goals, std::span<const CellIndex> goals_before,
                  std::span<const CellRect> edits, SolverScratch& scratch, FieldSolution& solution,
                  Labels labels) {
    MANIPLE_ASSERT(solution.dist.size() == ground.now.geometry.cell_count());
    MANIPLE_ASSERT(solution.dist.limit() == config.distance_limit);
    MANIPLE_ASSERT(ground.moves.size() == ground.now.geometry.cell_count());
    Solve(ground, config, goals, scratch.parts(), solution, FloodKernel::kFastest, nullptr, labels)
        .repair(goals_before, edits);
}

}  // namespace maniple::nav
