#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field solve FILE …`.
void add_field_solve(CLI::App& field, int& status);

}  // namespace maniple::cli
