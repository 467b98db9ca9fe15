#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace maniple::core {

/// Runs index ranges, in parallel or not. What runs must give the same result for any partition:
/// blocks are fixed by the caller and each writes only its own slots.
class Executor {
  public:
    virtual ~Executor() = default;
    /// Calls body(i) for every i in [0, count), each exactly once, and returns when all are done.
    /// Every worker runs under a FloatEnvironment.
    virtual void run(std::size_t count, const std::function<void(std::size_t)>& body) = 0;
    [[nodiscard]] virtual int thread_count() const = 0;
};

class SerialExecutor final : public Executor {
  public:
    void run(std::size_t count, const std::function<void(std::size_t)>& body) override;
    [[nodiscard]] int thread_count() const override { return 1; }
};

/// Whether the calling thread is inside a body that an executor runs: a parallel stage, in which
/// nothing may be changed that other blocks read. For assertions.
[[nodiscard]] bool in_parallel_stage();
/// While it lives, the thread's work is no part of the parallel stage that it was called in: for
/// blocks that each own a world of theirs.
class OutsideStage {
  public:
    OutsideStage();
    ~OutsideStage();
    OutsideStage(const OutsideStage&) = delete;
    OutsideStage& operator=(const OutsideStage&) = delete;

  private:
    int stages_;
};

/// `threads` ≥ 1. One thread, or a build without TBB, gives the serial executor.
[[nodiscard]] std::unique_ptr<Executor> make_executor(int threads);

/// Splits [0, count) into blocks of `block` and runs body(begin, end) over them.
void for_blocks(Executor& executor, std::size_t count, std::size_t block,
                const std::function<void(std::size_t begin, std::size_t end)>& body);

// implements: O-GEN-02
/// While it lives: round to nearest, subnormals kept (no flush-to-zero, no denormals-are-zero). The
/// host's mode comes back at its end (O-GEN-02).
class FloatEnvironment {
  public:
    FloatEnvironment();
    ~FloatEnvironment();
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

  private:
    unsigned long long saved_;
};

}  // namespace maniple::core
