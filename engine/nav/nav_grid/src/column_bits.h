#pragma once

#include <cstddef>
#include <cstdint>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// What components ask of the cells of one column; bit y % 64 of word y / 64 is cell y.
struct ColumnBits {
    std::uint64_t* stands;
    std::uint64_t* south;  ///< A step leads there, and so on.
    std::uint64_t* west;
    std::uint64_t* south_west;
    std::uint64_t* north_west;
};

/// The column's cells as bytes.
struct ColumnBytes {
    const std::uint8_t* cost;
    const std::uint8_t* type;
    const std::uint8_t* moves;
    std::uint8_t neighbours;  ///< The moves that count.
};

/// Writes the bits of `cells` cells, in whole words; bits behind the last cell are 0.
void write_column_bits(const ColumnBytes& bytes, std::size_t cells, const ColumnBits& bits);
/// The same for a number of cells that is a multiple of 64, by vectors. False, with nothing
/// written, where this build or machine has none.
[[nodiscard]] bool write_column_bits_simd(const ColumnBytes& bytes, std::size_t cells,
                                          const ColumnBits& bits);

}  // namespace maniple::nav
