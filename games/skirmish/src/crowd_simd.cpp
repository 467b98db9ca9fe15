#include "crowd.h"

#if defined(MANIPLE_SKIRMISH_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "crowd_simd.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::skirmish::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, kCrowdLanes>;
using Ints = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
using IntVector = hn::Vec<Ints>;

/// The queries of one vector and what they add up.
struct Lanes {
    Vector x, y, z, heading_x, heading_y;
    IntVector move_task;
    Vector push_x, push_y, in_the_way;
    IntVector same_place, touches_arrived;
};

/// One neighbour for all queries: the operations of the reference in its order, +0 for the lanes
/// that it does not push.
template <bool kHasHeights>
HWY_INLINE void add_neighbour(Tag d, const Neighbours& run, std::size_t i, Lanes& lanes) {
    const Ints ints;
    const Vector off_x = hn::Sub(lanes.x, hn::Set(d, run.x[i]));
    const Vector off_y = hn::Sub(lanes.y, hn::Set(d, run.y[i]));
    Vector square = hn::Add(hn::Mul(off_x, off_x), hn::Mul(off_y, off_y));
    if constexpr (kHasHeights) {
        const Vector off_z = hn::Sub(lanes.z, hn::Set(d, run.z[i]));
        square = hn::Add(square, hn::Mul(off_z, off_z));
    }
    const auto same = hn::Lt(square, hn::Set(d, kSamePlaceCm * kSamePlaceCm));
    lanes.same_place = hn::Sub(lanes.same_place, hn::BitCast(ints, hn::VecFromMask(d, same)));
    const auto near = hn::Le(square, hn::Set(d, kTouchCm * kTouchCm));
    const auto arrived = hn::Eq(lanes.move_task, hn::Set(ints, run.arrived_task[i]));
    lanes.touches_arrived = hn::Or(
        lanes.touches_arrived, hn::VecFromMask(ints, hn::And(hn::RebindMask(ints, near), arrived)));

    const auto pushes = hn::AndNot(same, hn::Lt(square, hn::Set(d, kApartCm * kApartCm)));
    const Vector distance = hn::Sqrt(square);
    const Vector inverse = hn::Div(hn::Set(d, 1.0F), distance);
    const Vector overlap = hn::Sub(hn::Set(d, kApartCm), distance);
    const Vector share = hn::Mul(hn::Mul(overlap, hn::Set(d, kPushShare)), inverse);
    lanes.push_x = hn::Add(lanes.push_x, hn::IfThenElseZero(pushes, hn::Mul(off_x, share)));
    lanes.push_y = hn::Add(lanes.push_y, hn::IfThenElseZero(pushes, hn::Mul(off_y, share)));
    const Vector along = hn::Add(hn::Mul(off_x, lanes.heading_x), hn::Mul(off_y, lanes.heading_y));
    const Vector ahead = hn::Mul(hn::Neg(along), inverse);
    const auto blocks = hn::And(pushes, hn::Gt(ahead, hn::Set(d, kAheadMin)));
    lanes.in_the_way = hn::Add(lanes.in_the_way, hn::IfThenElseZero(blocks, ahead));
}

HWY_INLINE void add_run(Tag d, const Neighbours& run, Lanes& lanes) {
    const std::size_t count = run.x.size();
    if (run.z.empty()) {
        for (std::size_t i = 0; i < count; ++i) add_neighbour<false>(d, run, i, lanes);
    } else {
        for (std::size_t i = 0; i < count; ++i) add_neighbour<true>(d, run, i, lanes);
    }
}

void feel(std::span<const Neighbours> runs, const CrowdQueries& queries, Crowds& crowds) {
    const Tag d;
    const Ints ints;
    for (std::size_t q = 0; q < kCrowdLanes; q += hn::Lanes(d)) {
        Lanes lanes{hn::Load(d, queries.x.data() + q),
                    hn::Load(d, queries.y.data() + q),
                    hn::Load(d, queries.z.data() + q),
                    hn::Load(d, queries.heading_x.data() + q),
                    hn::Load(d, queries.heading_y.data() + q),
                    hn::Load(ints, queries.move_task.data() + q),
                    hn::Zero(d),
                    hn::Zero(d),
                    hn::Zero(d),
                    hn::Zero(ints),
                    hn::Zero(ints)};
        for (const Neighbours& run : runs) add_run(d, run, lanes);
        hn::Store(lanes.push_x, d, crowds.push_x.data() + q);
        hn::Store(lanes.push_y, d, crowds.push_y.data() + q);
        hn::Store(lanes.in_the_way, d, crowds.in_the_way.data() + q);
        hn::Store(lanes.same_place, ints, crowds.same_place.data() + q);
        hn::Store(lanes.touches_arrived, ints, crowds.touches_arrived.data() + q);
    }
}

}  // namespace maniple::skirmish::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::skirmish {

HWY_EXPORT(feel);

void feel_crowd(std::span<const Neighbours> runs, const CrowdQueries& queries, Crowds& crowds) {
    HWY_DYNAMIC_DISPATCH(feel)(runs, queries, crowds);
}

}  // namespace maniple::skirmish
#endif

#else

namespace maniple::skirmish {

void feel_crowd(std::span<const Neighbours> runs, const CrowdQueries& queries, Crowds& crowds) {
    feel_crowd_reference(runs, queries, crowds);
}

}  // namespace maniple::skirmish
#endif
