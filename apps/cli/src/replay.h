#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay …`; `status` receives the exit status when one of it ran.
void add_replay(CLI::App& app, int& status);

}  // namespace maniple::cli
