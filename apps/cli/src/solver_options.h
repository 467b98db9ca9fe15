#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "maniple/nav/grid_types.h"

namespace maniple::cli {

/// The solver's settings as options. They are not part of a stream, so every subcommand that solves
/// one takes them again.
struct SolverOptions {
    std::uint32_t distance_limit = 0;  ///< 0: the metric's default.
    bool straight_first = false;
    std::string style = "adjacent";
    std::string metric = "cells";
    bool through_obstacles = false;
    double max_slope_deg = 45;
    bool area_costs = false;

    [[nodiscard]] nav::FieldConfig config() const;
};

void add_solver_options(CLI::App& sub, SolverOptions& options);

/// What the options are for, known once the file is: the flow over a grid or one path, the same of
/// a navmesh.
enum class SolverUse : unsigned { kGridFlow = 1, kGridPath = 2, kMeshFlow = 4, kMeshPath = 8 };

/// Throws a usage error that names an option given without a meaning there.
void check_solver_options(const CLI::App& sub, SolverUse use);

}  // namespace maniple::cli
