#pragma once

namespace maniple::cli {

/// From now on SIGINT, SIGTERM and SIGHUP ask for a clean end instead of killing the process.
void catch_interrupts();
/// Whether one of them has come. Long work asks between its steps.
[[nodiscard]] bool interrupted();

}  // namespace maniple::cli
