#include "maniple/battle_file/battle_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/replay/container.h"

#include "chunk.h"
#include "command_steps.h"
#include "content.h"

namespace maniple::battle_file {
namespace {

ChunkAddress address_of(const ChunkHeader& header, std::uint64_t at_byte) {
    return {at_byte, header.first_tick, header.last_tick, header.stored_bytes, header.raw_bytes};
}

core::ByteSpan stored_bytes(core::ByteSpan file, const ChunkAddress& chunk) {
    return file.subspan(chunk.at_byte + kChunkHeaderBytes, chunk.stored_bytes);
}

/// An error of a chunk's content, whose offsets mean nothing in the file where it was packed.
Error in_chunk(Error error, const ChunkAddress& chunk) {
    const bool packed = chunk.stored_bytes != chunk.raw_bytes;
    const bool located = error.at_byte != Error::kNoOffset && !packed;
    error.at_byte = chunk.at_byte + kChunkHeaderBytes + (located ? error.at_byte : 0);
    return error;
}

}  // namespace

/// Walks the chunks and takes each into the reader if it may stand where it does.
struct BattleReader::Scan {
    BattleReader& reader;
    bool range_open = false;  ///< A STEP waits for its HASH.

    Result<void> take(const ChunkHeader& header, std::uint64_t at_byte) {
        const ChunkAddress chunk = address_of(header, at_byte);
        const auto misplaced = [&](const char* why) {
            return refuse(ErrorCode::kBadValue, at_byte,
                          std::string(chunk_name(header.type)) + " chunk: " + why);
        };
        if (reader.end_) return refuse(ErrorCode::kTrailing, at_byte, "a chunk after the end");
        if (range_open && header.type != ChunkType::kHashes) {
            return misplaced("the hashes of the range before are missing");
        }
        switch (header.type) {
            case ChunkType::kHeader: return misplaced("a second header");
            case ChunkType::kSubstrate:
                if (!reader.ranges_.empty() || !reader.keyframes_.empty()) {
                    return misplaced("a start substrate after the start");
                }
                if (reader.substrates_.size() == kFieldsMax) {
                    return misplaced("more start substrates than fields");
                }
                reader.substrates_.push_back(chunk);
                return {};
            case ChunkType::kAttachment:
                reader.attachments_.push_back({header.key, chunk});
                return {};
            case ChunkType::kSteps:
                if (!is_next_range(chunk)) return misplaced("not the range that follows");
                if (reader.start_tick() > 0 && reader.keyframes_.empty()) {
                    return misplaced("the start state is missing");
                }
                reader.ranges_.push_back(chunk);
                range_open = true;
                return {};
            case ChunkType::kHashes:
                return take_hashes(chunk) ? Result<void>() : misplaced("not those of its range");
            case ChunkType::kKeyframe:
                if (!is_next_keyframe(chunk)) return misplaced("its tick is out of order");
                reader.keyframes_.push_back(chunk);
                return {};
            case ChunkType::kEnd: break;
        }
        return take_end(chunk);
    }

