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

/// The ground of as many cells as D has lanes: cost in the low byte, closed moves in the next.
template <class D>
HWY_INLINE hn::Vec<D> load_ground(D d, const std::uint16_t* ground) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
        return hn::Load(d, ground);
    } else {
        return hn::PromoteTo(d, hn::Load(hn::Rebind<std::uint16_t, D>(), ground));
    }
}

/// The distances of the cells a move comes from; at the limit or above it where the move is closed.
template <std::size_t move, class D>
HWY_INLINE hn::Vec<D> where_open(D d, hn::Vec<D> dist, hn::Vec<D> ground, hn::Vec<D> limit) {
#if HWY_TARGET <= HWY_AVX3
    // A mask register tells lanes apart in one step.
    const auto bit = hn::Set(d, static_cast<hn::TFromD<D>>(0x100U << move));
    return hn::IfThenElse(hn::TestBit(ground, bit), limit, dist);
#else
    (void)limit;
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
#endif
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

/// 64 lanes together: a row of a tile in registers.
template <class T>
using RowTag = hn::CappedTag<T, 64 / sizeof(T)>;
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
    constexpr std::size_t kBytes = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);
    constexpr int kShift = 16 - sizeof(hn::TFromD<D>);
    auto one_block_back = before;
    if constexpr (kBytes == 32) one_block_back = hn::ConcatLowerUpper(d, here, before);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (kBytes == 64) {
        one_block_back = hn::Vec<D>{_mm512_alignr_epi64(here.raw, before.raw, 6)};
    }
#endif
    return hn::CombineShiftRightBytes<kShift>(d, here, one_block_back);
#endif
}
/// Lane i holds lane i + 1 of `here`, the last the first of `behind`.
template <class D>
HWY_INLINE hn::Vec<D> from_next_lane(D d, hn::Vec<D> here, hn::Vec<D> behind) {
#if HWY_TARGET == HWY_SCALAR
    (void)d, (void)here;
    return behind;
#else
    constexpr std::size_t kBytes = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);
    constexpr int kShift = sizeof(hn::TFromD<D>);
    auto one_block_on = behind;
    if constexpr (kBytes == 32) one_block_on = hn::ConcatLowerUpper(d, behind, here);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (kBytes == 64) {
        one_block_on = hn::Vec<D>{_mm512_alignr_epi64(behind.raw, here.raw, 2)};
    }
#endif
    return hn::CombineShiftRightBytes<kShift>(d, one_block_on, here);
#endif
}

/// Moves between a cell and three of the row before or behind it: in the same lane, one lane on and
/// one lane back.
struct MovesAcross {
    std::size_t same;
    std::size_t next;
    std::size_t last;
};
/// Moves along a row: one lane on and one lane back.
struct MovesAlong {
    std::size_t next;
    std::size_t last;
};

/// Turns `row` into its neighbour row `to` lowered by steps from `row`; cells beyond it count as
/// `limit`. All moves are open if `open`. True if that is lower than `to`.
template <bool open, MovesAcross moves, class T>
HWY_INLINE bool step_across(Row<T>& row, const std::uint16_t* ground, const T* to, T limit) {
    const RowTag<T> d;
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    auto before = border;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto here = row.v[i];
        const std::size_t lane = i * hn::Lanes(d);
        const auto of_cells = load_ground(d, ground + lane);
        auto same = here;
        auto next = from_next_lane(d, here, i + 1 < kRowVectors<T> ? row.v[i + 1] : border);
        auto last = from_last_lane(d, before, here);
        if constexpr (!open) {
            same = where_open<moves.same>(d, same, of_cells, border);
            next = where_open<moves.next>(d, next, of_cells, border);
            last = where_open<moves.last>(d, last, of_cells, border);
        }
        const auto from = hn::Min(same, hn::Min(next, last));
        const auto old = hn::Load(d, to + lane);
        row.v[i] = hn::Min(old, add_cost(d, from, of_cells));
        any = hn::Or(any, hn::Xor(row.v[i], old));
        before = here;
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// Lowers each cell of a row once by a step along it. True if one changed.
template <bool open, MovesAlong moves, class T>
HWY_INLINE bool step_along(Row<T>& row, const std::uint16_t* ground, T limit) {
    const RowTag<T> d;
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    auto before = border;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto here = row.v[i];
        const auto of_cells = load_ground(d, ground + i * hn::Lanes(d));
        auto next = from_next_lane(d, here, i + 1 < kRowVectors<T> ? row.v[i + 1] : border);
        auto last = from_last_lane(d, before, here);
        if constexpr (!open) {
            next = where_open<moves.next>(d, next, of_cells, border);
            last = where_open<moves.last>(d, last, of_cells, border);
        }
        row.v[i] = hn::Min(here, add_cost(d, hn::Min(next, last), of_cells));
        any = hn::Or(any, hn::Xor(row.v[i], here));
        before = here;
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// Differences to what was there are or-ed into `changed`.
template <class T>
HWY_INLINE void store_row(const Row<T>& row, T* to, Row<T>& changed) {
    const RowTag<T> d;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto old = hn::Load(d, to + i * hn::Lanes(d));
        changed.v[i] = hn::Or(changed.v[i], hn::Xor(row.v[i], old));
        hn::Store(row.v[i], d, to + i * hn::Lanes(d));
    }
}

template <class D>
HWY_INLINE std::uint64_t mask_bits(D d, hn::Mask<D> mask) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
    return bits;
}

/// Bit i is set where lane i is not 0.
template <class T>
HWY_INLINE std::uint64_t lanes_set(const Row<T>& row) {
    const RowTag<T> d;
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        set |= mask_bits(d, hn::Not(hn::Eq(row.v[i], hn::Zero(d)))) << i * hn::Lanes(d);
    }
    return set;
}

/// The ground of a row. True if all its moves are open; closed ones are or-ed into `closed`.
HWY_INLINE bool pack_row(const std::uint8_t* cost, const std::uint8_t* moves,
                         std::uint8_t neighbours, std::uint16_t* to, Row<std::uint16_t>& closed) {
    const RowTag<std::uint16_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> d8;
    auto any = hn::Zero(d);
    for (std::size_t i = 0; i < kRowVectors<std::uint16_t>; ++i) {
        const std::size_t lane = i * hn::Lanes(d);
        const auto open = hn::And(hn::LoadU(d8, moves + lane), hn::Set(d8, neighbours));
        const auto shut = hn::ShiftLeft<8>(hn::PromoteTo(d, hn::Not(open)));
        const auto price = hn::Max(hn::LoadU(d8, cost + lane), hn::Set(d8, 1));
        hn::Store(hn::Or(shut, hn::PromoteTo(d, price)), d, to + lane);
        closed.v[i] = hn::Or(closed.v[i], shut);
        any = hn::Or(any, shut);
    }
    return hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
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

template <class T>
HWY_INLINE void copy(const T* from, T* to, std::size_t count) {
    const hn::ScalableTag<T> d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
        hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    for (; i < count; ++i) to[i] = from[i];
}

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
