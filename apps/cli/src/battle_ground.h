#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "maniple/battle_file/format.h"
#include "maniple/core/bytes.h"
#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/skirmish/command_script.h"
#include "maniple/terrain/grid_map.h"

#include "refusal.h"

namespace maniple::cli {

/// MAP, and what a battle makes of it.
struct GroundOptions {
    std::string map;
    std::string mode = "grid";  ///< Or "navmesh", of an `.obj`.
    double unit_cm = 100;       ///< Of an `.obj`.
    std::string nav_config;     ///< A JSON file; empty: the defaults.
};

/// Adds MAP, --mode, --unit-cm and --nav-config.
void add_ground_options(CLI::App& sub, GroundOptions& options);
/// @return nothing, or kBadValue (usage) for what is given to a mode that has no use for it:
/// --nav-config to a grid, --modify-every to a navmesh.
[[nodiscard]] Result<void> check_mode(const GroundOptions& options, std::int32_t modify_every);

/// The ground of a battle and the script that is played on it.
struct BattleGround {
    battle_file::Mode mode = battle_file::Mode::kGrid;
    std::string name;
    std::uint64_t digest = 0;
    core::Bytes start;  ///< The stream before tick 1.
    std::unique_ptr<skirmish::CommandScript> script;
    std::optional<terrain::GridMap> grid;  ///< In grid mode.
};

/// Loads the map, or bakes it on `executor`, and makes the plan. @return the map's or its
/// configuration's refusal, kUnsupported for a map that the mode cannot take, kTooManyUnits, or
/// kNoGround.
[[nodiscard]] FileResult<BattleGround> prepare_ground(const GroundOptions& options,
                                                      const skirmish::BattleOptions& battle,
                                                      core::Executor& executor);

}  // namespace maniple::cli
