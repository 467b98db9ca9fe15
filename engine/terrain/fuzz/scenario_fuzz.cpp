#include "maniple/terrain/scenario.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Any bytes: the scenario is refused at a byte of the input, or its cells lie on the map and its
/// lengths are lengths.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    constexpr std::int32_t kSide = 8;
    constexpr std::size_t kLimit = 1'000;
    const auto queries = terrain::read_scenario({data, size}, kSide, kSide, kLimit);
    if (!queries) {
        if (queries.error().at_byte > size) std::abort();
        return 0;
    }
    if (queries->size() > kLimit) std::abort();
    for (const terrain::ScenarioQuery& query : *queries) {
        for (const nav::GridCoord& cell : {query.start, query.goal}) {
            if (cell.x < 0 || cell.y < 0 || cell.x >= kSide || cell.y >= kSide) std::abort();
        }
        if (!(query.length >= 0)) std::abort();
    }
    return 0;
}
