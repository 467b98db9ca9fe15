#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maniple/battle_file/format.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"

namespace maniple::battle_file {

/// Where a chunk stands in the file.
struct ChunkAddress {
    std::uint64_t at_byte = 0;  ///< Of the chunk's header.
    sim::Tick first_tick = 0;
    sim::Tick last_tick = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t raw_bytes = 0;
};

/// What the chunks of one kind take.
struct ChunkBytes {
    std::uint64_t substrates = 0;
    std::uint64_t steps = 0;
    std::uint64_t hashes = 0;
    std::uint64_t keyframes = 0;
    std::uint64_t attachments = 0;
};

/// A battle file opened for reading, as far as it is whole. Holds views into the file's bytes,
/// which the caller keeps. Const functions may be called from several threads.
class BattleReader {
  public:
    /// Checks every chunk of untrusted bytes. @return kBadMagic, kBadVersion, kBadHash, kTruncated
    /// or another code with the byte offset when there is no good header; a file damaged later
    /// opens.
    static Result<BattleReader> open(core::ByteSpan file);

    [[nodiscard]] const BattleHeader& header() const { return header_; }
    /// The tick of the start state; the first recorded tick is the next one.
    [[nodiscard]] sim::Tick start_tick() const { return header_.start_tick; }
    /// The last tick whose commands and hash are there; start_tick() when there is none.
    [[nodiscard]] sim::Tick last_tick() const { return last_tick_; }
    /// Why the file is not whole, with the byte offset of the first chunk that fails; nullopt for a
    /// complete file.
    [[nodiscard]] const std::optional<Error>& damage() const { return damage_; }
    [[nodiscard]] const std::optional<EndRecord>& end_record() const { return end_; }
    [[nodiscard]] std::uint64_t size_bytes() const { return file_.size(); }
    /// Stored bytes by kind of chunk, chunk headers included, as far as the file is whole.
    [[nodiscard]] ChunkBytes chunk_bytes() const;

    /// The recorded hash of a tick, start_tick() < tick ≤ last_tick().
    [[nodiscard]] std::uint64_t hash_of(sim::Tick tick) const;

    /// Substrates of the start. Their bytes are unpacked here, and only checked as a stream by the
    /// one who imports them.
    [[nodiscard]] Result<std::vector<FieldSubstrate>> start_substrates() const;

    /// The ranges of commands, in ascending ticks without gaps.
    [[nodiscard]] std::span<const ChunkAddress> ranges() const { return ranges_; }
    /// All commands of one range in execution order. @return kBadValue and others, when the content
    /// is not what a recorder writes, with the chunk's offset and the step.
    [[nodiscard]] Result<std::vector<sim::Command>> commands_of(std::size_t range) const;
    /// The recorded steps of one range, for tools that compare or print them.
    [[nodiscard]] Result<core::Bytes> steps_of(std::size_t range) const;
    /// The commands of the ticks first … last, both over start_tick() and at most last_tick().
    [[nodiscard]] Result<std::vector<sim::Command>> commands_between(sim::Tick first,
                                                                     sim::Tick last) const;
    /// Index of the range that holds a tick, start_tick() < tick ≤ last_tick().
    [[nodiscard]] std::size_t range_of(sim::Tick tick) const;

    /// Keyframes in ascending ticks.
    [[nodiscard]] std::span<const ChunkAddress> keyframes() const { return keyframes_; }
    [[nodiscard]] Result<Keyframe> keyframe(std::size_t index) const;

  private:
    struct Scan;
    struct Attachment {
        std::uint64_t key;
        ChunkAddress address;
    };
    [[nodiscard]] Result<core::Bytes> content(const ChunkAddress& chunk) const;
    /// The same, taken out of `room` bytes. @return also kOverCap when it does not fit.
    [[nodiscard]] Result<core::Bytes> content_within(const ChunkAddress& chunk,
                                                     std::uint64_t& room) const;
    /// The attachment with this key, taken out of `room`; kNotFound, or kBadHash when its bytes
    /// have another.
    [[nodiscard]] Result<core::Bytes> attachment(std::uint64_t key, std::uint64_t& room) const;

    core::ByteSpan file_;
    BattleHeader header_;
    std::optional<EndRecord> end_;
    std::optional<Error> damage_;
    sim::Tick last_tick_ = 0;
    std::vector<ChunkAddress> substrates_;
    std::vector<ChunkAddress> ranges_;
    std::vector<ChunkAddress> hashes_;  ///< One for each range.
    std::vector<ChunkAddress> keyframes_;
    std::vector<Attachment> attachments_;  ///< By key.
};

}  // namespace maniple::battle_file
