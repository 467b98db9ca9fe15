#pragma once

#include <boost/describe.hpp>
#include <cstdint>

namespace maniple::skirmish {

/// World centimetres on a grid of 1/1024 cm.
struct Position {
    double x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Position, (), (x, y))

/// The last tick's displacement in cm.
struct Motion {
    float x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Motion, (), (x, y))

struct Unit {
    std::int32_t team = 0;
    std::int32_t squad = 0;
    std::int32_t health = 100;
    std::int32_t cooldown_ticks = 0;  ///< Until the next attack.
    std::int32_t phase_ticks = 0;     ///< Left of appearing or dying.
};
BOOST_DESCRIBE_STRUCT(Unit, (), (team, squad, health, cooldown_ticks, phase_ticks))

enum class OrderKind : std::int32_t { kNone = 0, kMoveTo = 1, kChaseAttack = 2 };
enum class OrderState : std::int32_t { kIdle = 0, kUnderWay = 1, kArrived = 2, kFailed = 3 };

/// What the unit's current or last task asks of it.
struct Order {
    OrderKind kind = OrderKind::kNone;
    OrderState state = OrderState::kIdle;
    std::int32_t task_id = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (kind, state, task_id))

/// UID of the enemy the unit has chosen; −1 for none.
struct Target {
    std::int32_t uid = -1;
};
BOOST_DESCRIBE_STRUCT(Target, (), (uid))

}  // namespace maniple::skirmish
