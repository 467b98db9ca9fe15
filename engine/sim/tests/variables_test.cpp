#include "maniple/sim/variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>

#include "maniple/core/hash.h"
#include "maniple/sim/world.h"

namespace maniple::sim {

enum class Weather : std::int16_t { kDry = 3, kWet = -2 };

struct Spot {
    std::uint8_t kind = 0;
    double x = 0;
};
BOOST_DESCRIBE_STRUCT(Spot, (), (kind, x))

/// The same members once more.
struct OtherSpot {
    std::uint8_t kind = 0;
    double x = 0;
};
BOOST_DESCRIBE_STRUCT(OtherSpot, (), (kind, x))

struct Whole {
    std::int32_t a = 0;
    bool b = false;
};
BOOST_DESCRIBE_STRUCT(Whole, (), (a, b))

struct Titled {
    Name name;
};
BOOST_DESCRIBE_STRUCT(Titled, (), (name))

struct Base {
    std::int64_t first = 1;
};
BOOST_DESCRIBE_STRUCT(Base, (), (first))

struct All : Base {
    static constexpr std::array<std::string_view, 1> kTransient{"scratch"};
    std::int32_t number = 7;
    float heat = 1;
    bool flag = true;
    Weather weather = Weather::kWet;
    Spot spot;
    Whole whole;
    std::string text = "a𝄞";
    Name name;
    std::vector<std::int16_t> list{5, -6};
    std::vector<float> heats{1, 2};
    std::vector<std::string> lines{"x"};
    std::vector<Name> names;
    std::vector<bool> flags{true};
    std::int32_t scratch = 0;
    const void* pointer = nullptr;
    std::vector<std::vector<int>> nested;
    EntityRow handle;
    core::RandomStream stream{0};
    Titled titled;
    std::vector<const void*> pointers;
};
BOOST_DESCRIBE_STRUCT(All, (Base),
                      (number, heat, flag, weather, spot, whole, text, name, list, heats, lines,
                       names, flags, scratch, pointer, nested, handle, stream, titled, pointers))

struct Nothing {
    const void* pointer = nullptr;
};
BOOST_DESCRIBE_STRUCT(Nothing, (), (pointer))

namespace {

class VariablesTest : public testing::Test {
  protected:
    std::uint64_t fold(const All& object) { return fold_variables(layout_, &object, names_, 9); }
    std::vector<VarEntry> entries_of(const All& object) {
        std::vector<VarEntry> entries;
        serialize_variables(layout_, &object, names_, entries);
        return entries;
    }
    ErrorCode refusal(const std::function<void(std::vector<VarEntry>&)>& edit) {
        std::vector<VarEntry> entries = entries_of(All{});
        edit(entries);
        All object;
        const Result<void> read =
            deserialize_variables(layout_, entries, names_, &object, missing_);
        return read ? ErrorCode::kNone : read.error().code;
    }
    VarEntry& entry(std::vector<VarEntry>& entries, const std::string& name) {
        return *std::find_if(entries.begin(), entries.end(),
                             [&](const VarEntry& e) { return e.name == name; });
    }
    const VarField& field(const std::string& name) {
        return *std::find_if(layout_.fields.begin(), layout_.fields.end(),
                             [&](const VarField& f) { return f.name == name; });
    }

