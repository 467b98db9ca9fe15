#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/nav/distance_field.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/move_map.h"

namespace maniple::nav {

/// The solved field of one goal set.
struct FieldSolution {
    DistanceField dist;
    std::vector<std::uint8_t> direction;  ///< DirectionCode or a neighbour 0…7.
    /// Index into the goal list; kNoGoal where unreached, which only `dist` tells from goal 65,535,
    /// or where nobody has asked yet. Layer::goal_label knows it everywhere and keeps it here.
    mutable std::vector<std::uint16_t> known_goal;
    bool labelled = true;  ///< Nothing of `known_goal` is left to be asked for.
    static constexpr std::uint16_t kNoGoal = 0xFFFF;
};

/// What a solve reads. Owned by the caller, unchanged while the solve runs.
struct SolverGround {
    const GridSubstrate& now;                 ///< Modifiers applied, goal cells at their own cost.
    std::span<const std::uint8_t> base_cost;  ///< Costs before modifiers, for GRID-043.
    const MoveMap& moves;                     ///< Of `now` under the same configuration.
};

/// Reusable memory of the solver; one for each thread that solves. Holds nothing of a solve: a copy
/// is merely new memory.
class SolverScratch {
  public:
    struct Parts;
    SolverScratch();
    ~SolverScratch();
    SolverScratch(const SolverScratch&) : SolverScratch() {}
    SolverScratch& operator=(const SolverScratch&) { return *this; }
    [[nodiscard]] Parts& parts() { return *parts_; }

  private:
    std::unique_ptr<Parts> parts_;
};

/// The algorithms of phase 1. All give the same bits; kFastest chooses by the ground.
enum class FloodKernel : std::uint8_t { kFastest, kDial, kTiles };

/// When cells learn which of several goals they lead to. With kOnDemand it is when
/// Layer::goal_label asks, if the directions are the ways of the flood and kNoGoal is no goal's
/// label; otherwise as kAll.
enum class Labels : std::uint8_t { kAll, kOnDemand };

/// Phase 1 and 2 of the document: integration, goal labels, directions. The result is a function of
/// its inputs alone (O-GRID-08, O-GRID-09): no queue, kernel or tie can change it. `goals` holds at
/// most 65,536 cells, in goal order; config.distance_limit is in 1 … 2^31−1. `executor` shares out
/// the direction pass; null: the calling thread.
void solve_field(const SolverGround& ground, const FieldConfig& config,
                 std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& solution,
                 FloodKernel kernel = FloodKernel::kFastest, core::Executor* executor = nullptr,
                 Labels labels = Labels::kAll);

/// Cells from `low` to `high`, both included, inside the grid.
struct CellRect {
    GridCoord low;
    GridCoord high;
};

/// Makes `solution` what solve_field would: it solves the ground as it was before the cells of
/// `edits` changed, for the goals `goals_before` under the same configuration. The time grows with
/// what changes, up to a solve. `ground` is the changed one.
void repair_field(const SolverGround& ground, const FieldConfig& config,
                  std::span<const CellIndex> goals, std::span<const CellIndex> goals_before,
                  std::span<const CellRect> edits, SolverScratch& scratch, FieldSolution& solution,
                  Labels labels = Labels::kAll);

/// `moves` belongs to the substrate and configuration.
[[nodiscard]] Components label_components(const GridSubstrate& substrate, const FieldConfig& config,
                                          const MoveMap& moves);
/// The same into memory that is there.
void label_components(const GridSubstrate& substrate, const FieldConfig& config,
                      const MoveMap& moves, Components& components);
[[nodiscard]] Components label_components(const GridSubstrate& substrate,
                                          const FieldConfig& config);

}  // namespace maniple::nav
