#pragma once

#include <string>

#include "maniple/core/result.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::cli {

/// Reads MAP as every subcommand takes it: `builtin:…`, or a file by its extension.
/// @return map, or the loader's refusal, or kNotFound / kIo for a file that cannot be read.
[[nodiscard]] Result<terrain::GridMap> load_map(const std::string& map, double unit_cm);

}  // namespace maniple::cli