    const VarLayout& layout_ = variable_layout<All>();
    NameTable names_;
    std::vector<std::string> missing_;
};

// proves: VAR-005, VAR-006, VAR-013, VAR-015, VAR-019, O-VAR-01, O-VAR-04, O-VAR-11
TEST_F(VariablesTest, ClassifiesMembersInDeclarationOrderBasesFirst) {
    std::vector<std::pair<std::string, VarCategory>> found;
    for (const VarField& f : layout_.fields) found.emplace_back(f.name, f.category);
    using enum VarCategory;
    const std::vector<std::pair<std::string, VarCategory>> expected{
        {"first", kRawBytes}, {"number", kRawBytes},  {"heat", kCanonicalizeFloatStruct},
        {"flag", kRawBytes},  {"weather", kRawBytes}, {"spot", kCanonicalizeFloatStruct},
        {"whole", kRawBytes}, {"text", kText},        {"name", kText},
        {"list", kArray},     {"heats", kArray},      {"lines", kArray},
        {"names", kArray},    {"flags", kArray}};
    EXPECT_EQ(found, expected);
    EXPECT_EQ(field("heats").inner_category, kCanonicalizeFloatStruct);
    EXPECT_EQ(field("lines").inner_category, kText);
}

// proves: VAR-014
TEST_F(VariablesTest, ALayoutRecordHasItsDefaultsAndItsMeasures) {
    const VarField empty;
    EXPECT_EQ(empty.category, VarCategory::kUnsupported);
    EXPECT_EQ(empty.inner_category, VarCategory::kUnsupported);
    EXPECT_EQ(empty.size + empty.inner_size, 0U);
    EXPECT_TRUE(empty.float_leaves.empty());
    EXPECT_TRUE(empty.inner_float_leaves.empty());
    EXPECT_FALSE(empty.is_name);
    EXPECT_FALSE(empty.inner_is_name);
    EXPECT_EQ(field("spot").size, 9U);
    EXPECT_THAT(field("spot").float_leaves, testing::ElementsAre(1));
    EXPECT_THAT(field("heat").float_leaves, testing::ElementsAre(0));
    EXPECT_EQ(field("heats").inner_size, 4U);
    EXPECT_TRUE(field("name").is_name);
    EXPECT_FALSE(field("text").is_name);
    EXPECT_TRUE(field("names").inner_is_name);
}

// proves: VAR-010, VAR-011, VAR-012, VAR-020, VAR-021, VAR-022, O-VAR-02
TEST_F(VariablesTest, WhatCannotBeSyncedIsNamedOnceAClass) {
    GameDefinition game("g");
    game.add_variables<All>("b");
    game.add_variables<All>("a");
    std::vector<std::string> logged;
    game.seal([&](const core::LogEntry& e) {
        EXPECT_EQ(e.severity, core::Severity::kWarning);
        EXPECT_EQ(e.code, kLogNotSynced);
        logged.push_back(e.message);
    });
    EXPECT_EQ(logged, game.warnings());
    using testing::HasSubstr;
    EXPECT_THAT(logged,
                testing::ElementsAre(HasSubstr("scratch"), HasSubstr("pointer "),
                                     HasSubstr("nested"), HasSubstr("handle"), HasSubstr("stream"),
                                     HasSubstr("titled"), HasSubstr("pointers")));
    EXPECT_EQ(game.variables()[0].key, "a") << "stores are in key order";
}

// proves: VAR-017, VAR-018, VAR-029, VAR-030, VAR-025
TEST_F(VariablesTest, AClassWithoutSyncedVariablesHasAnEmptyLayoutThatReadsAndFoldsNothing) {
    const VarLayout& nothing = variable_layout<Nothing>();
    EXPECT_EQ(&nothing, &variable_layout<Nothing>());
    EXPECT_FALSE(nothing.has_synced_fields());
    EXPECT_TRUE(layout_.has_synced_fields());
    Nothing object;
    EXPECT_EQ(fold_variables(nothing, &object, names_, 5), 5U);
    EXPECT_TRUE(deserialize_variables(nothing, {}, names_, &object, missing_));
}

// proves: VAR-017
TEST_F(VariablesTest, LayoutsAreKeptPerTypeAndATypeRegisteredAnewIsAnother) {
    EXPECT_EQ(&variable_layout<All>(), &variable_layout<All>());
    EXPECT_EQ(variable_layout<All>().fields.size(), layout_.fields.size());
    EXPECT_NE(&variable_layout<Spot>(), &variable_layout<OtherSpot>());
    EXPECT_EQ(variable_layout<Spot>().fields.size(), variable_layout<OtherSpot>().fields.size());
}

// proves: VAR-024, O-HASH-03
TEST_F(VariablesTest, EachInstanceIsSaltedWithItsKeyAndAnEmptyOneMixesNothing) {
    core::SerialExecutor executor;
    const auto variables_hash = [&](std::vector<std::string> keys, bool with_nothing) {
        auto game = std::make_shared<GameDefinition>("salted");
        for (std::string& key : keys) game->add_variables<Spot>(std::move(key));
        if (with_nothing) game->add_variables<Nothing>("aa");
        game->seal();
        const World world(game, {}, executor);
        HashTree tree;
        HashedColumns columns;
        world.compute_tree(tree, columns);
        return tree.sections[static_cast<std::size_t>(HashSection::kVariables)];
    };
    const Spot spot;
    std::uint64_t expected = 0;
    for (const char* key : {"a", "b"}) {
        expected = core::mix_text(expected, key);
        expected = fold_variables(variable_layout<Spot>(), &spot, names_, expected);
    }
    EXPECT_EQ(variables_hash({"b", "a"}, false), expected);
    EXPECT_EQ(variables_hash({"b", "a"}, true), expected);
    EXPECT_NE(variables_hash({"a", "c"}, false), expected);
}

// proves: VAR-002
TEST_F(VariablesTest, AreWrittenInCommandsAndTasksAlone) {
    core::SerialExecutor executor;
    auto game = std::make_shared<GameDefinition>("written");
    game->add_variables<Base>("base");
    bool writes_in_system = false;
    game->add_command({kFirstGameCommand, "write", [](World& world, const Command&) {
                           ++world.edit_variables<Base>("base").first;
                           world.create_task("write", {}, {});
                           return Result<void>();
                       }});
    game->add_system({"read", [&](SystemContext& context) {
                          if (writes_in_system) ++context.world.edit_variables<Base>("base").first;
                      }});
    game->add_task_type({"write",
                         TaskKind::kOther,
                         [](World& world, TaskRecord& task) {
                             world.edit_variables<Base>("base").first += 10;
                             task.state = TaskState::kDone;
                         },
                         {},
                         {}});
    game->seal();
    World world(game, {}, executor);
    Command command;
    command.type = kFirstGameCommand;
    command.tick = 1;
    command.server_exec_sequence = 1;
    ASSERT_TRUE(world.queue(command));
    ASSERT_TRUE(world.step());
    EXPECT_EQ(world.variables<Base>("base").first, Base{}.first + 11);
    static_assert(
        std::is_const_v<std::remove_reference_t<decltype(world.variables<Base>("base"))>>);
#ifndef NDEBUG
    EXPECT_DEATH(++world.edit_variables<Base>("base").first, "may_write_variables");
    writes_in_system = true;
    EXPECT_DEATH(static_cast<void>(world.step()), "may_write_variables");
#endif
}

// proves: VAR-004, VAR-026, VAR-027
TEST_F(VariablesTest, EveryValueComesBackBitForBitAndFoldsTheSame) {
    All was;
    was.number = -5;
    was.heat = -0.0F;
    was.spot = {3, std::numeric_limits<double>::denorm_min()};
    was.text = "hé 𝄞";
    was.text.push_back('\0');
    was.name = *names_.intern("None");
    was.names = {Name{}, was.name};
    was.lines = {"", "𝄞"};
    was.flags = {false, true, true};
    was.scratch = 99;
    All is;
    ASSERT_TRUE(deserialize_variables(layout_, entries_of(was), names_, &is, missing_));
    EXPECT_TRUE(missing_.empty());
    EXPECT_EQ(fold(is), fold(was));
    EXPECT_EQ(entries_of(is), entries_of(was));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(is.heat), 1U << 31) << "the hash alone canonicalises";
    EXPECT_EQ(is.text, was.text);
    EXPECT_EQ(is.flags, was.flags);
    EXPECT_EQ(is.scratch, 0);
}

// proves: VAR-007, VAR-023, HASH-005, O-VAR-04, O-VAR-06
// Trap 24: scalars, structs, array elements; padding; live memory stays as it is.
TEST_F(VariablesTest, FoldingCanonicalisesCopiesOfFloatsOnly) {
    All plus;
    All minus;
    minus.heat = plus.heat = 0;
    minus.heat = -0.0F;
    minus.spot.x = -0.0;
    plus.heats = {0, 1};
    minus.heats = {-0.0F, 1};
    EXPECT_EQ(fold(plus), fold(minus));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(minus.heat), 1U << 31);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(minus.heats[0]), 1U << 31);
    plus.heat = std::bit_cast<float>(0x7FC00000U);
    minus.heat = std::bit_cast<float>(0xFF812345U);
    EXPECT_EQ(fold(plus), fold(minus)) << "one NaN for all";
    minus.heat = 1;
    EXPECT_NE(fold(plus), fold(minus));
    All padded = plus;
    std::memset(reinterpret_cast<std::byte*>(&padded.spot) + 1, 0xAA, 7);
    EXPECT_EQ(fold(plus), fold(padded));
}

