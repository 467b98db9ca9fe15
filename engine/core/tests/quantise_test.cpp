#include "maniple/core/quantise.h"

#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace maniple::core {
namespace {

constexpr std::int32_t kLimit = 2'147'483'000;

// proves: SYNC-008
TEST(QuantCm, RoundsHalvesAwayFromZero) {
    EXPECT_EQ(quant_cm(0.5, 0.0), 1);
    EXPECT_EQ(quant_cm(-0.5, 0.0), -1);
    EXPECT_EQ(quant_cm(2.5, 0.0), 3);
    EXPECT_EQ(quant_cm(-2.5, 0.0), -3);
    EXPECT_EQ(quant_cm(2.4999999999999996, 0.0), 2);
    EXPECT_EQ(quant_cm(-2.4999999999999996, 0.0), -2);
    EXPECT_EQ(quant_cm(0.49999999999999994, 0.0), 0);
}

// proves: SYNC-008, SYNC-009
TEST(QuantCm, IsRelativeToTheOrigin) {
    EXPECT_EQ(quant_cm(1001.5, 1000.0), 2);
    EXPECT_EQ(quant_cm(998.5, 1000.0), -2);
    EXPECT_EQ(dequant_cm(2, 1000.0), 1002.0);
    EXPECT_EQ(dequant_cm(-2, 1000.0), 998.0);
}

// proves: SYNC-008
TEST(QuantCm, ClampsBeforeNarrowing) {
    EXPECT_EQ(quant_cm(1e300, 0.0), kLimit);
    EXPECT_EQ(quant_cm(-1e300, 0.0), -kLimit);
    EXPECT_EQ(quant_cm(std::numeric_limits<double>::infinity(), 0.0), kLimit);
    EXPECT_EQ(quant_cm(2'147'482'999.0, 0.0), kLimit - 1);
    EXPECT_EQ(quant_cm(2'147'483'000.0, 0.0), kLimit);
    EXPECT_EQ(quant_cm(2'147'483'001.0, 0.0), kLimit);
    EXPECT_EQ(quant_cm(-2'147'482'999.0, 0.0), -kLimit + 1);
    EXPECT_EQ(quant_cm(-2'147'483'001.0, 0.0), -kLimit);
    EXPECT_EQ(quant_cm(std::numeric_limits<double>::quiet_NaN(), 0.0), -kLimit);
}

// proves: SYNC-010, O-SYNC-06
TEST(QuantNormalAxis, RoundsHalvesUpInsteadOfAwayFromZero) {
    EXPECT_EQ(quant_normal_axis(63.5F / 127.0F), 64);
    EXPECT_EQ(quant_normal_axis(-63.5F / 127.0F), -63);
    EXPECT_EQ(quant_normal_axis(1.0F), 127);
    EXPECT_EQ(quant_normal_axis(-1.0F), -127);
    EXPECT_EQ(quant_normal_axis(0.0F), 0);
}

// proves: SYNC-010
TEST(QuantNormalAxis, ClampsToOneHundredTwentySeven) {
    EXPECT_EQ(quant_normal_axis(1.01F), 127);
    EXPECT_EQ(quant_normal_axis(-1.01F), -127);
    EXPECT_EQ(quant_normal_axis(1e30F), 127);
    EXPECT_EQ(quant_normal_axis(-1e30F), -127);
    EXPECT_EQ(quant_normal_axis(std::numeric_limits<float>::quiet_NaN()), -127);
}

// proves: SYNC-008, SYNC-010
TEST(Quantise, IgnoresTheRoundingModeOfTheHost) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        const std::int32_t up = quant_cm(2.5, 0.0);
        const std::int32_t down = quant_cm(-2.5, 0.0);
        const std::int32_t near = quant_cm(2.25, 0.0);
        const std::int8_t normal_up = quant_normal_axis(0.5F);
        const std::int8_t normal_down = quant_normal_axis(-0.5F);
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(up, 3) << mode;
        EXPECT_EQ(down, -3) << mode;
        EXPECT_EQ(near, 2) << mode;
        EXPECT_EQ(normal_up, 64) << mode;
        EXPECT_EQ(normal_down, -63) << mode;
    }
}

// proves: SYNC-011
TEST(DequantNormal, IsOfUnitLength) {
    EXPECT_EQ(dequant_normal(0, 0, 127), (Vec3f{0.0F, 0.0F, 1.0F}));
    EXPECT_EQ(dequant_normal(0, 0, 1), (Vec3f{0.0F, 0.0F, 1.0F}));
    EXPECT_EQ(dequant_normal(-127, 0, 0), (Vec3f{-1.0F, 0.0F, 0.0F}));
    const Vec3f n = dequant_normal(40, -60, 100);
    const double length = std::hypot(n.x, n.y, n.z);
    EXPECT_NEAR(length, 1.0, 1e-6);
    EXPECT_NEAR(n.x / n.z, 0.4, 1e-6);
    EXPECT_NEAR(n.y / n.z, -0.6, 1e-6);
}

// proves: O-SYNC-19
TEST(DequantNormal, OfZeroIsUp) { EXPECT_EQ(dequant_normal(0, 0, 0), (Vec3f{0.0F, 0.0F, 1.0F})); }

}  // namespace
}  // namespace maniple::core
