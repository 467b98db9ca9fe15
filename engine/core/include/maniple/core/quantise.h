#pragma once

#include <cstdint>

#include "maniple/core/math.h"

namespace maniple::core {

/// World coordinate to whole centimetres relative to `origin`: subtract, round half away from zero,
/// clamp to ±2,147,483,000 before narrowing (SYNC-008).
[[nodiscard]] std::int32_t quant_cm(double world, double origin);
/// The inverse (SYNC-009).
[[nodiscard]] inline double dequant_cm(std::int32_t relative_cm, double origin) {
    return origin + relative_cm;
}
/// A normal's component, |n| ≤ 1: n · 127 in float, floor(x + 0.5) in double, clamped to ±127
/// (SYNC-010, O-SYNC-06).
[[nodiscard]] std::int8_t quant_normal_axis(float n);
/// Each axis / 127 in float, then normalised; (0,0,0) gives (0,0,1) (SYNC-011, O-SYNC-19).
[[nodiscard]] Vec3f dequant_normal(std::int8_t x, std::int8_t y, std::int8_t z);

}  // namespace maniple::core
