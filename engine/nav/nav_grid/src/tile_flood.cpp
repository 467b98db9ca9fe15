#include "tile_store.h"

#if defined(MANIPLE_NAV_SIMD)

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tile_flood.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "tile_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {

enum Move : std::size_t { kE = 0, kN = 1, kW = 2, kS = 3, kNE = 4, kNW = 5, kSW = 6, kSE = 7 };
/// The moves of a layout of tiles.
struct LayoutMoves {
    MovesAcross from_before;  ///< From a row into the one behind it.
    MovesAcross from_behind;
    MovesAlong along;
};
constexpr LayoutMoves kByRows{{kW, kNW, kSW}, {kE, kNE, kSE}, {kN, kS}};
constexpr LayoutMoves kByColumns{{kS, kSE, kSW}, {kN, kNE, kNW}, {kE, kW}};

constexpr std::uint64_t kFirst = 1;
constexpr std::uint64_t kLast = std::uint64_t{1} << 63;

template <class T>
class TileFlood {
  public:
    explicit TileFlood(const TileFloodTask<T>& task)
        : task_(task),
          store_(task.store),
          geometry_(task.ground.geometry),
          tiles_y_(tiles_over(geometry_.y_num())),
          tiles_x_(tiles_over(geometry_.x_num())),
          work_left_(kStepsPerRowMax * kTileSize * tiles_x_ * tiles_y_ + kStepsFree) {}

    bool run() {
        if (HWY_TARGET == HWY_SCALAR && !task_.forced) return false;
        if (!task_.resumed) begin();
        while (!store_.queue.empty() && !is_served()) {
            if (work_left_ < 0 && !task_.forced) return false;
            const std::uint32_t index = pop();
            if (store_.tiles[index].queued) visit(index);
        }
        if (task_.needed != nullptr) write_settled();
        return true;
    }

  private:
    void begin() {
        fill(task_.dist, task_.dist + geometry_.cell_count(), static_cast<T>(task_.limit));
        store_.tiles.resize(tiles_x_ * tiles_y_);
        for (Tile<T>& tile : store_.tiles) tile.known = tile.queued = tile.unwritten = false;
        store_.queue.clear();
        for (const CellIndex goal : task_.goals) {
            const GridCoord at = geometry_.coord(goal);
            lower(static_cast<std::size_t>(at.x), static_cast<std::size_t>(at.y), 0);
        }
    }
    std::uint32_t pop() {
        std::pop_heap(store_.queue.begin(), store_.queue.end(), std::greater<>());
        const auto index = static_cast<std::uint32_t>(store_.queue.back());
        store_.queue.pop_back();
        return index;
    }
    /// What is still to come is longer than the smallest queued distance: all up to it is settled.
    [[nodiscard]] std::uint64_t settled_to() const {
        return store_.queue.empty() ? task_.limit : store_.queue.front() >> 32;
    }
    bool is_served() {
        if (task_.needed == nullptr) return false;
        const std::uint64_t settled = settled_to();
        std::vector<CellIndex>& needed = *task_.needed;
        while (!needed.empty() && task_.dist[needed.back()] <= settled) needed.pop_back();
        return needed.empty();
    }

    /// More sweeps than this over every row of the grid, and a queue would have been faster.
    static constexpr std::int64_t kStepsPerRowMax = 40;
    static constexpr std::int64_t kStepsFree = 4096;

    static std::size_t tiles_over(std::int32_t cells) {
        return (static_cast<std::size_t>(cells) + kTileSize - 1) / kTileSize;
    }
    [[nodiscard]] std::size_t rows_in(std::size_t tx) const {
        return std::min(kTileSize, static_cast<std::size_t>(geometry_.x_num()) - tx * kTileSize);
    }
    [[nodiscard]] std::size_t lanes_in(std::size_t ty) const {
        return std::min(kTileSize, static_cast<std::size_t>(geometry_.y_num()) - ty * kTileSize);
    }
    [[nodiscard]] CellIndex first_cell(std::size_t tx, std::size_t ty, std::size_t row) const {
        return static_cast<CellIndex>(
            (tx * kTileSize + row) * static_cast<std::size_t>(geometry_.y_num()) + ty * kTileSize);
    }

