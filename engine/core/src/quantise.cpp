#include "maniple/core/quantise.h"

namespace maniple::core {

// implements: SYNC-008, SYNC-009
std::int32_t quant_cm(double world, double origin) {
    constexpr std::int32_t kLimit = 2'147'483'000;
    return clamp_to_i32(round_half_from_zero(world - origin), -kLimit, kLimit);
}

// implements: SYNC-010, O-SYNC-06
std::int8_t quant_normal_axis(float n) {
    const float scaled = n * 127.0F;
    return static_cast<std::int8_t>(
        clamp_to_i32(round_half_up(static_cast<double>(scaled)), -127, 127));
}

// implements: SYNC-011, O-SYNC-19
Vec3f dequant_normal(std::int8_t x, std::int8_t y, std::int8_t z) {
    if (x == 0 && y == 0 && z == 0) return {0.0F, 0.0F, 1.0F};
    return normalised({static_cast<float>(x) / 127.0F, static_cast<float>(y) / 127.0F,
                       static_cast<float>(z) / 127.0F});
}

}  // namespace maniple::core
