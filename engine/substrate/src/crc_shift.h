#pragma once

#include <cstdint>

#include "maniple/core/bytes.h"

/// CRC-32 as a linear map over GF(2): what it takes to follow a hash through a local change without
/// reading the rest (O-SYNC-15).
namespace maniple::substrate::detail {

/// The linear part of the CRC-32 of some bytes: initial and final value 0. For equal lengths
/// crc32(a ^ d) = crc32(a) ^ crc32_linear(d).
[[nodiscard]] std::uint32_t crc32_linear(core::ByteSpan bytes);

/// What `crc` becomes when `cells` cell records of zero bytes follow, as a linear map. `cells` is
/// below 2^32. crc32(a b) = crc32_shift_cells(crc32(a), n) ^ crc32(b) for n records b.
[[nodiscard]] std::uint32_t crc32_shift_cells(std::uint32_t crc, std::uint32_t cells);

}  // namespace maniple::substrate::detail
