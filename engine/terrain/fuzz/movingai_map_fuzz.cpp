#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/terrain/grid_map.h"

/// Any bytes: the map is refused at a byte of the input, or its stream passes the stream's own
/// check.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    const Result<terrain::GridMap> map = terrain::read_movingai_map({data, size}, "fuzz.map");
    if (!map) {
        if (map.error().at_byte > size) std::abort();
        return 0;
    }
    const Result<substrate::CheckedView> view = substrate::CheckedView::check(map->stream.bytes());
    if (!view || view->version() != map->stream.version()) std::abort();
    return 0;
}
