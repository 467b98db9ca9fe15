#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field edit BASE -o NEW.ffs …`.
void add_field_edit(CLI::App& field, int& status);

}  // namespace maniple::cli
