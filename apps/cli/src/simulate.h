#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple simulate MAP`; `status` receives the exit status when it ran.
void add_simulate(CLI::App& app, int& status);

}  // namespace maniple::cli
