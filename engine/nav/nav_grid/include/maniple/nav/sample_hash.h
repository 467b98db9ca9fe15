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
        empty = false;
        for (int shift = 0; shift < 32; shift += 8) {
            state = (state ^ ((word >> shift) & 0xFFU)) * 16777619U;
        }
    }
    [[nodiscard]] std::uint32_t value() const { return empty ? 0 : state; }
};

}  // namespace maniple::nav
