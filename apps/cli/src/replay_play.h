#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay play` to the group; `status` receives the exit status.
void add_replay_play(CLI::App& replay, int& status);

}  // namespace maniple::cli
