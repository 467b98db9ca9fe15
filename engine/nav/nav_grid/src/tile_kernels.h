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

/// The bytes of as many cells as D has lanes.
template <class D>
HWY_INLINE hn::Vec<D> load_bytes(D d, const std::uint8_t* bytes) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, D>(), bytes));
}

/// The distances of the cells a move comes from; at the limit or above it where the move is closed.
template <std::size_t move, class D>
HWY_INLINE hn::Vec<D> where_open(D d, hn::Vec<D> dist, hn::Vec<D> closed_moves, hn::Vec<D> limit) {
#if HWY_TARGET <= HWY_AVX3
    // A mask register tells lanes apart in one step.
    const auto bit = hn::Set(d, static_cast<hn::TFromD<D>>(1U << move));
    return hn::IfThenElse(hn::TestBit(closed_moves, bit), limit, dist);
#else
    (void)limit;
    constexpr int kBits = 8 * sizeof(hn::TFromD<D>);
    const hn::RebindToSigned<D> di;
    const auto closed = hn::ShiftRight<kBits - 1>(
        hn::BitCast(di, hn::ShiftLeft<kBits - 1 - static_cast<int>(move)>(closed_moves)));
    const auto mask = hn::BitCast(d, closed);
    if constexpr (kBits == 16) {
        return hn::Or(dist, mask);
    } else {
        return hn::Or(dist, hn::ShiftRight<1>(mask));
    }
#endif
}

template <class D>
HWY_INLINE hn::Vec<D> add_cost(hn::Vec<D> dist, hn::Vec<D> cost) {
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

/// The ground of a row.
struct RowGround {
    const std::uint8_t* cost;
    const std::uint8_t* moves;
    std::uint8_t neighbours;  ///< The moves that count.
};

/// Lowers row `to` by steps from its neighbour `row`: `same` is the move from the same lane, `next`
/// from one lane on, `last` from one lane back; cells beyond the row count as `limit`. All moves
/// are open if `open`. `row` becomes the lowered row, differences to the old one are or-ed into
/// `changed`. True if there are any.
template <bool open, std::size_t same, std::size_t next, std::size_t last, class T>
HWY_INLINE bool pull_row(Row<T>& row, const RowGround& ground, T* to, T limit, Row<T>& changed) {
    const RowTag<T> d;
    const auto counted = hn::Set(d, ground.neighbours);
    const auto all = hn::Set(d, 0xFF);
    const auto one = hn::Set(d, 1);
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    auto before = border;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto here = row.v[i];
        const std::size_t lane = i * hn::Lanes(d);
        const auto cost = hn::Max(load_bytes(d, ground.cost + lane), one);
        auto a = here;
        auto b = from_next_lane(d, here, i + 1 < kRowVectors<T> ? row.v[i + 1] : border);
        auto c = from_last_lane(d, before, here);
        if constexpr (!open) {
            const auto open_moves = hn::And(load_bytes(d, ground.moves + lane), counted);
            const auto closed = hn::Xor(open_moves, all);
            a = where_open<same>(d, a, closed, border);
            b = where_open<next>(d, b, closed, border);
            c = where_open<last>(d, c, closed, border);
        }
        const auto old = hn::Load(d, to + lane);
        const auto lowered = hn::Min(old, add_cost<decltype(d)>(hn::Min(a, hn::Min(b, c)), cost));
        const auto difference = hn::Xor(old, lowered);
        hn::Store(lowered, d, to + lane);
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

/// Whether all the moves that count are open in a row.
HWY_INLINE bool is_open(const std::uint8_t* moves, std::uint8_t neighbours) {
    const hn::CappedTag<std::uint8_t, kTileSize> d;
    auto open = hn::Set(d, neighbours);
    for (std::size_t lane = 0; lane < kTileSize; lane += hn::Lanes(d)) {
        open = hn::And(open, hn::LoadU(d, moves + lane));
    }
    return neighbours == 0xFF && hn::AllTrue(d, hn::Eq(open, hn::Set(d, neighbours)));
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE void transpose(const T* from, T* to, std::size_t stride = kTileSize) {
    for (std::size_t r = 0; r < kTileSize; ++r) {
        for (std::size_t c = 0; c < kTileSize; ++c) to[c * kTileSize + r] = from[r * stride + c];
    }
}
#else
/// Transposes a block with as many columns as 16 bytes have lanes and as many rows as D has.
template <class D>
HWY_INLINE void transpose_block(D d, const hn::TFromD<D>* HWY_RESTRICT from, std::size_t stride,
                                hn::TFromD<D>* HWY_RESTRICT to) {
    using T = hn::TFromD<D>;
    constexpr std::size_t kLanes = 16 / sizeof(T);
    const hn::FixedTag<T, kLanes> half;
    hn::Vec<D> rows[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
        if constexpr (hn::MaxLanes(D()) == kLanes) {
            rows[i] = hn::LoadU(d, from + i * stride);
        } else {
            rows[i] = hn::Combine(d, hn::LoadU(half, from + (i + kLanes) * stride),
                                  hn::LoadU(half, from + i * stride));
        }
    }
    for (std::size_t stage = 1; stage < kLanes; stage *= 2) {
        hn::Vec<D> mixed[kLanes];
        for (std::size_t i = 0; i < kLanes / 2; ++i) {
            mixed[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kLanes / 2]);
            mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kLanes / 2]);
        }
        for (std::size_t i = 0; i < kLanes; ++i) rows[i] = mixed[i];
    }
    for (std::size_t i = 0; i < kLanes; ++i) hn::Store(rows[i], d, to + i * kTileSize);
}

/// A tile whose rows lie `stride` apart.
template <class T>
HWY_INLINE void transpose(const T* HWY_RESTRICT from, T* HWY_RESTRICT to,
                          std::size_t stride = kTileSize) {
    const hn::CappedTag<T, 32 / sizeof(T)> d;
    constexpr std::size_t kColumns = 16 / sizeof(T);
    for (std::size_t r = 0; r < kTileSize; r += hn::Lanes(d)) {
        for (std::size_t c = 0; c < kTileSize; c += kColumns) {
            transpose_block(d, from + r * stride + c, stride, to + c * kTileSize + r);
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

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
