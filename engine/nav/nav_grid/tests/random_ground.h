#pragma once

#include <random>
#include <vector>

#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

inline GridSubstrate open_ground(std::int32_t x_num, std::int32_t y_num, std::uint8_t cost = 1) {
    GridSubstrate ground;
    ground.geometry = GridGeometry(0, 0, 0, 0, x_num, y_num, 100);
    const std::size_t cells = ground.geometry.cell_count();
    ground.cost.assign(cells, cost);
    ground.type.assign(cells, static_cast<std::uint8_t>(CellType::kGround));
    ground.z_cm.assign(cells, 0);
    ground.normal.assign(cells, {0, 0, 127});
    return ground;
}

inline void block(GridSubstrate& ground, GridCoord at) {
    const CellIndex cell = ground.geometry.index(at);
    ground.type[cell] = static_cast<std::uint8_t>(CellType::kObstacle);
    ground.cost[cell] = kImpassableCost;
}

/// Any mixture of types, costs and heights, 1 … size_max cells each way.
inline GridSubstrate random_ground(std::mt19937& random, std::uint32_t size_max = 24) {
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::int32_t>(random() % bound);
    };
    const std::int32_t x_num = 1 + below(size_max);
    GridSubstrate ground = open_ground(x_num, 1 + below(size_max));
    const bool varied = below(2) == 0;
    const bool hilly = below(2) == 0;
    for (CellIndex cell = 0; cell < ground.geometry.cell_count(); ++cell) {
        if (varied) ground.cost[cell] = static_cast<std::uint8_t>(below(256));
        if (hilly) ground.z_cm[cell] = below(180);
        if (below(4) == 0) ground.type[cell] = static_cast<std::uint8_t>(below(3));
        if (ground.type[cell] != 1 && below(8) != 0) ground.cost[cell] = kImpassableCost;
    }
    return ground;
}

/// Any way to solve a field.
inline FieldConfig random_config(std::mt19937& random) {
    FieldConfig config;
    config.style = random() % 2 == 0 ? Style::kAdjacentFirst : Style::kDiagonalFirst;
    config.metric = random() % 2 == 0 ? Metric::kCells : Metric::kOctile;
    config.straight_first = random() % 4 == 0;
    config.ignore_internal_obstacles = random() % 3 != 0;
    config.distance_limit = random() % 2 == 0 ? 65'535U : 2'147'483'647U;
    if (random() % 4 == 0) config.distance_limit = random() % 2 == 0 ? 60 : 300;
    return config;
}

/// One to four, some in the same cell.
inline std::vector<CellIndex> random_goals(std::mt19937& random, const GridGeometry& geometry) {
    std::vector<CellIndex> goals(1 + random() % 4);
    for (CellIndex& goal : goals) goal = static_cast<CellIndex>(random() % geometry.cell_count());
    return goals;
}

}  // namespace maniple::nav
