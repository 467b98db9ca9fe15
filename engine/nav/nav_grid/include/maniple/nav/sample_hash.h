#pragma once

#include <cstdint>

namespace maniple::nav {

// implements: GRID-052, O-GRID-16
/// 32-bit FNV-1a over the little-endian bytes of what was sampled, in ascending order: a cell's
/// index, or a polygon's slot and number (O-NAVM-08). No sample: 0.
struct SampleHash {
    std::uint32_t state = 2166136261U;
    bool empty = true;
    void add(std::uint32_t word) {
        constexpr std::uint32_t kPrime = 16777619U;
        empty = false;
        state = (state ^ (word & 0xFFU)) * kPrime;
        state = (state ^ (word >> 8 & 0xFFU)) * kPrime;
        // Each step waits for the one before: a top byte of 0, as of nearly every cell, has none.
        if (word >> 24 == 0) {
            state = (state ^ word >> 16) * (kPrime * kPrime);
        } else {
            state = (state ^ (word >> 16 & 0xFFU)) * kPrime;
            state = (state ^ word >> 24) * kPrime;
        }
    }
    [[nodiscard]] std::uint32_t value() const { return empty ? 0 : state; }
};

}  // namespace maniple::nav
