#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maniple/nav/grid_geometry.h"

namespace maniple::nav {

/// The ground of a grid field as columns in index order: what a full substrate stream carries.
struct GridSubstrate {
    GridGeometry geometry;
    std::vector<std::uint8_t> cost;  ///< 255 = impassable.
    std::vector<std::uint8_t> type;  ///< CellType values.
    std::vector<std::int32_t> z_cm;  ///< Relative to the geometry's origin.
    std::vector<std::array<std::int8_t, 3>> normal;
    std::vector<std::array<std::int32_t, 3>> goals_cm;  ///< Relative to the origin, in goal order.
};

/// Connected components of the cells an agent can stand on, under the solver's own moves.
struct Components {
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> label;       ///< Per cell; kNone where no agent can stand.
    std::vector<std::uint32_t> cell_count;  ///< Per label; labels ascend by their first cell.
    /// The label with the most cells, the lowest of equals; kNone without a passable cell.
    [[nodiscard]] std::uint32_t largest() const;
};

}  // namespace maniple::nav
