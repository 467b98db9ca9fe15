#pragma once

#include <cstdint>

#include "playback.h"

namespace maniple::cli {

/// Shows a recorded battle on a page at http://127.0.0.1:`port`, 0 for a free one, until an
/// interrupt: played at `speed` times its own rate, paused, and at any tick. Says on stderr where
/// the page is. @return kPortInUse or kIo; a battle that cannot go on is told on the page.
[[nodiscard]] Result<void> view_replay(Playback& playback, double speed, std::uint16_t port);

}  // namespace maniple::cli
