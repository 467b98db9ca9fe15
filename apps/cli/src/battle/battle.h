#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple battle`; its exit status is written to `status`, which outlives the parse.
void add_battle(CLI::App& app, int& status);

}  // namespace maniple::cli
