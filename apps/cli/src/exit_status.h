#pragma once

namespace maniple::cli {

/// Exit statuses of the `maniple` command; scripts rely on them.
enum ExitStatus : int { kDone = 0, kCheckFailed = 1, kUsage = 2, kInputRefused = 3 };

}  // namespace maniple::cli
