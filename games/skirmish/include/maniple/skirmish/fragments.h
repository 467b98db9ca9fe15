#pragma once

#include <algorithm>
#include <boost/describe.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "maniple/core/math.h"

namespace maniple::skirmish {

/// A place of the world on a lattice of 1/1024 cm, in its steps: as exact as the battle needs, in
/// half the bytes of doubles, each of which the hash reads in every tick. The lattice ends 20.9 km
/// from the world's origin.
struct Position {
    static constexpr double kStepsPerCm = 1024;
    static constexpr std::int32_t kFirstStep = std::numeric_limits<std::int32_t>::min();
    static constexpr std::int32_t kLastStep = std::numeric_limits<std::int32_t>::max();
    static constexpr double kEdgeCm = kLastStep / kStepsPerCm;

    std::int32_t x = 0, y = 0;

    /// The nearest place of the lattice, halves upwards.
    [[nodiscard]] static Position nearest(Vec2d cm) { return {steps(cm.x), steps(cm.y)}; }
    /// The place of centimetres that lie on the lattice.
    [[nodiscard]] static Position exactly(Vec2d cm) {
        return {static_cast<std::int32_t>(cm.x * kStepsPerCm),
                static_cast<std::int32_t>(cm.y * kStepsPerCm)};
    }
    [[nodiscard]] static bool reaches(Vec2d cm) {
        return std::abs(cm.x) <= kEdgeCm && std::abs(cm.y) <= kEdgeCm;
    }
    [[nodiscard]] Vec2d cm() const { return {x / kStepsPerCm, y / kStepsPerCm}; }
    friend bool operator==(const Position&, const Position&) = default;

  private:
    static std::int32_t steps(double cm) {
        return core::clamp_to_i32(std::floor(cm * kStepsPerCm + 0.5), kFirstStep, kLastStep);
    }
};
BOOST_DESCRIBE_STRUCT(Position, (), (x, y))

/// The last tick's displacement in 1/64 cm, rounded toward zero, up to 5 m each way.
struct Motion {
    static constexpr std::int32_t kStepsPerCm = 64;

    std::int16_t x = 0, y = 0;

    [[nodiscard]] static Motion between(Position from, Position to) {
        return {steps(std::int64_t{to.x} - from.x), steps(std::int64_t{to.y} - from.y)};
    }

  private:
    static std::int16_t steps(std::int64_t of_lattice) {
        constexpr std::int64_t kRatio =
            static_cast<std::int32_t>(Position::kStepsPerCm) / kStepsPerCm;
        constexpr std::int64_t kMax = std::numeric_limits<std::int16_t>::max();
        return static_cast<std::int16_t>(std::clamp(of_lattice / kRatio, -kMax, kMax));
    }
};
BOOST_DESCRIBE_STRUCT(Motion, (), (x, y))

struct Unit {
    std::int16_t squad = 0;
    std::int16_t health = 100;
    std::int16_t cooldown_ticks = 0;  ///< Until the next attack.
    std::int8_t team = 0;
    std::int8_t phase_ticks = 0;  ///< Left of appearing or dying.
};
BOOST_DESCRIBE_STRUCT(Unit, (), (squad, health, cooldown_ticks, team, phase_ticks))

enum class OrderKind : std::int16_t { kNone = 0, kMoveTo = 1, kChaseAttack = 2 };
enum class OrderState : std::int16_t { kIdle = 0, kUnderWay = 1, kArrived = 2, kFailed = 3 };

/// What the unit's current or last task asks of it.
struct Order {
    OrderKind kind = OrderKind::kNone;
    OrderState state = OrderState::kIdle;
    std::int32_t task_id = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (kind, state, task_id))

/// What a unit wears; shared by all that wear the same.
struct Kit {
    std::int32_t armour = 0;  ///< Off every blow, of which 1 always remains.
};
BOOST_DESCRIBE_STRUCT(Kit, (), (armour))

/// A wall between the armies: the cells it stands on, inclusive; on a navmesh its sides, world cm.
struct Wall {
    std::int32_t low_x = 0, low_y = 0;
    std::int32_t high_x = 0, high_y = 0;
    friend bool operator==(const Wall&, const Wall&) = default;
};
BOOST_DESCRIBE_STRUCT(Wall, (), (low_x, low_y, high_x, high_y))

enum class Stance : std::int32_t { kSteady = 0, kAllOut = 1 };

/// Lockstep variables: how each team fights. Set by the plans' commands, read by the systems.
struct Tactics {
    std::vector<Stance> stances{Stance::kSteady, Stance::kSteady};  ///< By team.
    std::int32_t calls = 0;                                         ///< Stances called so far.
};
BOOST_DESCRIBE_STRUCT(Tactics, (), (stances, calls))

/// UID of the enemy the unit has chosen; −1 for none.
struct Target {
    std::int32_t uid = -1;
};
BOOST_DESCRIBE_STRUCT(Target, (), (uid))

}  // namespace maniple::skirmish