// proves: VAR-008, VAR-009, VAR-024, O-VAR-05, O-VAR-07, O-HASH-03
TEST_F(VariablesTest, TextIsCountedInUtf16UnitsAndArraysInItems) {
    std::vector<VarEntry> entries = entries_of(All{});
    EXPECT_EQ(entry(entries, "text").data,
              (core::Bytes{3, 0, 0, 0, 'a', 0, 0x34, 0xD8, 0x1E, 0xDD}));
    EXPECT_EQ(entry(entries, "list").data, (core::Bytes{2, 0, 0, 0, 5, 0, 0xFA, 0xFF}));
    EXPECT_EQ(entry(entries, "flags").data, (core::Bytes{1, 0, 0, 0, 1}));
    std::uint64_t hash = 9;
    for (const VarEntry& one : entries) hash = core::xxh3_64(one.data, hash);
    EXPECT_EQ(hash, fold(All{})) << "the fold is the coding, one mix a variable";
}

// proves: VAR-027, VAR-028, O-VAR-03, O-VAR-05, O-VAR-07, O-VAR-08
// Trap 26.
TEST_F(VariablesTest, BadEntriesAreRefusedAndUnknownOrMissingOnesSkipped) {
    using Entries = std::vector<VarEntry>;
    EXPECT_EQ(refusal([](Entries&) {}), ErrorCode::kNone);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "number").data.push_back(0); }),
              ErrorCode::kTrailing);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "number").data.pop_back(); }),
              ErrorCode::kTruncated);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "list").data = {0xFF, 0xFF, 0xFF, 0x7F, 1, 2}; }),
              ErrorCode::kOverCap);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "list").data = {9, 0, 0, 0, 1, 2}; }),
              ErrorCode::kTruncated);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "text").data = {0xFF, 0xFF, 0xFF, 0xFF}; }),
              ErrorCode::kOverCap);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "text").data = {1, 0, 0, 0, 0x34, 0xD8}; }),
              ErrorCode::kBadText);
    EXPECT_EQ(refusal([&](Entries& e) { entry(e, "flag").data = {2}; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([&](Entries& e) { e.push_back(e.front()); }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([&](Entries& e) { e.push_back({"unheard", {0, 4}, {1}}); }),
              ErrorCode::kNone);
    EXPECT_TRUE(missing_.empty());
    EXPECT_EQ(refusal([&](Entries& e) { e.erase(e.begin() + 1); }), ErrorCode::kNone);
    EXPECT_THAT(missing_, testing::ElementsAre("number"));
}

// proves: VAR-034, O-VAR-13
TEST_F(VariablesTest, AnotherTypeOfTheSameSizeIsRefusedByItsTag) {
    EXPECT_EQ(
        refusal([&](std::vector<VarEntry>& e) { entry(e, "number").tag = field("heat").tag(); }),
        ErrorCode::kRegistryMismatch);
    EXPECT_NE(field("number").tag(), field("heat").tag());
    EXPECT_NE(field("list").tag(), field("lines").tag());
}

// proves: O-VAR-12
TEST(NameTable, KeepsExactTextsAndRefusesWhatIsNoName) {
    NameTable names;
    EXPECT_EQ(*names.intern(""), Name{});
    EXPECT_EQ(names.text(Name{}), "");
    const Name none = *names.intern("None");
    EXPECT_EQ(*names.intern("None"), none);
    EXPECT_NE(*names.intern("none"), none);
    EXPECT_EQ(names.text(none), "None");
    EXPECT_FALSE(names.text(Name{1}));
    EXPECT_EQ(names.intern("\xFF").error().code, ErrorCode::kBadText);
    EXPECT_TRUE(names.intern(std::string(255, 'a')));
    EXPECT_EQ(names.intern(std::string(256, 'a')).error().code, ErrorCode::kOverCap);
}

}  // namespace
}  // namespace maniple::sim
