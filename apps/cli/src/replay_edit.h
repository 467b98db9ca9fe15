#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay trim` to the group; `status` receives the exit status.
void add_replay_edit(CLI::App& replay, int& status);

}  // namespace maniple::cli
