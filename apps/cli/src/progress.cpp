#include "progress.h"

#include <algorithm>
#include <fmt/core.h>
#include <unistd.h>
#include <utility>

namespace maniple::cli {

namespace {
constexpr std::chrono::milliseconds kQuietAtFirst{700};
constexpr std::chrono::milliseconds kBetweenDraws{100};
}  // namespace

ProgressBar::ProgressBar(std::string unit, std::int64_t total)
    : unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      terminal_(isatty(STDERR_FILENO) != 0),
      next_draw_(Clock::now() + kQuietAtFirst) {}

ProgressBar::~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(std::int64_t done) {
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_draw_) return;
    next_draw_ = now + kBetweenDraws;
    drawn_ = true;
    constexpr std::int64_t kWidth = 40;
    const std::int64_t filled = std::clamp<std::int64_t>(kWidth * done / total_, 0, kWidth);
    fmt::print(stderr, "\r[{:<{}}] {} {}/{}", std::string(static_cast<std::size_t>(filled), '#'),
               kWidth, unit_, done, total_);
}

}  // namespace maniple::cli
