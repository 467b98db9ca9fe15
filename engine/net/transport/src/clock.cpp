#include "maniple/net/clock.h"

#include <chrono>

namespace maniple::net {

std::int64_t monotonic_us() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}
std::int64_t monotonic_ms() { return monotonic_us() / 1000; }

}  // namespace maniple::net
