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
/// How a tile at hand is laid out, and what its moves then are.
struct LayoutKind {
    bool transposed;
    MovesAcross from_before;  ///< From a row into the one behind it.
    MovesAcross from_behind;
    MovesAlong along;
};
constexpr LayoutKind kByRows{false, {kW, kNW, kSW}, {kE, kNE, kSE}, {kN, kS}};
constexpr LayoutKind kByColumns{true, {kS, kSE, kSW}, {kN, kNE, kNW}, {kE, kW}};

/// Rows and columns that are loaded together, aligned.
constexpr std::size_t kRowsAtOnce = 8;
constexpr std::uint64_t kRowsMask = ~std::uint64_t{0} >> (64 - kRowsAtOnce);
constexpr std::uint64_t kColumnsMask = (std::uint64_t{1} << kColumnsAtOnce) - 1;

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
            border.ground[place_of(r)] =
                inside ? pack_cell(task_.ground.cost[cell], task_.moves[cell] & task_.neighbours)
                       : pack_cell(1, 0);
        }
    }
    /// The ground of a tile's row. No move leads off the grid. @return whether all are open.
    bool pack_row_of(std::size_t tx, std::size_t ty, std::size_t r, std::uint16_t* to) const {
        const std::size_t lanes = r < rows_in(tx) ? lanes_in(ty) : 0;
        const std::uint8_t* cost = task_.ground.cost.data() + first_cell(tx, ty, r);
        const std::uint8_t* moves = task_.moves + first_cell(tx, ty, r);
        if (lanes == kTileSize) return pack_row(cost, moves, task_.neighbours, to);
        std::uint8_t edge_cost[kTileSize] = {};
        std::uint8_t edge_moves[kTileSize] = {};
        std::copy_n(cost, lanes, edge_cost);
        std::copy_n(moves, lanes, edge_moves);
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

    /// A tile at hand, by rows or by columns (then its columns are what is called rows here).
    struct Layout {
        TileCells<T> dist;
        TileCells<std::uint16_t> ground;
        std::uint64_t missing = 0;  ///< Rows that no step has reached are not loaded.
        std::uint64_t open = 0;     ///< Rows in which no move is closed.
        // What is left to do: steps from a row into the one behind it and before it, and along it.
        std::uint64_t down = 0;
        std::uint64_t up = 0;
        std::uint64_t along = 0;
        std::uint64_t changed = 0;  ///< Rows.

        [[nodiscard]] bool is_missing(std::size_t r) const { return (missing >> r & 1) != 0; }
        [[nodiscard]] bool is_open(std::size_t r) const { return (open >> r & 1) != 0; }
        void add(std::uint64_t rows) {
            changed |= rows;
            down |= rows & ~kLast;
            up |= rows & ~kFirst;
        }
    };

    /// Steps from the row in `row` into its neighbour r, which `row` becomes.
    template <MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, Layout& tile, std::size_t r, T limit, Row<T>& changed) {
        if (tile.is_open(r)) {
            step_into<true, across, along>(row, tile, r, limit, changed);
        } else {
            step_into<false, across, along>(row, tile, r, limit, changed);
        }
    }
    template <bool open, MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, Layout& tile, std::size_t r, T limit, Row<T>& changed) {
        --work_left_;
        const std::uint16_t* ground = tile.ground.row(r);
        if (!step_across<open, across>(row, ground, tile.dist.row(r), limit)) return;
        const bool more = step_along<open, along>(row, ground, limit);
        store_row(row, tile.dist.row(r), changed);
        tile.add(kFirst << r);
        tile.along = (tile.along & ~(kFirst << r)) | std::uint64_t{more} << r;
    }

    /// Sweeps down, then up.
    template <LayoutKind kind>
    void sweep(Layout& tile, Row<T>& changed) {
        Row<T> row;
        std::size_t held = kTileSize;  // the row in `row`
        while (tile.down != 0) {
            const auto next = static_cast<std::size_t>(std::countr_zero(tile.down)) + 1;
            if (tile.is_missing(next)) load<kind>(tile, next);
            sweep_down<kind>(row, held, tile, changed);
        }
        while (tile.up != 0) {
            const auto next = static_cast<std::size_t>(62 - std::countl_zero(tile.up));
            if (tile.is_missing(next)) load<kind>(tile, next);
            sweep_up<kind>(row, held, tile, changed);
        }
    }
    /// As far as rows are loaded: a call would take the loop's constants out of their registers.
    template <LayoutKind kind>
    void sweep_down(Row<T>& row, std::size_t& held, Layout& tile, Row<T>& changed) {
        const auto limit = static_cast<T>(task_.limit);
        while (tile.down != 0) {
            const auto r = static_cast<std::size_t>(std::countr_zero(tile.down));
            if (tile.is_missing(r + 1)) return;
            tile.down &= tile.down - 1;
            if (held != r) load_row(tile.dist.row(r), row);
            held = r + 1;
            step_into<kind.from_before, kind.along>(row, tile, held, limit, changed);
        }
    }
    template <LayoutKind kind>
    void sweep_up(Row<T>& row, std::size_t& held, Layout& tile, Row<T>& changed) {
        const auto limit = static_cast<T>(task_.limit);
        while (tile.up != 0) {
            const auto r = static_cast<std::size_t>(63 - std::countl_zero(tile.up));
            if (tile.is_missing(r - 1)) return;
            tile.up &= ~(kFirst << r);
            if (held != r) load_row(tile.dist.row(r), row);
            held = r - 1;
            step_into<kind.from_behind, kind.along>(row, tile, held, limit, changed);
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
    template <LayoutKind kind>
    std::uint64_t settle(Layout& tile, std::uint64_t rows) {
        Row<T> changed;
        clear_row(changed);
        tile.missing = ~std::uint64_t{0};
        tile.changed = 0;
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            if (tile.is_missing(r)) load<kind>(tile, r);
        }
        tile.add(rows);
        tile.along = rows;
        while ((tile.down | tile.up | tile.along) != 0) {
            sweep<kind>(tile, changed);
            step_along_rows<kind.along>(tile, changed);
        }
        return lanes_at(places_set(changed));
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
            columns |= settle<kByRows>(layout_, rows);
            rows = layout_.changed;
            store_rows(tile, rows, columns);
        } else {
            rows |= settle<kByColumns>(layout_, columns);
            columns = layout_.changed;
            store_columns(tile, columns);
        }
        spread(rows, columns);
    }

    /// Loads row r of the tile at hand and its fellows in memory.
    template <LayoutKind kind>
    HWY_NOINLINE void load(Layout& tile, std::size_t r) {
        if constexpr (kind.transposed) {
            if (is_whole()) {
                const CellIndex cell = first_cell(tx_, ty_, 0);
                load_columns(tile, r / kColumnsAtOnce * kColumnsAtOnce,
                             {task_.ground.cost.data() + cell, task_.moves + cell,
                              task_.dist + cell, static_cast<std::size_t>(geometry_.y_num())});
            } else {
                load_columns_at_edge(tile);
            }
        } else {
            const std::size_t first = r / kRowsAtOnce * kRowsAtOnce;
            for (r = first; r < first + kRowsAtOnce; ++r) {
                const bool open = pack_row_of(tx_, ty_, r, tile.ground.row(r));
                tile.open = (tile.open & ~(kFirst << r)) | std::uint64_t{open} << r;
                load_row_of(tx_, ty_, r, tile.dist.row(r));
            }
            tile.missing &= ~(kRowsMask << first);
        }
    }
    /// The cells of a tile where its rows lie `stride` apart.
    struct Source {
        const std::uint8_t* cost;
        const std::uint8_t* moves;
        const T* dist;
        std::size_t stride;
    };
    /// Columns from `first` on, as rows of `tile`.
    void load_columns(Layout& tile, std::size_t first, const Source& from) {
        alignas(64) std::uint16_t ground[kTileSize * kColumnsAtOnce];
        const std::uint64_t closed = pack_columns(from.cost + first, from.moves + first,
                                                  from.stride, task_.neighbours, ground);
        rows_to_lanes(ground, kColumnsAtOnce, tile.ground.row(first));
        rows_to_lanes(from.dist + first, from.stride, tile.dist.row(first));
        tile.open = (tile.open & ~(kColumnsMask << first)) | (~closed & kColumnsMask) << first;
        tile.missing &= ~(kColumnsMask << first);
    }
    /// All columns of a tile that lies partly outside of the grid.
    void load_columns_at_edge(Layout& tile) {
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
            load_columns(tile, first, {cost.row(0), moves.row(0), dist.row(0), kTileSize});
        }
    }
    /// Whether the tile at hand lies wholly in the grid.
    [[nodiscard]] bool is_whole() const {
        return rows_in(tx_) == kTileSize && lanes_in(ty_) == kTileSize;
    }
    void load_row_of(std::size_t tx, std::size_t ty, std::size_t r, T* to) const {
        const std::size_t lanes = r < rows_in(tx) ? lanes_in(ty) : 0;
        const T* from = task_.dist + first_cell(tx, ty, r);
        if (lanes == kTileSize) return split_row(from, to);
        T row[kTileSize];
        std::copy_n(from, lanes, row);
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
            const T* row = layout_.dist.row(r);
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
                lanes_to_rows(layout_.dist.row(c), to + c, stride);
            }
        }
        for (std::size_t r = 0; !whole && r < rows_in(tx_); ++r) {
            std::copy_n(at_edge.row(r), lanes_in(ty_), task_.dist + first_cell(tx_, ty_, r));
        }
        if ((columns & kFirst) != 0) copy_row(layout_.dist.row(0), tile.south.dist);
        if ((columns & kLast) != 0) copy_row(layout_.dist.row(kTileSize - 1), tile.north.dist);
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
        --work_left_;
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
    std::int64_t work_left_;
    // The tile at hand.
    std::size_t tx_ = 0;
    std::size_t ty_ = 0;
    Layout layout_;
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
