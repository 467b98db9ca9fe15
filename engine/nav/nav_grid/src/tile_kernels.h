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

/// Lowers row `to` by steps from its neighbour row `from`: `same` is the move from the same lane,
/// `next` from one lane on, `last` from one lane back. Sets the changed lanes in `changed` to all
/// ones. True if there are any.
template <std::size_t same, std::size_t next, std::size_t last, class T>
HWY_INLINE bool pull_row(const T* from, const std::uint16_t* ground, T* to, T* changed) {
    const hn::ScalableTag<T> d;
    auto any = hn::Zero(d);
    for (std::size_t lane = 0; lane < kTileSize; lane += hn::Lanes(d)) {
        const auto words = load_ground(d, ground + lane);
        const auto a = where_open<same>(d, hn::Load(d, from + lane), words);
        const auto b = where_open<next>(d, hn::LoadU(d, from + lane + 1), words);
        const auto c = where_open<last>(d, hn::LoadU(d, from + lane - 1), words);
        const auto old = hn::Load(d, to + lane);
        const auto lowered = hn::Min(old, add_cost(d, hn::Min(a, hn::Min(b, c)), words));
        const auto difference = hn::Xor(old, lowered);
        hn::Store(lowered, d, to + lane);
        hn::Store(hn::Or(hn::Load(d, changed + lane), difference), d, changed + lane);
        any = hn::Or(any, difference);
    }
    return !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
}

/// Bit i is set where lane i is not 0.
template <class T>
HWY_INLINE std::uint64_t lanes_set(const T* lanes) {
    const hn::ScalableTag<T> d;
    std::uint64_t set = 0;
    for (std::size_t lane = 0; lane < kTileSize; lane += hn::Lanes(d)) {
        std::uint8_t bits[8] = {};
        const std::size_t bytes =
            hn::StoreMaskBits(d, hn::Not(hn::Eq(hn::Load(d, lanes + lane), hn::Zero(d))), bits);
        for (std::size_t i = 0; i < bytes; ++i) {
            set |= static_cast<std::uint64_t>(bits[i]) << (lane + 8 * i);
        }
    }
    return set;
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
