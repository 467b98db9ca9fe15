#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field render FILE -o OUT.png …`.
void add_field_render(CLI::App& field, int& status);

}  // namespace maniple::cli
