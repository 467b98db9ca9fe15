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
#include "tile_sweeps.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {

/// Rows that are loaded together.
constexpr std::size_t kRowsAtOnce = 4;
constexpr std::uint64_t kColumnsMask = (std::uint64_t{1} << kColumnsAtOnce) - 1;

template <class T>
class TileFlood {
  public:
    explicit TileFlood(const TileFloodTask<T>& task)
        : task_(task),
          store_(task.store),
          geometry_(task.ground.geometry),
          tiles_y_(tiles_over(geometry_.y_num())),
          tiles_x_(tiles_over(geometry_.x_num())),
          steps_max_(kStepsPerRowMax * kTileSize * tiles_x_ * tiles_y_ + kStepsFree),
          sweeps_(static_cast<T>(task.limit)) {}

    bool run() {
        if (HWY_TARGET == HWY_SCALAR && !task_.forced) return false;
        if (!task_.resumed) begin();
        while (!store_.queue.empty() && !is_served()) {
            if (sweeps_.steps() > steps_max_ && !task_.forced) return false;
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
    static constexpr std::size_t kStepsPerRowMax = 40;
    static constexpr std::size_t kStepsFree = 4096;

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
            border.ground[place_of(r)] =
                inside ? pack_cell(task_.ground.cost[cell], task_.moves[cell] & task_.neighbours)
                       : pack_cell(1, 0);
        }
    }
    /// The ground of a tile's row. No move leads off the grid. @return whether all are open.
    bool pack_row_of(std::size_t tx, std::size_t ty, std::size_t r, std::uint16_t* to) const {
        std::uint8_t edge_cost[kTileSize] = {};
        std::uint8_t edge_moves[kTileSize] = {};
        if (r < rows_in(tx)) {  // Else there are no such cells to point at.
            const std::uint8_t* cost = task_.ground.cost.data() + first_cell(tx, ty, r);
            const std::uint8_t* moves = task_.moves + first_cell(tx, ty, r);
            if (lanes_in(ty) == kTileSize) return pack_row(cost, moves, task_.neighbours, to);
            std::copy_n(cost, lanes_in(ty), edge_cost);
            std::copy_n(moves, lanes_in(ty), edge_moves);
        }
        return pack_row(edge_cost, edge_moves, task_.neighbours, to);
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
        if (lane == 0) tile.south.dist[place_of(r)] = own;
        if (lane == kTileSize - 1) tile.north.dist[place_of(r)] = own;
        tile.dirty_rows |= kFirst << r;
        tile.dirty_columns |= kFirst << lane;
        enqueue(tile, dist);
    }

    /// Spreads the tile's dirty cells inside it until nothing changes, then across its borders.
    void visit(std::uint32_t index) {
        tx_ = index / tiles_y_;
        ty_ = index % tiles_y_;
        Tile<T>& tile = store_.tiles[index];
        tile.queued = false;
        tile.unwritten = true;
        std::uint64_t rows = std::exchange(tile.dirty_rows, 0);
        std::uint64_t columns = std::exchange(tile.dirty_columns, 0);
        // A front mostly runs across the fewer lines it has reached.
        if (std::popcount(rows) <= std::popcount(columns)) {
            const auto load = [this](std::size_t r) { load_rows(r / kRowsAtOnce * kRowsAtOnce); };
            columns |= sweeps_.template settle<kByRows>(rows, load);
            rows = sweeps_.changed_rows();
            store_rows(tile, rows, columns);
        } else {
            const auto load = [this](std::size_t c) { load_columns(c); };
            rows |= sweeps_.template settle<kByColumns>(columns, load);
            columns = sweeps_.changed_rows();
            store_columns(tile, columns);
        }
        spread(rows, columns);
    }

