#include "maniple/substrate/grid_records.h"

#include <gtest/gtest.h>

#include "maniple/substrate/checked_stream.h"

#include "stream_vectors.h"

namespace maniple::substrate {
namespace {

struct Columns {
    std::vector<std::uint8_t> cost, type;
    std::vector<std::int32_t> z_cm;
    std::vector<WireNormal> normal;
    explicit Columns(std::size_t cells) : cost(cells), type(cells), z_cm(cells), normal(cells) {}
    GridColumns view() { return {cost, type, z_cm, normal}; }
    ConstGridColumns const_view() const { return {cost, type, z_cm, normal}; }
};

core::ByteSpan golden_records() {
    return CheckedView::check(stream_vectors().bytes("golden"))->records();
}

// proves: SYNC-019, O-SYNC-22
TEST(GridRecords, AreReadIntoTheColumnsOfTheWorkedExample) {
    Columns columns(6);
    unpack_records(golden_records(), columns.view());
    EXPECT_EQ(columns.cost, (std::vector<std::uint8_t>{1, 2, 3, 255, 5, 255}));
    EXPECT_EQ(columns.type, (std::vector<std::uint8_t>{1, 1, 1, 2, 1, 0}));
    EXPECT_EQ(columns.z_cm, (std::vector<std::int32_t>{0, 10, -5, 0, 256, 0}));
    EXPECT_EQ(
        columns.normal,
        (std::vector<WireNormal>{
            {0, 0, 127}, {0, 0, 127}, {-63, 0, 110}, {0, 0, 127}, {0, 64, 110}, {0, 0, 127}}));
}

// proves: O-GRID-35
TEST(GridRecords, PackedAgainAreTheSameBytes) {
    Columns columns(6);
    unpack_records(golden_records(), columns.view());
    core::Bytes again(golden_records().size());
    pack_records(columns.const_view(), again.data());
    EXPECT_EQ(to_hex(again), to_hex(golden_records()));
}

TEST(GridRecords, KeepEveryExtremeOfEveryColumn) {
    Columns columns(3);
    columns.cost = {0, 255, 128};
    columns.type = {0, 2, 1};
    columns.z_cm = {-2147483647 - 1, 2147483647, -1};
    columns.normal = {{-128, 127, -127}, {127, -128, -1}, {0, -1, -128}};
    core::Bytes bytes(3 * kCellRecordBytes);
    pack_records(columns.const_view(), bytes.data());
    EXPECT_EQ(to_hex(bytes),
              "000000000080807f81"
              "ff02ffffff7f7f80ff"
              "8001ffffffff00ff80");
    Columns read(3);
    unpack_records(bytes, read.view());
    EXPECT_EQ(read.z_cm, columns.z_cm);
    EXPECT_EQ(read.normal, columns.normal);
}

TEST(GridRecords, AreEqualReadAloneOrFourAtOnce) {
    for (const std::size_t cells : {1u, 3u, 4u, 5u, 8u, 11u}) {
        core::Bytes bytes(cells * kCellRecordBytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
        }
        Columns together(cells);
        unpack_records(bytes, together.view());
        Columns alone(cells);
        for (std::size_t i = 0; i < cells; ++i) {
            unpack_record(core::ByteSpan(bytes).subspan(i * kCellRecordBytes, kCellRecordBytes),
                          alone.view(), i);
        }
        EXPECT_EQ(together.cost, alone.cost);
        EXPECT_EQ(together.type, alone.type);
        EXPECT_EQ(together.z_cm, alone.z_cm);
        EXPECT_EQ(together.normal, alone.normal);
        core::Bytes again(bytes.size());
        pack_records(together.const_view(), again.data());
        EXPECT_EQ(to_hex(again), to_hex(bytes));
    }
}

// proves: SYNC-052
TEST(GridRecords, OneAloneChangesItsCellOnly) {
    Columns columns(6);
    unpack_records(golden_records(), columns.view());
    const Columns before = columns;
    unpack_record(from_hex("09 02 FEFFFFFF 01 02 03"), columns.view(), 4);
    EXPECT_EQ(columns.cost[4], 9);
    EXPECT_EQ(columns.type[4], 2);
    EXPECT_EQ(columns.z_cm[4], -2);
    EXPECT_EQ(columns.normal[4], (WireNormal{1, 2, 3}));
    for (const std::size_t i : {0u, 1u, 2u, 3u, 5u}) {
        EXPECT_EQ(columns.cost[i], before.cost[i]);
        EXPECT_EQ(columns.z_cm[i], before.z_cm[i]);
    }
}

}  // namespace
}  // namespace maniple::substrate
