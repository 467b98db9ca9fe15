#include "planes.h"

#include <gtest/gtest.h>

#include "maniple/core/bytes.h"

namespace maniple::snapshot {
namespace {

TEST(Planes, HoldOneByteOfEveryRow) {
    const core::Bytes rows{1, 2, 3, 11, 12, 13};
    core::Bytes planes(6);
    rows_to_planes(rows.data(), 3, 2, 3, planes.data());
    EXPECT_EQ(planes, (core::Bytes{1, 11, 2, 12, 3, 13}));
}

TEST(Planes, GoBackIntoRowsAcrossBlocks) {
    for (const std::size_t row_count : {0U, 1U, 255U, 256U, 257U, 1000U}) {
        core::Bytes rows(row_count * 5);
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint8_t>(i * 7);
        core::Bytes planes(rows.size());
        core::Bytes back(rows.size());
        rows_to_planes(rows.data(), 5, row_count, 5, planes.data());
        planes_to_rows(planes.data(), 5, row_count, 5, back.data());
        EXPECT_EQ(back, rows) << row_count;
    }
}

TEST(Planes, OfWholeNumbersGoBackIntoRowsOfAnyWidth) {
    for (const std::size_t plane_count : {1U, 2U, 4U, 8U}) {
        for (const std::size_t stride : {8U, 11U, 20U}) {
            for (const std::size_t row_count : {1U, 15U, 16U, 17U, 48U, 300U}) {
                core::Bytes rows(row_count * stride);
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    const bool in_planes = i % stride < plane_count;
                    rows[i] = in_planes ? static_cast<std::uint8_t>(i * 7 + i / 251) : 0xEE;
                }
                core::Bytes planes(row_count * plane_count);
                core::Bytes back(rows.size(), 0xEE);
                rows_to_planes(rows.data(), stride, row_count, plane_count, planes.data());
                planes_to_rows(planes.data(), plane_count, row_count, stride, back.data());
                EXPECT_EQ(back, rows) << plane_count << " of " << stride << ", " << row_count;
            }
        }
    }
}

TEST(Planes, FillSomeBytesOfWiderRows) {
    const core::Bytes planes{1, 2, 11, 12};
    core::Bytes rows(6, 9);
    planes_to_rows(planes.data(), 2, 2, 3, rows.data() + 1);
    EXPECT_EQ(rows, (core::Bytes{9, 1, 11, 9, 2, 12}));
}

}  // namespace
}  // namespace maniple::snapshot
