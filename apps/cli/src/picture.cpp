#include "picture.h"

#include <algorithm>
#include <cstdlib>
#include <png.h>

#include "maniple/core/assert.h"

namespace maniple::cli {
namespace {

std::uint8_t to_channel(double value) {
    return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

}  // namespace

Rgb blend(Rgb a, Rgb b, double share) {
    const auto mix = [&](std::uint8_t from, std::uint8_t to) {
        return to_channel(from + (to - from) * share);
    };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

Rgb scaled(Rgb colour, double factor) {
    return {to_channel(colour.r * factor), to_channel(colour.g * factor),
            to_channel(colour.b * factor)};
}

Picture::Picture(int width, int height) : width_(width), height_(height) {
    MANIPLE_ASSERT(width >= 1);
    MANIPLE_ASSERT(height >= 1);
    MANIPLE_ASSERT(std::int64_t{width} * height <= kPixelsMax);
    pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
}

void Picture::draw_line(int x0, int y0, int x1, int y1, Rgb colour) {
    const int dx = std::abs(x1 - x0);
    const int dy = std::abs(y1 - y0);
    const int step_x = x0 < x1 ? 1 : -1;
    const int step_y = y0 < y1 ? 1 : -1;
    int error = dx - dy;
    while (true) {
        if (contains(x0, y0)) set(x0, y0, colour);
        if (x0 == x1 && y0 == y1) return;
        const int doubled = 2 * error;
        if (doubled > -dy) {
            error -= dy;
            x0 += step_x;
        }
        if (doubled < dx) {
            error += dx;
            y0 += step_y;
        }
    }
}

core::Bytes Picture::encode_png() const {
    static_assert(sizeof(Rgb) == 3, "a row of pixels is a row of PNG samples");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width_);
    image.height = static_cast<png_uint_32>(height_);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    core::Bytes bytes(size);
    const int written =
        png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr);
    MANIPLE_ASSERT(written != 0);
    bytes.resize(size);
    return bytes;
}

}  // namespace maniple::cli
