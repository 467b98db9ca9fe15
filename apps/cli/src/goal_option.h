#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "maniple/nav/grid_substrate.h"

#include "number_list.h"

namespace maniple::cli {

using GoalPlaces = std::vector<Place>;

/// Adds `--goal X,Y[,Z]`, repeatable; one or more replace all goals of the ground.
void add_goal_option(CLI::App& sub, std::vector<std::string>& goals);

/// The places as given. Throws CLI::ValidationError (usage) for what is no place, or too many.
[[nodiscard]] GoalPlaces parse_goals(const std::vector<std::string>& texts);

/// Replaces the goals unless there are none. A goal without a height of its own lies on the ground
/// of its cell, outside the grid on that of the nearest border cell (GRID-024).
void replace_goals(nav::GridSubstrate& ground, const GoalPlaces& goals);

}  // namespace maniple::cli
