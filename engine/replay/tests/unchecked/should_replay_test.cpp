// Built with MANIPLE_WITHOUT_REPLAY_CHECKS, unlike the other tests.
#include <gtest/gtest.h>

#include "maniple/replay/replay_system.h"

#include "replay_test_support.h"

#ifndef MANIPLE_WITHOUT_REPLAY_CHECKS
#error "the checks are compiled in"
#endif

namespace maniple::replay {
namespace {

// proves: REPS-028
TEST(UncheckedShouldReplay, TheCheckCanBeCompiledOut) {
    WarningList warnings;
    ReplaySystem system(CommandWidth::k8, warnings.sink());
    int healed = 0;
    {
        const ShouldReplayScope scope = system.should_replay("heal");
        ++healed;
    }
    EXPECT_EQ(healed, 1);
    EXPECT_EQ(warnings.take(), std::vector<int>{});
    EXPECT_TRUE(system.record(1));
    EXPECT_EQ(system.array().size(), 1U);
}

}  // namespace
}  // namespace maniple::replay
