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

/// The smaller of `least` and where_open(); `least` is not above the limit.
template <std::size_t move, class D>
HWY_INLINE hn::Vec<D> least_where_open(D d, hn::Vec<D> least, hn::Vec<D> dist, hn::Vec<D> ground,
                                       hn::Vec<D> limit) {
#if HWY_TARGET <= HWY_AVX3
    // One masked step, which compilers do not make of two.
    (void)limit;
    const auto bit = hn::Set(d, static_cast<hn::TFromD<D>>(0x100U << move));
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
        const __mmask32 open = _mm512_testn_epi16_mask(ground.raw, bit.raw);
        return hn::Vec<D>{_mm512_mask_min_epu16(least.raw, open, least.raw, dist.raw)};
    } else {
        const __mmask16 open = _mm512_testn_epi32_mask(ground.raw, bit.raw);
        return hn::Vec<D>{_mm512_mask_min_epu32(least.raw, open, least.raw, dist.raw)};
    }
#else
    return hn::Min(least, where_open<move>(d, dist, ground, limit));
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

/// 64 lanes together: a row of a tile in registers. The even lanes come first, then the odd ones:
/// one neighbour of a lane along the row is in its own place of the other half, and only the other
/// neighbour has to be shifted there.
template <class T>
using RowTag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
constexpr std::size_t kRowVectors = kTileSize / hn::MaxLanes(RowTag<T>());
template <class T>
constexpr std::size_t kHalfVectors = kRowVectors<T> / 2;
constexpr std::size_t kHalfLanes = kTileSize / 2;

template <class T>
struct Row {
    hn::Vec<RowTag<T>> v[kRowVectors<T>];
};

