#include "maniple/core/random.h"

#include <array>
#include <bit>

#include "maniple/core/hash.h"

namespace maniple::core {

float RandomStream::next_fraction() {
    seed = seed * 196314165U + 907633515U;
    return std::bit_cast<float>(0x3F800000U | (seed >> 9)) - 1.0F;
}

std::uint32_t RandomStream::next_below(std::uint32_t bound) {
    seed = seed * 196314165U + 907633515U;
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(seed) * bound) >> 32);
}

std::uint64_t site_random(std::uint64_t seed, std::int32_t tick, std::int32_t uid,
                          std::uint32_t site) {
    std::array<std::uint8_t, 12> key;
    store_le(key.data(), tick);
    store_le(key.data() + 4, uid);
    store_le(key.data() + 8, site);
    return xxh3_64(key, seed);
}

}  // namespace maniple::core
