#include "maniple/battle_file/battle_writer.h"

#include <gtest/gtest.h>

#include "maniple/battle_file/battle_reader.h"

#include "tamper.h"
#include "toy_battle.h"

namespace maniple::battle_file {
namespace {

std::string types_of(const core::Bytes& file) {
    std::string types;
    for (const tamper::Chunk& chunk : tamper::take_apart(file)) {
        types += std::string(chunk_name(chunk.header.type)) + " ";
    }
    return types;
}

// proves: O-REPS-13, O-GEN-03
TEST(BattleWriter, WritesTheChunksInTheDocumentedOrder) {
    // Ranges of 10, keyframes every 20; the keyframes share one attachment.
    EXPECT_EQ(types_of(toy::record(43).file),
              "MRPH SUBS STEP HASH STEP HASH ATCH KEYF STEP HASH STEP HASH KEYF STEP HASH ENDR ");
}

TEST(BattleWriter, WritesTheDocumentedChunkHeader) {
    const core::Bytes file = toy::record(1).file;
    EXPECT_EQ(std::string(file.begin(), file.begin() + 4), "MRPH");
    EXPECT_EQ(core::load_le<std::uint32_t>(&file[4]), 0U);
    EXPECT_EQ(core::load_le<std::int32_t>(&file[8]), 0);
    EXPECT_EQ(core::load_le<std::int32_t>(&file[12]), 0);
    // version, three texts, two digests, rate, seed, units, mode, start, range, a field "ground".
    const std::uint32_t size =
        4 + (4 + 5) + (4 + 3) + (4 + 15) + 16 + 4 + 4 + 4 + 1 + 4 + 4 + 4 + (4 + 6 + 8);
    EXPECT_EQ(core::load_le<std::uint32_t>(&file[16]), size);
    EXPECT_EQ(core::load_le<std::uint32_t>(&file[20]), size);
    EXPECT_EQ(core::load_le<std::uint64_t>(&file[24]), 0U);
    EXPECT_EQ(core::load_le<std::uint64_t>(&file[32]),
              core::xxh3_64(core::ByteSpan(file).subspan(44, size)));
    EXPECT_EQ(core::load_le<std::uint32_t>(&file[40]), core::crc32(core::ByteSpan(file).first(40)));
    EXPECT_EQ(core::load_le<std::uint32_t>(&file[44]), 3U);  // Format version.
    EXPECT_EQ(std::string(&file[44 + size], &file[44 + size] + 4), "SUBS");
}

TEST(BattleWriter, TheSameBattleGivesTheSameBytes) {
    EXPECT_EQ(toy::record(43).file, toy::record(43).file);
}

TEST(BattleWriter, RecordingAReplayAgainGivesTheSameBytes) {
    const core::Bytes file = toy::record(43).file;
    const BattleReader reader = *BattleReader::open(file);
    MemorySink sink;
    BattleWriter writer(sink, {.keyframe_ticks = 20});
    ASSERT_TRUE(writer.begin(reader.header(), *reader.start_substrates()));
    std::size_t keyframe = 0;
    for (sim::Tick tick = 1; tick <= reader.last_tick(); ++tick) {
        const std::vector<sim::Command> commands = *reader.commands_between(tick, tick);
        ASSERT_TRUE(writer.record_tick(tick, commands, reader.hash_of(tick)));
        if (writer.take_keyframe_request()) {
            ASSERT_TRUE(writer.add_keyframe(*reader.keyframe(keyframe++)));
        }
    }
    ASSERT_TRUE(writer.end(reader.end_record()->reason));
    EXPECT_EQ(sink.bytes(), file);
}

TEST(BattleWriter, StoresAPayloadOnceHoweverOftenItIsNamed) {
    MemorySink sink;
    BattleWriter writer(sink);
    ASSERT_TRUE(writer.begin(toy::header(), {}));
    for (sim::Tick tick = 1; tick <= 30; ++tick) {
        sim::Command command = toy::push(tick, tick);
        command.byte_payload = core::Bytes(100, 9);
        ASSERT_TRUE(writer.record_tick(tick, std::span(&command, 1), 0));
    }
    ASSERT_TRUE(writer.end(EndReason::kStopped));
    EXPECT_EQ(types_of(sink.bytes()), "MRPH ATCH STEP HASH STEP HASH STEP HASH ENDR ");
    const BattleReader reader = *BattleReader::open(sink.bytes());
    const std::vector<sim::Command> commands = *reader.commands_between(1, 30);
    ASSERT_EQ(commands.size(), 30U);
    EXPECT_EQ(commands[29].byte_payload, core::Bytes(100, 9));
}

TEST(BattleWriter, TakesAKeyframeLaterThanItsTickAndOneOfTheStart) {
    MemorySink sink;
    BattleWriter writer(sink, {.keyframe_ticks = 5});
    ASSERT_TRUE(writer.begin(toy::header(), {}));
    ASSERT_TRUE(writer.add_keyframe({0, {}, {1}}));
    for (sim::Tick tick = 1; tick <= 4; ++tick) {
        ASSERT_TRUE(writer.record_tick(tick, {}, 0));
        EXPECT_FALSE(writer.take_keyframe_request());
    }
    ASSERT_TRUE(writer.record_tick(5, {}, 0));
    EXPECT_TRUE(writer.take_keyframe_request());
    EXPECT_FALSE(writer.take_keyframe_request());
    for (sim::Tick tick = 6; tick <= 12; ++tick) ASSERT_TRUE(writer.record_tick(tick, {}, 0));
    ASSERT_TRUE(writer.add_keyframe({5, {}, {2}}));
    ASSERT_TRUE(writer.add_keyframe({12, {}, {3}}));
    ASSERT_TRUE(writer.end(EndReason::kFinished));
    EXPECT_EQ(types_of(sink.bytes()), "MRPH KEYF STEP HASH KEYF STEP HASH KEYF ENDR ");
    const BattleReader reader = *BattleReader::open(sink.bytes());
    EXPECT_FALSE(reader.damage());
    ASSERT_EQ(reader.keyframes().size(), 3U);
    EXPECT_EQ(reader.keyframe(1)->tick, 5);
    EXPECT_EQ(reader.keyframe(2)->frame, core::Bytes{3});
}

TEST(BattleWriter, KeyframesGetRarerAsTheFileNearsItsSetSize) {
    MemorySink sink;
    constexpr std::uint64_t kTarget = 100'000;
    BattleWriter writer(sink, {.keyframe_ticks = 10, .size_target_bytes = kTarget});
    ASSERT_TRUE(writer.begin(toy::header(), {}));
    std::vector<sim::Tick> keyframes;
    for (sim::Tick tick = 1; tick <= 3000; ++tick) {
        ASSERT_TRUE(writer.record_tick(tick, {}, 0));
        if (!writer.take_keyframe_request()) continue;
        keyframes.push_back(tick);
        ASSERT_TRUE(writer.add_keyframe({tick, {}, core::Bytes(4000, 1)}));
    }
    std::vector<sim::Tick> distances;
    for (std::size_t i = 1; i < keyframes.size(); ++i) {
        distances.push_back(keyframes[i] - keyframes[i - 1]);
    }
    EXPECT_EQ(distances.front(), 10);
    EXPECT_TRUE(std::is_sorted(distances.begin(), distances.end()));
    for (const sim::Tick distance : distances) EXPECT_EQ(distance % 10, 0);
    EXPECT_GE(distances.back(), 160);
    // Without the doubling 3,000 ticks would have 300 keyframes, 1.2 MB.
    EXPECT_LT(writer.bytes_written(), 2 * kTarget);
}

/// Fails from the n-th write on.
class FullDisk final : public Sink {
  public:
    explicit FullDisk(int writes) : left_(writes) {}
    Result<void> write(core::ByteSpan) override {
        if (left_-- > 0) return {};
        return refuse(ErrorCode::kIo, "no space left");
    }

