#include <gtest/gtest.h>
#include <utility>

#include "maniple/core/random.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

// proves: REPA-015
TEST(ReplayEditing, InsertMovesLaterStepsAtBothWidths) {
    for (const CommandWidth width : {CommandWidth::k8, CommandWidth::k16}) {
        ReplayArray array = three_steps(width);
        EXPECT_TRUE(array.insert(1, 9, ParamList{"hi", number(300)}));
        EXPECT_EQ(to_hex(array.params()), "010a22686902012c0114011e");
        EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{0, 2, 8, 10}));
        EXPECT_EQ(to_hex(array.commands()),
                  width == CommandWidth::k8 ? "0101020901020103" : "010001020009010002010003");
    }
}

// proves: REPA-015
TEST(ReplayEditing, InsertAtTheEndEqualsAppend) {
    ReplayArray inserted = three_steps(CommandWidth::k8);
    EXPECT_TRUE(inserted.insert(3, 4, ParamList{number(40)}));
    ReplayArray appended = three_steps(CommandWidth::k8);
    appended.append(4, 40);
    EXPECT_EQ(to_hex(inserted.commands()), to_hex(appended.commands()));
    EXPECT_EQ(to_hex(inserted.params()), to_hex(appended.params()));
    EXPECT_EQ(index_of(inserted), index_of(appended));
}

// proves: REPA-016
TEST(ReplayEditing, RemoveMovesLaterStepsForward) {
    ReplayArray array = three_steps(CommandWidth::k16);
    EXPECT_TRUE(array.remove(0));
    EXPECT_EQ(to_hex(array.commands()), "010002010003");
    EXPECT_EQ(to_hex(array.params()), "0114011e");
    EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{0, 2}));
    EXPECT_TRUE(array.remove(1));
    EXPECT_TRUE(array.remove(0));
    EXPECT_EQ(array.size(), 0U);
    array.append(5, 40);
    EXPECT_EQ(to_hex(array.params()), "0128");
}

// proves: REPA-017
TEST(ReplayEditing, SetMovesLaterParametersByTheDifference) {
    ReplayArray array = three_steps(CommandWidth::k8);
    EXPECT_TRUE(array.set(1, 7, ParamList{false, true, true}));
    EXPECT_EQ(to_hex(array.params()), "010a000000010001011e");
    EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{0, 2, 8}));
    EXPECT_TRUE(array.set(1, 7, {}));
    EXPECT_EQ(to_hex(array.params()), "010a011e");
    EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{0, 2, 2}));
    EXPECT_EQ(to_hex(array.commands()), "010100070103");
}

// proves: REPA-018, REPA-048, O-REPA-04
TEST(ReplayEditing, OutOfRangeChangesNothingAndWarns179Once) {
    WarningList warnings;
    ReplayArray array = three_steps(CommandWidth::k8, warnings.sink());
    const ReadStream stream = array.create_read_stream();
    const ParamList too_many(256, Param{Unsupported{}});
    EXPECT_FALSE(array.insert(-1, 1, too_many));
    EXPECT_EQ(warnings.take(), std::vector<int>{179});
    EXPECT_FALSE(array.insert(4, 1, too_many));
    EXPECT_EQ(warnings.take(), std::vector<int>{179});
    EXPECT_FALSE(array.set(3, 1, too_many));
    EXPECT_EQ(warnings.take(), std::vector<int>{179});
    EXPECT_FALSE(array.remove(3));
    EXPECT_EQ(warnings.take(), std::vector<int>{179});
    EXPECT_EQ(to_hex(array.commands()), "010101020103");
    EXPECT_EQ(to_hex(array.params()), "010a0114011e");
    EXPECT_FALSE(stream.expired());
}

// proves: REPA-035, REPA-037, O-REPA-10
TEST(ReplayEditing, NarrowingWarns154ForEachWideCode) {
    WarningList warnings;
    ReplayArray array(CommandWidth::k16, warnings.sink());
    array.append(300, 1);
    array.append(255, 2);
    array.append(256);
    array.set_command_width(CommandWidth::k8);
    EXPECT_EQ(warnings.take(), (std::vector<int>{154, 154}));
    EXPECT_EQ(to_hex(array.commands()), "012c01ff0000");
    EXPECT_EQ(to_hex(array.params()), "01010102");
    array.set_command_width(CommandWidth::k16);
    EXPECT_EQ(to_hex(array.commands()), "01002c0100ff000000");
    EXPECT_EQ(warnings.take(), std::vector<int>{});
}

