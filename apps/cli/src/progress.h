#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace maniple::cli {

/// A bar on stderr for work that takes longer than about a second. Draws nothing, ever, when stderr
/// is not a terminal. The line is removed when the work is done.
class ProgressBar {
  public:
    /// `total` ≥ 1 counts `unit`s of work, as in `[####    ] tick 40/100`.
    ProgressBar(std::string unit, std::int64_t total);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// Cheap enough for every step of the work; draws a few times a second at most.
    void show(std::int64_t done);

  private:
    using Clock = std::chrono::steady_clock;
    std::string unit_;
    std::int64_t total_;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point next_draw_;
};

}  // namespace maniple::cli
