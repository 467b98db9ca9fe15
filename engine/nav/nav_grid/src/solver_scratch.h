#pragma once

#include <vector>

#include "maniple/nav/solver.h"

#include "tile_store.h"

namespace maniple::nav {

struct SolverScratch::Parts {
    std::vector<std::vector<CellIndex>> buckets;
    std::vector<std::uint8_t> predecessor;
    MoveMap moves;
    TileStore<std::uint16_t> narrow_tiles;
    TileStore<std::uint32_t> wide_tiles;

    template <class Dist>
    [[nodiscard]] TileStore<Dist>& tiles() {
        if constexpr (std::is_same_v<Dist, std::uint16_t>) {
            return narrow_tiles;
        } else {
            return wide_tiles;
        }
    }
};

}  // namespace maniple::nav
