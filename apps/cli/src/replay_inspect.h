#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay info` and `export` to the group; `status` receives the exit status.
void add_replay_inspect(CLI::App& replay, int& status);

}  // namespace maniple::cli