    Tile<T>& tile_at(std::size_t tx, std::size_t ty) {
        Tile<T>& tile = store_.tiles[tx * tiles_y_ + ty];
        if (!tile.known) {
            tile.known = true;
            tile.dirty_rows = tile.dirty_columns = 0;
            fill_border(tile.south, tx, ty, 0);
            fill_border(tile.north, tx, ty, kTileSize - 1);
        }
        return tile;
    }
    /// Of a tile that nothing has reached yet.
    void fill_border(TileBorder<T>& border, std::size_t tx, std::size_t ty,
                     std::size_t lane) const {
        fill(std::begin(border.dist), std::end(border.dist), static_cast<T>(task_.limit));
        for (std::size_t r = 0; r < kTileSize; ++r) {
            const bool inside = r < rows_in(tx) && lane < lanes_in(ty);
            const CellIndex cell = first_cell(tx, ty, r) + static_cast<CellIndex>(lane);
            border.ground[r] =
                inside ? packed(task_.ground.cost[cell], task_.moves[cell] & task_.neighbours)
                       : packed(1, 0);
        }
    }
    static std::uint16_t packed(unsigned cost, unsigned open_moves) {
        return static_cast<std::uint16_t>(std::max(cost, 1U) | (~open_moves & 0xFFU) << 8);
    }
    /// The ground of a tile's row. No move leads off the grid. @return whether all are open;
    /// closed ones are or-ed into `closed`.
    bool pack_row_of(std::size_t tx, std::size_t ty, std::size_t r, std::uint16_t* to,
                     Row<std::uint16_t>& closed) const {
        const std::size_t lanes = r < rows_in(tx) ? lanes_in(ty) : 0;
        const std::uint8_t* cost = task_.ground.cost.data() + first_cell(tx, ty, r);
        const std::uint8_t* moves = task_.moves + first_cell(tx, ty, r);
        if (lanes == kTileSize) return pack_row(cost, moves, task_.neighbours, to, closed);
        std::uint8_t edge_cost[kTileSize] = {};
        std::uint8_t edge_moves[kTileSize] = {};
        std::copy_n(cost, lanes, edge_cost);
        std::copy_n(moves, lanes, edge_moves);
        return pack_row(edge_cost, edge_moves, task_.neighbours, to, closed);
    }

    void enqueue(Tile<T>& tile, std::uint64_t key) {
        const auto index = static_cast<std::uint64_t>(&tile - store_.tiles.data());
        tile.queued = true;
        tile.unwritten = true;
        store_.queue.push_back(key << 32 | index);
        std::push_heap(store_.queue.begin(), store_.queue.end(), std::greater<>());
    }
    /// Lowers one cell from outside its tile.
    void lower(std::size_t x, std::size_t y, std::uint32_t dist) {
        Tile<T>& tile = tile_at(x / kTileSize, y / kTileSize);
        const std::size_t r = x % kTileSize;
        const std::size_t lane = y % kTileSize;
        T& own = task_.dist[first_cell(x / kTileSize, y / kTileSize, r) + lane];
        if (dist >= own) return;
        own = static_cast<T>(dist);
        if (lane == 0) tile.south.dist[r] = own;
        if (lane == kTileSize - 1) tile.north.dist[r] = own;
        tile.dirty_rows |= kFirst << r;
        tile.dirty_columns |= kFirst << lane;
        enqueue(tile, dist);
    }

    /// A tile at hand, by rows or by columns (then its columns are what is called rows here).
    struct Layout {
        TileCells<T> dist;
        TileCells<std::uint16_t> ground;
        std::uint64_t open = 0;  ///< Rows in which no move is closed.
        // What is left to do: steps from a row into the one behind it and before it, and along it.
        std::uint64_t down = 0;
        std::uint64_t up = 0;
        std::uint64_t along = 0;
        std::uint64_t changed = 0;  ///< Rows.

        [[nodiscard]] bool is_open(std::size_t r) const { return (open >> r & 1) != 0; }
        void add(std::uint64_t rows) {
            changed |= rows;
            down |= rows & ~kLast;
            up |= rows & ~kFirst;
        }
    };

