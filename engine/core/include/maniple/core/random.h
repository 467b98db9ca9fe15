#pragma once

#include <cstdint>

namespace maniple::core {

// implements: SNAP-026, O-SNAP-16
/// The sequential stream of the source documents: seed = seed · 196314165 + 907633515 (mod 2^32).
/// Drawn only in the serial steps of a tick; both members are lockstep state (O-SNAP-16).
struct RandomStream {
    std::int32_t initial_seed = 0;
    std::uint32_t seed = 0;

    explicit RandomStream(std::int32_t s = 0)
        : initial_seed(s), seed(static_cast<std::uint32_t>(s)) {}
    /// In [0, 1): the bits 0x3F800000 | (seed >> 9) as a float, minus 1.
    float next_fraction();
    /// In [0, bound), bound > 0.
    std::uint32_t next_below(std::uint32_t bound);
    friend bool operator==(const RandomStream&, const RandomStream&) = default;
};

/// A draw inside a parallel step: a hash of (seed, tick, uid, site), so that no partition of the
/// work can change it. `site` names the place in the code that draws.
[[nodiscard]] std::uint64_t site_random(std::uint64_t seed, std::int32_t tick, std::int32_t uid,
                                        std::uint32_t site);

}  // namespace maniple::core
