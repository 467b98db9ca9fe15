// The sweeps of a tile flood, compiled once for each target by tile_flood.cpp.
#if defined(MANIPLE_NAV_TILE_SWEEPS) == defined(HWY_TARGET_TOGGLE)
#ifdef MANIPLE_NAV_TILE_SWEEPS
#undef MANIPLE_NAV_TILE_SWEEPS
#else
#define MANIPLE_NAV_TILE_SWEEPS
#endif

#include <bit>
#include <cstdint>
#include <utility>

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

/// The tile at hand, by rows or by columns (then its columns are what is called rows here), and the
/// sweeps over it. Rows that no step reaches are not loaded.
template <class T>
class TileSweeps {
  public:
    explicit TileSweeps(T limit) : limit_(limit) {}

    /// Spreads what changed in some rows until nothing changes. `load(r)` fills in row r, and
    /// others with it as it likes, and calls set_loaded() for each.
    /// @return the changed lanes.
    template <LayoutMoves moves, class Load>
    std::uint64_t settle(std::uint64_t rows, const Load& load) {
        Row<T> changed;
        clear_row(changed);
        missing_ = ~std::uint64_t{0};
        changed_ = 0;
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            need(static_cast<std::size_t>(std::countr_zero(left)), load);
        }
        add(rows);
        along_ = rows;
        while ((down_ | up_ | along_) != 0) {
            sweep<moves>(changed, load);
            step_along_rows<moves.along>(changed);
        }
        return lanes_at(places_set(changed));
    }

    [[nodiscard]] T* dist(std::size_t r) { return dist_.row(r); }
    [[nodiscard]] std::uint16_t* ground(std::size_t r) { return ground_.row(r); }
    /// Row r is filled in; `open` if no move in it is closed.
    void set_loaded(std::size_t r, bool open) {
        missing_ &= ~(kFirst << r);
        open_ = (open_ & ~(kFirst << r)) | std::uint64_t{open} << r;
    }
    /// Of the last settle().
    [[nodiscard]] std::uint64_t changed_rows() const { return changed_; }
    /// So far, from row to row and along rows.
    [[nodiscard]] std::size_t steps() const { return steps_; }

  private:
    [[nodiscard]] bool is_missing(std::size_t r) const { return (missing_ >> r & 1) != 0; }
    [[nodiscard]] bool is_open(std::size_t r) const { return (open_ >> r & 1) != 0; }
    template <class Load>
    void need(std::size_t r, const Load& load) {
        if (is_missing(r)) load(r);
    }
    void add(std::uint64_t rows) {
        changed_ |= rows;
        down_ |= rows & ~kLast;
        up_ |= rows & ~kFirst;
    }

    /// Sweeps down, then up.
    template <LayoutMoves moves, class Load>
    void sweep(Row<T>& changed, const Load& load) {
        Row<T> row;
        std::size_t held = kTileSize;  // the row in `row`
        while (down_ != 0) {
            need(static_cast<std::size_t>(std::countr_zero(down_)) + 1, load);
            sweep_down<moves>(row, held, changed);
        }
        while (up_ != 0) {
            need(static_cast<std::size_t>(62 - std::countl_zero(up_)), load);
            sweep_up<moves>(row, held, changed);
        }
    }
    /// As far as rows are loaded: a call would take the loop's constants out of their registers.
    template <LayoutMoves moves>
    void sweep_down(Row<T>& row, std::size_t& held, Row<T>& changed) {
        const T limit = limit_;
        while (down_ != 0) {
            const auto r = static_cast<std::size_t>(std::countr_zero(down_));
            if (is_missing(r + 1)) return;
            down_ &= down_ - 1;
            if (held != r) load_row(dist(r), row);
            held = r + 1;
            step_into<moves.from_before, moves.along>(row, held, limit, changed);
        }
    }
    template <LayoutMoves moves>
    void sweep_up(Row<T>& row, std::size_t& held, Row<T>& changed) {
        const T limit = limit_;
        while (up_ != 0) {
            const auto r = static_cast<std::size_t>(63 - std::countl_zero(up_));
            if (is_missing(r - 1)) return;
            up_ &= ~(kFirst << r);
            if (held != r) load_row(dist(r), row);
            held = r - 1;
            step_into<moves.from_behind, moves.along>(row, held, limit, changed);
        }
    }

    /// Steps from the row in `row` into its neighbour r, which `row` becomes.
    template <MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, std::size_t r, T limit, Row<T>& changed) {
        if (is_open(r)) {
            step_into<true, across, along>(row, r, limit, changed);
        } else {
            step_into<false, across, along>(row, r, limit, changed);
        }
    }
    template <bool open, MovesAcross across, MovesAlong along>
    void step_into(Row<T>& row, std::size_t r, T limit, Row<T>& changed) {
        ++steps_;
        if (!step_across<open, across>(row, ground(r), dist(r), limit)) return;
        const bool more = step_along<open, along>(row, ground(r), limit);
        store_row(row, dist(r), changed);
        add(kFirst << r);
        along_ = (along_ & ~(kFirst << r)) | std::uint64_t{more} << r;
    }
    template <MovesAlong along>
    void step_along_rows(Row<T>& changed) {
        for (std::uint64_t left = std::exchange(along_, 0); left != 0; left &= left - 1) {
            const auto r = static_cast<std::size_t>(std::countr_zero(left));
            ++steps_;
            Row<T> row;
            load_row(dist(r), row);
            const bool lowered = is_open(r) ? step_along<true, along>(row, ground(r), limit_)
                                            : step_along<false, along>(row, ground(r), limit_);
            if (!lowered) continue;
            store_row(row, dist(r), changed);
            add(kFirst << r);
            along_ |= kFirst << r;
        }
    }

    TileCells<T> dist_;
    TileCells<std::uint16_t> ground_;
    // Rows as bits.
    std::uint64_t missing_ = 0;
    std::uint64_t open_ = 0;  ///< Those in which no move is closed.
    // What is left to do: steps from a row into the one behind it and before it, and along it.
    std::uint64_t down_ = 0;
    std::uint64_t up_ = 0;
    std::uint64_t along_ = 0;
    std::uint64_t changed_ = 0;
    T limit_;
    std::size_t steps_ = 0;
};

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
