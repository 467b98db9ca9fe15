#pragma once

#include <cstdint>

namespace maniple::net {

/// Milliseconds of the monotonic clock. The session state machines get time from here, never from
/// a clock of their own.
[[nodiscard]] std::int64_t monotonic_ms();
/// Microseconds of the same clock, for measuring.
[[nodiscard]] std::int64_t monotonic_us();

}  // namespace maniple::net
