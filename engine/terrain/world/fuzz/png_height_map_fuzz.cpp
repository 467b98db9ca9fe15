#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/terrain/height_map.h"

/// Any bytes: refused at a byte of the input, or a map that holds what it declares.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    const auto map = terrain::read_png_height_map({data, size}, {0, 1000, 100});
    if (!map) {
        if (map.error().at_byte > size) std::abort();
        return 0;
    }
    if (map->samples.size() != std::size_t(map->width) * std::size_t(map->height)) std::abort();
    if (map->z_cm(map->width - 1, map->height - 1) > 1000.001) std::abort();
    return 0;
}
