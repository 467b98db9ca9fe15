#include "maniple/terrain/map_ground.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>

#include "maniple/substrate/grid_export.h"
#include "maniple/terrain/grid_map.h"

#include "png_file.h"

namespace maniple::terrain {
namespace {

core::Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

Result<nav::GridSubstrate> read(std::string_view name, core::Bytes bytes,
                                const GridRequest& request = {}, int threads = 1) {
    const auto executor = core::make_executor(threads);
    return read_map_ground(name, std::move(bytes), request, *executor, {});
}

constexpr std::string_view kMap = "type octile\nheight 3\nwidth 5\nmap\n.....\n..@.S\n.....\n";

TEST(MapGround, AGridMapOnItsOwnGridIsTheMap) {
    const auto ground = read("a.map", bytes_of(kMap)).value();
    const auto map = read_movingai_map(bytes_of(kMap), "a.map").value();
    const auto stream = substrate::write_grid_stream(ground);
    EXPECT_TRUE(std::ranges::equal(stream.bytes(), map.stream.bytes()));
    GridRequest same;
    same.cell_size_cm = 100;
    const auto asked = substrate::write_grid_stream(read("a.map", bytes_of(kMap), same).value());
    EXPECT_TRUE(std::ranges::equal(asked.bytes(), map.stream.bytes())) << "asked cell by cell";
}

TEST(MapGround, SmallerCellsKeepCostsAndWallsGrowByHalfACell) {
    GridRequest fine;
    fine.cell_size_cm = 50;
    const auto ground = read("a.map", bytes_of(kMap), fine).value();
    EXPECT_EQ(ground.geometry.x_num(), 10);
    EXPECT_EQ(ground.geometry.y_num(), 6);
    EXPECT_EQ(ground.geometry.origin(), (Vec3d{200, 100, 0}));
    const auto at = [&](double x, double y) {
        return ground.geometry.index(ground.geometry.world_to_grid({x, y}).coord);
    };
    EXPECT_EQ(ground.cost[at(380, 80)], 3);
    EXPECT_EQ(ground.cost[at(10, 10)], 1);
    EXPECT_EQ(ground.type[at(180, 80)], 2);
    EXPECT_EQ(ground.type[at(130, 80)], 1);
    GridRequest coarse;
    coarse.cell_size_cm = 150;
    const auto big = read("a.map", bytes_of(kMap), coarse).value();
    EXPECT_EQ(big.geometry.x_num(), 4);
    EXPECT_EQ(big.geometry.y_num(), 2);
}

TEST(MapGround, AnOriginAsideMakesTheGridLargeEnoughAndTheRestEmpty) {
    GridRequest request;
    request.origin_cm = Vec3d{-50, -50, 0};
    request.yaw_degrees = 90;
    const auto ground = read("a.map", bytes_of(kMap), request).value();
    EXPECT_EQ(ground.geometry.x_num(), 6) << "the map's Y runs along the grid's X";
    EXPECT_EQ(ground.geometry.y_num(), 10);
    EXPECT_EQ(std::ranges::count(ground.type, 0), 60 - 15);
    EXPECT_EQ(std::ranges::count(ground.type, 2), 1);
    GridRequest far;
    far.origin_cm = Vec3d{1e7, 1e7, 0};
    EXPECT_EQ(read("a.map", bytes_of(kMap), far).error().code, ErrorCode::kOverCap);
}

TEST(MapGround, GoalsOfAStreamStayWhereTheyAreInTheWorld) {
    auto own = read("a.map", bytes_of(kMap)).value();
    own.goals_cm = {{200, -100, 7}};
    const auto stream = substrate::write_grid_stream(own);
    GridRequest request;
    request.origin_cm = Vec3d{100, 100, 0};
    const auto ground =
        read("a.ffs", {stream.bytes().begin(), stream.bytes().end()}, request).value();
    ASSERT_EQ(ground.goals_cm.size(), 1U);
    EXPECT_EQ(ground.goals_cm[0], (std::array<std::int32_t, 3>{300, -100, 7}));
}

TEST(MapGround, AHeightMapHasACellForEverySample) {
    const auto png = PngFile().head(3, 2, 8).rows({0, 0, 10, 20, 0, 0, 10, 255}).end().bytes();
    GridRequest request;
    request.height = {0, 255, 100};
    request.cell_size_cm = 20;
    request.max_walkable_centideg = 6000;
    const auto ground = read("a.png", png, request).value();
    EXPECT_EQ(ground.geometry.x_num(), 3);
    EXPECT_EQ(ground.geometry.y_num(), 2);
    EXPECT_EQ(ground.geometry.cell_size_cm(), 20);
    EXPECT_EQ(ground.z_cm, (std::vector<std::int32_t>{0, 0, 10, 10, 20, 255}));
    EXPECT_EQ(ground.type, (std::vector<std::uint8_t>{1, 1, 1, 2, 2, 2}));
}

constexpr std::string_view kFloorWithHole =
    "v 0 0 0\nv -4 0 0\nv -4 0 -2\nv 0 0 -2\nv -3 0 0\nv -3 0 -2\nv -2 0 0\nv -2 0 -2\n"
    "f 4 8 7 1\nf 6 3 2 5\n";

TEST(MapGround, AMeshIsCoveredByCellsAndAHoleIsEmpty) {
    const auto ground = read("a.obj", bytes_of(kFloorWithHole)).value();
    EXPECT_EQ(ground.geometry.x_num(), 4);
    EXPECT_EQ(ground.geometry.y_num(), 2);
    EXPECT_EQ(ground.type, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 1, 1}));
    GridRequest request;
    request.unit_cm = 10;
    EXPECT_EQ(read("a.obj", bytes_of(kFloorWithHole), request)->geometry.cell_count(), 1U);
    request.cell_size_cm = 1;
    EXPECT_EQ(read("a.obj", bytes_of(kFloorWithHole), request, 3)->geometry.cell_count(), 800U);
}

TEST(MapGround, StopsWhenTold) {
    core::SerialExecutor serial;
    GridRequest request;
    request.cell_size_cm = 99;
    const auto stopped = read_map_ground("builtin:valley:64", {}, request, serial,
                                         [](std::size_t, std::size_t) { return false; });
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace maniple::terrain
