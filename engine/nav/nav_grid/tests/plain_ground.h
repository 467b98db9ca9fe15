#pragma once

#include "maniple/nav/grid_substrate.h"

namespace maniple::nav {

/// Flat ground of cost 1, cells of 100 cm, the grid's centre at the world's origin.
inline GridSubstrate plain_ground(std::int32_t x_num, std::int32_t y_num,
                                  std::int32_t yaw_centideg = 0) {
    GridSubstrate ground;
    ground.geometry = GridGeometry(0, 0, 0, yaw_centideg, x_num, y_num, 100);
    const std::size_t cells = ground.geometry.cell_count();
    ground.cost.assign(cells, 1);
    ground.type.assign(cells, static_cast<std::uint8_t>(CellType::kGround));
    ground.z_cm.assign(cells, 0);
    ground.normal.assign(cells, {0, 0, 127});
    return ground;
}

}  // namespace maniple::nav
