#pragma once

#include <cstdint>

namespace maniple::terrain {

/// Noise from integers alone, so that a built-in map has the same cells on every machine.

/// A well-mixed number for a lattice point.
[[nodiscard]] constexpr std::uint32_t lattice_hash(std::uint32_t seed, std::int32_t x,
                                                   std::int32_t y) {
    std::uint64_t h = seed;
    h = (h ^ static_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h = (h ^ static_cast<std::uint32_t>(y)) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
    h *= 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>(h >> 32);
}

/// Smooth noise in [0, 1024) at (x, y) ≥ 0 with one lattice point every `period` ≥ 1 cells.
[[nodiscard]] constexpr std::int32_t smooth_noise(std::uint32_t seed, std::int32_t x,
                                                  std::int32_t y, std::int32_t period) {
    constexpr std::int64_t kOne = 1024;
    const std::int32_t cell_x = x / period;
    const std::int32_t cell_y = y / period;
    // 3t² − 2t³ in 1/1024.
    const auto ease = [&](std::int32_t offset) {
        const std::int64_t t = std::int64_t{offset} * kOne / period;
        return t * t * (3 * kOne - 2 * t) / (kOne * kOne);
    };
    const std::int64_t u = ease(x % period);
    const std::int64_t v = ease(y % period);
    const auto corner = [&](std::int32_t dx, std::int32_t dy) {
        return std::int64_t{lattice_hash(seed, cell_x + dx, cell_y + dy) & 1023};
    };
    const std::int64_t low = corner(0, 0) * (kOne - u) + corner(1, 0) * u;
    const std::int64_t high = corner(0, 1) * (kOne - u) + corner(1, 1) * u;
    return static_cast<std::int32_t>((low * (kOne - v) + high * v) / (kOne * kOne));
}

/// Two octaves of smooth noise, in [0, 1024).
[[nodiscard]] constexpr std::int32_t rough_noise(std::uint32_t seed, std::int32_t x, std::int32_t y,
                                                 std::int32_t period) {
    const std::int32_t half = period > 1 ? period / 2 : 1;
    return (2 * smooth_noise(seed, x, y, period) + smooth_noise(seed ^ 0x5bd1e995, x, y, half)) / 3;
}

}  // namespace maniple::terrain