  private:
    int left_;
};

TEST(BattleWriter, KeepsGivingTheErrorOfItsFirstFailedWrite) {
    FullDisk disk(1);
    BattleWriter writer(disk);
    ASSERT_TRUE(writer.begin(toy::header(), {}));
    for (sim::Tick tick = 1; tick < 10; ++tick) ASSERT_TRUE(writer.record_tick(tick, {}, 0));
    const std::uint64_t before = writer.bytes_written();
    for (sim::Tick tick = 10; tick < 15; ++tick) {
        const Result<void> refused = writer.record_tick(10, {}, 0);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::kIo);
    }
    EXPECT_FALSE(writer.end(EndReason::kStopped));
    EXPECT_EQ(writer.bytes_written(), before);
}

/// File bytes of 20 minutes with a command every `distance` ticks, 0 for none.
std::size_t bytes_of_battle(sim::Tick ticks, sim::Tick distance) {
    BattleHeader header = toy::header();
    header.range_ticks = kDefaultRangeTicks;
    MemorySink sink;
    BattleWriter writer(sink);
    EXPECT_TRUE(writer.begin(header, {}));
    std::int64_t sequence = 0;
    for (sim::Tick tick = 1; tick <= ticks; ++tick) {
        std::vector<sim::Command> commands;
        if (distance != 0 && tick % distance == 0) commands.push_back(toy::push(tick, ++sequence));
        EXPECT_TRUE(writer.record_tick(tick, commands, core::mix(0, tick)));
    }
    EXPECT_TRUE(writer.end(EndReason::kFinished));
    return sink.bytes().size();
}

TEST(BattleWriter, CostsAtMostTwelveBytesATickBesidesItsCommands) {
    constexpr sim::Tick kTicks = 24'000;
    constexpr std::size_t kCommandBytes = 31;  // "unit" and "amount" with their kinds, five fixed.
    const std::size_t idle = bytes_of_battle(kTicks, 0);
    EXPECT_LE(idle, 12U * kTicks);
    EXPECT_LE(bytes_of_battle(kTicks, 5), idle + kTicks / 5 * kCommandBytes);
    EXPECT_LE(bytes_of_battle(kTicks, 1), 12U * kTicks + kTicks * kCommandBytes);
}

}  // namespace
}  // namespace maniple::battle_file