    /// Loads rows of the tile at hand from `first` on.
    HWY_NOINLINE void load_rows(std::size_t first) {
        for (std::size_t r = first; r < first + kRowsAtOnce; ++r) {
            const bool open = pack_row_of(tx_, ty_, r, sweeps_.ground(r));
            load_row_of(tx_, ty_, r, sweeps_.dist(r));
            sweeps_.set_loaded(r, open);
        }
    }
    /// Loads columns of the tile at hand, among them `c`, as rows.
    HWY_NOINLINE void load_columns(std::size_t c) {
        if (is_whole()) {
            const CellIndex cell = first_cell(tx_, ty_, 0);
            load_columns_of({task_.ground.cost.data() + cell, task_.moves + cell, task_.dist + cell,
                             static_cast<std::size_t>(geometry_.y_num())},
                            c / kColumnsAtOnce * kColumnsAtOnce);
        } else {
            load_columns_at_edge();
        }
    }
    /// The cells of a tile where its rows lie `stride` apart.
    struct Source {
        const std::uint8_t* cost;
        const std::uint8_t* moves;
        const T* dist;
        std::size_t stride;
    };
    void load_columns_of(const Source& from, std::size_t first) {
        alignas(64) std::uint16_t ground[kTileSize * kColumnsAtOnce];
        const std::uint64_t closed = pack_columns(from.cost + first, from.moves + first,
                                                  from.stride, task_.neighbours, ground);
        rows_to_lanes(ground, kColumnsAtOnce, sweeps_.ground(first));
        rows_to_lanes(from.dist + first, from.stride, sweeps_.dist(first));
        for (std::size_t i = 0; i < kColumnsAtOnce; ++i) {
            sweeps_.set_loaded(first + i, (closed >> i & 1) == 0);
        }
    }
    /// All columns of a tile that lies partly outside of the grid.
    void load_columns_at_edge() {
        TileCells<std::uint8_t> cost{};
        TileCells<std::uint8_t> moves{};
        TileCells<T> dist;
        fill(dist.row(0), dist.row(kTileSize), static_cast<T>(task_.limit));
        for (std::size_t r = 0; r < rows_in(tx_); ++r) {
            const CellIndex cell = first_cell(tx_, ty_, r);
            std::copy_n(task_.ground.cost.data() + cell, lanes_in(ty_), cost.row(r));
            std::copy_n(task_.moves + cell, lanes_in(ty_), moves.row(r));
            std::copy_n(task_.dist + cell, lanes_in(ty_), dist.row(r));
        }
        for (std::size_t first = 0; first < kTileSize; first += kColumnsAtOnce) {
            load_columns_of({cost.row(0), moves.row(0), dist.row(0), kTileSize}, first);
        }
    }
    /// Whether the tile at hand lies wholly in the grid.
    [[nodiscard]] bool is_whole() const {
        return rows_in(tx_) == kTileSize && lanes_in(ty_) == kTileSize;
    }
    void load_row_of(std::size_t tx, std::size_t ty, std::size_t r, T* to) const {
        const std::size_t lanes = r < rows_in(tx) ? lanes_in(ty) : 0;
        if (lanes == kTileSize) return split_row(task_.dist + first_cell(tx, ty, r), to);
        T row[kTileSize];
        if (lanes != 0) std::copy_n(task_.dist + first_cell(tx, ty, r), lanes, row);
        std::fill(row + lanes, row + kTileSize, static_cast<T>(task_.limit));
        split_row(row, to);
    }
    void store_row_of(const T* row, std::size_t tx, std::size_t ty, std::size_t r) {
        T* to = task_.dist + first_cell(tx, ty, r);
        if (lanes_in(ty) == kTileSize) return join_row(row, to);
        T joined[kTileSize];
        join_row(row, joined);
        std::copy_n(joined, lanes_in(ty), to);
    }
    /// Writes the changed rows back.
    void store_rows(Tile<T>& tile, std::uint64_t rows, std::uint64_t columns) {
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            const T* row = sweeps_.dist(r);
            store_row_of(row, tx_, ty_, r);
            if ((columns & kFirst) != 0) tile.south.dist[place_of(r)] = row[0];
            if ((columns & kLast) != 0) tile.north.dist[place_of(r)] = row[kTileSize - 1];
        }
    }
    void store_columns(Tile<T>& tile, std::uint64_t columns) {
        const bool whole = is_whole();
        TileCells<T> at_edge;
        T* to = whole ? task_.dist + first_cell(tx_, ty_, 0) : at_edge.row(0);
        const std::size_t stride = whole ? static_cast<std::size_t>(geometry_.y_num()) : kTileSize;
        for (std::size_t c = 0; c < kTileSize; c += kColumnsAtOnce) {
            if (!whole || (columns >> c & kColumnsMask) != 0) {
                lanes_to_rows(sweeps_.dist(c), to + c, stride);
            }
        }
        for (std::size_t r = 0; !whole && r < rows_in(tx_); ++r) {
            std::copy_n(at_edge.row(r), lanes_in(ty_), task_.dist + first_cell(tx_, ty_, r));
        }
        if ((columns & kFirst) != 0) copy_row(sweeps_.dist(0), tile.south.dist);
        if ((columns & kLast) != 0) copy_row(sweeps_.dist(kTileSize - 1), tile.north.dist);
    }

    /// Relaxes the cells around the tile at hand from its changed border rows and columns.
    void spread(std::uint64_t rows, std::uint64_t columns) {
        const Tile<T>& tile = store_.tiles[tx_ * tiles_y_ + ty_];
        const bool west = (rows & kFirst) != 0 && tx_ > 0;
        const bool east = (rows & kLast) != 0 && tx_ + 1 < tiles_x_;
        const bool south = (columns & kFirst) != 0 && ty_ > 0;
        const bool north = (columns & kLast) != 0 && ty_ + 1 < tiles_y_;
        constexpr std::size_t kEnd = kTileSize - 1;
        alignas(64) T first_row[kTileSize];
        alignas(64) T last_row[kTileSize];
        if (west) load_row_of(tx_, ty_, 0, first_row);
        if (east) load_row_of(tx_, ty_, kEnd, last_row);
        if (east) push_row<kByRows.from_before>(last_row, tx_ + 1, ty_, 0);
        if (west) push_row<kByRows.from_behind>(first_row, tx_ - 1, ty_, kEnd);
        if (north) push_column<kByColumns.from_before>(tile.north.dist, tx_, ty_ + 1, 0);
        if (south) push_column<kByColumns.from_behind>(tile.south.dist, tx_, ty_ - 1, kEnd);
        const std::size_t x = tx_ * kTileSize;
        const std::size_t y = ty_ * kTileSize;
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
        pack_row_of(tx, ty, r, ground);
        const std::uint64_t places = push<moves>(from, ground, to);
        if (places == 0) return;
        store_row_of(to, tx, ty, r);
        tile.south.dist[place_of(r)] = to[0];
        tile.north.dist[place_of(r)] = to[kTileSize - 1];
        tile.dirty_rows |= kFirst << r;
        tile.dirty_columns |= lanes_at(places);
        enqueue(tile, least(to, places));
    }
    template <MovesAcross moves>
    void push_column(const T* from, std::size_t tx, std::size_t ty, std::size_t lane) {
        Tile<T>& tile = tile_at(tx, ty);
        TileBorder<T>& to = lane == 0 ? tile.south : tile.north;
        const std::uint64_t places = push<moves>(from, to.ground, to.dist);
        if (places == 0) return;
        const std::uint64_t rows = lanes_at(places);
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            task_.dist[first_cell(tx, ty, r) + lane] = to.dist[place_of(r)];
        }
        tile.dirty_rows |= rows;
        tile.dirty_columns |= kFirst << lane;
        enqueue(tile, least(to.dist, places));
    }
    /// @return the places of the lowered lanes.
    template <MovesAcross moves>
    std::uint64_t push(const T* from, const std::uint16_t* ground, T* to) {
        Row<T> row;
        load_row(from, row);
        if (!step_across<false, moves>(row, ground, to, static_cast<T>(task_.limit))) return 0;
        Row<T> changed;
        clear_row(changed);
        store_row(row, to, changed);
        return places_set(changed);
    }
    void push_corner(std::uint32_t from, std::size_t x, std::size_t y, Move move) {
        const CellIndex cell =
            geometry_.index({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
        if ((task_.moves[cell] & task_.neighbours & 1U << move) == 0) return;
        const std::uint32_t cost = task_.ground.cost[cell] == 0 ? 1 : task_.ground.cost[cell];
        lower(x, y, std::min(from + cost, task_.limit));
    }
    static std::uint64_t least(const T* row, std::uint64_t places) {
        std::uint64_t key = ~std::uint64_t{0} >> 32;
        for (; places != 0; places &= places - 1) {
            key = std::min<std::uint64_t>(key, row[std::countr_zero(places)]);
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
    std::size_t steps_max_;
    // The tile at hand.
    std::size_t tx_ = 0;
    std::size_t ty_ = 0;
    TileSweeps<T> sweeps_;
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
