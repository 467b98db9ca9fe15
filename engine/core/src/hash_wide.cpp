// Compiled for processors with AVX2 (CMakeLists.txt). Nothing of C++ headers may be inlined here:
// the linker could hand such a copy to code that runs everywhere.
#ifdef __AVX2__
#include "hash_wide.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace maniple::core {

std::uint64_t xxh3_64_avx2(const void* data, std::size_t bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, bytes, seed);
}

}  // namespace maniple::core
#endif
