#pragma once

#include <cstddef>
#include <cstdint>

namespace maniple::snapshot {

/// Splits `plane_count` bytes of each of `row_count` rows, `stride` bytes apart, into planes: plane
/// b holds byte b of every row. Bytes of like meaning stand together, which is what packs well.
void rows_to_planes(const std::uint8_t* rows, std::size_t stride, std::size_t row_count,
                    std::size_t plane_count, std::uint8_t* planes);
/// The inverse: writes byte b of every row from plane b.
void planes_to_rows(const std::uint8_t* planes, std::size_t plane_count, std::size_t row_count,
                    std::size_t stride, std::uint8_t* rows);

}  // namespace maniple::snapshot
