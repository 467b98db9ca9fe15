#include "map_image.h"

#include <gtest/gtest.h>
#include <png.h>
#include <string_view>

namespace maniple::cli {
namespace {

terrain::GridMap make_map(std::string_view text) {
    auto map = terrain::read_movingai_map(
        {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "test.map");
    EXPECT_TRUE(map.has_value());
    return std::move(*map);
}

/// Decoded by libpng's own reader.
Picture decode(const core::Bytes& png) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0);
    image.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> samples(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, samples.data(), 0, nullptr), 0);
    Picture picture(static_cast<int>(image.width), static_cast<int>(image.height));
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const std::uint8_t* at = samples.data() + 3 * (y * picture.width() + x);
            picture.set(x, y, {at[0], at[1], at[2]});
        }
    }
    return picture;
}

int brightness(Rgb c) { return c.r + c.g + c.b; }

constexpr std::string_view kMap = "type octile\nheight 2\nwidth 4\nmap\n..@@\n.S@@\n";

TEST(MapImage, PutsGridXToTheRightAndGridYDown) {
    const Picture picture = decode(map_png(make_map(kMap), 512));
    ASSERT_EQ(picture.width(), 4);
    ASSERT_EQ(picture.height(), 2);
    EXPECT_EQ(picture.at(3, 0), kObstacleColour);
    EXPECT_EQ(picture.at(0, 0), picture.at(0, 1));
    EXPECT_NE(picture.at(1, 0), picture.at(1, 1)) << "slow ground looks like ground";
    EXPECT_GT(brightness(picture.at(1, 1)), 2 * brightness(kObstacleColour));
}

TEST(MapImage, NeitherSideExceedsTheLimitAndAPixelIsTheMeanOfItsCells) {
    const terrain::GridMap map = make_map(kMap);
    EXPECT_EQ(map_picture(map.stream.view(), 4).width(), 4);
    const Picture half = map_picture(map.stream.view(), 3);
    ASSERT_EQ(half.width(), 2);
    ASSERT_EQ(half.height(), 1);
    EXPECT_EQ(half.at(1, 0), kObstacleColour);
    const Picture whole = map_picture(map.stream.view(), 1);
    ASSERT_EQ(whole.width(), 1);
    EXPECT_GT(brightness(whole.at(0, 0)), brightness(half.at(1, 0)));
    EXPECT_LT(brightness(whole.at(0, 0)), brightness(half.at(0, 0)));
}

TEST(Picture, LinesReachBothEndsAndLeaveOutWhatLiesOutside) {
    Picture picture(4, 4);
    const Rgb red{255, 0, 0};
    picture.draw_line(0, 3, 6, 3, red);
    for (int x = 0; x < 4; ++x) EXPECT_EQ(picture.at(x, 3), red);
    picture.draw_line(3, 0, 0, 3, red);
    EXPECT_EQ(picture.at(3, 0), red);
    EXPECT_EQ(picture.at(2, 1), red);
    EXPECT_EQ(picture.at(0, 0), Rgb{});
}

}  // namespace
}  // namespace maniple::cli
