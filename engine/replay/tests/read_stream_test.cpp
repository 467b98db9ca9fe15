#include <functional>
#include <gtest/gtest.h>

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

// proves: REPA-012, REPA-039, REPA-040, REPA-041, REPA-047
TEST(ReadStream, ReadsStepsInOrderFromItsStart) {
    const ReplayArray array = three_steps(CommandWidth::k16);
    ReadStream stream = array.create_read_stream(1);
    EXPECT_EQ(stream.current(), 1U);
    EXPECT_EQ(stream.total(), 3U);
    EXPECT_EQ(stream.read(), (Step{2, {20.0}, 1}));
    EXPECT_EQ(stream.current(), 2U);
    EXPECT_EQ(stream.read(), (Step{3, {30.0}, 2}));
    EXPECT_EQ(stream.read(), std::nullopt);
    EXPECT_EQ(stream.read(), std::nullopt);
}

// proves: REPA-003, REPA-040
TEST(ReadStream, ViewsGiveTheValuesOfTheOwningForm) {
    ReplayArray array;
    array.add(1, ParamList{true, -300.0, 9223372036854775808.0, 1.5, "text", BigInt(-256)});
    ReadStream stream = array.create_read_stream();
    StepView view;
    ASSERT_TRUE(stream.read(view));
    ASSERT_EQ(view.param_count, 6U);
    EXPECT_TRUE(view.storage[0].boolean());
    EXPECT_EQ(view.storage[1].number(), -300.0);
    EXPECT_EQ(view.storage[2].number(), 9223372036854775808.0);
    EXPECT_EQ(view.storage[3].number(), 1.5);
    EXPECT_EQ(view.storage[4].text(), "text");
    EXPECT_EQ(view.storage[5].big_int(), BigInt(-256));
    EXPECT_EQ(view.storage[4].kind(), ParamKind::kString);
    EXPECT_EQ(view.storage[5].kind(), ParamKind::kBigInt);
    EXPECT_FALSE(stream.read(view));
}

// proves: O-REPA-09
TEST(ReadStream, AStartOutsideIsClampedWithAWarning) {
    WarningList warnings;
    const ReplayArray array = three_steps(CommandWidth::k8, warnings.sink());
    ReadStream at_end = array.create_read_stream(3);
    EXPECT_EQ(at_end.read(), std::nullopt);
    EXPECT_EQ(warnings.take(), std::vector<int>{});
    ReadStream past_end = array.create_read_stream(4);
    EXPECT_EQ(past_end.current(), 3U);
    ReadStream before = array.create_read_stream(-1);
    EXPECT_EQ(before.current(), 0U);
    EXPECT_EQ(warnings.take(), (std::vector<int>{1001, 1001}));
}

// proves: REPA-043, O-REPA-19
TEST(ReadStream, EveryWriteExpiresEveryStream) {
    const std::vector<std::function<void(ReplayArray&)>> writes = {
        [](ReplayArray& a) { a.add(1, {}); },
        [](ReplayArray& a) { a.append(1, 2); },
        [](ReplayArray& a) { a.insert(0, 1, {}); },
        [](ReplayArray& a) { a.set(0, 1, {}); },
        [](ReplayArray& a) { a.remove(0); },
        [](ReplayArray& a) { a.set_command_width(CommandWidth::k16); },
        [](ReplayArray& a) { static_cast<void>(a.replace_regions(CommandWidth::k8, {}, {})); },
    };
    for (const auto& write : writes) {
        ReplayArray array = three_steps(CommandWidth::k8);
        const ReadStream first = array.create_read_stream();
        const ReadStream second = array.create_read_stream(2);
        write(array);
        EXPECT_TRUE(first.expired());
        EXPECT_TRUE(second.expired());
        EXPECT_FALSE(array.create_read_stream().expired());
    }
}

// proves: REPA-043, O-REPA-04, O-REPA-10
TEST(ReadStream, WhatWritesNothingExpiresNothing) {
    ReplayArray array = three_steps(CommandWidth::k8);
    const ReadStream stream = array.create_read_stream();
    array.set_command_width(CommandWidth::k8);
    array.remove(7);
    const core::Bytes incomplete = {1};
    EXPECT_FALSE(array.replace_regions(CommandWidth::k8, incomplete, {}));
    EXPECT_FALSE(stream.expired());
    EXPECT_EQ(array.size(), 3U);
}

