#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/grid_substrate.h"

namespace maniple::nav {

inline constexpr std::size_t kTileSize = 64;
inline constexpr std::size_t kTileCells = kTileSize * kTileSize;

/// Cells of one tile, row after row. A tile row is a grid column (equal x), its lanes ascend with
/// y.
template <class Cell>
struct alignas(64) TileCells {
    Cell cells[kTileCells];
    [[nodiscard]] Cell* row(std::size_t r) { return cells + r * kTileSize; }
};

/// The cells of a tile along its south or north border, which lie far apart in the grid's columns:
/// a copy of their distances, and their ground as the kernels read it.
template <class Dist>
struct alignas(64) TileBorder {
    Dist dist[kTileSize];
    std::uint16_t ground[kTileSize];
};

/// What a flood keeps of a tile of 64 × 64 cells between its visits.
template <class Dist>
struct Tile {
    TileBorder<Dist> south;
    TileBorder<Dist> north;
    std::uint64_t dirty_rows = 0;  ///< Rows with cells that changed since the last visit.
    std::uint64_t dirty_columns = 0;
    bool known = false;  ///< Its borders are filled in.
    bool queued = false;
    bool unwritten = false;  ///< May hold distances that are not among the settled ones yet.
};

/// The working memory of tile floods, kept from one to the next.
template <class Dist>
struct TileStore {
    std::vector<Tile<Dist>> tiles;
    std::vector<std::uint64_t> queue;    ///< Heap of smallest incoming distance << 32 | tile.
    std::vector<Dist> dist;              ///< Of a flood that stops early, whole grid.
    std::vector<std::uint32_t> written;  ///< Tiles whose settled cells the last flood wrote.
};

/// A flood under the documented metric by sweeps over tiles.
template <class Dist>
struct TileFloodTask {
    const GridSubstrate& ground;
    const std::uint8_t* moves;
    std::uint8_t neighbours;  ///< Mask of the neighbours phase 1 takes.
    std::uint32_t limit;
    bool forced;  ///< To the end, however slow.
    std::span<const CellIndex> goals;
    TileStore<Dist>& store;
    Dist* dist;  ///< Whole grid.
    /// The cells of interest: the flood stops once they are settled, which takes them out of here.
    /// Null: all cells.
    std::vector<CellIndex>* needed = nullptr;
    Dist* settled = nullptr;  ///< Of a flood that may stop: a grid at the limit, for settled cells.
    bool resumed = false;     ///< The store and `dist` hold this flood as it stopped.
};

/// Fills task.dist; where a flood stops early, some of it may still fall. One that has come to its
/// end leaves the queue empty. False, with no more than a part of task.dist written, where this
/// build or machine has no vector unit or the ground is so winding that sweeps would take longer
/// than a queue.
[[nodiscard]] bool flood_tiles(const TileFloodTask<std::uint16_t>& task);
[[nodiscard]] bool flood_tiles(const TileFloodTask<std::uint32_t>& task);

}  // namespace maniple::nav
