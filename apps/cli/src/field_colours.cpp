#include "field_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maniple::cli {
namespace {

constexpr Rgb kArrowColour{28, 32, 44};

}  // namespace

Rgb distance_colour(double share) {
    constexpr std::array<Rgb, 5> kRamp{
        {{255, 250, 205}, {161, 218, 180}, {65, 182, 196}, {44, 127, 184}, {37, 52, 148}}};
    const double at = share * (kRamp.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), kRamp.size() - 2);
    return blend(kRamp[low], kRamp[low + 1], at - double(low));
}

Rgb direction_colour(Vec3f direction) {
    if (direction == Vec3f{}) return kUnreachedColour;
    constexpr double kThird = 2.0943951023931953;
    const double angle = std::atan2(direction.y, direction.x);
    const auto channel = [&](double shift) {
        return static_cast<std::uint8_t>(176 + 70 * std::cos(angle - shift));
    };
    return {channel(0), channel(kThird), channel(2 * kThird)};
}

void draw_arrow(Picture& picture, double x, double y, Vec2d dir, double length) {
    const auto pixel = [](double v) { return static_cast<int>(std::floor(v)); };
    const Vec2d head{x + dir.x * length / 2, y + dir.y * length / 2};
    picture.draw_line(pixel(x - dir.x * length / 2), pixel(y - dir.y * length / 2), pixel(head.x),
                      pixel(head.y), kArrowColour);
    for (const double side : {-1.0, 1.0}) {
        const Vec2d barb{dir.x - side * dir.y * 0.7, dir.y + side * dir.x * 0.7};
        picture.draw_line(pixel(head.x), pixel(head.y), pixel(head.x - barb.x * length * 0.3),
                          pixel(head.y - barb.y * length * 0.3), kArrowColour);
    }
}

void draw_disc(Picture& picture, int x, int y, int radius, Rgb colour) {
    for (int i = -radius; i <= radius; ++i) {
        for (int j = -radius; j <= radius; ++j) {
            const bool inside = i * i + j * j <= radius * radius;
            if (inside && picture.contains(x + i, y + j)) picture.set(x + i, y + j, colour);
        }
    }
}

}  // namespace maniple::cli
