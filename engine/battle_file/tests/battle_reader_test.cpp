#include "maniple/battle_file/battle_reader.h"

#include <gtest/gtest.h>

#include "maniple/core/random.h"

#include "tamper.h"
#include "toy_battle.h"

namespace maniple::battle_file {
namespace {

constexpr sim::Tick kTicks = 43;

/// Where each chunk of a whole file begins, and the last complete tick before it.
struct Boundary {
    std::uint64_t at_byte;
    sim::Tick complete_tick;
};
std::vector<Boundary> boundaries_of(const core::Bytes& file) {
    std::vector<Boundary> boundaries;
    Boundary next{0, 0};
    while (next.at_byte < file.size()) {
        boundaries.push_back(next);
        const auto number = static_cast<std::uint32_t>(boundaries.size() - 1);
        const ChunkHeader header = *read_chunk_header(file, next.at_byte, number);
        next.at_byte += kChunkHeaderBytes + header.stored_bytes;
        if (header.type == ChunkType::kHashes) next.complete_tick = header.last_tick;
    }
    return boundaries;
}

Boundary chunk_at(const std::vector<Boundary>& boundaries, std::uint64_t byte) {
    Boundary found = boundaries.front();
    for (const Boundary& boundary : boundaries) {
        if (boundary.at_byte <= byte) found = boundary;
    }
    return found;
}

/// Everything up to the reader's last tick is what was recorded.
void expect_truth(const BattleReader& reader, const std::vector<std::uint64_t>& hashes) {
    const sim::Tick last = reader.last_tick();
    std::vector<sim::Command> expected;
    for (sim::Tick tick = 1; tick <= last; ++tick) {
        ASSERT_EQ(reader.hash_of(tick), hashes[static_cast<std::size_t>(tick - 1)]);
        for (sim::Command& command : toy::commands_at(tick)) expected.push_back(command);
    }
    if (last == 0) return;
    const Result<std::vector<sim::Command>> commands = reader.commands_between(1, last);
    ASSERT_TRUE(commands);
    ASSERT_EQ(*commands, expected);
}

TEST(BattleReader, GivesBackWhatWasRecorded) {
    const toy::Recorded recorded = toy::record(kTicks);
    const Result<BattleReader> reader = BattleReader::open(recorded.file);
    ASSERT_TRUE(reader);
    EXPECT_FALSE(reader->damage());
    EXPECT_EQ(reader->header(), toy::header());
    EXPECT_EQ(reader->last_tick(), kTicks);
    expect_truth(*reader, recorded.hashes);
    EXPECT_EQ(*reader->start_substrates(), std::vector{toy::substrate()});
    ASSERT_EQ(reader->keyframes().size(), 2U);
    const Keyframe keyframe = *reader->keyframe(1);
    EXPECT_EQ(keyframe.tick, 40);
    EXPECT_EQ(keyframe.substrates, std::vector{toy::substrate()});
    const EndRecord expected{EndReason::kFinished, kTicks, recorded.hashes.back(), 14 + 28,
                             2};  // 14 ticks with commands, two in each.
    EXPECT_EQ(reader->end_record(), expected);
}

TEST(BattleReader, GivesTheCommandsOfAnyStretchOfTicks) {
    const core::Bytes file = toy::record(kTicks).file;
    const BattleReader reader = *BattleReader::open(file);
    const std::vector<sim::Command> commands = *reader.commands_between(10, 12);
    EXPECT_EQ(commands, toy::commands_at(12));
    EXPECT_TRUE(reader.commands_between(13, 14)->empty());
    EXPECT_EQ(reader.range_of(10), 0U);
    EXPECT_EQ(reader.range_of(11), 1U);
}

TEST(BattleReader, OpensWhatAKilledRecorderLeft) {
    const toy::Recorded recorded = toy::record(kTicks, true);
    const Result<BattleReader> reader = BattleReader::open(recorded.file);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->last_tick(), 40);
    EXPECT_FALSE(reader->end_record());
    ASSERT_TRUE(reader->damage());
    EXPECT_EQ(reader->damage()->code, ErrorCode::kTruncated);
    EXPECT_EQ(reader->damage()->at_byte, recorded.file.size());
    expect_truth(*reader, recorded.hashes);
}

void expect_truncated(const toy::Recorded& recorded, const std::vector<Boundary>& boundaries,
                      std::size_t size) {
    const core::ByteSpan cut(recorded.file.data(), size);
    const Result<BattleReader> reader = BattleReader::open(cut);
    if (size < boundaries[1].at_byte) {
        ASSERT_FALSE(reader);
        EXPECT_EQ(reader.error().code, ErrorCode::kTruncated);
        return;
    }
    ASSERT_TRUE(reader) << size;
    const Boundary last = chunk_at(boundaries, size);
    ASSERT_TRUE(reader->damage()) << size;
    EXPECT_EQ(reader->damage()->code, ErrorCode::kTruncated) << size;
    EXPECT_EQ(reader->damage()->at_byte, last.at_byte) << size;
    EXPECT_EQ(reader->last_tick(), last.complete_tick) << size;
    expect_truth(*reader, recorded.hashes);
}

TEST(BattleReader, TellsTheTruthOfAFileCutAtEveryChunk) {
    const toy::Recorded recorded = toy::record(kTicks);
    const std::vector<Boundary> boundaries = boundaries_of(recorded.file);
    EXPECT_EQ(boundaries.size(), 16U);
    for (const Boundary& boundary : boundaries) {
        expect_truncated(recorded, boundaries, boundary.at_byte);
    }
}

TEST(BattleReader, TellsTheTruthOfAFileCutAtRandomBytes) {
    const toy::Recorded recorded = toy::record(kTicks);
    const std::vector<Boundary> boundaries = boundaries_of(recorded.file);
    core::RandomStream random(1);
    for (int i = 0; i < 1000; ++i) {
        const auto size = random.next_below(static_cast<std::uint32_t>(recorded.file.size()));
        expect_truncated(recorded, boundaries, size);
    }
}

TEST(BattleReader, TellsTheTruthOfAFileWithAFlippedBit) {
    const toy::Recorded recorded = toy::record(kTicks);
    const std::vector<Boundary> boundaries = boundaries_of(recorded.file);
    core::Bytes file = recorded.file;
    core::RandomStream random(2);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint32_t bit = random.next_below(static_cast<std::uint32_t>(file.size() * 8));
        file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        const Result<BattleReader> reader = BattleReader::open(file);
        const Boundary hit = chunk_at(boundaries, bit / 8);
        if (hit.at_byte == 0) {
            ASSERT_FALSE(reader) << bit;
        } else {
            ASSERT_TRUE(reader) << bit;
            ASSERT_TRUE(reader->damage()) << bit;
            EXPECT_EQ(reader->damage()->code, ErrorCode::kBadHash) << bit;
            EXPECT_TRUE(reader->damage()->at_byte == hit.at_byte ||
                        reader->damage()->at_byte == hit.at_byte + kChunkHeaderBytes)
                << bit;
            EXPECT_EQ(reader->last_tick(), hit.complete_tick) << bit;
            if (i % 100 == 0) expect_truth(*reader, recorded.hashes);
        }
        file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
}

TEST(BattleReader, RefusesWhatIsNotABattleFile) {
    EXPECT_EQ(BattleReader::open({}).error().code, ErrorCode::kTruncated);
    const core::Bytes other(100, 'x');
    EXPECT_EQ(BattleReader::open(other).error().code, ErrorCode::kBadMagic);
}

TEST(BattleReader, RefusesAnotherFormatVersion) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(toy::record(kTicks).file);
    chunks[0].raw[0] = kFormatVersion + 1;
    const core::Bytes file = tamper::put_together(chunks);
    EXPECT_EQ(BattleReader::open(file).error().code, ErrorCode::kBadVersion);
    EXPECT_EQ(BattleReader::open(file).error().at_byte, kChunkHeaderBytes);
    chunks[0].raw[0] = 2;
    EXPECT_EQ(BattleReader::open(tamper::put_together(chunks)).error().message,
              "battle file version 2, this build reads 3");
}

