#include "tile_store.h"

#if defined(MANIPLE_NAV_SIMD)

#include <algorithm>
#include <bit>
#include <functional>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tile_flood.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "tile_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {

enum Move : std::size_t { kE = 0, kN = 1, kW = 2, kS = 3, kNE = 4, kNW = 5, kSW = 6, kSE = 7 };
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
          work_left_(kPullsPerRowMax * kTileSize * tiles_x_ * tiles_y_ + kPullsFree) {}

    bool run() {
        if (HWY_TARGET == HWY_SCALAR && !task_.forced) return false;
        if (!task_.resumed) begin();
        while (!store_.queue.empty() && !is_served()) {
            if (work_left_ < 0 && !task_.forced) return false;
            const std::uint32_t index = pop();
            if (store_.tiles[index].queued) visit(index);
        }
        if (task_.needed == nullptr) {
            write_back();
        } else {
            write_settled();
        }
        return true;
    }

  private:
    void begin() {
        store_.tiles.resize(tiles_x_ * tiles_y_);
        for (Tile<T>& tile : store_.tiles) tile.loaded = tile.queued = tile.unwritten = false;
        store_.edges.clear();
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
        while (!needed.empty() && dist_of(needed.back()) <= settled) needed.pop_back();
        return needed.empty();
    }
    [[nodiscard]] std::uint32_t dist_of(CellIndex cell) {
        const GridCoord at = geometry_.coord(cell);
        const auto x = static_cast<std::size_t>(at.x);
        const auto y = static_cast<std::size_t>(at.y);
        Tile<T>& tile = store_.tiles[x / kTileSize * tiles_y_ + y / kTileSize];
        return tile.loaded ? tile.dist.row(x % kTileSize)[y % kTileSize] : task_.limit;
    }

    /// More sweeps than this over every row of the grid, and a queue would have been faster.
    static constexpr std::int64_t kPullsPerRowMax = 40;
    static constexpr std::int64_t kPullsFree = 4096;

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

    /// The tile with ground and distances in it.
    Tile<T>& loaded(std::size_t tx, std::size_t ty) {
        Tile<T>& tile = store_.tiles[tx * tiles_y_ + ty];
        if (tile.loaded) return tile;
        tile.loaded = true;
        tile.dirty_rows = tile.dirty_columns = 0;
        fill(std::begin(tile.dist.cells), std::end(tile.dist.cells), static_cast<T>(task_.limit));
        if (is_over_edge(tx, ty)) copy_edge(tile, tx, ty);
        const Layout rows = by_rows(tile, tx, ty);
        transpose(rows.cost, tile.transposed.cost, rows.stride);
        transpose(rows.moves, tile.transposed.moves, rows.stride);
        tile.open_rows = open_rows(rows);
        tile.open_columns = open_rows(by_columns(tile));
        return tile;
    }
    [[nodiscard]] bool is_over_edge(std::size_t tx, std::size_t ty) const {
        return rows_in(tx) < kTileSize || lanes_in(ty) < kTileSize;
    }
    void copy_edge(Tile<T>& tile, std::size_t tx, std::size_t ty) {
        tile.edge = static_cast<std::uint32_t>(store_.edges.size());
        TileGround& ground = store_.edges.emplace_back();
        for (std::size_t r = 0; r < rows_in(tx); ++r) {
            const CellIndex cell = first_cell(tx, ty, r);
            const std::size_t lanes = lanes_in(ty);
            std::copy_n(task_.ground.cost.data() + cell, lanes, ground.cost + r * kTileSize);
            std::copy_n(task_.moves + cell, lanes, ground.moves + r * kTileSize);
        }
    }

    /// Ground of a tile: rows of costs and moves.
    struct Layout {
        const std::uint8_t* cost;
        const std::uint8_t* moves;
        std::size_t stride;
        std::uint64_t open;
    };
    [[nodiscard]] Layout by_rows(const Tile<T>& tile, std::size_t tx, std::size_t ty) const {
        if (is_over_edge(tx, ty)) {
            const TileGround& ground = store_.edges[tile.edge];
            return {ground.cost, ground.moves, kTileSize, tile.open_rows};
        }
        const CellIndex cell = first_cell(tx, ty, 0);
        return {task_.ground.cost.data() + cell, task_.moves + cell,
                static_cast<std::size_t>(geometry_.y_num()), tile.open_rows};
    }
    [[nodiscard]] Layout by_columns(const Tile<T>& tile) const {
        return {tile.transposed.cost, tile.transposed.moves, kTileSize, tile.open_columns};
    }
    [[nodiscard]] std::uint64_t open_rows(const Layout& layout) const {
        std::uint64_t open = 0;
        for (std::size_t r = 0; r < kTileSize; ++r) {
            const bool all = is_open(layout.moves + r * layout.stride, task_.neighbours);
            open |= std::uint64_t{all} << r;
        }
        return open;
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
        Tile<T>& tile = loaded(x / kTileSize, y / kTileSize);
        T& own = tile.dist.row(x % kTileSize)[y % kTileSize];
        if (dist >= own) return;
        own = static_cast<T>(dist);
        tile.dirty_rows |= kFirst << x % kTileSize;
        tile.dirty_columns |= kFirst << y % kTileSize;
        enqueue(tile, dist);
    }

    /// One layout's pending pulls: bit r asks for the pulls from row r into the row behind it
    /// (down) or before it (up).
    struct Pending {
        std::uint64_t down = 0;
        std::uint64_t up = 0;
        void add(std::uint64_t rows) {
            down |= rows & ~kLast;
            up |= rows & ~kFirst;
        }
        [[nodiscard]] bool any() const { return (down | up) != 0; }
    };

    template <std::size_t same, std::size_t next, std::size_t last>
    bool pull(Row<T>& row, const Layout& ground, std::size_t r, T* to, Row<T>& changed) {
        --work_left_;
        const auto limit = static_cast<T>(task_.limit);
        const RowGround of_row{ground.cost + r * ground.stride, ground.moves + r * ground.stride,
                               task_.neighbours};
        if ((ground.open >> r & 1) != 0) {
            return pull_row<true, same, next, last>(row, of_row, to, limit, changed);
        }
        return pull_row<false, same, next, last>(row, of_row, to, limit, changed);
    }

    /// Sweeps down, then up. Adds the changed rows to `pending` where the sweeps have not taken
    /// them along. @return the changed lanes.
    template <std::size_t from_before, std::size_t before_next, std::size_t before_last,
              std::size_t from_behind, std::size_t behind_next, std::size_t behind_last>
    std::uint64_t sweep(TileDistances<T>& dist, const Layout& ground, Pending& pending,
                        std::uint64_t& changed_rows) {
        Row<T> changed;
        clear_row(changed);
        Row<T> row;
        std::size_t held = kTileSize;  // the row in `row`
        while (pending.down != 0) {
            const auto r = static_cast<std::size_t>(std::countr_zero(pending.down));
            pending.down &= pending.down - 1;
            if (held != r) load_row(dist.row(r), row);
            held = r + 1;
            if (pull<from_before, before_next, before_last>(row, ground, held, dist.row(held),
                                                            changed)) {
                changed_rows |= kFirst << held;
                pending.add(kFirst << held);
            }
        }
        while (pending.up != 0) {
            const auto r = static_cast<std::size_t>(63 - std::countl_zero(pending.up));
            pending.up &= ~(kFirst << r);
            if (held != r) load_row(dist.row(r), row);
            held = r - 1;
            if (pull<from_behind, behind_next, behind_last>(row, ground, held, dist.row(held),
                                                            changed)) {
                changed_rows |= kFirst << held;
                pending.add(kFirst << held);
            }
        }
        return lanes_set(changed);
    }

    /// Spreads the tile's dirty cells inside it until nothing changes, then across its borders.
    void visit(std::uint32_t index) {
        Tile<T>& tile = store_.tiles[index];
        tile.queued = false;
        tile.unwritten = true;
        std::uint64_t rows = tile.dirty_rows;
        std::uint64_t columns = tile.dirty_columns;
        tile.dirty_rows = tile.dirty_columns = 0;
        Pending by_row;
        Pending by_column;
        by_row.add(rows);
        by_column.add(columns);
        const Layout ground_rows = by_rows(tile, index / tiles_y_, index % tiles_y_);
        const Layout ground_columns = by_columns(tile);
        bool row_turn = std::popcount(rows) <= std::popcount(columns);
        while (by_row.any() || by_column.any()) {
            if (row_turn && by_row.any()) {
                const std::uint64_t lanes =
                    sweep<kW, kNW, kSW, kE, kNE, kSE>(tile.dist, ground_rows, by_row, rows);
                columns |= lanes;
                by_column.add(lanes);
            } else if (!row_turn && by_column.any()) {
                transpose(tile.dist.row(0), store_.transposed.row(0));
                const std::uint64_t lanes = sweep<kS, kSE, kSW, kN, kNE, kNW>(
                    store_.transposed, ground_columns, by_column, columns);
                rows |= lanes;
                by_row.add(lanes);
                if (lanes != 0) transpose(store_.transposed.row(0), tile.dist.row(0));
            }
            row_turn = !row_turn;
        }
        spread(index / tiles_y_, index % tiles_y_, rows, columns);
    }

    /// Relaxes the cells around a tile from its changed border rows and columns.
    void spread(std::size_t tx, std::size_t ty, std::uint64_t rows, std::uint64_t columns) {
        Tile<T>& tile = store_.tiles[tx * tiles_y_ + ty];
        const bool west = (rows & kFirst) != 0 && tx > 0;
        const bool east = (rows & kLast) != 0 && tx + 1 < tiles_x_;
        const bool south = (columns & kFirst) != 0 && ty > 0;
        const bool north = (columns & kLast) != 0 && ty + 1 < tiles_y_;
        constexpr std::size_t kEnd = kTileSize - 1;
        if (east) push_row<kW, kNW, kSW>(tile.dist.row(kEnd), tx + 1, ty, 0);
        if (west) push_row<kE, kNE, kSE>(tile.dist.row(0), tx - 1, ty, kEnd);
        if (north) push_column<kS, kSE, kSW>(tile, kEnd, loaded(tx, ty + 1), 0);
        if (south) push_column<kN, kNE, kNW>(tile, 0, loaded(tx, ty - 1), kEnd);
        const std::size_t x = tx * kTileSize;
        const std::size_t y = ty * kTileSize;
        if (east && north) push_corner(tile.dist.row(kEnd)[kEnd], x + 64, y + 64, kSW);
        if (east && south) push_corner(tile.dist.row(kEnd)[0], x + 64, y - 1, kNW);
        if (west && north) push_corner(tile.dist.row(0)[kEnd], x - 1, y + 64, kSE);
        if (west && south) push_corner(tile.dist.row(0)[0], x - 1, y - 1, kNE);
    }

    template <std::size_t same, std::size_t next, std::size_t last>
    void push_row(const T* from, std::size_t tx, std::size_t ty, std::size_t r) {
        Tile<T>& to = loaded(tx, ty);
        Row<T> row;
        Row<T> changed;
        load_row(from, row);
        clear_row(changed);
        if (!pull<same, next, last>(row, by_rows(to, tx, ty), r, to.dist.row(r), changed)) {
            return;
        }
        const std::uint64_t lanes = lanes_set(changed);
        to.dirty_rows |= kFirst << r;
        to.dirty_columns |= lanes;
        enqueue(to, least(to.dist.row(r), lanes));
    }
    template <std::size_t same, std::size_t next, std::size_t last>
    void push_column(Tile<T>& tile, std::size_t from_lane, Tile<T>& to, std::size_t to_lane) {
        alignas(64) T from[kTileSize];
        alignas(64) T target[kTileSize];
        for (std::size_t r = 0; r < kTileSize; ++r) {
            from[r] = tile.dist.row(r)[from_lane];
            target[r] = to.dist.row(r)[to_lane];
        }
        Row<T> row;
        Row<T> changed;
        load_row(from, row);
        clear_row(changed);
        if (!pull<same, next, last>(row, by_columns(to), to_lane, target, changed)) {
            return;
        }
        const std::uint64_t lanes = lanes_set(changed);
        for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            to.dist.row(r)[to_lane] = target[r];
        }
        to.dirty_rows |= lanes;
        to.dirty_columns |= kFirst << to_lane;
        enqueue(to, least(target, lanes));
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

    void write_back() {
        for (std::size_t tx = 0; tx < tiles_x_; ++tx) {
            for (std::size_t ty = 0; ty < tiles_y_; ++ty) {
                Tile<T>& tile = store_.tiles[tx * tiles_y_ + ty];
                for (std::size_t r = 0; r < rows_in(tx); ++r) {
                    T* out = task_.dist + first_cell(tx, ty, r);
                    if (tile.loaded) {
                        std::copy_n(tile.dist.row(r), lanes_in(ty), out);
                    } else {
                        fill(out, out + lanes_in(ty), static_cast<T>(task_.limit));
                    }
                }
            }
        }
    }

    /// Writes the tiles that changed; what is not settled reads as unreached.
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
                T* out = task_.dist + first_cell(tx, ty, r);
                const T* row = tile.dist.row(r);
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
