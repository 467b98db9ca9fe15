#include "maniple/core/random.h"

#include <gtest/gtest.h>

#include "maniple/core/hash.h"

namespace maniple::core {
namespace {

// Golden values from the recurrence worked out in Python integers.
// proves: O-SNAP-16
TEST(RandomStream, DrawsTheGoldenSequence) {
    RandomStream zero(0);
    EXPECT_EQ(zero.next_fraction(), 0.2113248109817505F);
    EXPECT_EQ(zero.seed, 907633515U);
    EXPECT_EQ(zero.next_fraction(), 0.6149771213531494F);
    EXPECT_EQ(zero.next_fraction(), 0.957233190536499F);
    EXPECT_EQ(zero.next_fraction(), 0.9648319482803345F);
    EXPECT_EQ(zero.seed, 4143921812U);
    EXPECT_EQ(zero.initial_seed, 0);

    RandomStream negative(-1);
    EXPECT_EQ(negative.next_fraction(), 0.16561686992645264F);
    EXPECT_EQ(negative.seed, 711319350U);
    EXPECT_EQ(negative.initial_seed, -1);
}

// proves: SNAP-026, O-SNAP-16
TEST(RandomStream, ContinuesFromBothOfItsMembers) {
    RandomStream stream(1234);
    for (int i = 0; i < 5; ++i) (void)stream.next_fraction();
    RandomStream restored(stream.initial_seed);
    restored.seed = stream.seed;
    EXPECT_EQ(restored, stream);
    EXPECT_EQ(restored.next_fraction(), stream.next_fraction());
    EXPECT_NE(RandomStream(1234).next_fraction(), stream.next_fraction());
}

TEST(RandomStream, DrawsBelowItsBound) {
    RandomStream stream(0);
    EXPECT_EQ(stream.next_below(10), 2U);  // 907633515 / 2^32 = 0.2113…
    EXPECT_EQ(stream.next_below(10), 6U);
    EXPECT_EQ(stream.next_below(1), 0U);
    for (int i = 0; i < 1000; ++i) ASSERT_LT(stream.next_below(7), 7U);
}

TEST(SiteRandom, IsTheHashOfTickUidAndSite) {
    const Bytes key = {0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x78, 0x56, 0x34, 0x12};
    EXPECT_EQ(site_random(42, 1, -1, 0x12345678), xxh3_64(key, 42));
}

}  // namespace
}  // namespace maniple::core