    /// Steps from the row in `row` into its neighbour r, which `row` becomes.
    template <MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, Layout& tile, std::size_t r, Row<T>& changed) {
        if (tile.is_open(r)) {
            step_into<true, across, along>(row, tile, r, changed);
        } else {
            step_into<false, across, along>(row, tile, r, changed);
        }
    }
    template <bool open, MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, Layout& tile, std::size_t r, Row<T>& changed) {
        --work_left_;
        const auto limit = static_cast<T>(task_.limit);
        const std::uint16_t* ground = tile.ground.row(r);
        if (!step_across<open, across>(row, ground, tile.dist.row(r), limit)) return;
        const bool more = step_along<open, along>(row, ground, limit);
        store_row(row, tile.dist.row(r), changed);
        tile.add(kFirst << r);
        tile.along = (tile.along & ~(kFirst << r)) | std::uint64_t{more} << r;
    }

    /// Sweeps down, then up.
    template <LayoutMoves moves>
    void sweep(Layout& tile, Row<T>& changed) {
        Row<T> row;
        std::size_t held = kTileSize;  // the row in `row`
        while (tile.down != 0) {
            const auto r = static_cast<std::size_t>(std::countr_zero(tile.down));
            tile.down &= tile.down - 1;
            if (held != r) load_row(tile.dist.row(r), row);
            held = r + 1;
            step_into<moves.from_before, moves.along>(row, tile, held, changed);
        }
        while (tile.up != 0) {
            const auto r = static_cast<std::size_t>(63 - std::countl_zero(tile.up));
            tile.up &= ~(kFirst << r);
            if (held != r) load_row(tile.dist.row(r), row);
            held = r - 1;
            step_into<moves.from_behind, moves.along>(row, tile, held, changed);
        }
    }

    template <MovesAlong along>
    void step_along_rows(Layout& tile, Row<T>& changed) {
        for (std::uint64_t left = std::exchange(tile.along, 0); left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            --work_left_;
            Row<T> row;
            load_row(tile.dist.row(r), row);
            const auto limit = static_cast<T>(task_.limit);
            const bool lowered = tile.is_open(r)
                                     ? step_along<true, along>(row, tile.ground.row(r), limit)
                                     : step_along<false, along>(row, tile.ground.row(r), limit);
            if (!lowered) continue;
            store_row(row, tile.dist.row(r), changed);
            tile.add(kFirst << r);
            tile.along |= kFirst << r;
        }
    }

    /// Spreads what changed in some rows until nothing changes.
    /// @return the changed lanes; the changed rows are in the layout.
    template <LayoutMoves moves>
    std::uint64_t settle(Layout& tile, std::uint64_t rows) {
        Row<T> changed;
        clear_row(changed);
        tile.changed = 0;
        tile.add(rows);
        tile.along = rows;
        while ((tile.down | tile.up | tile.along) != 0) {
            sweep<moves>(tile, changed);
            step_along_rows<moves.along>(tile, changed);
        }
        return lanes_set(changed);
    }

    /// Spreads the tile's dirty cells inside it until nothing changes, then across its borders.
    void visit(std::uint32_t index) {
        const std::size_t tx = index / tiles_y_;
        const std::size_t ty = index % tiles_y_;
        Tile<T>& tile = store_.tiles[index];
        tile.queued = false;
        tile.unwritten = true;
        std::uint64_t rows = std::exchange(tile.dirty_rows, 0);
        std::uint64_t columns = std::exchange(tile.dirty_columns, 0);
        load(tx, ty);
        // A front mostly runs across the fewer lines it has reached.
        if (std::popcount(rows) <= std::popcount(columns)) {
            columns |= settle<kByRows>(by_rows_, rows);
            rows = by_rows_.changed;
        } else {
            transpose(by_rows_.ground.row(0), by_columns_.ground.row(0));
            transpose(by_rows_.dist.row(0), by_columns_.dist.row(0));
            rows |= settle<kByColumns>(by_columns_, columns);
            columns = by_columns_.changed;
            transpose(by_columns_.dist.row(0), by_rows_.dist.row(0));
        }
        store(tile, tx, ty, rows, columns);
        spread(tx, ty, rows, columns);
    }

    /// Takes a tile at hand.
    void load(std::size_t tx, std::size_t ty) {
        Row<std::uint16_t> closed;
        clear_row(closed);
        by_rows_.open = 0;
        for (std::size_t r = 0; r < kTileSize; ++r) {
            const bool open = pack_row_of(tx, ty, r, by_rows_.ground.row(r), closed);
            by_rows_.open |= std::uint64_t{open} << r;
            load_row_of(tx, ty, r, by_rows_.dist.row(r));
        }
        by_columns_.open = ~lanes_set(closed);
    }
    void load_row_of(std::size_t tx, std::size_t ty, std::size_t r, T* to) const {
        const std::size_t lanes = r < rows_in(tx) ? lanes_in(ty) : 0;
        copy(task_.dist + first_cell(tx, ty, r), to, lanes);
        fill(to + lanes, to + kTileSize, static_cast<T>(task_.limit));
    }
    /// Writes the changed rows back.
    void store(Tile<T>& tile, std::size_t tx, std::size_t ty, std::uint64_t rows,
               std::uint64_t columns) {
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            copy(by_rows_.dist.row(r), task_.dist + first_cell(tx, ty, r), lanes_in(ty));
        }
        for (std::size_t r = 0; r < kTileSize && (columns & kFirst) != 0; ++r) {
            tile.south.dist[r] = by_rows_.dist.row(r)[0];
        }
        for (std::size_t r = 0; r < kTileSize && (columns & kLast) != 0; ++r) {
            tile.north.dist[r] = by_rows_.dist.row(r)[kTileSize - 1];
        }
    }

    /// Relaxes the cells around the tile at hand from its changed border rows and columns.
    void spread(std::size_t tx, std::size_t ty, std::uint64_t rows, std::uint64_t columns) {
        const Tile<T>& tile = store_.tiles[tx * tiles_y_ + ty];
        const bool west = (rows & kFirst) != 0 && tx > 0;
        const bool east = (rows & kLast) != 0 && tx + 1 < tiles_x_;
        const bool south = (columns & kFirst) != 0 && ty > 0;
        const bool north = (columns & kLast) != 0 && ty + 1 < tiles_y_;
        constexpr std::size_t kEnd = kTileSize - 1;
        const T* const first_row = by_rows_.dist.row(0);
        const T* const last_row = by_rows_.dist.row(kEnd);
        if (east) push_row<kByRows.from_before>(last_row, tx + 1, ty, 0);
        if (west) push_row<kByRows.from_behind>(first_row, tx - 1, ty, kEnd);
        if (north) push_column<kByColumns.from_before>(tile.north.dist, tx, ty + 1, 0);
        if (south) push_column<kByColumns.from_behind>(tile.south.dist, tx, ty - 1, kEnd);
        const std::size_t x = tx * kTileSize;
        const std::size_t y = ty * kTileSize;
        if (east && north) push_corner(last_row[kEnd], x + 64, y + 64, kSW);
        if (east && south) push_corner(last_row[0], x + 64, y - 1, kNW);
        if (west && north) push_corner(first_row[kEnd], x - 1, y + 64, kSE);
        if (west && south) push_corner(first_row[0], x - 1, y - 1, kNE);
    }

    template <MovesAcross moves>
    void push_row(const T* from, std::size_t tx, std::size_t ty, std::size_t r) {
        Tile<T>& tile = tile_at(tx, ty);
        alignas(64) T to[kTileSize];
        load_row_of(tx, ty, r, to);
        alignas(64) std::uint16_t ground[kTileSize];
        Row<std::uint16_t> closed;
        clear_row(closed);
        pack_row_of(tx, ty, r, ground, closed);
        const std::uint64_t lanes = push<moves>(from, ground, to);
        if (lanes == 0) return;
        copy(to, task_.dist + first_cell(tx, ty, r), lanes_in(ty));
        tile.south.dist[r] = to[0];
        tile.north.dist[r] = to[kTileSize - 1];
        tile.dirty_rows |= kFirst << r;
        tile.dirty_columns |= lanes;
        enqueue(tile, least(to, lanes));
    }
    template <MovesAcross moves>
    void push_column(const T* from, std::size_t tx, std::size_t ty, std::size_t lane) {
        Tile<T>& tile = tile_at(tx, ty);
        TileBorder<T>& to = lane == 0 ? tile.south : tile.north;
        const std::uint64_t rows = push<moves>(from, to.ground, to.dist);
        if (rows == 0) return;
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            task_.dist[first_cell(tx, ty, r) + lane] = to.dist[r];
        }
        tile.dirty_rows |= rows;
        tile.dirty_columns |= kFirst << lane;
        enqueue(tile, least(to.dist, rows));
    }
    /// @return the lowered lanes.
    template <MovesAcross moves>
    std::uint64_t push(const T* from, const std::uint16_t* ground, T* to) {
        --work_left_;
        Row<T> row;
        load_row(from, row);
        if (!step_across<false, moves>(row, ground, to, static_cast<T>(task_.limit))) return 0;
        Row<T> changed;
        clear_row(changed);
        store_row(row, to, changed);
        return lanes_set(changed);
    }
    void push_corner(std::uint32_t from, std::size_t x, std::size_t y, Move move) {
        const CellIndex cell =
            geometry_.index({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
        if ((task_.moves[cell] & task_.neighbours & 1U << move) == 0) return;
        const std::uint32_t cost = task_.ground.cost[cell] == 0 ? 1 : task_.ground.cost[cell];
        lower(x, y, std::min(from + cost, task_.limit));
    }
    static std::uint64_t least(const T* row, std::uint64_t lanes) {
        std::uint64_t key = ~std::uint64_t{0} >> 32;
        for (; lanes != 0; lanes &= lanes - 1) {
            key = std::min<std::uint64_t>(key, row[std::countr_zero(lanes)]);
        }
        return key;
    }

    /// Writes the settled cells of the tiles that changed.
    void write_settled() {
        const auto settled = static_cast<T>(std::min<std::uint64_t>(settled_to(), task_.limit));
        const auto limit = static_cast<T>(task_.limit);
        store_.written.clear();
        for (std::uint32_t index = 0; index < store_.tiles.size(); ++index) {
            Tile<T>& tile = store_.tiles[index];
            if (!tile.unwritten) continue;
            tile.unwritten = false;
            store_.written.push_back(index);
            const std::size_t tx = index / tiles_y_;
            const std::size_t ty = index % tiles_y_;
            for (std::size_t r = 0; r < rows_in(tx); ++r) {
                const T* row = task_.dist + first_cell(tx, ty, r);
                T* out = task_.settled + first_cell(tx, ty, r);
                bool open = false;
                for (std::size_t lane = 0; lane < lanes_in(ty); ++lane) {
                    out[lane] = row[lane] <= settled ? row[lane] : limit;
                    open |= row[lane] != out[lane];
                }
                tile.unwritten |= open;
            }
        }
    }

    const TileFloodTask<T>& task_;
    TileStore<T>& store_;
    const GridGeometry& geometry_;
    std::size_t tiles_y_;
    std::size_t tiles_x_;
    std::int64_t work_left_;
    Layout by_rows_;  // the tile at hand
    Layout by_columns_;
};

bool flood_narrow(const TileFloodTask<std::uint16_t>& task) {
    return TileFlood<std::uint16_t>(task).run();
}
bool flood_wide(const TileFloodTask<std::uint32_t>& task) {
    return TileFlood<std::uint32_t>(task).run();
}

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(flood_narrow);
HWY_EXPORT(flood_wide);

bool flood_tiles(const TileFloodTask<std::uint16_t>& task) {
    return HWY_DYNAMIC_DISPATCH(flood_narrow)(task);
}
bool flood_tiles(const TileFloodTask<std::uint32_t>& task) {
    return HWY_DYNAMIC_DISPATCH(flood_wide)(task);
}

}  // namespace maniple::nav
#endif

#else

namespace maniple::nav {

bool flood_tiles(const TileFloodTask<std::uint16_t>&) { return false; }
bool flood_tiles(const TileFloodTask<std::uint32_t>&) { return false; }

}  // namespace maniple::nav
#endif
