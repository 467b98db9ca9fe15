#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maniple/core/bytes.h"

namespace maniple::cli {

/// A colour of 8 bits a channel, as PNG stores it.
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// `share` of `b` over `a`, 0 … 1.
[[nodiscard]] Rgb blend(Rgb a, Rgb b, double share);
/// Every channel times `factor`, clamped.
[[nodiscard]] Rgb scaled(Rgb colour, double factor);

/// Pixels in rows from the top.
class Picture {
  public:
    /// width, height ≥ 1; at most kPixelsMax together.
    Picture(int width, int height);
    static constexpr std::int64_t kPixelsMax = 67'108'864;

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] Rgb at(int x, int y) const { return pixels_[index(x, y)]; }
    void set(int x, int y, Rgb colour) { pixels_[index(x, y)] = colour; }
    [[nodiscard]] bool contains(int x, int y) const {
        return x >= 0 && y >= 0 && x < width_ && y < height_;
    }
    /// A line one pixel wide, both ends on it; what lies outside is left out.
    void draw_line(int x0, int y0, int x1, int y1, Rgb colour);

    /// The picture as a PNG file, 8-bit RGB.
    [[nodiscard]] core::Bytes encode_png() const;

  private:
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }

    int width_;
    int height_;
    std::vector<Rgb> pixels_;
};

}  // namespace maniple::cli
