#include "maniple/core/math.h"

#include <array>
#include <bit>

#include "maniple/core/assert.h"

namespace maniple::core {
namespace {
// kSinBits[i] and kTanBits[i]: the IEEE-754 bits of sin and tan of i hundredths of a degree,
// 0 ≤ i ≤ 9000 (tan to 8999), correctly rounded by tools/generate_trig_table.py.
#include "trig_table.inc"

double sin_first_quadrant(std::int32_t centideg) {
    return std::bit_cast<double>(kSinBits[static_cast<std::size_t>(centideg)]);
}
/// Any angle to [0, 36000).
std::int32_t wrap(std::int32_t centideg) {
    const std::int32_t r = centideg % 36000;
    return r < 0 ? r + 36000 : r;
}
}  // namespace

double round_half_from_zero(double value) {
    // floor(v + 0.5) alone would round 0.49999999999999994 up: compare the fraction instead.
    const double magnitude = value < 0 ? -value : value;
    const double whole = std::floor(magnitude);
    const double rounded = magnitude - whole >= 0.5 ? whole + 1.0 : whole;
    return value < 0 ? -rounded : rounded;
}

std::int32_t clamp_to_i32(double value, std::int32_t low, std::int32_t high) {
    if (!(value > low)) return low;
    if (value >= high) return high;
    return static_cast<std::int32_t>(value);
}

// implements: O-PATH-11
Vec2d safe_normal(Vec2d v) {
    const double squared = dot(v, v);
    if (!(squared >= 1e-8)) return {};
    const double length = std::sqrt(squared);
    return {v.x / length, v.y / length};
}

Vec3f normalised(Vec3f v) {
    const float squared = v.x * v.x + v.y * v.y + v.z * v.z;
    if (!(squared > 0.0F)) return {};
    const float length = std::sqrt(squared);
    return {v.x / length, v.y / length, v.z / length};
}

// implements: O-GRID-21, O-GRID-32
double sin_centideg(std::int32_t centideg) {
    const std::int32_t a = wrap(centideg);
    if (a <= 9000) return sin_first_quadrant(a);
    if (a <= 18000) return sin_first_quadrant(18000 - a);
    if (a <= 27000) return -sin_first_quadrant(a - 18000);
    return -sin_first_quadrant(36000 - a);
}

double cos_centideg(std::int32_t centideg) { return sin_centideg(wrap(centideg) + 9000); }

double tan_centideg(std::int32_t centideg) {
    MANIPLE_ASSERT(centideg > -9000);
    MANIPLE_ASSERT(centideg < 9000);
    const auto index = static_cast<std::size_t>(centideg < 0 ? -centideg : centideg);
    const double magnitude = std::bit_cast<double>(kTanBits[index]);
    return centideg < 0 ? -magnitude : magnitude;
}

// implements: O-SYNC-03
std::int32_t yaw_to_centideg(double degrees) {
    if (!(degrees > -1e12) || !(degrees < 1e12)) return 0;
    double turned = degrees - 360.0 * std::floor((degrees + 180.0) / 360.0);
    const std::int32_t centideg = clamp_to_i32(round_half_from_zero(turned * 100.0), -18000, 18000);
    return centideg == 18000 ? -18000 : centideg;
}

}  // namespace maniple::core
