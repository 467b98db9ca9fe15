#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/grid_substrate.h"

namespace maniple::nav {

inline constexpr std::size_t kTileSize = 64;
inline constexpr std::size_t kTileCells = kTileSize * kTileSize;

/// Distances of one tile, row after row.
template <class Dist>
struct alignas(64) TileDistances {
    Dist cells[kTileCells];
    [[nodiscard]] Dist* row(std::size_t r) { return cells + r * kTileSize; }
};

/// Costs and moves (MoveMap) of a tile, row after row.
struct alignas(64) TileGround {
    std::uint8_t cost[kTileCells];
    std::uint8_t moves[kTileCells];
};

/// 64 × 64 cells in the middle of a flood. A tile row is a grid column (equal x), its lanes ascend
/// with y: its ground by rows is the grid's own, but for a tile over the grid's edge.
template <class Dist>
struct alignas(64) Tile {
    TileDistances<Dist> dist;
    TileGround transposed;
    std::uint64_t open_rows = 0;  ///< Rows in which no move is closed.
    std::uint64_t open_columns = 0;
    std::uint32_t edge = 0;        ///< Of a tile over the grid's edge: its entry among the edges.
    std::uint64_t dirty_rows = 0;  ///< Rows with cells that changed since the last visit.
    std::uint64_t dirty_columns = 0;
    bool loaded = false;
    bool queued = false;
    bool unwritten = false;  ///< Holds distances that are not in the task's column yet.
};

/// The working memory of tile floods, kept from one to the next.
template <class Dist>
struct TileStore {
    std::vector<Tile<Dist>> tiles;
    std::vector<TileGround> edges;  ///< By rows; no move leads off the grid.
    TileDistances<Dist> transposed;
    std::vector<std::uint64_t> queue;    ///< Heap of smallest incoming distance << 32 | tile.
    std::vector<std::uint32_t> written;  ///< Tiles that the last flood wrote into the column.
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
    bool resumed = false;  ///< The store holds this flood as it stopped.
};

/// Fills task.dist; a flood that stops early only with settled cells, the others stay at the limit,
/// and one that has come to its end leaves the queue empty. False, with nothing written, where this
/// build or machine has no vector unit or the ground is so winding that sweeps would take longer
/// than a queue.
[[nodiscard]] bool flood_tiles(const TileFloodTask<std::uint16_t>& task);
[[nodiscard]] bool flood_tiles(const TileFloodTask<std::uint32_t>& task);

}  // namespace maniple::nav
