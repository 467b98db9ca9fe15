#include "stepping.h"

#if defined(MANIPLE_SKIRMISH_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stepping_simd.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::skirmish::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many floats as doubles fit one vector: they are widened lane by lane.
using Doubles = hn::CappedTag<double, 8>;
using Floats = hn::Rebind<float, Doubles>;
using FloatVector = hn::Vec<Floats>;

/// limited() of flat.h, the same operations in the same order.
HWY_INLINE void limit(Floats d, FloatVector& x, FloatVector& y, FloatVector length_max) {
    const FloatVector square = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    const auto fits = hn::Le(square, hn::Mul(length_max, length_max));
    const FloatVector scale =
        hn::IfThenElse(fits, hn::Set(d, 1.0F), hn::Div(length_max, hn::Sqrt(square)));
    x = hn::Mul(x, scale);
    y = hn::Mul(y, scale);
}

HWY_INLINE void advance(FloatVector step, double* at) {
    const Doubles wide;
    const auto to = hn::Add(hn::Load(wide, at), hn::PromoteTo(wide, step));
    const auto steps_per_cm = hn::Set(wide, Position::kStepsPerCm);
    const auto steps = hn::Floor(hn::Add(hn::Mul(to, steps_per_cm), hn::Set(wide, 0.5)));
    const auto inside = hn::Clamp(steps, hn::Set(wide, double{Position::kFirstStep}),
                                  hn::Set(wide, double{Position::kLastStep}));
    hn::Store(hn::Div(inside, steps_per_cm), wide, at);
}

void step(Steps& steps, std::size_t count) {
    const Floats d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {  // kStepsMax is whole vectors
        const FloatVector speed = hn::Load(d, steps.speed.data() + i);
        const FloatVector slowed =
            hn::Mul(hn::Set(d, kSlowdown), hn::Load(d, steps.in_the_way.data() + i));
        const FloatVector haste = hn::Div(speed, hn::Add(hn::Set(d, 1.0F), slowed));
        FloatVector push_x = hn::Load(d, steps.push_x.data() + i);
        FloatVector push_y = hn::Load(d, steps.push_y.data() + i);
        limit(d, push_x, push_y, hn::Set(d, kPushMax));
        FloatVector x = hn::Add(hn::Mul(hn::Load(d, steps.heading_x.data() + i), haste), push_x);
        FloatVector y = hn::Add(hn::Mul(hn::Load(d, steps.heading_y.data() + i), haste), push_y);
        limit(d, x, y, hn::Add(speed, hn::Set(d, kStepMore)));
        advance(x, steps.x.data() + i);
        advance(y, steps.y.data() + i);
    }
}

}  // namespace maniple::skirmish::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::skirmish {

HWY_EXPORT(step);

void take_steps(Steps& steps, std::size_t count) { HWY_DYNAMIC_DISPATCH(step)(steps, count); }

}  // namespace maniple::skirmish
#endif

#else

namespace maniple::skirmish {

void take_steps(Steps& steps, std::size_t count) { take_steps_reference(steps, count); }

}  // namespace maniple::skirmish
#endif
