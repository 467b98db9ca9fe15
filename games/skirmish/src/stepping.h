#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "maniple/skirmish/fragments.h"

namespace maniple::skirmish {

inline constexpr std::size_t kStepsMax = 512;
inline constexpr float kPushMax = 12.0F;
inline constexpr float kStepMore = 8.0F;  ///< Over its speed, when pushed: far less than a cell.
inline constexpr float kSlowdown = 0.2F;  ///< A neighbour in the way costs this share of haste.

/// The next step of up to kStepsMax units, as columns.
struct Steps {
    template <typename T>
    using Column = std::array<T, kStepsMax>;

    alignas(64) Column<float> heading_x, heading_y, push_x, push_y, in_the_way, speed;
    /// World cm: where the unit stands, then where the step leads, on the positions' lattice.
    alignas(64) Column<double> x, y;
};

/// Takes `count` steps. Both give the same bits: the first is the reference, the second takes the
/// widest vectors of the machine.
void take_steps_reference(Steps& steps, std::size_t count);
void take_steps(Steps& steps, std::size_t count);

}  // namespace maniple::skirmish
