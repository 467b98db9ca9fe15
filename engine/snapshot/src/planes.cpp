#include "planes.h"

#include <algorithm>

namespace maniple::snapshot {
namespace {

/// Rows are walked in blocks that stay in the first-level cache while their planes are visited.
constexpr std::size_t kBlockRows = 256;

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
    for (std::size_t begin = 0; begin < row_count; begin += kBlockRows) {
        const std::size_t end = std::min(begin + kBlockRows, row_count);
        for (std::size_t b = 0; b < plane_count; ++b) {
            const std::uint8_t* plane = planes + b * row_count;
            for (std::size_t r = begin; r < end; ++r) rows[r * stride + b] = plane[r];
        }
    }
}

}  // namespace maniple::snapshot
