#include "command_steps.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "maniple/core/hash.h"

namespace maniple::battle_file {
namespace {

/// Attachments in memory.
struct Table {
    std::map<std::uint64_t, core::Bytes> entries;
    [[nodiscard]] Attach attach() {
        return [this](core::Bytes bytes) {
            const std::uint64_t key = core::xxh3_64(bytes);
            entries[key] = std::move(bytes);
            return key;
        };
    }
    [[nodiscard]] FindAttachment find() const {
        return [this](std::uint64_t key) -> Result<core::Bytes> {
            const auto at = entries.find(key);
            if (at == entries.end()) return refuse(ErrorCode::kNotFound, "no such attachment");
            return at->second;
        };
    }
};

sim::Command command_with(std::vector<sim::Param> params) {
    sim::Command command;
    command.type = 64;
    command.tick = 1;
    command.server_exec_sequence = 1;
    command.params = std::move(params);
    return command;
}

Result<std::vector<sim::Command>> decode(const replay::ReplayArray& steps,
                                         const Table& table = {}) {
    return decode_commands(steps, 1, 10, table.find());
}

/// A round trip of one command at tick 1.
sim::Command round_trip(const sim::Command& command, Table& table) {
    replay::ReplayArray steps;
    steps.append(kStepTickAdvance, 1);
    append_command(command, table.attach(), steps);
    const Result<std::vector<sim::Command>> commands = decode(steps, table);
    EXPECT_TRUE(commands) << commands.error().message;
    return commands && commands->size() == 1 ? commands->front() : sim::Command{};
}

// proves: O-REPS-13
TEST(CommandSteps, KeepEveryValueAndItsType) {
    sim::Command command = command_with({
        {"flag", true},
        {"five", std::int64_t{5}},
        {"five as a double", 5.0},
        {"beyond a number", std::numeric_limits<std::int64_t>::min()},
        {"exact", std::int64_t{1} << 53},
        {"one more", (std::int64_t{1} << 53) + 1},
        {"minus zero", -0.0},
        {"text", std::string("\xE6\xAD\xA9\xE5\x85\xB5")},
        {"none", sim::Int32List{}},
        {"list", sim::Int32List{7, -1, std::numeric_limits<std::int32_t>::min()}},
    });
    command.type = 0xFFFF'FFFF;
    command.server_exec_sequence = std::numeric_limits<std::int64_t>::max();
    command.issuer_slot = -1;
    command.target = "ground";
    command.byte_payload = {1, 2, 3};
    Table table;
    EXPECT_EQ(round_trip(command, table), command);
    EXPECT_EQ(table.entries.size(), 1U);  // The payload; the list is short.
}

// proves: O-REPS-13
TEST(CommandSteps, ListsOver64ItemsBecomeAttachments) {
    sim::Int32List list(64);
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<std::int32_t>(i * 3);
    Table table;
    EXPECT_EQ(round_trip(command_with({{"units", list}}), table).params[0].value, sim::Value(list));
    EXPECT_TRUE(table.entries.empty());
    list.push_back(-5);
    EXPECT_EQ(round_trip(command_with({{"units", list}}), table).params[0].value, sim::Value(list));
    EXPECT_EQ(table.entries.size(), 1U);
}

TEST(CommandSteps, AFullCommandStaysWithin255Parameters) {
    std::vector<sim::Param> params;
    for (std::uint32_t i = 0; i < sim::kCommandParamsMax; ++i) {
        params.push_back({"p" + std::to_string(i), sim::Int32List(64, static_cast<int>(i))});
    }
    const sim::Command command = command_with(std::move(params));
    Table table;
    EXPECT_EQ(round_trip(command, table), command);
    EXPECT_EQ(table.entries.size(), sim::kCommandParamsMax);  // None of them has room for 64 more.
}

// proves: O-REPS-13
TEST(CommandSteps, TickAdvanceStandsBeforeTheCommandsOfItsTick) {
    Table table;
    replay::ReplayArray steps;
    steps.append(kStepTickAdvance, 3);
    append_command(command_with({}), table.attach(), steps);
    steps.append(kStepTickAdvance, 7);
    append_command(command_with({}), table.attach(), steps);
    const Result<std::vector<sim::Command>> commands = decode(steps);
    ASSERT_TRUE(commands);
    EXPECT_EQ((*commands)[0].tick, 3);
    EXPECT_EQ((*commands)[1].tick, 10);
}

TEST(CommandSteps, RefuseAClockThatLeavesTheRange) {
    replay::ReplayArray at_end;
    at_end.append(kStepTickAdvance, 10);
    EXPECT_TRUE(decode(at_end));
    replay::ReplayArray past_end;
    past_end.append(kStepTickAdvance, 11);
    EXPECT_FALSE(decode(past_end));
    replay::ReplayArray twice;
    twice.append(kStepTickAdvance, 10);
    twice.append(kStepTickAdvance, 1);
    EXPECT_FALSE(decode(twice));
    replay::ReplayArray backward;
    backward.append(kStepTickAdvance, 0);
    EXPECT_FALSE(decode(backward));
    replay::ReplayArray no_advance;
    append_command(command_with({}), Table().attach(), no_advance);
    EXPECT_FALSE(decode(no_advance));
}

TEST(CommandSteps, RefuseSequencesOutOfOrderInATick) {
    Table table;
    sim::Command second = command_with({});
    second.server_exec_sequence = 2;
    replay::ReplayArray steps;
    steps.append(kStepTickAdvance, 1);
    append_command(second, table.attach(), steps);
    replay::ReplayArray other_tick;
    other_tick.append(kStepTickAdvance, 1);
    append_command(second, table.attach(), other_tick);
    other_tick.append(kStepTickAdvance, 1);
    append_command(command_with({}), table.attach(), other_tick);
    EXPECT_TRUE(decode(other_tick));
    append_command(command_with({}), table.attach(), steps);
    const Result<std::vector<sim::Command>> refused = decode(steps);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadValue);
    EXPECT_EQ(refused.error().message, "step 2: a sequence that is not next");
}

using Steps = std::vector<replay::Param>;

TEST(CommandSteps, RefuseParametersThatNoRecorderWrites) {
    using replay::number;
    const Steps fixed = {number(64), number(1), number(0), "", ""};
    const std::vector<Steps> endings = {
        {"name"},                                      // No kind.
        {"name", number(0)},                           // No value.
        {"name", number(0), number(1)},                // A number for a boolean.
        {"name", number(6), number(1)},                // No such kind.
        {"name", 0.5, true},                           // A kind that is not whole.
        {"name", number(1), 0.5},                      // An int64 that is not whole.
        {"name", number(1), 9007199254740994.0},       // A number beyond ±2^53.
        {"name", number(3), true},                     // A boolean for a string.
        {"name", number(4), number(65)},               // A long inline list.
        {"name", number(4), number(2), number(1)},     // Fewer items than stated.
        {"name", number(4), number(1), 2147483648.0},  // An item over 32 bits.
        {"name", number(5), "0123456789abcde"},        // Not a key.
        {"name", number(5), "0123456789ABCDEF"},       // Not a key either.
        {"name", number(5), "0123456789abcdef"},       // A key of nothing.
        {number(1), number(0), true},                  // A name that is a number.
        {std::string(256, 'n'), number(0), true},      // A name over its limit.
    };
    for (std::size_t i = 0; i < endings.size(); ++i) {
        Steps params = fixed;
        replay::ReplayArray steps;
        steps.append(kStepTickAdvance, 1);
        steps.add(kStepCommand, params);
        EXPECT_TRUE(decode(steps));
        params.insert(params.end(), endings[i].begin(), endings[i].end());
        steps.set(1, kStepCommand, params);
        EXPECT_FALSE(decode(steps)) << i;
    }
}

TEST(CommandSteps, RefuseUnknownSteps) {
    replay::ReplayArray steps;
    steps.append(kStepTickAdvance, 1);
    steps.append(2);
    EXPECT_FALSE(decode(steps));
}

TEST(ListAttachment, KeepsAnyNumbersAndIsSmallForSelections) {
    const sim::Int32List extremes = {INT32_MAX, INT32_MIN, 0, -1, INT32_MIN, INT32_MAX};
    EXPECT_EQ(*decode_list(encode_list(extremes)), extremes);
    sim::Int32List squad;
    for (std::int32_t uid = 1000; uid < 1200; ++uid) squad.push_back(uid);
    EXPECT_EQ(encode_list(squad).size(), 201U);  // 2 bytes for 1000, then one a unit.
    EXPECT_EQ(*decode_list(encode_list(squad)), squad);
}

TEST(ListAttachment, HasTheDocumentedBytes) {
    // Differences 1, −2, 300: zigzag 2, 3, 600.
    EXPECT_EQ(encode_list({1, -1, 299}), (core::Bytes{0x02, 0x03, 0xD8, 0x04}));
}

TEST(ListAttachment, RefusesMalformedVarints) {
    EXPECT_FALSE(decode_list(core::Bytes{0x80}));
    EXPECT_TRUE(decode_list(core::Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}));
    EXPECT_FALSE(decode_list(core::Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0x10}));
    EXPECT_FALSE(decode_list(core::Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}));
    EXPECT_TRUE(decode_list(core::Bytes(sim::kCommandListMax, 0)));
    EXPECT_FALSE(decode_list(core::Bytes(sim::kCommandListMax + 1, 0)));
}

}  // namespace
}  // namespace maniple::battle_file
