#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple field …`; `status` receives the exit status of the subcommand that ran.
void add_field(CLI::App& app, int& status);

}  // namespace maniple::cli