/// Writes over the index, which only a stray write can do.
void spoil_index(ReplayArray& array) {
    for (const std::uint32_t& offset : array.index()) const_cast<std::uint32_t&>(offset) = 1;
}

// proves: REPA-010, O-REPA-18
TEST(ReplayEditing, TheIndexIsRebuiltFromTheOtherRegions) {
    for (const CommandWidth width : {CommandWidth::k8, CommandWidth::k16}) {
        ReplayArray array(width);
        array.add(1, ParamList{true, 1.5, BigInt(-70000), "x", std::string(300, 'y')});
        array.append(2);
        array.append(3, 70000, 2147483648.0);
        array.append(4, 1);
        const core::Bytes commands(array.commands().begin(), array.commands().end());
        const core::Bytes params(array.params().begin(), array.params().end());
        const std::vector<std::uint32_t> starts = {0, 323, 323, 337};  // 2 + 9 + 5 + 2 + 305, 14.
        spoil_index(array);
        ASSERT_NE(index_of(array), starts);
        const ReadStream stream = array.create_read_stream();
        ASSERT_TRUE(array.rebuild_index());
        EXPECT_EQ(index_of(array), starts);
        EXPECT_FALSE(stream.expired());
        EXPECT_EQ(array.get(3), (Step{4, {1.0}, 3}));
        EXPECT_EQ(index_of(*ReplayArray::from_regions(width, commands, params)), starts);
        ReplayArray replaced(CommandWidth::k8);
        ASSERT_TRUE(replaced.replace_regions(width, commands, params));
        EXPECT_EQ(index_of(replaced), starts);
    }
}

// proves: REPA-010
TEST(ReplayEditing, PlaybackNeverModifiesTheIndex) {
    ReplayArray array = three_steps(CommandWidth::k8);
    ReadStream stream = array.create_read_stream();
    spoil_index(array);
    for (int i = 1; i <= 3; ++i) EXPECT_EQ(stream.read()->params, ParamList{number(10 * i)});
    EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{1, 1, 1}));
}

