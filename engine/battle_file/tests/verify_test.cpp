#include "maniple/battle_file/verify.h"

#include <gtest/gtest.h>

#include "maniple/core/random.h"
#include "maniple/replay/container.h"

#include "tamper.h"
#include "toy_battle.h"

namespace maniple::battle_file {
namespace {

constexpr sim::Tick kTicks = 75;  // Keyframes at 20, 40, 60.

VerifyReport verify(const core::Bytes& file, int threads = 1) {
    const Result<BattleReader> reader = BattleReader::open(file);
    EXPECT_TRUE(reader);
    const std::unique_ptr<core::Executor> executor = core::make_executor(threads);
    return verify_battle(*reader, toy::make_battle, *executor);
}

/// A recorded file after `change`, every checksum mended.
template <typename Change>
core::Bytes tampered(Change change) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(toy::record(kTicks).file);
    change(chunks);
    return tamper::put_together(chunks);
}

TEST(VerifyBattle, AWholeFileIsTheBattleItRecords) {
    const toy::Recorded recorded = toy::record(kTicks);
    const VerifyReport report = verify(recorded.file);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.ticks, kTicks);
    EXPECT_EQ(report.first_hash, recorded.hashes.front());
    EXPECT_EQ(report.last_hash, recorded.hashes.back());
}

TEST(VerifyBattle, APartOfABattleStartsFromItsOwnState) {
    const toy::Recorded part = toy::record_part(75);
    const VerifyReport report = verify(part.file);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.ticks, 55);
    EXPECT_EQ(report.first_hash, part.hashes[20]);
    const BattleReader reader = *BattleReader::open(part.file);
    EXPECT_EQ(reader.start_tick(), 20);
    EXPECT_EQ(reader.keyframes().size(), 3U);
    EXPECT_EQ(seek_battle(reader, 20, toy::make_battle)->from_keyframe, 20);
    EXPECT_EQ(seek_battle(reader, 75, toy::make_battle)->hash, part.hashes[74]);
    EXPECT_EQ(seek_battle(reader, 19, toy::make_battle).error().code, ErrorCode::kNotFound);
}

TEST(VerifyBattle, APartWithoutItsStateHasNoTick) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(toy::record_part(75).file);
    ASSERT_EQ(chunks[1].header.type, ChunkType::kKeyframe);
    chunks.erase(chunks.begin() + 1);
    const core::Bytes file = tamper::put_together(chunks);
    const BattleReader reader = *BattleReader::open(file);
    ASSERT_TRUE(reader.damage());
    EXPECT_EQ(reader.damage()->code, ErrorCode::kBadValue);
    EXPECT_EQ(reader.last_tick(), 20);
    EXPECT_EQ(seek_battle(reader, 20, toy::make_battle).error().code, ErrorCode::kTruncated);
    EXPECT_EQ(verify(file).ticks, 0);
}

TEST(VerifyBattle, WithoutKeyframesTheWholeBattleRunsFromItsStart) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::find(chunks, ChunkType::kKeyframe, 40)->raw.back() ^= 1;
    });
    EXPECT_FALSE(verify(file).ok());
    const BattleReader reader = *BattleReader::open(file);
    core::SerialExecutor executor;
    const VerifyReport report =
        verify_battle(reader, toy::make_battle, executor, Keyframes::kIgnore);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.ticks, kTicks);
    const Result<SeekResult> found = seek_battle(reader, 45, toy::make_battle, Keyframes::kIgnore);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->from_keyframe);
    EXPECT_EQ(found->hash, reader.hash_of(45));
}

TEST(VerifyBattle, ACutFileIsVerifiedUpToItsLastCompleteTick) {
    const VerifyReport report = verify(toy::record(kTicks, true).file);
    EXPECT_FALSE(report.ok());
    EXPECT_FALSE(report.mismatch);
    ASSERT_TRUE(report.error);
    EXPECT_EQ(report.error->code, ErrorCode::kTruncated);
    EXPECT_EQ(report.ticks, 70);
}

/// Verifying finds damage and no mismatch, and compares the ticks that are whole.
void expect_damage(const core::Bytes& file, const char* what, std::uint64_t where) {
    const Result<BattleReader> reader = BattleReader::open(file);
    if (!reader) return;  // The header itself is hit.
    core::SerialExecutor executor;
    const VerifyReport report = verify_battle(*reader, toy::make_battle, executor);
    ASSERT_TRUE(report.error) << what << where;
    EXPECT_FALSE(report.mismatch) << what << where;
    EXPECT_EQ(report.ticks, reader->last_tick()) << what << where;
}

TEST(VerifyBattle, TellsDamageFromAMismatchWhereverAFileIsCut) {
    const core::Bytes whole = toy::record(kTicks).file;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const core::Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        expect_damage(cut, "cut at ", size);
    }
}

TEST(VerifyBattle, TellsDamageFromAMismatchWhateverBitIsFlipped) {
    core::Bytes file = toy::record(kTicks).file;
    core::RandomStream random(3);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint32_t bit = random.next_below(static_cast<std::uint32_t>(file.size() * 8));
        file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        expect_damage(file, "seed 3, bit ", bit);
        file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
}

TEST(VerifyBattle, AFileOfNothingButItsHeaderHasNothingToCompare) {
    const VerifyReport report = verify(toy::record(0).file);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.ticks, 0);
}

TEST(VerifyBattle, AChangedHashNamesItsTick) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::find(chunks, ChunkType::kHashes, 33)->raw[8 * 2] ^= 1;  // Range 31 … 40.
    });
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 33);
    EXPECT_EQ(report.mismatch->state_tick, 40);
    EXPECT_FALSE(report.mismatch->difference);  // The states are the same.
    EXPECT_FALSE(report.error);
}

