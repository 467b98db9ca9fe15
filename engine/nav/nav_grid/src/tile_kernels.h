// The vector steps of a tile flood, compiled once for each target by tile_flood.cpp.
#if defined(MANIPLE_NAV_TILE_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef MANIPLE_NAV_TILE_KERNELS
#undef MANIPLE_NAV_TILE_KERNELS
#else
#define MANIPLE_NAV_TILE_KERNELS
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "tile_store.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The ground words of as many cells as D has lanes.
template <class D>
HWY_INLINE hn::Vec<D> load_ground(D d, const std::uint16_t* words) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
        return hn::Load(d, words);
    } else {
        return hn::PromoteTo(d, hn::Load(hn::Rebind<std::uint16_t, D>(), words));
    }
}

/// The distances of the cells a move comes from; at the limit or above it where the move is closed.
template <std::size_t move, class D>
HWY_INLINE hn::Vec<D> where_open(D d, hn::Vec<D> dist, hn::Vec<D> ground) {
    constexpr int kBits = 8 * sizeof(hn::TFromD<D>);
    const hn::RebindToSigned<D> di;
    const auto closed = hn::ShiftRight<kBits - 1>(
        hn::BitCast(di, hn::ShiftLeft<kBits - 9 - static_cast<int>(move)>(ground)));
    const auto mask = hn::BitCast(d, closed);
    if constexpr (kBits == 16) {
        return hn::Or(dist, mask);
    } else {
        return hn::Or(dist, hn::ShiftRight<1>(mask));
    }
}

template <class D>
HWY_INLINE hn::Vec<D> add_cost(D d, hn::Vec<D> dist, hn::Vec<D> ground) {
    const auto cost = hn::And(ground, hn::Set(d, 0xFF));
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
        return hn::SaturatedAdd(dist, cost);
    } else {
        return hn::Add(dist, cost);
    }
}

/// Vectors of at most 256 bits, 64 lanes together: a row of a tile in registers.
template <class T>
using RowTag = hn::CappedTag<T, 32 / sizeof(T)>;
template <class T>
constexpr std::size_t kRowVectors = kTileSize / hn::MaxLanes(RowTag<T>());

template <class T>
struct Row {
    hn::Vec<RowTag<T>> v[kRowVectors<T>];
};

template <class T>
HWY_INLINE void load_row(const T* from, Row<T>& row) {
    const RowTag<T> d;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i)
        row.v[i] = hn::Load(d, from + i * hn::Lanes(d));
}

template <class T>
HWY_INLINE void clear_row(Row<T>& row) {
    for (auto& v : row.v) v = hn::Zero(RowTag<T>());
}

/// Lane i holds lane i − 1 of `here`, the first the last of `before`.
template <class D>
HWY_INLINE hn::Vec<D> from_last_lane(D d, hn::Vec<D> before, hn::Vec<D> here) {
#if HWY_TARGET == HWY_SCALAR
    (void)d, (void)here;
    return before;
#else
    constexpr int kShift = 16 - sizeof(hn::TFromD<D>);
    if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
        return hn::CombineShiftRightBytes<kShift>(d, here, before);
    } else {
        return hn::CombineShiftRightBytes<kShift>(d, here, hn::ConcatLowerUpper(d, here, before));
    }
#endif
}
/// Lane i holds lane i + 1 of `here`, the last the first of `behind`.
template <class D>
HWY_INLINE hn::Vec<D> from_next_lane(D d, hn::Vec<D> here, hn::Vec<D> behind) {
#if HWY_TARGET == HWY_SCALAR
    (void)d, (void)here;
    return behind;
#else
    constexpr int kShift = sizeof(hn::TFromD<D>);
    if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
        return hn::CombineShiftRightBytes<kShift>(d, behind, here);
    } else {
        return hn::CombineShiftRightBytes<kShift>(d, hn::ConcatLowerUpper(d, behind, here), here);
    }
#endif
}

