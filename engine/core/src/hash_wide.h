#pragma once

#include <cstdint>

#include "maniple/core/bytes.h"

namespace maniple::core {

/// XXH3 with the widest vectors that the processor has, chosen by libxxhash at run time. Apart from
/// hash.cpp, whose inlined functions the library's header would rename.
[[nodiscard]] std::uint64_t xxh3_64_wide(ByteSpan data, std::uint64_t seed);

}  // namespace maniple::core