    [[nodiscard]] bool is_next_range(const ChunkAddress& chunk) const {
        // In 64 bits: the ticks are any numbers so far.
        const std::int64_t ticks = std::int64_t{chunk.last_tick} - chunk.first_tick + 1;
        return chunk.first_tick == std::int64_t{reader.last_tick_} + 1 && ticks >= 1 &&
               ticks <= reader.header_.range_ticks && chunk.last_tick <= kTickMax;
    }
    [[nodiscard]] bool is_next_keyframe(const ChunkAddress& chunk) const {
        const std::int64_t before = reader.keyframes_.empty()
                                        ? std::int64_t{reader.start_tick()} - 1
                                        : reader.keyframes_.back().first_tick;
        return chunk.first_tick == chunk.last_tick && chunk.first_tick > before &&
               chunk.first_tick <= reader.last_tick_;
    }
    bool take_hashes(const ChunkAddress& chunk) {
        if (!range_open) return false;
        const ChunkAddress& steps = reader.ranges_.back();
        if (chunk.first_tick != steps.first_tick || chunk.last_tick != steps.last_tick) {
            return false;
        }
        const auto ticks = static_cast<std::uint32_t>(chunk.last_tick - chunk.first_tick + 1);
        if (chunk.raw_bytes != 8 * ticks || chunk.stored_bytes != chunk.raw_bytes) return false;
        reader.hashes_.push_back(chunk);
        reader.last_tick_ = chunk.last_tick;
        range_open = false;
        return true;
    }
    Result<void> take_end(const ChunkAddress& chunk) {
        Result<EndRecord> end = reader.content(chunk).and_then(
            [](const core::Bytes& bytes) { return decode_end(bytes); });
        if (!end) return refuse(in_chunk(std::move(end.error()), chunk));
        const bool nothing = reader.last_tick_ == reader.start_tick();
        const std::uint64_t hash = nothing ? 0 : reader.hash_of(reader.last_tick_);
        if (end->last_tick != reader.last_tick_ || end->last_hash != hash ||
            end->keyframes != reader.keyframes_.size()) {
            return refuse(ErrorCode::kBadValue, chunk.at_byte,
                          "ENDR chunk: it does not fit the chunks before");
        }
        reader.end_ = *end;
        return {};
    }
};

// implements: O-REPS-13
Result<BattleReader> BattleReader::open(core::ByteSpan file) {
    constexpr auto kMagic = static_cast<std::uint32_t>(ChunkType::kHeader);
    if (file.size() >= 4 && core::load_le<std::uint32_t>(file.data()) != kMagic) {
        return refuse(ErrorCode::kBadMagic, 0, "not a battle file");
    }
    BattleReader reader;
    reader.file_ = file;
    Result<ChunkHeader> chunk = read_chunk_header(file, 0, 0);
    if (!chunk) return refuse(std::move(chunk.error()));
    const ChunkAddress first = address_of(*chunk, 0);
    Result<BattleHeader> header = reader.content(first).and_then(
        [](const core::Bytes& bytes) { return decode_header(bytes); });
    if (!header) return refuse(in_chunk(std::move(header.error()), first));
    reader.header_ = *std::move(header);
    reader.last_tick_ = reader.start_tick();

    Scan scan{reader};
    std::uint64_t at = kChunkHeaderBytes + chunk->stored_bytes;
    for (std::uint32_t number = 1; at < file.size(); ++number) {
        chunk = read_chunk_header(file, at, number);
        Result<void> taken =
            chunk ? scan.take(*chunk, at) : Result<void>(refuse(std::move(chunk.error())));
        if (!taken) {
            reader.damage_ = std::move(taken.error());
            break;
        }
        at += kChunkHeaderBytes + chunk->stored_bytes;
    }
    if (scan.range_open) reader.ranges_.pop_back();
    if (!reader.damage_ && !reader.end_) {
        reader.damage_ = Error{ErrorCode::kTruncated, at, "the file has no end record"};
    }
    std::sort(reader.attachments_.begin(), reader.attachments_.end(),
              [](const Attachment& a, const Attachment& b) {
                  return std::pair(a.key, a.address.at_byte) < std::pair(b.key, b.address.at_byte);
              });
    return reader;
}

Result<core::Bytes> BattleReader::content(const ChunkAddress& chunk) const {
    return unpack(stored_bytes(file_, chunk), chunk.raw_bytes, chunk.at_byte + kChunkHeaderBytes);
}

Result<core::Bytes> BattleReader::content_within(const ChunkAddress& chunk,
                                                 std::uint64_t& room) const {
    if (chunk.raw_bytes > room) {
        return refuse(ErrorCode::kOverCap, chunk.at_byte,
                      "what belongs together unpacks to more than the limit");
    }
    room -= chunk.raw_bytes;
    return content(chunk);
}

ChunkBytes BattleReader::chunk_bytes() const {
    const auto sum = [](std::span<const ChunkAddress> chunks) {
        std::uint64_t bytes = 0;
        for (const ChunkAddress& chunk : chunks) bytes += kChunkHeaderBytes + chunk.stored_bytes;
        return bytes;
    };
    std::uint64_t attachments = 0;
    for (const Attachment& attachment : attachments_) attachments += sum({&attachment.address, 1});
    return {sum(substrates_), sum(ranges_), sum(hashes_), sum(keyframes_), attachments};
}

std::size_t BattleReader::range_of(sim::Tick tick) const {
    MANIPLE_ASSERT(tick > start_tick());
    MANIPLE_ASSERT(tick <= last_tick_);
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), tick,
        [](sim::Tick t, const ChunkAddress& range) { return t < range.first_tick; });
    return static_cast<std::size_t>(after - ranges_.begin()) - 1;
}

std::uint64_t BattleReader::hash_of(sim::Tick tick) const {
    const ChunkAddress& chunk = hashes_[range_of(tick)];
    const auto index = static_cast<std::size_t>(tick - chunk.first_tick);
    return core::load_le<std::uint64_t>(&stored_bytes(file_, chunk)[8 * index]);
}