/// Adds one to the amount of a tick's first command.
void change_command(std::vector<tamper::Chunk>& chunks, sim::Tick tick) {
    tamper::Chunk* chunk = tamper::find(chunks, ChunkType::kSteps, tick);
    replay::ReplayArray steps = *replay::decode_container(chunk->raw);
    const double sequence = 2.0 * static_cast<double>(tick);
    int changed = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(steps.size()); ++i) {
        replay::Step step = *steps.get(i);
        if (step.command != 1 || step.params[1] != replay::Param(sequence)) continue;
        EXPECT_EQ(step.params.back(), replay::Param(1000 + sequence));
        step.params.back() = 1001 + sequence;
        changed += steps.set(i, step.command, step.params) ? 1 : 0;
    }
    EXPECT_EQ(changed, 1);
    chunk->raw = replay::encode_container(steps);
}

TEST(VerifyBattle, AChangedCommandNamesItsTickAndTheField) {
    const core::Bytes file = tampered(
        [](std::vector<tamper::Chunk>& chunks) { change_command(chunks, 33); });  // Of unit 2.
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 33);
    EXPECT_EQ(report.mismatch->state_tick, 40);
    EXPECT_EQ(report.mismatch->difference, (StateDifference{"Number", {2}, "value"}));
    EXPECT_EQ(report.ticks, kTicks);  // It went on to the keyframe and from the next ones.
}

TEST(VerifyBattle, AChangedCommandAfterTheLastKeyframeHasNoStateToCompare) {
    const core::Bytes file =
        tampered([](std::vector<tamper::Chunk>& chunks) { change_command(chunks, 72); });
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 72);
    EXPECT_FALSE(report.mismatch->state_tick);
    EXPECT_FALSE(report.mismatch->difference);
    EXPECT_EQ(report.ticks, kTicks);
}

TEST(VerifyBattle, AChangedKeyframeNamesItsTickAndTheField) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::find(chunks, ChunkType::kKeyframe, 40)->raw.back() ^= 1;  // Top of unit 7's number.
    });
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 40);
    EXPECT_EQ(report.mismatch->state_tick, 40);
    EXPECT_EQ(report.mismatch->difference, (StateDifference{"Number", {7}, "value"}));
}

TEST(VerifyBattle, AKeyframeThatCannotBeRestoredNamesItsTick) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::find(chunks, ChunkType::kKeyframe, 40)->raw.pop_back();
    });
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 40);
    EXPECT_FALSE(report.error);
}

TEST(VerifyBattle, ACommandThatCannotRunNamesItsTick) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::Chunk* chunk = tamper::find(chunks, ChunkType::kSteps, 33);
        replay::ReplayArray steps = *replay::decode_container(chunk->raw);
        replay::Step step = *steps.get(1);
        step.params[5] = "nobody";  // Was "unit".
        steps.set(1, step.command, step.params);
        chunk->raw = replay::encode_container(steps);
    });
    const VerifyReport report = verify(file);
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 33);
    EXPECT_FALSE(report.mismatch->state_tick);
}

TEST(VerifyBattle, AWrongStepCountInTheEndRecordIsAnError) {
    const core::Bytes file =
        tampered([](std::vector<tamper::Chunk>& chunks) { chunks.back().raw[13] ^= 1; });
    const VerifyReport report = verify(file);
    EXPECT_FALSE(report.mismatch);
    ASSERT_TRUE(report.error);
    EXPECT_EQ(report.error->code, ErrorCode::kBadValue);
}

TEST(VerifyBattle, TheReportDoesNotDependOnTheNumberOfThreads) {
    const core::Bytes file = tampered([](std::vector<tamper::Chunk>& chunks) {
        tamper::find(chunks, ChunkType::kHashes, 33)->raw[0] ^= 1;
        tamper::find(chunks, ChunkType::kHashes, 55)->raw[0] ^= 1;
        tamper::find(chunks, ChunkType::kKeyframe, 60)->raw.back() ^= 1;
    });
    const VerifyReport one = verify(file, 1);
    const VerifyReport two = verify(file, 2);
    ASSERT_TRUE(one.mismatch && two.mismatch);
    EXPECT_EQ(one.mismatch->tick, 31);
    EXPECT_EQ(two.mismatch->tick, 31);
    EXPECT_EQ(one.ticks, two.ticks);
    EXPECT_EQ(one.mismatch->message, two.mismatch->message);
}

TEST(SeekBattle, StartsFromTheNearestKeyframeBefore) {
    const toy::Recorded recorded = toy::record(kTicks);
    const BattleReader reader = *BattleReader::open(recorded.file);
    for (const sim::Tick tick : {0, 1, 19, 20, 21, 59, kTicks}) {
        Result<SeekResult> found = seek_battle(reader, tick, toy::make_battle);
        ASSERT_TRUE(found) << tick;
        const std::optional<sim::Tick> keyframe =
            tick < 20 ? std::nullopt : std::optional<sim::Tick>(std::min(tick / 20 * 20, 60));
        EXPECT_EQ(found->from_keyframe, keyframe);
        const auto& battle = dynamic_cast<const toy::Battle&>(*found->simulator);
        if (tick == 0) continue;
        EXPECT_EQ(found->hash, recorded.hashes[static_cast<std::size_t>(tick - 1)]);
        EXPECT_EQ(battle.hash(), found->hash);
    }
    EXPECT_EQ(seek_battle(reader, -1, toy::make_battle).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(seek_battle(reader, kTicks + 1, toy::make_battle).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace maniple::battle_file
