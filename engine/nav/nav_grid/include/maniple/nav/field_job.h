#pragma once

#include <functional>

#include "maniple/core/result.h"

namespace maniple::nav {

/// When the world's answers to a job's traces may come.
enum class JobTraces : std::uint8_t { kAtOnce, kLater };

/// One asynchronous update of one field, whatever the field's mode: AsyncUpdates calls its steps in
/// the order in which they stand here. While it lives the field takes no other job.
class FieldJob {
  public:
    virtual ~FieldJob() = default;
    [[nodiscard]] virtual bool field_alive() const = 0;
    /// Takes from the field all that the work needs and calls `prepared` when it is complete: at
    /// once unless traces are answered later. Simulation thread.
    /// @return the refusals of the synchronous update; `prepared` is never called then.
    virtual Result<void> prepare(JobTraces traces, std::function<void()> prepared) = 0;
    /// What a worker runs. It owns what it reads and writes, and outlives the job if it must.
    [[nodiscard]] virtual std::function<void()> work() = 0;
    /// Whether something else updated the field since it was prepared (O-ASY-05).
    [[nodiscard]] virtual bool overtaken() const = 0;
    /// Writes the finished work into the field. Serial window, field alive, not overtaken.
    virtual void apply() = 0;
};

}  // namespace maniple::nav
