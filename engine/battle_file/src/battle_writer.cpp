#include "maniple/battle_file/battle_writer.h"

#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/replay/container.h"

#include "chunk.h"
#include "command_steps.h"
#include "content.h"

namespace maniple::battle_file {

struct BattleWriter::ChunkContent {
    ChunkType type;
    sim::Tick first_tick;
    sim::Tick last_tick;
    core::ByteSpan raw;
    bool packable = false;
    std::uint64_t key = 0;
};

BattleWriter::BattleWriter(Sink& sink, WriterOptions options)
    : sink_(sink), options_(options), next_growth_bytes_(options.size_target_bytes / 2) {
    MANIPLE_ASSERT(options.keyframe_ticks > 0);
}

Result<void> BattleWriter::begin(const BattleHeader& header,
                                 std::span<const FieldSubstrate> substrates) {
    MANIPLE_ASSERT(chunks_ == 0);
    MANIPLE_ASSERT(header.range_ticks >= 1 && header.range_ticks <= kRangeTicksMax);
    MANIPLE_ASSERT(header.start_tick >= 0 && header.start_tick <= kTickMax);
    range_ticks_ = header.range_ticks;
    last_tick_ = header.start_tick;
    range_first_ = header.start_tick + 1;
    clock_ = header.start_tick;
    next_keyframe_ = header.start_tick + options_.keyframe_ticks;
    Result<void> written = write_chunk({ChunkType::kHeader, 0, 0, encode_header(header)});
    for (const FieldSubstrate& substrate : substrates) {
        if (!written) break;
        written = write_chunk({ChunkType::kSubstrate, 0, 0, encode_substrate(substrate), true});
    }
    return written;
}

Result<void> BattleWriter::record_tick(sim::Tick tick, std::span<const sim::Command> executed,
                                       std::uint64_t hash) {
    MANIPLE_ASSERT(chunks_ > 0 && !ended_);
    if (failed_.code != ErrorCode::kNone) return refuse(failed_);
    MANIPLE_ASSERT(tick == last_tick_ + 1);
    if (!executed.empty()) {
        steps_.append(kStepTickAdvance, tick - clock_);
        clock_ = tick;
    }
    for (const sim::Command& command : executed) {
        append_command(
            command, [this](core::Bytes bytes) { return attach(std::move(bytes)); }, steps_);
    }
    hashes_.push_back(hash);
    last_tick_ = tick;
    last_hash_ = hash;
    if (hashes_.size() < range_ticks_) return {};
    return write_range();
}

std::uint64_t BattleWriter::attach(core::Bytes bytes) {
    const std::uint64_t key = core::xxh3_64(bytes);
    if (attached_.insert(key).second) new_attachments_.push_back(std::move(bytes));
    return key;
}

bool BattleWriter::take_keyframe_request() {
    if (last_tick_ < next_keyframe_) return false;
    next_keyframe_ = last_tick_ + options_.keyframe_ticks;
    return true;
}

Result<void> BattleWriter::add_keyframe(const Keyframe& keyframe) {
    MANIPLE_ASSERT(chunks_ > 0 && !ended_);
    MANIPLE_ASSERT(keyframe.tick > last_keyframe_ && keyframe.tick <= last_tick_);
    // The tick must be complete in the file before its state is.
    if (keyframe.tick >= range_first_ && !hashes_.empty()) {
        if (Result<void> written = write_range(); !written) return written;
    }
    KeyframeContent content{{}, keyframe.frame};
    for (const FieldSubstrate& substrate : keyframe.substrates) {
        const std::uint64_t key = core::xxh3_64(substrate.stream);
        content.substrates.push_back({substrate.field, key});
        if (!attached_.insert(key).second) continue;
        Result<void> written = write_chunk(
            {ChunkType::kAttachment, keyframe.tick, keyframe.tick, substrate.stream, true, key});
        if (!written) return written;
    }
    Result<void> written =
        write_chunk({ChunkType::kKeyframe, keyframe.tick, keyframe.tick, encode_keyframe(content)});
    if (!written) return written;
    last_keyframe_ = keyframe.tick;
    ++keyframes_;
    grow_keyframe_distance();
    return {};
}

Result<void> BattleWriter::end(EndReason reason) {
    MANIPLE_ASSERT(chunks_ > 0 && !ended_);
    if (!hashes_.empty()) {
        if (Result<void> written = write_range(); !written) return written;
    }
    ended_ = true;
    const EndRecord record{reason, last_tick_, last_hash_, steps_written_, keyframes_};
    return write_chunk({ChunkType::kEnd, last_tick_, last_tick_, encode_end(record)});
}

Result<void> BattleWriter::write_range() {
    for (const core::Bytes& bytes : new_attachments_) {
        Result<void> written = write_chunk(
            {ChunkType::kAttachment, range_first_, last_tick_, bytes, true, core::xxh3_64(bytes)});
        if (!written) return written;
    }
    new_attachments_.clear();
    Result<void> written = write_chunk(
        {ChunkType::kSteps, range_first_, last_tick_, replay::encode_container(steps_), true});
    if (!written) return written;
    core::Bytes hashes;
    core::ByteWriter out(hashes);
    for (const std::uint64_t hash : hashes_) out.u64(hash);
    written = write_chunk({ChunkType::kHashes, range_first_, last_tick_, hashes});
    if (!written) return written;
    steps_written_ += steps_.size();
    steps_ = replay::ReplayArray();
    hashes_.clear();
    range_first_ = last_tick_ + 1;
    clock_ = last_tick_;
    return {};
}

Result<void> BattleWriter::write_chunk(const ChunkContent& chunk) {
    if (failed_.code != ErrorCode::kNone) return refuse(failed_);
    MANIPLE_ASSERT(chunk.raw.size() <= raw_bytes_max(chunk.type));
    const core::Bytes packed = chunk.packable ? pack(chunk.raw) : core::Bytes();
    const core::ByteSpan stored = packed.empty() ? chunk.raw : core::ByteSpan(packed);
    ChunkHeader header;
    header.type = chunk.type;
    header.number = chunks_;
    header.first_tick = chunk.first_tick;
    header.last_tick = chunk.last_tick;
    header.stored_bytes = static_cast<std::uint32_t>(stored.size());
    header.raw_bytes = static_cast<std::uint32_t>(chunk.raw.size());
    header.key = chunk.key;
    header.content_hash = core::xxh3_64(stored);
    core::Bytes bytes;
    bytes.reserve(kChunkHeaderBytes + stored.size());
    core::ByteWriter out(bytes);
    encode_chunk_header(header, out);
    out.bytes(stored);
    if (Result<void> written = sink_.write(bytes); !written) {
        failed_ = written.error();
        return written;
    }
    ++chunks_;
    bytes_written_ += bytes.size();
    return {};
}

void BattleWriter::grow_keyframe_distance() {
    constexpr sim::Tick kDistanceMax = 1 << 24;
    while (bytes_written_ >= next_growth_bytes_ && options_.keyframe_ticks < kDistanceMax) {
        options_.keyframe_ticks *= 2;
        next_growth_bytes_ += (options_.size_target_bytes - next_growth_bytes_) / 2;
        if (next_growth_bytes_ >= options_.size_target_bytes - 1) break;
    }
}

}  // namespace maniple::battle_file
