#include "nav_config.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Any bytes: refused inside the file, or a configuration that passes its own check.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    const Result<terrain::NavMeshConfig> config = cli::read_nav_config({data, size});
    if (config) {
        if (!terrain::check_navmesh_config(*config)) std::abort();
        return 0;
    }
    const std::uint64_t at = config.error().at_byte;
    if (at != Error::kNoOffset && at > size) std::abort();
    return 0;
}
