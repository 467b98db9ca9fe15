#include "maniple/core/hash.h"

#define XXH_INLINE_ALL
#include <libdeflate.h>
#include <xxhash.h>

#include "hash_wide.h"

namespace maniple::core {

// implements: O-HASH-01
std::uint64_t xxh3_64(ByteSpan data, std::uint64_t seed) {
#ifdef MANIPLE_WITH_AVX2_HASH
    // Up to here XXH3 has no vectors to choose.
    constexpr std::size_t kShortBytesMax = 240;
    static const bool kHasAvx2 = __builtin_cpu_supports("avx2");
    if (data.size() > kShortBytesMax && kHasAvx2) {
        return xxh3_64_avx2(data.data(), data.size(), seed);
    }
#endif
    return XXH3_64bits_withSeed(data.data(), data.size(), seed);
}

// implements: O-HASH-03
std::uint64_t mix_text(std::uint64_t hash, std::string_view text) {
    hash = mix(hash, static_cast<std::int32_t>(text.size()));
    return xxh3_64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, hash);
}

// implements: SYNC-012
std::uint32_t crc32(ByteSpan data, std::uint32_t crc) {
    return libdeflate_crc32(crc, data.data(), data.size());
}

namespace {
std::string hex(std::uint64_t value, int digits) {
    std::string text(static_cast<std::size_t>(digits), '0');
    for (int i = digits - 1; i >= 0; --i, value >>= 4) {
        text[static_cast<std::size_t>(i)] = "0123456789abcdef"[value & 0xF];
    }
    return text;
}
}  // namespace

std::string hex16(std::uint64_t value) { return hex(value, 16); }
std::string hex8(std::uint32_t value) { return hex(value, 8); }

}  // namespace maniple::core
