#include "maniple/core/executor.h"

#include <atomic>
#include <cfenv>
#include <limits>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <gtest/gtest.h>

namespace maniple::core {
namespace {

constexpr std::size_t kJobs = 400;
const std::vector<int> kThreadCounts = {1, 2, 3, 8};

TEST(Executor, RunsEveryIndexExactlyOnce) {
    for (const int threads : kThreadCounts) {
        const auto executor = make_executor(threads);
        std::vector<std::atomic<int>> calls(kJobs);
        executor->run(kJobs, [&](std::size_t i) { calls[i].fetch_add(1); });
        for (std::size_t i = 0; i < kJobs; ++i) ASSERT_EQ(calls[i].load(), 1) << threads;
    }
}

TEST(Executor, WritesOfEveryBlockAreVisibleAfterwards) {
    const auto executor = make_executor(2);
    std::vector<std::size_t> sums(kJobs, 0);
    for (int round = 0; round < 20; ++round) {
        executor->run(kJobs, [&](std::size_t i) { sums[i] += i; });
    }
    for (std::size_t i = 0; i < kJobs; ++i) ASSERT_EQ(sums[i], 20 * i);
}

TEST(ForBlocks, CoversTheRangeWithFixedBlocksAndAShortLastOne) {
    SerialExecutor executor;
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    for_blocks(executor, 10, 4, [&](std::size_t b, std::size_t e) { blocks.emplace_back(b, e); });
    EXPECT_EQ(blocks, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 4}, {4, 8}, {8, 10}}));
    blocks.clear();
    for_blocks(executor, 0, 4, [&](std::size_t b, std::size_t e) { blocks.emplace_back(b, e); });
    EXPECT_TRUE(blocks.empty());
}

/// What the float unit of the calling thread does right now.
struct FloatBehaviour {
    bool subnormals_kept;
    bool rounds_to_nearest;
};
FloatBehaviour observe() {
    volatile double smallest_normal = std::numeric_limits<double>::min();
    volatile double half = smallest_normal / 2.0;
    volatile double back = half * 2.0;
    volatile double one = 1.0;
    volatile double tiny = 1e-30;
    return {half != 0.0 && back == smallest_normal, one + tiny == 1.0 && -one - tiny == -1.0};
}

/// A host that changed its float mode, as audio and graphics libraries do.
class HostileFloatMode {
  public:
    HostileFloatMode() {
        std::fesetround(FE_UPWARD);
#if defined(__SSE2__)
        _mm_setcsr(_mm_getcsr() | 0x8040U);  // flush-to-zero, denormals-are-zero
#endif
    }
    ~HostileFloatMode() { std::fesetenv(FE_DFL_ENV); }
};

// proves: O-GEN-02
TEST(FloatEnvironment, KeepsSubnormalsAndRoundsToNearestUntilItEnds) {
    const HostileFloatMode hostile;
    const FloatBehaviour before = observe();
    FloatBehaviour inside{};
    {
        const FloatEnvironment environment;
        inside = observe();
    }
    const FloatBehaviour after = observe();
    EXPECT_FALSE(before.rounds_to_nearest);
    EXPECT_TRUE(inside.subnormals_kept);
    EXPECT_TRUE(inside.rounds_to_nearest);
    EXPECT_FALSE(after.rounds_to_nearest);
    EXPECT_EQ(after.subnormals_kept, before.subnormals_kept);
#if defined(__SSE2__)
    EXPECT_FALSE(before.subnormals_kept);
#endif
}

// proves: O-GEN-02
TEST(Executor, EveryWorkerKeepsSubnormalsUnderAHostThatFlushesThem) {
    for (const int threads : kThreadCounts) {
        const auto executor = make_executor(threads);
        std::vector<FloatBehaviour> seen(kJobs);
        std::vector<std::thread::id> worker(kJobs);
        {
            const HostileFloatMode hostile;
            executor->run(kJobs, [&](std::size_t i) {
                seen[i] = observe();
                worker[i] = std::this_thread::get_id();
                std::this_thread::yield();
            });
        }
        for (std::size_t i = 0; i < kJobs; ++i) {
            ASSERT_TRUE(seen[i].subnormals_kept) << threads << " threads, thread " << worker[i];
            ASSERT_TRUE(seen[i].rounds_to_nearest) << threads << " threads, thread " << worker[i];
        }
    }
}

}  // namespace
}  // namespace maniple::core
