#include "stepping.h"

#include "flat.h"

namespace maniple::skirmish {
namespace {

/// Here to there, on the positions' lattice.
Vec2d stepped(Vec2d from, Flat step) {
    return Position::nearest({from.x + step.x, from.y + step.y}).cm();
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
        const Vec2d to = stepped({steps.x[i], steps.y[i]}, step);
        steps.x[i] = to.x;
        steps.y[i] = to.y;
    }
}

}  // namespace maniple::skirmish
