#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/terrain/map_ground.h"

namespace maniple::cli {

/// MAP and how its file becomes a grid.
struct MapOptions {
    std::string map;
    std::string height_cm = "0:1000";  ///< Of a `.png`: LOW:HIGH.
    std::int32_t cell_cm = 0;          ///< 0: the map's own.
    double unit_cm = 100;              ///< Of an `.obj`.
};

/// Adds MAP, --height-cm, --cell-cm and --unit-cm.
void add_map_options(CLI::App& sub, MapOptions& options);

/// The options as a request. Throws CLI::ValidationError (usage) for heights that are none.
[[nodiscard]] terrain::GridRequest grid_request(const MapOptions& options);

/// Reads MAP, with a progress bar where that takes long; an interrupt stops it.
/// @return ground, or the file's or the loader's refusal.
[[nodiscard]] Result<nav::GridSubstrate> load_map_ground(const std::string& map,
                                                         const terrain::GridRequest& request,
                                                         core::Executor& executor);

}  // namespace maniple::cli