/// Where in a row a lane is.
constexpr std::size_t place_of(std::size_t lane) { return lane % 2 * kHalfLanes + lane / 2; }
/// The lanes at places, either as bits.
constexpr std::uint64_t lanes_at(std::uint64_t places) {
    const auto spread = [](std::uint64_t half) {  // bit i to bit 2i
        half = (half | half << 16) & 0x0000'FFFF'0000'FFFFU;
        half = (half | half << 8) & 0x00FF'00FF'00FF'00FFU;
        half = (half | half << 4) & 0x0F0F'0F0F'0F0F'0F0FU;
        half = (half | half << 2) & 0x3333'3333'3333'3333U;
        return (half | half << 1) & 0x5555'5555'5555'5555U;
    };
    return spread(places & 0xFFFF'FFFFU) | spread(places >> 32) << 1;
}

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

/// Vector i of a row moved by a lane: each lane holds the one behind it, or before it. Beyond the
/// row is `border`.
template <class T>
HWY_INLINE hn::Vec<RowTag<T>> next_lanes(const Row<T>& row, std::size_t i,
                                         hn::Vec<RowTag<T>> border) {
    constexpr std::size_t kHalf = kHalfVectors<T>;
    if (i < kHalf) return row.v[i + kHalf];
    const auto behind = i + 1 < 2 * kHalf ? row.v[i - kHalf + 1] : border;
    return from_next_lane(RowTag<T>(), row.v[i - kHalf], behind);
}
template <class T>
HWY_INLINE hn::Vec<RowTag<T>> last_lanes(const Row<T>& row, std::size_t i,
                                         hn::Vec<RowTag<T>> border) {
    constexpr std::size_t kHalf = kHalfVectors<T>;
    if (i >= kHalf) return row.v[i - kHalf];
    const auto before = i > 0 ? row.v[i + kHalf - 1] : border;
    return from_last_lane(RowTag<T>(), before, row.v[i + kHalf]);
}

/// Turns `row` into its neighbour row `to` lowered by steps from `row`; cells beyond it count as
/// `limit`. All moves are open if `open`. True if that is lower than `to`.
template <bool open, MovesAcross moves, class T>
HWY_INLINE bool step_across(Row<T>& row, const std::uint16_t* ground, const T* to, T limit) {
    const RowTag<T> d;
    const Row<T> from_row = row;
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto of_cells = load_ground(d, ground + i * hn::Lanes(d));
        const auto next = next_lanes(from_row, i, border);
        const auto last = last_lanes(from_row, i, border);
        auto from = from_row.v[i];
        if constexpr (open) {
            from = hn::Min(from, hn::Min(next, last));
        } else {
            from = where_open<moves.same>(d, from, of_cells, border);
            from = least_where_open<moves.next>(d, from, next, of_cells, border);
            from = least_where_open<moves.last>(d, from, last, of_cells, border);
        }
        const auto old = hn::Load(d, to + i * hn::Lanes(d));
        row.v[i] = hn::Min(old, add_cost(d, from, of_cells));
        any = hn::Or(any, hn::Xor(row.v[i], old));
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// Lowers each cell of a row once by a step along it. True if one changed.
template <bool open, MovesAlong moves, class T>
HWY_INLINE bool step_along(Row<T>& row, const std::uint16_t* ground, T limit) {
    const RowTag<T> d;
    const Row<T> from_row = row;
    const auto border = hn::Set(d, limit);
    auto any = hn::Zero(d);
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        const auto of_cells = load_ground(d, ground + i * hn::Lanes(d));
        const auto last = last_lanes(from_row, i, border);
        auto from = next_lanes(from_row, i, border);
        if constexpr (open) {
            from = hn::Min(from, last);
        } else {
            from = where_open<moves.next>(d, from, of_cells, border);
            from = least_where_open<moves.last>(d, from, last, of_cells, border);
        }
        row.v[i] = hn::Min(from_row.v[i], add_cost(d, from, of_cells));
        any = hn::Or(any, hn::Xor(row.v[i], from_row.v[i]));
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

/// Bit i is set where the lane at place i is not 0.
template <class T>
HWY_INLINE std::uint64_t places_set(const Row<T>& row) {
    const RowTag<T> d;
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < kRowVectors<T>; ++i) {
        set |= mask_bits(d, hn::Not(hn::Eq(row.v[i], hn::Zero(d)))) << i * hn::Lanes(d);
    }
    return set;
}

/// Cost, at least 1, and closed moves of a cell: what load_ground() reads.
constexpr std::uint16_t pack_cell(unsigned cost, unsigned open_moves) {
    return static_cast<std::uint16_t>((cost > 1 ? cost : 1) | (~open_moves & 0xFFU) << 8);
}

// From 64 cells that follow each other to a row and back; pack_row() is true if all moves of the
// row are open.
#if HWY_TARGET == HWY_SCALAR
template <class T>
void split_row(const T* from, T* row) {
    for (std::size_t lane = 0; lane < kTileSize; ++lane) row[place_of(lane)] = from[lane];
}
template <class T>
void join_row(const T* row, T* to) {
    for (std::size_t lane = 0; lane < kTileSize; ++lane) to[lane] = row[place_of(lane)];
}
inline bool pack_row(const std::uint8_t* cost, const std::uint8_t* moves, std::uint8_t neighbours,
                     std::uint16_t* row) {
    unsigned any = 0;
    for (std::size_t lane = 0; lane < kTileSize; ++lane) {
        const std::uint16_t cell = pack_cell(cost[lane], moves[lane] & neighbours);
        row[place_of(lane)] = cell;
        any |= cell;
    }
    return any >> 8 == 0;
}
#else
template <class T>
HWY_INLINE void split_row(const T* from, T* row) {
    const RowTag<T> d;
    for (std::size_t i = 0; i < kHalfLanes; i += hn::Lanes(d)) {
        const auto first = hn::LoadU(d, from + 2 * i);
        const auto second = hn::LoadU(d, from + 2 * i + hn::Lanes(d));
        hn::Store(hn::ConcatEven(d, second, first), d, row + i);
        hn::Store(hn::ConcatOdd(d, second, first), d, row + kHalfLanes + i);
    }
}
template <class T>
HWY_INLINE void join_row(const T* row, T* to) {
    const RowTag<T> d;
    for (std::size_t i = 0; i < kHalfLanes; i += hn::Lanes(d)) {
        hn::StoreInterleaved2(hn::Load(d, row + i), hn::Load(d, row + kHalfLanes + i), d,
                              to + 2 * i);
    }
}
/// Two cells are the low and the high byte of a lane.
HWY_INLINE bool pack_row(const std::uint8_t* cost, const std::uint8_t* moves,
                         std::uint8_t neighbours, std::uint16_t* row) {
    const RowTag<std::uint16_t> d;
    const hn::Repartition<std::uint8_t, decltype(d)> d8;
    const auto low = hn::Set(d, 0x00FF);
    auto any = hn::Zero(d);
    for (std::size_t i = 0; i < kHalfLanes; i += hn::Lanes(d)) {
        const auto open = hn::And(hn::LoadU(d8, moves + 2 * i), hn::Set(d8, neighbours));
        const auto closed = hn::BitCast(d, hn::Not(open));
        const auto price = hn::BitCast(d, hn::Max(hn::LoadU(d8, cost + 2 * i), hn::Set(d8, 1)));
        hn::Store(hn::Or(hn::And(price, low), hn::ShiftLeft<8>(closed)), d, row + i);
        hn::Store(hn::Or(hn::ShiftRight<8>(price), hn::AndNot(low, closed)), d,
                  row + kHalfLanes + i);
        any = hn::Or(any, closed);
    }
    return hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}
#endif

/// So many columns are turned into rows together.
constexpr std::size_t kColumnsAtOnce = 16;

/// The ground of as many cells as D has lanes.
template <class D>
HWY_INLINE hn::Vec<D> pack_ground(D d, const std::uint8_t* cost, const std::uint8_t* moves,
                                  std::uint8_t neighbours) {
    const hn::Rebind<std::uint8_t, D> d8;
    const auto open = hn::And(hn::LoadU(d8, moves), hn::Set(d8, neighbours));
    const auto price = hn::Max(hn::LoadU(d8, cost), hn::Set(d8, 1));
    return hn::Or(hn::ShiftLeft<8>(hn::PromoteTo(d, hn::Not(open))), hn::PromoteTo(d, price));
}

/// The ground of a tile's columns whose rows lie `stride` apart; its rows then lie together.
/// @return the columns with closed moves.
HWY_INLINE std::uint64_t pack_columns(const std::uint8_t* cost, const std::uint8_t* moves,
                                      std::size_t stride, std::uint8_t neighbours,
                                      std::uint16_t* to) {
    const hn::CappedTag<std::uint16_t, kColumnsAtOnce> d;
    std::uint64_t closed = 0;
    for (std::size_t lane = 0; lane < kColumnsAtOnce; lane += hn::Lanes(d)) {
        auto any = hn::Zero(d);
        for (std::size_t r = 0; r < kTileSize; ++r) {
            const std::size_t at = r * stride + lane;
            const auto ground = pack_ground(d, cost + at, moves + at, neighbours);
            hn::Store(ground, d, to + r * kColumnsAtOnce + lane);
            any = hn::Or(any, ground);
        }
        const auto open = hn::Eq(hn::ShiftRight<8>(any), hn::Zero(d));
        closed |= mask_bits(d, hn::Not(open)) << lane;
    }
    return closed;
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE void transpose(const T* from, std::size_t from_stride, T* to, std::size_t to_stride,
                          std::size_t rows, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) to[c * to_stride + r] = from[r * from_stride + c];
    }
}
#else
/// Transposes a block with as many columns as 16 bytes have lanes and as many rows as D has.
template <class D>
HWY_INLINE void transpose_block(D d, const hn::TFromD<D>* HWY_RESTRICT from,
                                std::size_t from_stride, hn::TFromD<D>* HWY_RESTRICT to,
                                std::size_t to_stride) {
    using T = hn::TFromD<D>;
    constexpr std::size_t kLanes = 16 / sizeof(T);
    const hn::FixedTag<T, kLanes> half;
    hn::Vec<D> rows[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
        if constexpr (hn::MaxLanes(D()) == kLanes) {
            rows[i] = hn::LoadU(d, from + i * from_stride);
        } else {
            rows[i] = hn::Combine(d, hn::LoadU(half, from + (i + kLanes) * from_stride),
                                  hn::LoadU(half, from + i * from_stride));
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
    for (std::size_t i = 0; i < kLanes; ++i) hn::StoreU(rows[i], d, to + i * to_stride);
}

/// Transposes rows of `from` into columns of `to`; both numbers are multiples of 16.
template <class T>
HWY_INLINE void transpose(const T* HWY_RESTRICT from, std::size_t from_stride, T* HWY_RESTRICT to,
                          std::size_t to_stride, std::size_t rows, std::size_t columns) {
    const hn::CappedTag<T, 32 / sizeof(T)> d;
    constexpr std::size_t kColumns = 16 / sizeof(T);
    for (std::size_t r = 0; r < rows; r += hn::Lanes(d)) {
        for (std::size_t c = 0; c < columns; c += kColumns) {
            transpose_block(d, from + r * from_stride + c, from_stride, to + c * to_stride + r,
                            to_stride);
        }
    }
}
#endif

/// Columns of a tile whose rows lie `stride` apart to rows in registers' order, and back.
template <class T>
HWY_INLINE void rows_to_lanes(const T* HWY_RESTRICT from, std::size_t stride, T* HWY_RESTRICT to) {
    for (const std::size_t odd : {std::size_t{0}, std::size_t{1}}) {
        transpose(from + odd * stride, 2 * stride, to + odd * kHalfLanes, kTileSize, kHalfLanes,
                  kColumnsAtOnce);
    }
}
template <class T>
HWY_INLINE void lanes_to_rows(const T* HWY_RESTRICT from, T* HWY_RESTRICT to, std::size_t stride) {
    for (const std::size_t odd : {std::size_t{0}, std::size_t{1}}) {
        transpose(from + odd * kHalfLanes, kTileSize, to + odd * stride, 2 * stride, kColumnsAtOnce,
                  kHalfLanes);
    }
}

template <class T>
HWY_INLINE void fill(T* begin, T* end, T value) {
    const hn::ScalableTag<T> d;
    for (; begin + hn::Lanes(d) <= end; begin += hn::Lanes(d)) {
        hn::StoreU(hn::Set(d, value), d, begin);
    }
    for (; begin < end; ++begin) *begin = value;
}

template <class T>
HWY_INLINE void copy_row(const T* from, T* to) {
    const RowTag<T> d;
    for (std::size_t i = 0; i < kTileSize; i += hn::Lanes(d)) {
        hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    }
}

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
