#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/terrain/grid_map.h"

#include "integer_noise.h"
#include "surface_grid.h"

namespace maniple::terrain {
namespace {

struct Counts {
    std::uint64_t passable = 0;
    std::uint64_t slow = 0;
    std::uint64_t low_end = 0;   ///< Passable cells of the first quarter in X.
    std::uint64_t high_end = 0;  ///< Of the last quarter.
    std::uint64_t reached = 0;   ///< From the first passable cell, through four neighbours.
};

bool is_passable(core::ByteSpan records, std::size_t cell) {
    return records[cell * substrate::kCellRecordBytes] != 255;
}

std::uint64_t count_reached(core::ByteSpan records, std::size_t x_num, std::size_t y_num) {
    std::vector<bool> seen(x_num * y_num);
    std::vector<std::size_t> stack;
    const auto visit = [&](std::size_t cell) {
        if (seen[cell] || !is_passable(records, cell)) return;
        seen[cell] = true;
        stack.push_back(cell);
    };
    for (std::size_t cell = 0; cell < seen.size() && stack.empty(); ++cell) visit(cell);
    std::uint64_t reached = 0;
    while (!stack.empty()) {
        const std::size_t cell = stack.back();
        stack.pop_back();
        ++reached;
        if (cell >= y_num) visit(cell - y_num);
        if (cell + y_num < seen.size()) visit(cell + y_num);
        if (cell % y_num > 0) visit(cell - 1);
        if (cell % y_num + 1 < y_num) visit(cell + 1);
    }
    return reached;
}

Counts count(const GridMap& map) {
    const core::ByteSpan records = map.stream.view().records();
    const auto x_num = static_cast<std::size_t>(map.stream.grid().x_num);
    const auto y_num = static_cast<std::size_t>(map.stream.grid().y_num);
    Counts counts;
    for (std::size_t cell = 0; cell < x_num * y_num; ++cell) {
        if (!is_passable(records, cell)) continue;
        const std::size_t x = cell / y_num;
        ++counts.passable;
        if (records[cell * substrate::kCellRecordBytes] == 3) ++counts.slow;
        if (x * 4 < x_num) ++counts.low_end;
        if ((x_num - 1 - x) * 4 < x_num) ++counts.high_end;
    }
    counts.reached = count_reached(records, x_num, y_num);
    return counts;
}

class BuiltinMapTest : public testing::TestWithParam<const char*> {};

TEST_P(BuiltinMapTest, IsOneComponentWithRoomAtBothEndsAndSlowGroundAtAnySize) {
    for (const char* size : {"32", "33", "47", "48", "100", "257", "512"}) {
        const std::string name = std::string("builtin:") + GetParam() + ":" + size;
        const Result<GridMap> map = make_builtin_map(name);
        ASSERT_TRUE(map.has_value()) << name;
        const std::int32_t side = std::stoi(size);
        EXPECT_EQ(map->stream.grid(), (substrate::GridShape{side, side, 100}));
        const auto cells = static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
        const Counts counts = count(*map);
        EXPECT_EQ(counts.reached, counts.passable) << name;
        EXPECT_EQ(counts.passable, map->passable_cells()) << name;
        EXPECT_GT(counts.passable, cells / 4) << name;
        EXPECT_LT(counts.passable, cells * 19 / 20) << name;
        EXPECT_GT(counts.slow, counts.passable / 20) << name;
        EXPECT_GT(counts.low_end, cells / 16) << name;
        EXPECT_GT(counts.high_end, cells / 16) << name;
    }
}

TEST_P(BuiltinMapTest, HoldsTenThousandUnitsComfortablyWithoutASize) {
    const Result<GridMap> map = make_builtin_map(std::string("builtin:") + GetParam());
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->stream.grid().x_num, 512);
    EXPECT_GT(map->passable_cells(), 100'000u);
    EXPECT_EQ(map->digest(),
              make_builtin_map(std::string("builtin:") + GetParam() + ":512")->digest());
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinMapTest, testing::Values("valley", "fortress", "archipelago"),
                         [](const auto& tested) { return std::string(tested.param); });

// Golden: peers that generate a map must stand on the same one. A change here is a change of maps.
TEST(BuiltinMap, HasTheSameBytesOnEveryMachine) {
    EXPECT_EQ(core::hex16(make_builtin_map("builtin:valley")->digest()), "acfdcbee95193323");
    EXPECT_EQ(core::hex16(make_builtin_map("builtin:fortress:100")->digest()), "d8f6fe326a1dee74");
    EXPECT_EQ(core::hex16(make_builtin_map("builtin:archipelago:257")->digest()),
              "c3f78b311802a217");
}

TEST(BuiltinMap, OfAnUnknownNameIsNotFoundAndTheMessageListsTheKnown) {
    const Result<GridMap> map = make_builtin_map("builtin:moon:64");
    ASSERT_FALSE(map.has_value());
    EXPECT_EQ(map.error().code, ErrorCode::kNotFound);
    EXPECT_NE(map.error().message.find("valley, fortress, archipelago"), std::string::npos);
    EXPECT_EQ(make_builtin_map("builtin:").error().code, ErrorCode::kNotFound);
    EXPECT_EQ(make_builtin_map("builtin:Valley").error().code, ErrorCode::kNotFound);
}

TEST(BuiltinMap, TakesSizesFrom32To4096Only) {
    for (const char* size :
         {"31", "0", "4097", "-64", "64x", "", "00064", "99999999999", "64:64"}) {
        const Result<GridMap> map = make_builtin_map(std::string("builtin:valley:") + size);
        ASSERT_FALSE(map.has_value()) << size;
        EXPECT_EQ(map.error().code, ErrorCode::kBadValue) << size;
    }
    EXPECT_TRUE(make_builtin_map("builtin:valley:32").has_value());
}

TEST(SurfaceGrid, KeepsTheLargestComponentAndOfEqualOnesTheFirst) {
    // Columns are X: two components of two cells touching at a corner only, one of one.
    SurfaceGrid grid(3, 3, Surface::kObstacle);
    grid.set(0, 0, Surface::kGround);
    grid.set(0, 1, Surface::kSlow);
    grid.set(1, 2, Surface::kGround);
    grid.set(2, 2, Surface::kGround);
    grid.set(2, 0, Surface::kGround);
    keep_largest_component(grid);
    EXPECT_EQ(grid.at(0, 0), Surface::kGround);
    EXPECT_EQ(grid.at(0, 1), Surface::kSlow);
    EXPECT_EQ(grid.at(1, 2), Surface::kObstacle);
    EXPECT_EQ(grid.at(2, 2), Surface::kObstacle);
    EXPECT_EQ(grid.at(2, 0), Surface::kObstacle);
}

TEST(IntegerNoise, StaysInItsRangeAndPassesThroughItsLatticePoints) {
    for (std::int32_t x = 0; x < 64; ++x) {
        for (std::int32_t y = 0; y < 64; ++y) {
            const std::int32_t smooth = smooth_noise(7, x, y, 8);
            EXPECT_GE(smooth, 0);
            EXPECT_LT(smooth, 1024);
            EXPECT_LT(rough_noise(7, x, y, 8), 1024);
            if (x % 8 == 0 && y % 8 == 0) {
                EXPECT_EQ(smooth, static_cast<std::int32_t>(lattice_hash(7, x / 8, y / 8) & 1023));
            }
        }
    }
}

}  // namespace
}  // namespace maniple::terrain
