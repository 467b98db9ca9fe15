#pragma once

#include <string>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/terrain/navmesh_config.h"

namespace maniple::cli {

/// The JSON of `--nav-config` (docs/formats/maps.md §6). What it leaves out keeps its default; what
/// it has beside the known keys is refused.
/// @return configuration, kBadText for what is no JSON, kBadValue naming the key, or the refusals
/// of terrain::check_navmesh_config.
[[nodiscard]] Result<terrain::NavMeshConfig> read_nav_config(core::ByteSpan text);
/// The same of a file; the defaults for an empty path.
[[nodiscard]] Result<terrain::NavMeshConfig> load_nav_config(const std::string& path);

}  // namespace maniple::cli
