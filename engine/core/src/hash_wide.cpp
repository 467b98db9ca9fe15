#ifdef MANIPLE_WITH_XXH_DISPATCH
#include "hash_wide.h"

#include <xxh_x86dispatch.h>

namespace maniple::core {

std::uint64_t xxh3_64_wide(ByteSpan data, std::uint64_t seed) {
    return XXH3_64bits_withSeed_dispatch(data.data(), data.size(), seed);
}

}  // namespace maniple::core
#endif