// proves: REPA-044
TEST(ReadStream, AnExpiredStreamWarns155AndStillGivesData) {
    WarningList warnings;
    ReplayArray array = three_steps(CommandWidth::k8, warnings.sink());
    ReadStream stream = array.create_read_stream();
    array.append(4, 40);
    EXPECT_EQ(stream.read(), (Step{1, {10.0}, 0}));
    EXPECT_EQ(warnings.take(), std::vector<int>{155});
    EXPECT_EQ(stream.total(), 3U);
}

// proves: O-REPA-05
TEST(ReadStream, AnExpiredStreamNeverReadsOutsideTheRegions) {
    WarningList warnings;
    ReplayArray array = three_steps(CommandWidth::k8, warnings.sink());
    ReadStream stream = array.create_read_stream(2);
    while (array.size() > 0) array.remove(0);
    EXPECT_EQ(stream.read(), std::nullopt);
    EXPECT_EQ(warnings.take(), (std::vector<int>{155, 1003}));
}

// proves: REPA-042
TEST(ReadStream, ReadingNeverConsultsTheIndex) {
    // A step in front of the stream's cursor grows: the index of later steps moves on, the stream
    // keeps its own cursor and reads the middle of the new parameters.
    ReplayArray array = three_steps(CommandWidth::k8);
    ReadStream stream = array.create_read_stream();
    static_cast<void>(stream.read());
    array.set(0, 1, ParamList{number(11), number(12)});
    EXPECT_EQ(array.get(1), (Step{2, {20.0}, 1}));
    EXPECT_EQ(stream.read(), (Step{2, {12.0}, 1}));
}

// proves: REPA-045
TEST(ReadStream, ADestroyedStreamIsNoLongerMarkedByWrites) {
    WarningList warnings;
    ReplayArray array = three_steps(CommandWidth::k8, warnings.sink());
    ReadStream stream = array.create_read_stream();
    ReadStream late = array.create_read_stream();
    stream.destroy();
    array.append(4, 40);
    late.destroy();
    EXPECT_FALSE(stream.expired());
    EXPECT_TRUE(late.expired());
    EXPECT_EQ(stream.read(), (Step{1, {10.0}, 0}));
    EXPECT_EQ(warnings.take(), std::vector<int>{});
}

// proves: REPA-045, O-REPA-05
TEST(ReadStream, ADestroyedStreamNeverReadsOutsideTheRegions) {
    WarningList warnings;
    ReplayArray array(CommandWidth::k8, warnings.sink());
    for (int i = 0; i < 1000; ++i) array.append(1, 100'000, 200'000);
    ReadStream stream = array.create_read_stream(900);
    ReadStream at_start = array.create_read_stream();
    stream.destroy();
    at_start.destroy();
    ASSERT_TRUE(array.replace_regions(CommandWidth::k8, {}, {}));
    EXPECT_EQ(stream.read(), std::nullopt);
    EXPECT_EQ(warnings.take(), std::vector<int>{1003});  // Not 155: nothing marked it.
    EXPECT_FALSE(stream.expired());
    array.append(7, 1);
    EXPECT_EQ(at_start.read(), (Step{7, {1.0}, 0}));
    EXPECT_EQ(at_start.read(), std::nullopt);
}

// proves: REPA-043
TEST(ReadStream, MovingAnArrayExpiresTheStreamsOfBoth) {
    ReplayArray array;
    array.append(1, 10);
    ReplayArray other;
    other.append(2, 20);  // As many writes.
    const ReadStream of_array = array.create_read_stream();
    ReadStream of_other = other.create_read_stream();
    array = std::move(other);
    EXPECT_TRUE(of_array.expired());
    EXPECT_TRUE(of_other.expired());
    EXPECT_EQ(of_other.read(), std::nullopt);
    const ReadStream of_moved = array.create_read_stream();
    const ReplayArray last = std::move(array);
    EXPECT_TRUE(of_moved.expired());
    EXPECT_EQ(last.get(0), (Step{2, {20.0}, 0}));
}

// proves: REPA-002
TEST(ReadStream, OneReplayPlaysAnyNumberOfTimes) {
    const ReplayArray array = three_steps(CommandWidth::k8);
    for (int run = 0; run < 3; ++run) {
        ReadStream stream = array.create_read_stream();
        std::uint32_t sum = 0;
        while (const std::optional<Step> step = stream.read()) sum += step->command;
        EXPECT_EQ(sum, 6U);
    }
}

}  // namespace
}  // namespace maniple::replay
