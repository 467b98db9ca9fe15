#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// The solved field of one goal set.
struct FieldSolution {
    std::vector<std::uint32_t> dist;      ///< config.distance_limit = unreached.
    std::vector<std::uint8_t> direction;  ///< DirectionCode or a neighbour 0…7.
    std::vector<std::uint16_t> goal;      ///< Index into the goal list, kNoGoal where unreached.
    static constexpr std::uint16_t kNoGoal = 0xFFFF;
};

/// Reusable scratch of the solver: buckets keep their memory between floods.
struct SolverScratch {
    std::vector<std::vector<CellIndex>> buckets;
    std::vector<CellIndex> settled;  ///< Cells in ascending distance.
    std::vector<std::uint8_t> cost;  ///< Current costs: the substrate's with goal cells at 0.
};

/// Phase 1 and 2 of the document: integration by a bucket queue, goal labels, directions. The
/// result is a function of its inputs alone (O-GRID-08, O-GRID-09): no queue or tie can change it.
/// `goals` holds at most 65,535 cells, in goal order.
void solve_field(const GridSubstrate& substrate, const FieldConfig& config,
                 std::span<const CellIndex> goals, SolverScratch& scratch, FieldSolution& solution);

[[nodiscard]] Components label_components(const GridSubstrate& substrate,
                                          const FieldConfig& config);

}  // namespace maniple::nav
