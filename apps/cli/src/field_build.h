#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field build MAP -o OUT.ffs …`.
void add_field_build(CLI::App& field, int& status);

}  // namespace maniple::cli
