#pragma once

#include <algorithm>

namespace maniple::nav {

/// When the timed update of a field in either mode is due (GRID-020). Due at first.
class RefreshTimer {
  public:
    /// A number that is not one counts as due: it never holds the updates up.
    [[nodiscard]] bool due() const { return !(left_s_ > 0); }
    [[nodiscard]] double left_s() const { return left_s_; }
    void reset() { left_s_ = 0; }
    // implements: GRID-021
    /// UpdateTimer, after the update where one was due: begins the interval or runs it down.
    void advance(double interval_s, double dt_s) {
        left_s_ = due() ? std::max(0.0, interval_s) : left_s_ - dt_s;
    }

  private:
    double left_s_ = 0;
};

}  // namespace maniple::nav