Result<std::vector<FieldSubstrate>> BattleReader::start_substrates() const {
    std::vector<FieldSubstrate> substrates;
    std::uint64_t room = kUnpackedBytesMax;
    for (const ChunkAddress& chunk : substrates_) {
        Result<core::Bytes> bytes = content_within(chunk, room);
        if (!bytes) return refuse(std::move(bytes.error()));
        Result<FieldSubstrate> substrate = decode_substrate(*bytes);
        if (!substrate) return refuse(in_chunk(std::move(substrate.error()), chunk));
        const auto is_same = [&](const FieldSubstrate& other) {
            return other.field == substrate->field;
        };
        if (std::any_of(substrates.begin(), substrates.end(), is_same)) {
            return refuse(ErrorCode::kBadValue, chunk.at_byte,
                          "SUBS chunk: a second one of a field");
        }
        substrates.push_back(*std::move(substrate));
    }
    return substrates;
}

Result<core::Bytes> BattleReader::steps_of(std::size_t range) const {
    MANIPLE_ASSERT(range < ranges_.size());
    return content(ranges_[range]);
}

Result<std::vector<sim::Command>> BattleReader::commands_of(std::size_t range) const {
    const ChunkAddress& chunk = ranges_[range];
    Result<core::Bytes> bytes = steps_of(range);
    if (!bytes) return refuse(std::move(bytes.error()));
    Result<replay::ReplayArray> steps = replay::decode_container(*bytes);
    if (!steps) return refuse(in_chunk(std::move(steps.error()), chunk));
    if (steps->command_width() != replay::CommandWidth::k8) {
        return refuse(ErrorCode::kBadMode, chunk.at_byte, "STEP chunk: width 16");
    }
    std::uint64_t room = kUnpackedBytesMax;
    Result<std::vector<sim::Command>> commands =
        decode_commands(*steps, chunk.first_tick, chunk.last_tick,
                        [&](std::uint64_t key) { return attachment(key, room); });
    if (!commands && commands.error().at_byte == Error::kNoOffset) {
        return refuse(in_chunk(std::move(commands.error()), chunk));
    }
    return commands;
}

Result<std::vector<sim::Command>> BattleReader::commands_between(sim::Tick first,
                                                                 sim::Tick last) const {
    std::vector<sim::Command> commands;
    for (std::size_t range = range_of(first); range <= range_of(last); ++range) {
        Result<std::vector<sim::Command>> part = commands_of(range);
        if (!part) return part;
        for (sim::Command& command : *part) {
            if (command.tick >= first && command.tick <= last) {
                commands.push_back(std::move(command));
            }
        }
    }
    return commands;
}

Result<Keyframe> BattleReader::keyframe(std::size_t index) const {
    MANIPLE_ASSERT(index < keyframes_.size());
    const ChunkAddress& chunk = keyframes_[index];
    Result<core::Bytes> bytes = content(chunk);
    if (!bytes) return refuse(std::move(bytes.error()));
    Result<KeyframeContent> decoded = decode_keyframe(*bytes);
    if (!decoded) return refuse(in_chunk(std::move(decoded.error()), chunk));
    Keyframe keyframe{chunk.first_tick, {}, {decoded->frame.begin(), decoded->frame.end()}};
    std::uint64_t room = kUnpackedBytesMax;
    for (KeyframeContent::Substrate& substrate : decoded->substrates) {
        Result<core::Bytes> stream = attachment(substrate.key, room);
        if (!stream) return refuse(std::move(stream.error()));
        keyframe.substrates.push_back({std::move(substrate.field), *std::move(stream)});
    }
    return keyframe;
}

Result<core::Bytes> BattleReader::attachment(std::uint64_t key, std::uint64_t& room) const {
    const auto at =
        std::lower_bound(attachments_.begin(), attachments_.end(), key,
                         [](const Attachment& a, std::uint64_t wanted) { return a.key < wanted; });
    if (at == attachments_.end() || at->key != key) {
        return refuse(ErrorCode::kNotFound, "no attachment " + core::hex16(key));
    }
    Result<core::Bytes> bytes = content_within(at->address, room);
    if (bytes && core::xxh3_64(*bytes) != key) {
        return refuse(ErrorCode::kBadHash, at->address.at_byte,
                      "attachment " + core::hex16(key) + " has other bytes");
    }
    return bytes;
}

}  // namespace maniple::battle_file