/// Lowers row `to` by steps from its neighbour `row`: `same` is the move from the same lane, `next`
/// from one lane on, `last` from one lane back; cells beyond the row count as `limit`. All moves
/// are open if `open`. `row` becomes the lowered row, differences to the old one are or-ed into
/// `changed`. True if there are any.
template <bool open, std::size_t same, std::size_t next, std::size_t last, class T>
HWY_INLINE bool pull_row(Row<T>& row, const std::uint16_t* ground, T* to, T limit,
                         Row<T>& changed) {
    const RowTag<T> d;
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    auto before = border;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto here = row.v[i];
        const auto words = load_ground(d, ground + i * hn::Lanes(d));
        auto a = here;
        auto b = from_next_lane(d, here, i + 1 < kRowVectors<T> ? row.v[i + 1] : border);
        auto c = from_last_lane(d, before, here);
        if constexpr (!open) {
            a = where_open<same>(d, a, words);
            b = where_open<next>(d, b, words);
            c = where_open<last>(d, c, words);
        }
        const auto old = hn::Load(d, to + i * hn::Lanes(d));
        const auto lowered = hn::Min(old, add_cost(d, hn::Min(a, hn::Min(b, c)), words));
        const auto difference = hn::Xor(old, lowered);
        hn::Store(lowered, d, to + i * hn::Lanes(d));
        changed.v[i] = hn::Or(changed.v[i], difference);
        any = hn::Or(any, difference);
        before = here;
        row.v[i] = lowered;
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// Bit i is set where lane i is not 0.
template <class T>
HWY_INLINE std::uint64_t lanes_set(const Row<T>& row) {
    const RowTag<T> d;
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, hn::Not(hn::Eq(row.v[i], hn::Zero(d))), bits);
        set |= static_cast<std::uint64_t>(bits[0] | bits[1] << 8) << i * hn::Lanes(d);
    }
    return set;
}

/// Bit r is set where all moves of row r's ground words are open.
HWY_INLINE std::uint64_t open_rows(const std::uint16_t* words) {
    const hn::ScalableTag<std::uint16_t> d;
    std::uint64_t open = 0;
    for (std::size_t r = 0; r < kTileSize; ++r, words += kTileSize) {
        auto closed = hn::Zero(d);
        for (std::size_t lane = 0; lane < kTileSize; lane += hn::Lanes(d)) {
            closed = hn::Or(closed, hn::ShiftRight<8>(hn::Load(d, words + lane)));
        }
        if (hn::AllTrue(d, hn::Eq(closed, hn::Zero(d)))) open |= std::uint64_t{1} << r;
    }
    return open;
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE void transpose(const T* from, T* to) {
    for (std::size_t r = 0; r < kTileSize; ++r) {
        for (std::size_t c = 0; c < kTileSize; ++c) to[c * kTileSize + r] = from[r * kTileSize + c];
    }
}
#else
/// Transposes a square block with as many rows as 16 bytes have lanes.
template <class T>
HWY_INLINE void transpose_block(const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
    constexpr std::size_t kLanes = 16 / sizeof(T);
    const hn::FixedTag<T, kLanes> d;
    hn::Vec<decltype(d)> rows[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) rows[i] = hn::Load(d, from + i * kTileSize);
    for (std::size_t stage = 1; stage < kLanes; stage *= 2) {
        hn::Vec<decltype(d)> mixed[kLanes];
        for (std::size_t i = 0; i < kLanes / 2; ++i) {
            mixed[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kLanes / 2]);
            mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kLanes / 2]);
        }
        for (std::size_t i = 0; i < kLanes; ++i) rows[i] = mixed[i];
    }
    for (std::size_t i = 0; i < kLanes; ++i) hn::Store(rows[i], d, to + i * kTileSize);
}

template <class T>
HWY_INLINE void transpose(const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
    constexpr std::size_t kStep = 16 / sizeof(T);
    for (std::size_t r = 0; r < kTileSize; r += kStep) {
        for (std::size_t c = 0; c < kTileSize; c += kStep) {
            transpose_block(from + r * kTileSize + c, to + c * kTileSize + r);
        }
    }
}
#endif

template <class T>
HWY_INLINE void fill(T* begin, T* end, T value) {
    const hn::ScalableTag<T> d;
    for (; begin + hn::Lanes(d) <= end; begin += hn::Lanes(d)) {
        hn::StoreU(hn::Set(d, value), d, begin);
    }
    for (; begin < end; ++begin) *begin = value;
}

/// Makes the ground words of `lanes` cells.
HWY_INLINE void write_ground(const std::uint8_t* cost, const std::uint8_t* moves,
                             std::uint8_t neighbours, std::size_t lanes, std::uint16_t* words) {
    const hn::ScalableTag<std::uint16_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> d8;
    std::size_t lane = 0;
    for (; lane + hn::Lanes(d) <= lanes; lane += hn::Lanes(d)) {
        const auto step = hn::Max(hn::PromoteTo(d, hn::LoadU(d8, cost + lane)), hn::Set(d, 1));
        const auto open =
            hn::And(hn::PromoteTo(d, hn::LoadU(d8, moves + lane)), hn::Set(d, neighbours));
        const auto closed = hn::ShiftLeft<8>(hn::Xor(open, hn::Set(d, 0xFF)));
        hn::StoreU(hn::Or(step, closed), d, words + lane);
    }
    for (; lane < lanes; ++lane) {
        const unsigned step = cost[lane] == 0 ? 1U : cost[lane];
        const unsigned closed = 0xFFU & ~(static_cast<unsigned>(moves[lane]) & neighbours);
        words[lane] = static_cast<std::uint16_t>(closed << 8 | step);
    }
}

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
