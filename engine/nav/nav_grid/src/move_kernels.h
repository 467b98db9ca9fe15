#pragma once

#include <cstddef>
#include <cstdint>

namespace maniple::nav {

/// What a column's cells are to steps, all ones for yes and 0 for no.
struct StepBytes {
    const std::uint8_t* open;    ///< A flood may enter.
    const std::uint8_t* passed;  ///< A diagonal step may squeeze past.
};

/// `walls_closed`: a flood does not enter obstacles.
void write_step_bytes(const std::uint8_t* type, const std::uint8_t* cost, std::size_t cells,
                      bool walls_closed, std::uint8_t* open, std::uint8_t* passed);
/// The moves of a column's cells by bounds, cells and corner rule. There is one more cell before
/// and one behind those of each column.
void write_moves(StepBytes west, StepBytes here, StepBytes east, std::size_t cells,
                 std::uint8_t* moves);
/// Whether all heights of a run are `z_cm`.
[[nodiscard]] bool are_level(const std::int32_t* z, std::size_t cells, std::int32_t z_cm);

struct MoveCounts {
    std::size_t with_move = 0;
    std::size_t narrow = 0;  ///< With some, but not all moves.
};
[[nodiscard]] MoveCounts count_moves(const std::uint8_t* moves, std::size_t cells);

}  // namespace maniple::nav
