#pragma once

#include <CLI/CLI.hpp>

namespace maniple::cli {

/// Adds `maniple snapshot info | diff`; `status` receives the exit status when one ran.
void add_snapshot(CLI::App& app, int& status);

}  // namespace maniple::cli
