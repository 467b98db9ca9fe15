#include "stepping.h"

#include <algorithm>
#include <cmath>

#include "flat.h"

namespace maniple::skirmish {
namespace {

double on_lattice(double cm) {
    const double steps = std::floor(cm * Position::kStepsPerCm + 0.5);
    return std::clamp(steps, kFirstStep, kLastStep) / Position::kStepsPerCm;
}

}  // namespace

void take_steps_reference(Steps& steps, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float speed = steps.speed[i];
        const float haste = speed / (1.0F + kSlowdown * steps.in_the_way[i]);
        const Flat push = limited({steps.push_x[i], steps.push_y[i]}, kPushMax);
        const Flat step = limited({steps.heading_x[i] * haste + push.x,  //
                                   steps.heading_y[i] * haste + push.y},
                                  speed + kStepMore);
        steps.x[i] = on_lattice(steps.x[i] + step.x);
        steps.y[i] = on_lattice(steps.y[i] + step.y);
    }
}

}  // namespace maniple::skirmish
