#include <gtest/gtest.h>

#include "maniple/terrain/height_map.h"

#include "png_file.h"

namespace maniple::terrain {
namespace {

const HeightScale kScale{-100, 410, 50};

core::Bytes grey_8() {
    return PngFile().head(3, 2, 8).rows({0, 0, 10, 20, 0, 100, 200, 255}).end().bytes();
}

TEST(PngHeightMap, ReadsColumnsAlongXAndRowsAlongYIn8Bits) {
    const auto map = read_png_height_map(grey_8(), kScale);
    ASSERT_TRUE(map.has_value()) << map.error().message;
    EXPECT_EQ(map->width, 3);
    EXPECT_EQ(map->height, 2);
    EXPECT_EQ(map->spacing_cm, 50);
    EXPECT_DOUBLE_EQ(map->z_cm(0, 0), -100);
    EXPECT_DOUBLE_EQ(map->z_cm(1, 0), -80);
    EXPECT_DOUBLE_EQ(map->z_cm(0, 1), 100);
    EXPECT_DOUBLE_EQ(map->z_cm(2, 1), 410);
}

TEST(PngHeightMap, Reads16BitSamplesInBigEndianOrder) {
    const auto bytes = PngFile().head(2, 1, 16).rows({0, 0x01, 0x02, 0xFF, 0xFF}).end().bytes();
    const auto map = read_png_height_map(bytes, {0, 65535, 1});
    ASSERT_TRUE(map.has_value()) << map.error().message;
    EXPECT_DOUBLE_EQ(map->z_cm(0, 0), 0x0102);
    EXPECT_DOUBLE_EQ(map->z_cm(1, 0), 65535);
}

TEST(PngHeightMap, GammaAndTextDoNotTouchTheSamples) {
    const auto bytes = PngFile()
                           .head(1, 1, 8)
                           .chunk("gAMA", {0, 0, 0xB1, 0x8F})
                           .chunk("tEXt", {'a', 0, 'b'})
                           .chunk("zTXt", {'a', 0, 0, 1, 2, 3})
                           .rows({0, 51})
                           .end()
                           .bytes();
    const auto map = read_png_height_map(bytes, {0, 255, 1});
    ASSERT_TRUE(map.has_value()) << map.error().message;
    EXPECT_DOUBLE_EQ(map->z_cm(0, 0), 51);
}

TEST(PngHeightMap, RefusesWhatIsNoGreyPng) {
    const auto code = [](const core::Bytes& bytes) {
        return read_png_height_map(bytes, kScale).error().code;
    };
    EXPECT_EQ(code({}), ErrorCode::kBadMagic);
    EXPECT_EQ(code({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\r'}), ErrorCode::kBadMagic);
    EXPECT_EQ(code(PngFile().head(1, 1, 8, 2).rows({0, 1, 2, 3}).end().bytes()),
              ErrorCode::kUnsupported);
    EXPECT_EQ(code(PngFile().head(1, 1, 8, 4).rows({0, 1, 2}).end().bytes()),
              ErrorCode::kUnsupported);
    EXPECT_EQ(code(PngFile().head(1, 1, 4).rows({0, 16}).end().bytes()), ErrorCode::kUnsupported);
    EXPECT_EQ(code(PngFile().head(0, 1, 8).rows({0}).end().bytes()), ErrorCode::kBadValue);
}

TEST(PngHeightMap, EveryCutIsTruncatedAtItsEnd) {
    const core::Bytes whole = grey_8();
    for (std::size_t size = 8; size < whole.size(); ++size) {
        const auto map = read_png_height_map(core::ByteSpan(whole).first(size), kScale);
        ASSERT_FALSE(map.has_value()) << size;
        EXPECT_EQ(map.error().code, ErrorCode::kTruncated) << size << map.error().message;
        EXPECT_LE(map.error().at_byte, size);
    }
}

TEST(PngHeightMap, AFlippedBitIsFoundByTheChecksums) {
    core::Bytes bytes = grey_8();
    bytes[bytes.size() - 20] ^= 1;
    const auto map = read_png_height_map(bytes, kScale);
    ASSERT_FALSE(map.has_value());
    EXPECT_EQ(map.error().code, ErrorCode::kBadValue);
}

TEST(PngHeightMap, ABombIsRefusedBeforeItsSamplesAreAllocated) {
    const auto over =
        read_png_height_map(PngFile().head(65'536, 1'025, 8).rows({0, 0}).end().bytes(), kScale);
    ASSERT_FALSE(over.has_value());
    EXPECT_EQ(over.error().code, ErrorCode::kOverCap);
    const auto hollow =
        read_png_height_map(PngFile().head(8'000, 8'000, 16).rows({0, 0}).end().bytes(), kScale);
    ASSERT_FALSE(hollow.has_value());
    EXPECT_EQ(hollow.error().code, ErrorCode::kTruncated);
    EXPECT_NE(hollow.error().message.find("too short"), std::string::npos);
}

}  // namespace
}  // namespace maniple::terrain
