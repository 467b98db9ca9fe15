#include "maniple/sim/flag_column.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace maniple::sim {
namespace {

TEST(FlagColumn, StoresNothingUntilARowHasAFlagAndThenKeepsEveryRow) {
    FlagColumn flags;
    for (int i = 0; i < 3; ++i) flags.push_back(0);
    flags.set(1, 0);
    EXPECT_TRUE(flags.is_bare());
    flags.push_back(-7);
    flags.push_back(0);
    flags.set(0, 5);
    EXPECT_FALSE(flags.is_bare());
    ASSERT_EQ(flags.size(), 5U);
    const std::vector<std::int64_t> want{5, 0, 0, -7, 0};
    for (std::size_t row = 0; row < want.size(); ++row) EXPECT_EQ(flags[row], want[row]) << row;
}

TEST(FlagColumn, LosesRowsWithAndWithoutFlags) {
    const std::vector<std::size_t> gone{0, 2};
    FlagColumn bare;
    bare.resize(4);
    bare.remove_rows(gone);
    EXPECT_EQ(bare.size(), 2U);
    FlagColumn flags;
    flags.assign({1, 2, 3, 4});
    flags.remove_rows(gone);
    ASSERT_EQ(flags.size(), 2U);
    EXPECT_EQ(flags[0], 2);
    EXPECT_EQ(flags[1], 4);
    flags.assign({0, 0});
    EXPECT_TRUE(flags.is_bare());
    EXPECT_EQ(flags.size(), 2U);
}

}  // namespace
}  // namespace maniple::sim