// proves: O-REPA-13
TEST(ReplayEditing, AStepThatWouldOverfillTheParameterRegionIsRefused) {
    static_assert(kParamRegionBytesMax == 0xFFFF'FFFF);  // Offsets of 32 bits; tried with 12.
    WarningList warnings;
    ReplayArray array(CommandWidth::k8, warnings.sink(), 12);
    array.append(1, 100'000, 100'000);
    EXPECT_TRUE(array.append(2, 1));  // Full to the last byte.
    EXPECT_EQ(array.params().size(), 12U);
    const std::string commands = to_hex(array.commands());
    const std::string params = to_hex(array.params());
    const ReadStream stream = array.create_read_stream();
    EXPECT_FALSE(array.append(3, 1));
    EXPECT_FALSE(array.add(3, ParamList{""}));
    EXPECT_FALSE(array.insert(0, 3, ParamList{true}));
    EXPECT_FALSE(array.set(1, 3, ParamList{300.0}));
    EXPECT_EQ(warnings.take(), (std::vector<int>{1002, 1002, 1002, 1002}));
    EXPECT_FALSE(stream.expired());
    EXPECT_EQ(to_hex(array.commands()), commands);
    EXPECT_EQ(to_hex(array.params()), params);
    EXPECT_EQ(index_of(array), (std::vector<std::uint32_t>{0, 10}));
    const core::Bytes long_text(13, 32);
    const Result<void> replaced =
        array.replace_regions(CommandWidth::k8, core::Bytes{13, 1}, long_text);
    EXPECT_EQ(replaced.error().code, ErrorCode::kOverCap);
    EXPECT_TRUE(array.append(3));  // Needs no byte.
    EXPECT_TRUE(array.set(1, 3, ParamList{false}));
    EXPECT_EQ(warnings.take(), std::vector<int>{});
}

// proves: REPA-038, O-REPA-11
TEST(ReplayReading, GetDecodesAnyStepAndWarns179Outside) {
    WarningList warnings;
    ReplayArray array(CommandWidth::k16, warnings.sink());
    array.append(1, 5);
    array.add(700, ParamList{true, -2147483649.0, "x", BigInt(-3), 0.5});
    const Step expected{700, {true, -2147483649.0, "x", BigInt(-3), 0.5}, 1};
    EXPECT_EQ(array.get(1), expected);
    EXPECT_EQ(array.get(2), std::nullopt);
    EXPECT_EQ(array.get(-1), std::nullopt);
    EXPECT_EQ(warnings.take(), (std::vector<int>{179, 179}));
}

/// Parameters of every kind, some of which no step can hold.
ParamList random_params(core::RandomStream& random) {
    ParamList params;
    for (std::uint32_t left = random.next_below(5); left > 0; --left) {
        switch (random.next_below(5)) {
            case 0: params.emplace_back(static_cast<double>(random.next_below(100'000))); break;
            case 1: params.emplace_back(std::string(random.next_below(300), 'a')); break;
            case 2: params.emplace_back(BigInt(-static_cast<int>(random.next_below(1000)))); break;
            case 3: params.emplace_back(true); break;
            default: params.emplace_back(Unsupported{}); break;
        }
    }
    return params;
}

// proves: REPA-013
TEST(ReplayEditing, AnyEditsLeaveTheBytesOfRecordingTheirResult) {
    core::RandomStream random(11);
    ReplayArray edited(CommandWidth::k16);
    std::vector<std::pair<std::int64_t, ParamList>> model;
    for (int i = 0; i < 3000; ++i) {
        const std::int64_t code = random.next_below(65'536);
        const ParamList params = random_params(random);
        const auto at = random.next_below(static_cast<std::uint32_t>(model.size() + 1));
        const std::uint32_t kind = random.next_below(4);
        if (kind == 0) {
            EXPECT_TRUE(edited.add(code, params));
            model.emplace_back(code, params);
        } else if (kind == 1) {
            EXPECT_TRUE(edited.insert(at, code, params));
            model.insert(model.begin() + at, {code, params});
        } else if (kind == 2) {
            EXPECT_EQ(edited.remove(at), at < model.size());
            if (at < model.size()) model.erase(model.begin() + at);
        } else {
            EXPECT_EQ(edited.set(at, code, params), at < model.size());
            if (at < model.size()) model[at] = {code, params};
        }
    }
    ReplayArray recorded(CommandWidth::k16);
    for (const auto& [code, params] : model) recorded.add(code, params);
    EXPECT_GT(model.size(), 50U);
    EXPECT_EQ(to_hex(edited.commands()), to_hex(recorded.commands()));
    EXPECT_EQ(to_hex(edited.params()), to_hex(recorded.params()));
    EXPECT_EQ(index_of(edited), index_of(recorded));
}

// proves: REPA-019
TEST(ReplayEditing, AnEditNearTheEndOfALongReplayLeavesWhatIsBeforeAlone) {
    // Moving the million steps before would take minutes, over the test's time limit.
    ReplayArray array;
    for (int i = 0; i < 1'000'000; ++i) array.append(1, 2, 3);
    const ParamList params{7.0};
    for (int i = 0; i < 100'000; ++i) {
        const auto last = static_cast<std::int64_t>(array.size()) - 1;
        ASSERT_TRUE(array.insert(last, 2, params));
        ASSERT_TRUE(array.set(last, 3, params));
    }
    EXPECT_EQ(array.size(), 1'100'000U);
    EXPECT_EQ(array.get(1'050'000), (Step{3, {7.0}, 1'050'000}));
    EXPECT_EQ(array.get(1'099'999), (Step{1, {2.0, 3.0}, 1'099'999}));
}

// proves: REPA-011
TEST(ReplayEditing, EachRegionGrowsAsItsOwnBytesNeed) {
    ReplayArray array;
    const ParamList long_text{std::string(1'000'000, 't')};
    array.add(1, long_text);
    for (int i = 0; i < 100'000; ++i) array.append(i % 200, static_cast<std::int16_t>(i % 5000));
    array.add(2, long_text);
    EXPECT_EQ(array.commands().size(), 2 * array.size());
    EXPECT_EQ(array.get(0)->params, long_text);
    EXPECT_EQ(array.get(100'001)->params, long_text);
    for (int i = 1; i <= 100'000; i += 997) {
        EXPECT_EQ(array.get(i)->params, ParamList{static_cast<double>((i - 1) % 5000)});
    }
}

}  // namespace
}  // namespace maniple::replay
