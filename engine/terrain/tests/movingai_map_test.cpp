#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/terrain/grid_map.h"

namespace maniple::terrain {
namespace {

Result<GridMap> read(std::string_view text) {
    return read_movingai_map({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                             "test.map");
}

std::vector<std::uint8_t> record(const GridMap& map, std::int32_t x, std::int32_t y) {
    const substrate::CheckedView view = map.stream.view();
    const auto index = static_cast<std::size_t>(x * view.grid().y_num + y);
    const core::ByteSpan bytes =
        view.records().subspan(index * substrate::kCellRecordBytes, substrate::kCellRecordBytes);
    return {bytes.begin(), bytes.end()};
}

using Bytes = std::vector<std::uint8_t>;
const Bytes kGround = {0x01, 0x01, 0, 0, 0, 0, 0, 0, 0x7F};
const Bytes kSwamp = {0x03, 0x01, 0, 0, 0, 0, 0, 0, 0x7F};
const Bytes kObstacle = {0xFF, 0x02, 0, 0, 0, 0, 0, 0, 0x7F};

constexpr std::string_view kMap = "type octile\nheight 2\nwidth 3\nmap\n.G@\nST\xFF\n";

TEST(MovingAiMap, PutsXAlongTheRowAndYDownTheRows) {
    const Result<GridMap> map = read(kMap);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->name, "test.map");
    EXPECT_EQ(map->stream.grid(), (substrate::GridShape{3, 2, 100}));
    EXPECT_EQ(record(*map, 0, 0), kGround);
    EXPECT_EQ(record(*map, 1, 0), kGround);
    EXPECT_EQ(record(*map, 2, 0), kObstacle);
    EXPECT_EQ(record(*map, 0, 1), kSwamp);
    EXPECT_EQ(record(*map, 1, 1), kObstacle);
    EXPECT_EQ(record(*map, 2, 1), kObstacle);
    EXPECT_EQ(map->passable_cells(), 3u);
}

TEST(MovingAiMap, StandsSoThatCellCentresAreWholeMetres) {
    const Result<GridMap> map = read(kMap);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->stream.identity(), (substrate::SubstrateIdentity{100, 50, 0, 0}));
    EXPECT_EQ(map->stream.view().goal_count(), 0u);
}

TEST(MovingAiMap, ReadsTheSameWithCarriageReturnsWithoutAFinalNewlineAndWithEmptyLinesBehind) {
    const Result<GridMap> map = read(kMap);
    ASSERT_TRUE(map.has_value());
    std::string with_cr;
    for (const char c : kMap) {
        if (c == '\n') with_cr += '\r';
        with_cr += c;
    }
    std::string unfinished(kMap);
    unfinished.pop_back();
    for (const std::string& text : {with_cr, unfinished, std::string(kMap) + "\n\r\n\n"}) {
        const Result<GridMap> other = read(text);
        ASSERT_TRUE(other.has_value()) << other.error().message;
        EXPECT_EQ(other->digest(), map->digest());
    }
}

TEST(MovingAiMap, OfOneCellIsAccepted) {
    const Result<GridMap> map = read("type octile\nheight 1\nwidth 1\nmap\n.");
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->passable_cells(), 1u);
    EXPECT_EQ(map->stream.identity(), substrate::SubstrateIdentity{});
}

TEST(MovingAiMap, LargerThanOneBandOfRowsKeepsEveryCellInPlace) {
    constexpr std::int32_t kWidth = 5;
    constexpr std::int32_t kHeight = 131;
    std::string text = "type octile\nheight 131\nwidth 5\nmap\n";
    const auto is_ground = [](std::int32_t x, std::int32_t y) { return (x * 7 + y * 3) % 5 < 2; };
    for (std::int32_t y = 0; y < kHeight; ++y) {
        for (std::int32_t x = 0; x < kWidth; ++x) text += is_ground(x, y) ? '.' : '@';
        text += '\n';
    }
    const Result<GridMap> map = read(text);
    ASSERT_TRUE(map.has_value());
    for (std::int32_t y = 0; y < kHeight; ++y) {
        for (std::int32_t x = 0; x < kWidth; ++x) {
            ASSERT_EQ(record(*map, x, y), is_ground(x, y) ? kGround : kObstacle) << x << ' ' << y;
        }
    }
}

struct BadMap {
    const char* name;
    std::string_view text;
    ErrorCode code;
    std::uint64_t at_byte;
};

class BadMapTest : public testing::TestWithParam<BadMap> {};

