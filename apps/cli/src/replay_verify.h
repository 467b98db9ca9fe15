#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay verify` and `seek` to the group; `status` receives the exit status.
void add_replay_verify(CLI::App& replay, int& status);

}  // namespace maniple::cli
