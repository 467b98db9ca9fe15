#pragma once

#include <cstdint>
#include <string>

#include "maniple/core/bytes.h"

namespace maniple::core {

/// XXH3 64-bit with a seed: the one hash of lockstep state (O-HASH-01). Feed little-endian bytes.
[[nodiscard]] std::uint64_t xxh3_64(ByteSpan data, std::uint64_t seed = 0);

/// Mixes the little-endian bytes of one number into a running hash.
template <WireScalar T>
[[nodiscard]] std::uint64_t mix(std::uint64_t hash, T value) {
    std::array<std::uint8_t, sizeof(T)> raw;
    store_le(raw.data(), value);
    return xxh3_64(raw, hash);
}
/// Mixes an i32 length and the UTF-8 bytes.
[[nodiscard]] std::uint64_t mix_text(std::uint64_t hash, std::string_view text);

/// CRC-32 as zlib's crc32 (SYNC-012). `crc` continues an earlier result.
[[nodiscard]] std::uint32_t crc32(ByteSpan data, std::uint32_t crc = 0);

/// 16 lower-case hex digits.
[[nodiscard]] std::string hex16(std::uint64_t value);
/// 8 lower-case hex digits.
[[nodiscard]] std::string hex8(std::uint32_t value);

}  // namespace maniple::core
