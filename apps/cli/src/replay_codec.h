#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple replay encode` and `decode` to the group; `status` receives the exit status.
void add_replay_codec(CLI::App& replay, int& status);

}  // namespace maniple::cli
