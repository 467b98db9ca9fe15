#include "maniple/core/math.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace maniple::core {
namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// proves: O-GRID-32
TEST(Trigonometry, IsExactAtTheAnglesThatHaveExactValues) {
    EXPECT_EQ(sin_centideg(0), 0.0);
    EXPECT_EQ(sin_centideg(3000), 0.5);
    EXPECT_EQ(sin_centideg(9000), 1.0);
    EXPECT_EQ(sin_centideg(18000), 0.0);
    EXPECT_EQ(sin_centideg(27000), -1.0);
    EXPECT_EQ(cos_centideg(0), 1.0);
    EXPECT_EQ(cos_centideg(6000), 0.5);
    EXPECT_EQ(cos_centideg(9000), 0.0);
    EXPECT_EQ(cos_centideg(18000), -1.0);
    EXPECT_EQ(cos_centideg(-9000), 0.0);
    EXPECT_EQ(tan_centideg(0), 0.0);
    EXPECT_EQ(tan_centideg(4500), 1.0);
    EXPECT_EQ(tan_centideg(-4500), -1.0);
}

// Bits of the correctly rounded values (mathematical constants: sqrt 1/2, sqrt 3 / 2, sin 1 deg).
// proves: O-GRID-21, O-GRID-32
TEST(Trigonometry, HasGoldenBits) {
    EXPECT_EQ(bits(sin_centideg(4500)), 0x3FE6A09E667F3BCDU);
    EXPECT_EQ(bits(cos_centideg(4500)), 0x3FE6A09E667F3BCDU);
    EXPECT_EQ(bits(sin_centideg(6000)), 0x3FEBB67AE8584CAAU);
    EXPECT_EQ(bits(sin_centideg(100)), 0x3F91DF0B2B89DD1EU);
}

// proves: O-GRID-32
TEST(Trigonometry, AgreesWithLibmOverTheWholeCircle) {
    for (std::int32_t a = -36000; a <= 36000; ++a) {
        const double radians = a * (std::numbers::pi / 18000);
        ASSERT_NEAR(sin_centideg(a), std::sin(radians), 2e-15) << a;
        ASSERT_NEAR(cos_centideg(a), std::cos(radians), 2e-15) << a;
        if (a > -9000 && a < 9000) {
            const double expected = std::tan(radians);
            ASSERT_NEAR(tan_centideg(a), expected, 1e-12 + std::abs(expected) * 1e-11) << a;
        }
    }
}

TEST(Trigonometry, AcceptsEveryInt32) {
    constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(sin_centideg(kMin), sin_centideg(kMin % 36000));
    EXPECT_EQ(cos_centideg(kMax), cos_centideg(kMax % 36000));
}

// proves: O-SYNC-03
TEST(YawToCentideg, HasOneValueForEachOrientation) {
    EXPECT_EQ(yaw_to_centideg(0.0), 0);
    EXPECT_EQ(yaw_to_centideg(0.125), 13);
    EXPECT_EQ(yaw_to_centideg(-0.125), -13);
    EXPECT_EQ(yaw_to_centideg(179.99), 17999);
    EXPECT_EQ(yaw_to_centideg(180.0), -18000);
    EXPECT_EQ(yaw_to_centideg(179.996), -18000);
    EXPECT_EQ(yaw_to_centideg(-180.0), -18000);
    EXPECT_EQ(yaw_to_centideg(450.0), 9000);
    EXPECT_EQ(yaw_to_centideg(-450.0), -9000);
}

TEST(YawToCentideg, OfWhatIsNoAngleIsZero) {
    EXPECT_EQ(yaw_to_centideg(std::numeric_limits<double>::quiet_NaN()), 0);
    EXPECT_EQ(yaw_to_centideg(std::numeric_limits<double>::infinity()), 0);
    EXPECT_EQ(yaw_to_centideg(-1e300), 0);
}

TEST(RoundHalfFromZero, KeepsTheLargestFractionBelowOneHalf) {
    EXPECT_EQ(round_half_from_zero(0.49999999999999994), 0.0);
    EXPECT_EQ(round_half_from_zero(0.5), 1.0);
    EXPECT_EQ(round_half_from_zero(-1.5), -2.0);
    EXPECT_EQ(round_half_from_zero(4503599627370497.0), 4503599627370497.0);
}

// proves: O-GRID-06
TEST(RoundHalfUp, SendsTiesTowardPlusInfinity) {
    EXPECT_EQ(round_half_up(0.5), 1.0);
    EXPECT_EQ(round_half_up(-0.5), 0.0);
    EXPECT_EQ(round_half_up(-1.5), -1.0);
    EXPECT_EQ(round_half_up(-1.75), -2.0);
}

TEST(ClampToI32, NarrowsOnlyWhatFits) {
    EXPECT_EQ(clamp_to_i32(12.9, 0, 100), 12);
    EXPECT_EQ(clamp_to_i32(100.5, 0, 100), 100);
    EXPECT_EQ(clamp_to_i32(-0.5, 0, 100), 0);
    EXPECT_EQ(clamp_to_i32(std::numeric_limits<double>::quiet_NaN(), -7, 100), -7);
    EXPECT_EQ(clamp_to_i32(1e18, std::numeric_limits<std::int32_t>::min(),
                           std::numeric_limits<std::int32_t>::max()),
              std::numeric_limits<std::int32_t>::max());
}

// proves: O-PATH-11
TEST(SafeNormal, OfALengthBelowTheToleranceIsZero) {
    EXPECT_EQ(safe_normal({3.0, 4.0}), (Vec2d{3.0 / 5.0, 4.0 / 5.0}));
    EXPECT_EQ(safe_normal({1e-4, 0.0}), (Vec2d{1.0, 0.0}));
    EXPECT_EQ(safe_normal({0.99e-4, 0.0}), Vec2d{});
    EXPECT_EQ(safe_normal({0.0, 0.0}), Vec2d{});
    EXPECT_EQ(safe_normal({std::numeric_limits<double>::quiet_NaN(), 1.0}), Vec2d{});
}

}  // namespace
}  // namespace maniple::core
