#include "planes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace maniple::snapshot {
namespace {

/// Rows are walked in blocks that stay in the first-level cache while their planes are visited.
constexpr std::size_t kBlockRows = 256;

#if defined(__SSE2__)
/// Rows that one step of joining takes.
constexpr std::size_t kLaneRows = 16;

struct Pair {
    __m128i low, high;
};
Pair zip8(__m128i a, __m128i b) { return {_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)}; }
Pair zip16(__m128i a, __m128i b) { return {_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)}; }
Pair zip32(__m128i a, __m128i b) { return {_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)}; }

/// Sixteen rows of four bytes, ascending.
struct Fours {
    __m128i part[4];
};
Fours join_four(const std::uint8_t* planes, std::size_t plane_bytes) {
    const auto plane = [&](std::size_t b) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(planes + b * plane_bytes));
    };
    const Pair first = zip8(plane(0), plane(1));
    const Pair second = zip8(plane(2), plane(3));
    const Pair low = zip16(first.low, second.low);
    const Pair high = zip16(first.high, second.high);
    return {{low.low, low.high, high.low, high.high}};
}

void write_fours(const std::uint8_t* planes, std::size_t plane_bytes, std::size_t stride,
                 std::uint8_t* rows) {
    std::array<std::uint32_t, kLaneRows> values;
    const Fours fours = join_four(planes, plane_bytes);
    std::memcpy(values.data(), fours.part, sizeof(values));
    for (const std::uint32_t value : values) {
        std::memcpy(rows, &value, sizeof(value));
        rows += stride;
    }
}

void write_eights(const std::uint8_t* planes, std::size_t plane_bytes, std::size_t stride,
                  std::uint8_t* rows) {
    const Fours first = join_four(planes, plane_bytes);
    const Fours second = join_four(planes + 4 * plane_bytes, plane_bytes);
    for (std::size_t i = 0; i < std::size(first.part); ++i) {
        const Pair two = zip32(first.part[i], second.part[i]);
        for (const __m128i lanes : {two.low, two.high}) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(rows), lanes);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(rows + stride),
                             _mm_unpackhi_epi64(lanes, lanes));
            rows += 2 * stride;
        }
    }
}

/// Joins the planes of numbers of four and eight bytes as far as whole vectors go.
/// @return how many rows it wrote.
std::size_t join_lanes(const std::uint8_t* planes, std::size_t plane_count, std::size_t row_count,
                       std::size_t stride, std::uint8_t* rows) {
    if (plane_count != 4 && plane_count != 8) return 0;
    const auto write = plane_count == 4 ? write_fours : write_eights;
    std::size_t row = 0;
    for (; row + kLaneRows <= row_count; row += kLaneRows) {
        write(planes + row, row_count, stride, rows + row * stride);
    }
    return row;
}
#else
std::size_t join_lanes(const std::uint8_t*, std::size_t, std::size_t, std::size_t, std::uint8_t*) {
    return 0;
}
#endif

}  // namespace

void rows_to_planes(const std::uint8_t* rows, std::size_t stride, std::size_t row_count,
                    std::size_t plane_count, std::uint8_t* planes) {
    for (std::size_t begin = 0; begin < row_count; begin += kBlockRows) {
        const std::size_t end = std::min(begin + kBlockRows, row_count);
        for (std::size_t b = 0; b < plane_count; ++b) {
            std::uint8_t* plane = planes + b * row_count;
            for (std::size_t r = begin; r < end; ++r) plane[r] = rows[r * stride + b];
        }
    }
}

void planes_to_rows(const std::uint8_t* planes, std::size_t plane_count, std::size_t row_count,
                    std::size_t stride, std::uint8_t* rows) {
    const std::size_t joined = join_lanes(planes, plane_count, row_count, stride, rows);
    for (std::size_t begin = joined; begin < row_count; begin += kBlockRows) {
        const std::size_t end = std::min(begin + kBlockRows, row_count);
        for (std::size_t b = 0; b < plane_count; ++b) {
            const std::uint8_t* plane = planes + b * row_count;
            for (std::size_t r = begin; r < end; ++r) rows[r * stride + b] = plane[r];
        }
    }
}

}  // namespace maniple::snapshot
