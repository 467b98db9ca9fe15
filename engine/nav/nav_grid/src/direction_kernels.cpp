#include "direction_kernels.h"

#include <algorithm>

#include "flood_rules.h"

#if defined(MANIPLE_NAV_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "direction_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T>
bool write_codes(const DirectionTask<T>&) {
    return false;
}
#else

/// The number of the lowest set bit of each lane's low byte, kNoDirection for none; one byte a
/// lane.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::uint8_t, D> > lowest_bits(D d, hn::Vec<D> bits) {
    alignas(16) static constexpr std::uint8_t kOfLow[16] = {9, 0, 1, 0, 2, 0, 1, 0,
                                                            3, 0, 1, 0, 2, 0, 1, 0};
    alignas(16) static constexpr std::uint8_t kOfHigh[16] = {9, 4, 5, 4, 6, 4, 5, 4,
                                                             7, 4, 5, 4, 6, 4, 5, 4};
    const hn::Repartition<std::uint8_t, D> bytes;
    const hn::RebindToSigned<D> di;
    const auto low = hn::And(bits, hn::Set(d, 0x0F));
    const auto high = hn::ShiftRight<4>(bits);
    const auto code =
        hn::Min(hn::TableLookupBytes(hn::LoadDup128(bytes, kOfLow), hn::BitCast(bytes, low)),
                hn::TableLookupBytes(hn::LoadDup128(bytes, kOfHigh), hn::BitCast(bytes, high)));
    const auto lanes = hn::And(hn::BitCast(d, code), hn::Set(d, 0xFF));
    return hn::DemoteTo(hn::Rebind<std::uint8_t, D>(), hn::BitCast(di, lanes));
}

template <Metric metric, class T>
void write_codes_of(const DirectionTask<T>& task) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<std::uint8_t, decltype(d)> d8;
    const std::size_t lanes = hn::Lanes(d);
    const NeighbourOffsets offsets(task.y_num);
    const auto one = hn::Set(d, 1);
    const auto highest = hn::Set(d, static_cast<T>(task.limit - 2));
    for (std::size_t next = task.begin; next < task.end; next += lanes) {
        // The last vector overlaps the one before it.
        const std::size_t cell = std::min(next, task.end - lanes);
        const auto own = hn::LoadU(d, task.dist + cell);
        const auto cost = hn::Max(hn::PromoteTo(d, hn::LoadU(d8, task.cost + cell)), one);
        hn::Vec<decltype(d)> straight;
        hn::Vec<decltype(d)> diagonal;
        if constexpr (metric == Metric::kCells) {
            straight = diagonal = hn::Sub(own, cost);
        } else {
            straight = hn::Sub(own, hn::Add(hn::ShiftLeft<2>(cost), cost));
            diagonal = hn::Sub(straight, hn::Add(cost, cost));
        }
        auto found = hn::Zero(d);
        for (std::size_t n = 0; n < 8; ++n) {
            const auto from = hn::LoadU(d, task.dist + cell + offsets.difference(n));
            const auto fits = hn::Eq(from, n < 4 ? straight : diagonal);
            found = hn::Or(found, hn::IfThenElseZero(fits, hn::Set(d, static_cast<T>(1U << n))));
        }
        const auto open = hn::And(hn::PromoteTo(d, hn::LoadU(d8, task.moves + cell)),
                                  hn::Set(d, task.neighbours));
        // Goals (0) and unreached cells (the limit) have none.
        const auto before = hn::Sub(own, one);
        const auto has_one = hn::Eq(hn::Min(before, highest), before);
        const auto best = hn::IfThenElseZero(has_one, hn::And(found, open));
        hn::StoreU(lowest_bits(d, best), d8, task.codes + cell);
    }
}

template <class T>
bool write_codes(const DirectionTask<T>& task) {
    if (task.end < task.begin + hn::Lanes(hn::ScalableTag<T>()) || task.limit < 2) return false;
    if (task.metric == Metric::kCells) {
        write_codes_of<Metric::kCells>(task);
    } else {
        write_codes_of<Metric::kOctile>(task);
    }
    return true;
}
#endif

template <class T>
void write_label(const T* dist, std::size_t cells, std::uint32_t limit, std::uint16_t* goal) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<std::uint16_t, decltype(d)> d16;
    const auto unreached = hn::Set(d, static_cast<T>(limit));
    std::size_t cell = 0;
    for (; cell + hn::Lanes(d) <= cells; cell += hn::Lanes(d)) {
        const auto is_unreached = hn::Eq(hn::LoadU(d, dist + cell), unreached);
        const auto label = hn::VecFromMask(d, is_unreached);  // all ones is kNoGoal
        if constexpr (sizeof(T) == 2) {
            hn::StoreU(label, d16, goal + cell);
        } else {
            const hn::RebindToSigned<decltype(d)> di;
            const hn::RebindToSigned<decltype(d16)> di16;
            hn::StoreU(hn::BitCast(d16, hn::DemoteTo(di16, hn::BitCast(di, label))), d16,
                       goal + cell);
        }
    }
    for (; cell < cells; ++cell) goal[cell] = dist[cell] == limit ? 0xFFFF : 0;
}

void write_label_narrow(const std::uint16_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    write_label(dist, cells, limit, goal);
}
void write_label_wide(const std::uint32_t* dist, std::size_t cells, std::uint32_t limit,
                      std::uint16_t* goal) {
    write_label(dist, cells, limit, goal);
}
bool write_codes_narrow(const DirectionTask<std::uint16_t>& task) { return write_codes(task); }
bool write_codes_wide(const DirectionTask<std::uint32_t>& task) { return write_codes(task); }

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(write_codes_narrow);
HWY_EXPORT(write_codes_wide);
HWY_EXPORT(write_label_narrow);
HWY_EXPORT(write_label_wide);

bool write_codes_simd(const DirectionTask<std::uint16_t>& task) {
    return HWY_DYNAMIC_DISPATCH(write_codes_narrow)(task);
}
bool write_codes_simd(const DirectionTask<std::uint32_t>& task) {
    return HWY_DYNAMIC_DISPATCH(write_codes_wide)(task);
}
void write_single_label(const std::uint16_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    HWY_DYNAMIC_DISPATCH(write_label_narrow)(dist, cells, limit, goal);
}
void write_single_label(const std::uint32_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    HWY_DYNAMIC_DISPATCH(write_label_wide)(dist, cells, limit, goal);
}

}  // namespace maniple::nav
#endif

#else

namespace maniple::nav {

bool write_codes_simd(const DirectionTask<std::uint16_t>&) { return false; }
bool write_codes_simd(const DirectionTask<std::uint32_t>&) { return false; }

template <class Dist>
static void write_label(const Dist* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    for (std::size_t cell = 0; cell < cells; ++cell) goal[cell] = dist[cell] == limit ? 0xFFFF : 0;
}
void write_single_label(const std::uint16_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    write_label(dist, cells, limit, goal);
}
void write_single_label(const std::uint32_t* dist, std::size_t cells, std::uint32_t limit,
                        std::uint16_t* goal) {
    write_label(dist, cells, limit, goal);
}

}  // namespace maniple::nav
#endif
