#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "maniple/core/background.h"

namespace maniple::tests {

/// A worker as slow as the test wants: runs its jobs when told to, on the test's thread.
class HeldBackground final : public core::Background {
  public:
    void start(std::function<void()> job) override { jobs_.push_back(std::move(job)); }
    void run_all() {
        for (const auto& job : std::exchange(jobs_, {})) job();
    }
    [[nodiscard]] std::size_t size() const { return jobs_.size(); }

  private:
    std::vector<std::function<void()>> jobs_;
};

}  // namespace maniple::tests
