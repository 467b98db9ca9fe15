#pragma once

#include <cstddef>

#include "arena.h"
#include "stepping.h"

/// How units march, the same on every ground.
namespace maniple::skirmish {

inline constexpr float kCharge = 600.0F;   ///< Straight at an enemy from this near.
inline constexpr float kHaltShare = 0.7F;  ///< Of the range: a rider strikes before it halts.

[[nodiscard]] inline Flat toward(Vec2d from, Vec2d to) {
    const Vec2d way = core::safe_normal(to - from);
    return {static_cast<float>(way.x), static_cast<float>(way.y)};
}

/// The next steps of the rows [begin, end) of a group as columns.
inline void load_steps(const Arena& arena, const UnitKind& kind, const UnitRows& rows,
                       std::size_t first_rank, std::size_t begin, std::size_t end, Steps& steps) {
    for (std::size_t row = begin; row < end; ++row) {
        const std::size_t i = row - begin;
        const Stride& stride = arena.strides[first_rank + row];
        // An army marches at the pace of its foot; only the hunt goes at a gallop.
        const bool hunts = rows.orders[row].kind == OrderKind::kChaseAttack;
        steps.speed[i] = hunts ? kind.speed_cm : kFootSpeedCm;
        steps.heading_x[i] = stride.heading.x;
        steps.heading_y[i] = stride.heading.y;
        steps.push_x[i] = stride.push.x;
        steps.push_y[i] = stride.push.y;
        steps.in_the_way[i] = stride.in_the_way;
        const Vec2d at = rows.positions[row].cm();
        steps.x[i] = at.x;
        steps.y[i] = at.y;
    }
}

/// At the goal, or near it in a crowd that stands there.
inline void note_arrival(const Stride& stride, Order& order) {
    const bool in_crowd = stride.zone == GoalZone::kNear && stride.touches_arrived;
    if (stride.zone == GoalZone::kGoal || in_crowd) order.state = OrderState::kArrived;
}

/// Steers all living units: where each wants to go, what the crowd does to that, and the step. A
/// `Steering` of a group has aim(row, stride) and go(begin, end); it writes its own rows only and
/// sees others as they were before the tick.
template <class MakeSteering>
void steer(core::Executor& executor, Arena& arena, const AllRows& all,
           const MakeSteering& steering_of) {
    static_assert(kBlockRows <= kStepsMax);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const auto steering = steering_of(group);
        core::for_blocks(executor, all[group].size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) {
                                 const std::size_t rank = arena.first_rank[group] + row;
                                 if (arena.places[rank].team < 0) continue;
                                 steering.aim(row, arena.strides[rank]);
                             }
                         });
    }
    feel_crowds(executor, arena);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const auto steering = steering_of(group);
        core::for_blocks(executor, all[group].size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) { steering.go(begin, end); });
    }
}

}  // namespace maniple::skirmish
