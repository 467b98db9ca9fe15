#pragma once

#include <cstddef>
#include <cstdint>

namespace maniple::core {

/// XXH3 by vectors of 32 bytes. libxxhash's own dispatch would choose 64 where it can: it leaves
/// the upper halves of the registers dirty, which slows whatever runs next.
[[nodiscard]] std::uint64_t xxh3_64_avx2(const void* data, std::size_t bytes, std::uint64_t seed);

}  // namespace maniple::core
