#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field path FILE|MAP …`.
void add_field_path(CLI::App& field, int& status);

}  // namespace maniple::cli
