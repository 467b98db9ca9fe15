#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// Index offsets of the eight neighbours in a grid of `y_num` rows.
class NeighbourOffsets {
  public:
    explicit NeighbourOffsets(std::int32_t y_num) {
        for (std::size_t n = 0; n < 8; ++n) {
            difference_[n] = std::ptrdiff_t{kNeighbours[n].x} * y_num + kNeighbours[n].y;
        }
    }
    /// Added to an index, modulo 2^32.
    [[nodiscard]] CellIndex operator[](std::size_t n) const {
        return static_cast<CellIndex>(difference_[n]);
    }
    /// Added to a pointer.
    [[nodiscard]] std::ptrdiff_t difference(std::size_t n) const { return difference_[n]; }

  private:
    std::array<std::ptrdiff_t, 8> difference_{};
};

// implements: GRID-036
/// The neighbours phase 1 takes.
[[nodiscard]] inline std::uint8_t flood_neighbours(const FieldConfig& config) {
    return config.style == Style::kAdjacentFirst ? 0xFF : 0x0F;
}

// implements: O-GRID-28, O-GRID-29
/// What entering a cell adds: its cost, at least 1, times this.
[[nodiscard]] constexpr std::uint32_t step_factor(Metric metric, std::size_t n) {
    if (metric == Metric::kCells) return 1;
    return n >= 4 ? 7 : 5;
}

/// More than the longest step.
template <Metric metric>
constexpr std::uint32_t kDialRing = metric == Metric::kCells ? 256 : 2048;

}  // namespace maniple::nav