TEST_P(BadMapTest, IsRefusedWithItsCodeAndByte) {
    const Result<GridMap> map = read(GetParam().text);
    ASSERT_FALSE(map.has_value());
    EXPECT_EQ(error_code_name(map.error().code), error_code_name(GetParam().code));
    EXPECT_EQ(map.error().at_byte, GetParam().at_byte);
    EXPECT_FALSE(map.error().message.empty());
}

// The twins that are accepted stand in the tests above.
const BadMap kBadMaps[] = {
    {"Empty", "", ErrorCode::kTruncated, 0},
    {"OfAnotherFormat", "P5 3 2\n", ErrorCode::kBadText, 0},
    {"TypeWithoutValue", "type\nheight 1\nwidth 1\nmap\n.\n", ErrorCode::kBadText, 0},
    {"TypeWithAnEmptyValue", "type \nheight 1\nwidth 1\nmap\n.\n", ErrorCode::kBadText, 0},
    {"WidthBeforeHeight", "type octile\nwidth 1\nheight 1\nmap\n.\n", ErrorCode::kBadText, 12},
    {"EndingAfterTheType", "type octile\n", ErrorCode::kTruncated, 12},
    {"EndingAfterTheHeight", "type octile\nheight 1\n", ErrorCode::kTruncated, 21},
    {"EndingAfterTheWidth", "type octile\nheight 1\nwidth 1\n", ErrorCode::kTruncated, 29},
    {"HeightZero", "type octile\nheight 0\nwidth 1\nmap\n", ErrorCode::kBadValue, 19},
    {"WidthZero", "type octile\nheight 1\nwidth 0\nmap\n", ErrorCode::kBadValue, 27},
    {"HeightNegative", "type octile\nheight -1\nwidth 1\nmap\n.\n", ErrorCode::kBadText, 19},
    {"HeightNoNumber", "type octile\nheight 1x\nwidth 1\nmap\n.\n", ErrorCode::kBadText, 19},
    {"Height64MiPlus1", "type octile\nheight 67108865\nwidth 1\nmap\n", ErrorCode::kOverCap, 19},
    {"HeightOver64Bits", "type octile\nheight 99999999999999999999999\nwidth 1\nmap\n",
     ErrorCode::kOverCap, 19},
    {"ProductOver64Mi", "type octile\nheight 8192\nwidth 8193\nmap\n", ErrorCode::kOverCap, 12},
    {"ProductOf64MiWithoutRows", "type octile\nheight 8192\nwidth 8192\nmap\n",
     ErrorCode::kTruncated, 39},
    {"WithoutMapLine", "type octile\nheight 1\nwidth 1\n.\n", ErrorCode::kBadText, 29},
    {"WithTooFewRows", "type octile\nheight 2\nwidth 1\nmap\n.\n", ErrorCode::kTruncated, 35},
    {"WithAShortRow", "type octile\nheight 2\nwidth 2\nmap\n..\n.\n", ErrorCode::kTruncated, 37},
    {"WithARowCutByTheEnd", "type octile\nheight 1\nwidth 3\nmap\n..", ErrorCode::kTruncated, 35},
    {"WithALongRow", "type octile\nheight 2\nwidth 2\nmap\n..\n...\n", ErrorCode::kTrailing, 38},
    {"WithALineTooMany", "type octile\nheight 1\nwidth 1\nmap\n.\n.\n", ErrorCode::kTrailing, 35},
};

INSTANTIATE_TEST_SUITE_P(MovingAiMap, BadMapTest, testing::ValuesIn(kBadMaps),
                         [](const auto& tested) { return std::string(tested.param.name); });

void PrintTo(const BadMap& map, std::ostream* out) { *out << map.name; }

TEST(ReadMap, GoesByTheEndOfTheName) {
    const core::Bytes text(kMap.begin(), kMap.end());
    const Result<GridMap> map = read_map("folder/x.map", text);
    ASSERT_TRUE(map.has_value());
    const core::ByteSpan stream = map->stream.bytes();
    const Result<GridMap> again = read_map("x.ffs", {stream.begin(), stream.end()});
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->digest(), map->digest());
    EXPECT_EQ(read_map("x.ffs", text).error().code, ErrorCode::kBadMagic);
    EXPECT_EQ(read_map("x.bmp", text).error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(read_map("builtin:valley:32", {}).has_value());
    EXPECT_EQ(read_map("builtin:moon", {}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace maniple::terrain
