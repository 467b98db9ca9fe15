#include "maniple/terrain/scenario.h"

#include <gtest/gtest.h>
#include <string>

namespace maniple::terrain {
namespace {

Result<std::vector<ScenarioQuery>> read(std::string_view text, std::size_t limit = 10) {
    return read_scenario({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 8, 4,
                         limit);
}

TEST(Scenario, ReadsStartGoalAndLengthOfEveryLine) {
    const auto queries = read(
        "version 1\r\n0\tm.map\t8\t4\t1\t2\t7\t3\t6.5\r\n\n"
        "1 m.map 8 4 0 0 0 0 0\n");
    ASSERT_TRUE(queries.has_value()) << queries.error().message;
    ASSERT_EQ(queries->size(), 2U);
    EXPECT_EQ((*queries)[0].start, (nav::GridCoord{1, 2}));
    EXPECT_EQ((*queries)[0].goal, (nav::GridCoord{7, 3}));
    EXPECT_EQ((*queries)[0].length, 6.5);
    EXPECT_EQ((*queries)[1].length, 0);
}

TEST(Scenario, TakesNoMoreThanTheLimit) {
    const std::string line = "0 m.map 8 4 0 0 1 1 1\n";
    const auto queries = read("version 1\n" + line + line + "no query\n", 2);
    ASSERT_TRUE(queries.has_value());
    EXPECT_EQ(queries->size(), 2U);
}

void expect_refusal(std::string_view lines, ErrorCode code, std::size_t at_byte) {
    const auto queries = read(lines);
    ASSERT_FALSE(queries.has_value()) << lines;
    EXPECT_EQ(queries.error().code, code) << lines;
    EXPECT_EQ(queries.error().at_byte, at_byte) << lines;
}

TEST(Scenario, RefusalsNameTheByteOfTheLine) {
    expect_refusal("", ErrorCode::kBadText, 0);
    expect_refusal("type octile\n", ErrorCode::kBadText, 0);
    expect_refusal("version 2\n", ErrorCode::kBadText, 0);
    expect_refusal("version 10\n", ErrorCode::kBadText, 0);
    expect_refusal("version 1\n0 m.map 8 4 0 0 1 1\n", ErrorCode::kBadText, 10);
    expect_refusal("version 1\n0 m.map 8 4 0 0 1 1 1 1\n", ErrorCode::kBadText, 10);
    expect_refusal("version 1\n0 m.map 8 5 0 0 1 1 1\n", ErrorCode::kMapMismatch, 10);
    expect_refusal("version 1\n0 m.map 8 4 0 0 8 1 1\n", ErrorCode::kBadValue, 10);
    expect_refusal("version 1\n0 m.map 8 4 0 -1 1 1 1\n", ErrorCode::kBadValue, 10);
    expect_refusal("version 1\n0 m.map 8 4 0 0 1 1 nan\n", ErrorCode::kBadValue, 10);
    expect_refusal("version 1\n0 m.map 8 4 0 0 1 1 -1\n", ErrorCode::kBadValue, 10);
}

}  // namespace
}  // namespace maniple::terrain