/// What opening says of a file whose chunks were changed and mended.
template <typename Change>
std::optional<Error> damage_after(Change change) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(toy::record(kTicks).file);
    change(chunks);
    const core::Bytes file = tamper::put_together(chunks);
    const Result<BattleReader> reader = BattleReader::open(file);
    return reader ? reader->damage() : reader.error();
}

using Chunks = std::vector<tamper::Chunk>;

TEST(BattleReader, FindsChunksOutOfOrderWithGoodChecksums) {
    // 0 MRPH 1 SUBS 2 STEP 3 HASH 4 STEP 5 HASH 6 ATCH 7 KEYF 8 STEP …
    EXPECT_FALSE(damage_after([](Chunks&) {}));
    const std::vector<std::function<void(Chunks&)>> changes = {
        [](Chunks& c) { c.erase(c.begin() + 2); },                 // Hashes without steps.
        [](Chunks& c) { c.erase(c.begin() + 3); },                 // Steps without hashes.
        [](Chunks& c) { c.erase(c.begin() + 2, c.begin() + 4); },  // A range is missing.
        [](Chunks& c) { c.erase(c.begin() + 7); },                 // A keyframe is missing.
        [](Chunks& c) { std::swap(c[2], c[3]); },
        [](Chunks& c) { c.insert(c.begin() + 4, c[7]); },              // A keyframe of the future.
        [](Chunks& c) { c.insert(c.begin() + 8, c[7]); },              // The same keyframe again.
        [](Chunks& c) { c.insert(c.begin() + 4, c[1]); },              // A late start substrate.
        [](Chunks& c) { c.insert(c.begin() + 1, kFieldsMax, c[1]); },  // More than fields.
        [](Chunks& c) { c.insert(c.begin() + 1, c[0]); },              // Two headers.
        [](Chunks& c) { c.push_back(c.back()); },                      // Two ends.
        [](Chunks& c) { c[3].raw.pop_back(); },                        // Half a hash.
        [](Chunks& c) { c.back().raw[0] = 3; },                        // No such reason.
        [](Chunks& c) { c.back().raw[5] ^= 1; },                       // Another last hash.
        [](Chunks& c) {  // A range that ends before it starts.
            c[2].header.last_tick = -1;
            c[3].header.last_tick = -1;
        },
        [](Chunks& c) {  // A range over the header's number of ticks.
            c[2].header.last_tick = 11;
            c[3].header.last_tick = 11;
            c[3].raw.resize(88);
        },
        [](Chunks& c) { c[4].header.first_tick = INT32_MIN; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        EXPECT_TRUE(damage_after(changes[i])) << i;
    }
}

TEST(BattleReader, RefusesPackedBytesThatUnpackToAnotherSize) {
    const core::Bytes raw(10'000, 3);
    const core::Bytes packed = pack(raw);
    ASSERT_FALSE(packed.empty());
    EXPECT_EQ(*unpack(packed, 10'000, 0), raw);
    EXPECT_FALSE(unpack(packed, 9'999, 0));
    EXPECT_FALSE(unpack(packed, 10'001, 0));
    EXPECT_FALSE(unpack(core::ByteSpan(packed).first(packed.size() - 1), 10'000, 0));
    core::Bytes trailing = packed;
    trailing.push_back(0);
    EXPECT_FALSE(unpack(trailing, 10'000, 0));
    EXPECT_FALSE(unpack(core::Bytes(50, 7), 10'000, 0));
    EXPECT_FALSE(unpack({}, 1, 0));
}

TEST(BattleReader, AFieldHasOneStartSubstrate) {
    MemorySink sink;
    BattleWriter writer(sink, {});
    BattleHeader header = toy::header();
    header.fields.push_back({"walls", 43});
    FieldSubstrate walls = toy::substrate();
    walls.field = "walls";
    static_cast<void>(writer.begin(header, std::vector{toy::substrate(), walls}));
    static_cast<void>(writer.end(EndReason::kFinished));
    const core::Bytes file = sink.take();
    EXPECT_EQ(BattleReader::open(file)->start_substrates()->size(), 2U);
    Chunks chunks = tamper::take_apart(file);
    chunks[2].raw = chunks[1].raw;
    const core::Bytes twice = tamper::put_together(chunks);
    EXPECT_EQ(BattleReader::open(twice)->start_substrates().error().code, ErrorCode::kBadValue);
}

TEST(BattleReader, AnAttachmentWithOtherBytesIsRefusedWhenNamed) {
    Chunks chunks = tamper::take_apart(toy::record(kTicks).file);
    chunks[6].raw[0] ^= 1;
    const core::Bytes file = tamper::put_together(chunks);
    const BattleReader reader = *BattleReader::open(file);
    EXPECT_FALSE(reader.damage());
    EXPECT_EQ(reader.keyframe(0).error().code, ErrorCode::kBadHash);
    chunks.erase(chunks.begin() + 6);
    const core::Bytes without = tamper::put_together(chunks);
    EXPECT_EQ(BattleReader::open(without)->keyframe(0).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace maniple::battle_file
