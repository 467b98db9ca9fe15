#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field info FILE`.
void add_field_info(CLI::App& field, int& status);
/// Adds `maniple field diff BASE NEW -o OUT.ffd`.
void add_field_diff(CLI::App& field, int& status);
/// Adds `maniple field apply BASE DELTA -o NEW.ffs`.
void add_field_apply(CLI::App& field, int& status);

}  // namespace maniple::cli
