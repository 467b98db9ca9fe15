#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "maniple/sim/registry.h"

namespace maniple::cli {

using Game = std::shared_ptr<const sim::GameDefinition>;

/// What this program plays: the built-in battle on a grid, and on a navmesh.
[[nodiscard]] std::array<Game, 2> all_games();
/// Null for a game that is not one of them.
[[nodiscard]] Game find_game(std::string_view game_id);

}  // namespace maniple::cli
