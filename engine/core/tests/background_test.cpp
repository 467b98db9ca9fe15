#include "maniple/core/background.h"

#include <future>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace maniple::core {
namespace {

TEST(Background, AWorkerBeginsJobsInTheOrderGiven) {
    std::vector<int> order;
    std::promise<void> last;
    const auto background = make_background();
    for (int i = 0; i < 5; ++i) background->start([&order, i] { order.push_back(i); });
    background->start([&] { last.set_value(); });
    last.get_future().wait();
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST(Background, ItsEndWaitsForTheRunningJob) {
    std::promise<void> begun;
    std::promise<void> may_end;
    bool ended = false;
    auto background = make_background();
    background->start([&] {
        begun.set_value();
        may_end.get_future().wait();
        ended = true;
    });
    begun.get_future().wait();
    std::thread releases([&] { may_end.set_value(); });
    background.reset();
    releases.join();
    EXPECT_TRUE(ended);
}

TEST(Background, TheInlineOneIsDoneWhenStartReturns) {
    InlineBackground background;
    bool done = false;
    background.start([&] { done = true; });
    EXPECT_TRUE(done);
}

}  // namespace
}  // namespace maniple::core
