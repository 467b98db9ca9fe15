#pragma once

#include <cstdint>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/math.h"
#include "maniple/core/result.h"

namespace maniple::terrain {

/// How the samples of a height map become a place in the world.
struct HeightScale {
    double low_cm = 0;      ///< Height of sample 0.
    double high_cm = 1000;  ///< Height of the largest sample.
    std::int32_t spacing_cm = 100;
};

/// Heights on a lattice: sample (x, y), index x · height + y, stands at (x, y) · spacing. Between
/// the samples of a square lie two triangles, divided from (x + 1, y) to (x, y + 1).
struct HeightMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t spacing_cm = 100;
    double low_cm = 0;
    double step_cm = 1;  ///< Height of one step of a sample.
    std::vector<std::uint16_t> samples;

    /// Height of a sample, 0 ≤ x < width, 0 ≤ y < height.
    [[nodiscard]] double z_cm(std::int32_t x, std::int32_t y) const {
        return low_cm +
               step_cm * samples[static_cast<std::size_t>(x) * static_cast<std::size_t>(height) +
                                 static_cast<std::size_t>(y)];
    }
};

/// No height, spacing or coordinate of a map or mesh exceeds this, centimetres.
inline constexpr double kCoordinateMaxCm = 1e8;

/// Reads an 8- or 16-bit grey PNG as heights (docs/formats/maps.md §4): pixel columns run along X,
/// rows along Y. Gamma, colour and text chunks are not looked at. The bytes are untrusted; nothing
/// is allocated for samples that the file is too short to hold.
/// `scale` holds finite heights, low ≤ high, within ±kCoordinateMaxCm, and spacing ≥ 1.
/// @return map, or kBadMagic, kUnsupported (colour, alpha, fewer than 8 bits), kOverCap, kTruncated
/// or kBadValue, with the byte up to which the file was read.
[[nodiscard]] Result<HeightMap> read_png_height_map(core::ByteSpan bytes, const HeightScale& scale);

}  // namespace maniple::terrain
