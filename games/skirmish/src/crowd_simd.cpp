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

/// One vector's share of the kCrowdLanes sums.
struct Sums {
    Vector push_x, push_y, in_the_way;
};

struct Query {
    Vector x, y, heading_x, heading_y;
    hn::Vec<Ints> move_task;
};

/// The same operations in the same order as the reference, the lanes that do not push at +0.
HWY_INLINE void add_row(Tag d, const Neighbours& neighbours, std::size_t i, const Query& query,
                        Sums& sums, Crowd& crowd) {
    const Vector off_x = hn::Sub(query.x, hn::LoadU(d, neighbours.x.data() + i));
    const Vector off_y = hn::Sub(query.y, hn::LoadU(d, neighbours.y.data() + i));
    const Vector square = hn::Add(hn::Mul(off_x, off_x), hn::Mul(off_y, off_y));
    const auto same = hn::Lt(square, hn::Set(d, kSamePlaceCm * kSamePlaceCm));
    crowd.same_place += static_cast<std::int32_t>(hn::CountTrue(d, same));
    const auto touches = hn::Le(square, hn::Set(d, kTouchCm * kTouchCm));
    const auto arrived = hn::RebindMask(
        d, hn::Eq(hn::LoadU(Ints(), neighbours.arrived_task.data() + i), query.move_task));
    if (!hn::AllFalse(d, hn::And(touches, arrived))) crowd.touches_arrived = true;

    const auto pushes = hn::AndNot(same, hn::Lt(square, hn::Set(d, kApartCm * kApartCm)));
    const Vector distance = hn::Sqrt(square);
    const Vector overlap = hn::Sub(hn::Set(d, kApartCm), distance);
    const Vector share = hn::Div(hn::Mul(hn::Set(d, kPushShare), overlap), distance);
    sums.push_x = hn::Add(sums.push_x, hn::IfThenElseZero(pushes, hn::Mul(off_x, share)));
    sums.push_y = hn::Add(sums.push_y, hn::IfThenElseZero(pushes, hn::Mul(off_y, share)));
    const Vector along = hn::Add(hn::Mul(off_x, query.heading_x), hn::Mul(off_y, query.heading_y));
    const Vector ahead = hn::Div(hn::Neg(along), distance);
    const auto blocks = hn::And(pushes, hn::Gt(ahead, hn::Set(d, kAheadMin)));
    sums.in_the_way = hn::Add(sums.in_the_way, hn::IfThenElseZero(blocks, ahead));
}

void feel(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
          std::span<Crowd> crowds) {
    const Tag d;
    const std::size_t width = hn::Lanes(d);
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const CrowdQuery& asked = queries[q];
        const Query query{hn::Set(d, asked.x), hn::Set(d, asked.y), hn::Set(d, asked.heading.x),
                          hn::Set(d, asked.heading.y), hn::Set(Ints(), asked.move_task)};
        std::array<float, kCrowdLanes> push_x{};
        std::array<float, kCrowdLanes> push_y{};
        std::array<float, kCrowdLanes> in_the_way{};
        Crowd crowd;
        for (std::size_t lane = 0; lane < kCrowdLanes; lane += width) {
            Sums sums{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
            for (std::size_t i = lane; i < neighbours.count; i += kCrowdLanes) {
                add_row(d, neighbours, i, query, sums, crowd);
            }
            hn::StoreU(sums.push_x, d, push_x.data() + lane);
            hn::StoreU(sums.push_y, d, push_y.data() + lane);
            hn::StoreU(sums.in_the_way, d, in_the_way.data() + lane);
        }
        crowd.push = {sum_of_lanes(push_x), sum_of_lanes(push_y)};
        crowd.in_the_way = sum_of_lanes(in_the_way);
        crowds[q] = crowd;
    }
}

}  // namespace maniple::skirmish::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::skirmish {

HWY_EXPORT(feel);

void feel_crowd(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
                std::span<Crowd> crowds) {
    HWY_DYNAMIC_DISPATCH(feel)(neighbours, queries, crowds);
}

}  // namespace maniple::skirmish
#endif

#else

namespace maniple::skirmish {

void feel_crowd(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
                std::span<Crowd> crowds) {
    feel_crowd_reference(neighbours, queries, crowds);
}

}  // namespace maniple::skirmish
#endif
