#include "maniple/core/executor.h"

#include <algorithm>
#include <cfenv>
#include <utility>

#ifdef MANIPLE_WITH_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif
#ifdef MANIPLE_WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "maniple/core/assert.h"

namespace maniple::core {
namespace {

thread_local int stages_here = 0;
/// While it lives the thread is in a parallel stage.
struct Stage {
    Stage() { ++stages_here; }
    ~Stage() { --stages_here; }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
};

}  // namespace

bool in_parallel_stage() { return stages_here > 0; }
OutsideStage::OutsideStage() : stages_(std::exchange(stages_here, 0)) {}
OutsideStage::~OutsideStage() { stages_here = stages_; }

void SerialExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
    const FloatEnvironment environment;
    const Stage stage;
    for (std::size_t i = 0; i < count; ++i) body(i);
}

#ifdef MANIPLE_WITH_TBB
namespace {
/// What ThreadSanitizer cannot see inside oneTBB: all that happened before run() is visible to
/// every block, and all that the blocks wrote is visible after it. Does nothing in other builds.
char begun_mark;
char done_mark;
void publish([[maybe_unused]] char& mark) {
#ifdef MANIPLE_WITH_TSAN
    __tsan_release(&mark);
#endif
}
void observe([[maybe_unused]] char& mark) {
#ifdef MANIPLE_WITH_TSAN
    __tsan_acquire(&mark);
#endif
}

class TbbExecutor final : public Executor {
  public:
    explicit TbbExecutor(int threads) : threads_(threads), arena_(threads) {}

    void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
        const auto run_range = [&](const tbb::blocked_range<std::size_t>& range) {
            observe(begun_mark);
            const FloatEnvironment environment;
            const Stage stage;
            for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
            publish(done_mark);
        };
        publish(begun_mark);
        arena_.execute(
            [&] { tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), run_range); });
        observe(done_mark);
    }
    [[nodiscard]] int thread_count() const override { return threads_; }

  private:
    int threads_;
    tbb::task_arena arena_;
};
}  // namespace
#endif

std::unique_ptr<Executor> make_executor(int threads) {
    MANIPLE_ASSERT(threads >= 1);
#ifdef MANIPLE_WITH_TBB
    if (threads > 1) return std::make_unique<TbbExecutor>(threads);
#endif
    return std::make_unique<SerialExecutor>();
}

void for_blocks(Executor& executor, std::size_t count, std::size_t block,
                const std::function<void(std::size_t, std::size_t)>& body) {
    MANIPLE_ASSERT(block > 0);
    const std::size_t blocks = (count + block - 1) / block;
    executor.run(blocks, [&](std::size_t i) { body(i * block, std::min(count, (i + 1) * block)); });
}

#if defined(__SSE2__)
namespace {
constexpr unsigned kRoundingAndFlushBits = 0x6000U | 0x8000U | 0x0040U;  // RC, FTZ, DAZ
}
FloatEnvironment::FloatEnvironment() : saved_(_mm_getcsr()) {
    _mm_setcsr(static_cast<unsigned>(saved_) & ~kRoundingAndFlushBits);
}
FloatEnvironment::~FloatEnvironment() { _mm_setcsr(static_cast<unsigned>(saved_)); }
#elif defined(__aarch64__)
namespace {
constexpr unsigned long long kRoundingAndFlushBits = 0x3ULL << 22 | 0x1ULL << 24 | 0x1ULL << 19;
}
FloatEnvironment::FloatEnvironment() : saved_(0) {
    unsigned long long fpcr = 0;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    saved_ = fpcr;
    asm volatile("msr fpcr, %0" : : "r"(fpcr & ~kRoundingAndFlushBits));
}
FloatEnvironment::~FloatEnvironment() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
#else
FloatEnvironment::FloatEnvironment() : saved_(static_cast<unsigned long long>(std::fegetround())) {
    std::fesetround(FE_TONEAREST);
}
FloatEnvironment::~FloatEnvironment() { std::fesetround(static_cast<int>(saved_)); }
#endif

}  // namespace maniple::core
