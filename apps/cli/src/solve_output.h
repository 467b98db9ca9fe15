#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maniple/core/bytes.h"

namespace maniple::cli {

/// What `field solve` tells of either kind of field.
struct SolveFigures {
    std::uint64_t reachable = 0;
    std::uint32_t max_dist = 0;
    double ns_per_part = 0;  ///< A cell or polygon.
};

/// One file of a dump.
struct DumpPart {
    const char* name;
    std::size_t bytes;
};

/// Writes `dump`, the parts behind one another, into the folder where one is given, and prints the
/// figures and the dump's hash, or the refusal.
/// @return the exit status.
[[nodiscard]] int write_solve(const SolveFigures& figures, core::ByteSpan dump,
                              const std::vector<DumpPart>& parts, const std::string& folder,
                              bool json);

}  // namespace maniple::cli
