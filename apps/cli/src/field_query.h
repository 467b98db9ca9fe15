#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field query FILE --at X,Y …`.
void add_field_query(CLI::App& field, int& status);

}  // namespace maniple::cli
