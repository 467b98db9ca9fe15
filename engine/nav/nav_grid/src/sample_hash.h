#pragma once

#include <cstdint>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

// implements: GRID-052, O-GRID-16
/// 32-bit FNV-1a over cell indices as little-endian bytes, added in ascending order. No cell: 0.
struct SampleHash {
    std::uint32_t state = 2166136261U;
    bool empty = true;
    void add(CellIndex cell) {
        empty = false;
        for (int shift = 0; shift < 32; shift += 8) {
            state = (state ^ ((cell >> shift) & 0xFFU)) * 16777619U;
        }
    }
    [[nodiscard]] std::uint32_t value() const { return empty ? 0 : state; }
};

}  // namespace maniple::nav
