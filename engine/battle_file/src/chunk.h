#pragma once

#include <cstdint>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/ids.h"

namespace maniple::battle_file {

constexpr std::uint32_t four_letters(const char (&name)[5]) {
    std::uint32_t code = 0;
    for (int i = 3; i >= 0; --i) code = code << 8 | static_cast<std::uint8_t>(name[i]);
    return code;
}

enum class ChunkType : std::uint32_t {
    kHeader = four_letters("MRPH"),
    kSubstrate = four_letters("SUBS"),
    kAttachment = four_letters("ATCH"),
    kSteps = four_letters("STEP"),
    kHashes = four_letters("HASH"),
    kKeyframe = four_letters("KEYF"),
    kEnd = four_letters("ENDR"),
};

/// Raw bytes a chunk of this type may have; 0 for an unknown type.
[[nodiscard]] std::uint32_t raw_bytes_max(ChunkType type);
/// "MRPH", or "?" for an unknown type.
[[nodiscard]] const char* chunk_name(ChunkType type);

inline constexpr std::size_t kChunkHeaderBytes = 44;

/// docs/formats/battle_file.md §1.
struct ChunkHeader {
    ChunkType type = ChunkType::kHeader;
    std::uint32_t number = 0;
    sim::Tick first_tick = 0;
    sim::Tick last_tick = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t raw_bytes = 0;
    std::uint64_t key = 0;
    std::uint64_t content_hash = 0;
};

/// The header's bytes with its checksum; `content_hash` is taken as given.
void encode_chunk_header(const ChunkHeader& header, core::ByteWriter& out);
/// Reads and checks the header of chunk `number` at `at_byte` and the content behind it.
/// @return kTruncated, kBadHash, kBadValue or kOverCap.
Result<ChunkHeader> read_chunk_header(core::ByteSpan file, std::uint64_t at_byte,
                                      std::uint32_t number);

/// One zstd frame of the bytes, or empty when it would not be smaller.
[[nodiscard]] core::Bytes pack(core::ByteSpan raw);
/// The raw bytes of untrusted stored ones; memory follows what really comes out and ends at
/// `raw_bytes`. `at_byte` is reported. @return kBadValue when they do not unpack to that size.
Result<core::Bytes> unpack(core::ByteSpan stored, std::uint32_t raw_bytes, std::uint64_t at_byte);

}  // namespace maniple::battle_file
