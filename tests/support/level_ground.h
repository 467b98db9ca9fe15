#pragma once

#include <cstdint>
#include <cstring>

#include "maniple/substrate/checked_stream.h"

namespace maniple::tests {

/// Level ground of side × side cells of 100 cm with one goal.
inline substrate::CheckedStream level_ground(std::int32_t side) {
    const substrate::GoalCm goal{300, 400, 0};
    return substrate::CheckedStream::write(
        {0, 0, 0, 0}, {&goal, 1}, {side, side, 100}, [side](std::uint8_t* out) {
            constexpr std::uint8_t kLevel[] = {1, 1, 0, 0, 0, 0, 0, 0, 127};
            for (int i = 0; i < side * side; ++i, out += sizeof kLevel) {
                std::memcpy(out, kLevel, sizeof kLevel);
            }
        });
}

}  // namespace maniple::tests
