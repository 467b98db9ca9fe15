#pragma once

#include <functional>
#include <memory>

namespace maniple::core {

/// Runs jobs beside the simulation. A job touches nothing that its giver changes while it runs;
/// when it ends is known to nobody but the job. Given and destroyed on one thread.
class Background {
  public:
    virtual ~Background() = default;
    /// Jobs begin in the order in which they are given, each under a FloatEnvironment.
    virtual void start(std::function<void()> job) = 0;
};

/// Runs a job before start() returns: where there are no threads, and where none are wanted.
class InlineBackground final : public Background {
  public:
    void start(std::function<void()> job) override;
};

/// One worker thread; a build without threads gives the inline one. The destructor lets the running
/// job end and drops those that have not begun.
[[nodiscard]] std::unique_ptr<Background> make_background();

}  // namespace maniple::core
