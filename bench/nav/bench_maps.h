#pragma once

#include <string>
#include <vector>

#include "maniple/nav/solver.h"

namespace maniple::bench {

/// A ground to flood, with what every solver of it needs.
struct BenchMap {
    std::string name;
    nav::GridSubstrate ground;
    nav::FieldConfig config;
    nav::MoveMap moves;
    nav::CellIndex goal = 0;  ///< The middle cell of the largest component.
    std::size_t reached = 0;  ///< Cells of that component.

    [[nodiscard]] nav::SolverGround solver_ground() const { return {ground, ground.cost, moves}; }
    [[nodiscard]] std::size_t cells() const { return ground.geometry.cell_count(); }
};

/// `builtin:…`, or the path of a .map or .ffs file. Ends the program when it cannot be read.
[[nodiscard]] BenchMap load_map(const std::string& name);
/// The same ground with costs 1 … 21 in blobs, and a limit wide enough for them.
[[nodiscard]] BenchMap with_varied_costs(BenchMap map);
/// size × size cells without a wall.
[[nodiscard]] BenchMap open_map(std::int32_t size);
/// size × size cells of which `percent` are walls, at random.
[[nodiscard]] BenchMap noise_map(std::int32_t size, std::uint32_t percent);
/// A perfect maze with corridors and walls one cell wide.
[[nodiscard]] BenchMap maze_map(std::int32_t size);

}  // namespace maniple::bench
