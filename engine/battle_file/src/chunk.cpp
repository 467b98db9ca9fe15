#include "chunk.h"

#include <algorithm>
#include <memory>
#include <string>
#include <zstd.h>

#include "maniple/battle_file/format.h"
#include "maniple/core/hash.h"

namespace maniple::battle_file {
namespace {

/// Maps pack as well at level 1, at a third of the time.
constexpr std::size_t kLargeBytes = 64 * 1024;
constexpr int kPackLevel = 3;
constexpr int kPackLevelLarge = 1;
constexpr std::size_t kUnpackStepBytes = 256 * 1024;

struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::uint32_t raw_bytes_max(ChunkType type) {
    switch (type) {
        case ChunkType::kHeader: return 64U << 10;
        case ChunkType::kSubstrate: return kSubstrateBytesMax;
        case ChunkType::kAttachment: return kAttachmentBytesMax;
        case ChunkType::kSteps: return kStepBytesMax;
        case ChunkType::kHashes: return 8 * kRangeTicksMax;
        case ChunkType::kKeyframe: return kKeyframeBytesMax;
        case ChunkType::kEnd: return 64;
    }
    return 0;
}

const char* chunk_name(ChunkType type) {
    switch (type) {
        case ChunkType::kHeader: return "MRPH";
        case ChunkType::kSubstrate: return "SUBS";
        case ChunkType::kAttachment: return "ATCH";
        case ChunkType::kSteps: return "STEP";
        case ChunkType::kHashes: return "HASH";
        case ChunkType::kKeyframe: return "KEYF";
        case ChunkType::kEnd: return "ENDR";
    }
    return "?";
}

void encode_chunk_header(const ChunkHeader& header, core::ByteWriter& out) {
    core::Bytes bytes;
    core::ByteWriter writer(bytes);
    writer.u32(static_cast<std::uint32_t>(header.type));
    writer.u32(header.number);
    writer.i32(header.first_tick);
    writer.i32(header.last_tick);
    writer.u32(header.stored_bytes);
    writer.u32(header.raw_bytes);
    writer.u64(header.key);
    writer.u64(header.content_hash);
    writer.u32(core::crc32(bytes));
    out.bytes(bytes);
}

Result<ChunkHeader> read_chunk_header(core::ByteSpan file, std::uint64_t at_byte,
                                      std::uint32_t number) {
    const core::ByteSpan rest = file.subspan(at_byte);
    if (rest.size() < kChunkHeaderBytes) {
        return refuse(ErrorCode::kTruncated, at_byte,
                      "chunk " + std::to_string(number) + ": " + std::to_string(rest.size()) +
                          " of " + std::to_string(kChunkHeaderBytes) + " header bytes");
    }
    core::ByteReader in(rest.first(kChunkHeaderBytes));
    ChunkHeader header;
    header.type = static_cast<ChunkType>(in.u32());
    header.number = in.u32();
    header.first_tick = in.i32();
    header.last_tick = in.i32();
    header.stored_bytes = in.u32();
    header.raw_bytes = in.u32();
    header.key = in.u64();
    header.content_hash = in.u64();
    const std::string name = "chunk " + std::to_string(number) + " " + chunk_name(header.type);
    if (in.u32() != core::crc32(rest.first(kChunkHeaderBytes - 4))) {
        return refuse(ErrorCode::kBadHash, at_byte,
                      "chunk " + std::to_string(number) + ": the header's checksum is wrong");
    }
    if (raw_bytes_max(header.type) == 0 || header.number != number) {
        return refuse(ErrorCode::kBadValue, at_byte, name + ": unknown, missing or out of order");
    }
    if (header.raw_bytes > raw_bytes_max(header.type) || header.stored_bytes > header.raw_bytes) {
        return refuse(ErrorCode::kOverCap, at_byte, name + ": its size is over the limit");
    }
    const core::ByteSpan behind = rest.subspan(kChunkHeaderBytes);
    if (header.stored_bytes > behind.size()) {
        return refuse(ErrorCode::kTruncated, at_byte,
                      name + ": " + std::to_string(behind.size()) + " of " +
                          std::to_string(header.stored_bytes) + " bytes");
    }
    if (core::xxh3_64(behind.first(header.stored_bytes)) != header.content_hash) {
        return refuse(ErrorCode::kBadHash, at_byte + kChunkHeaderBytes,
                      name + ": the content's checksum is wrong");
    }
    return header;
}

core::Bytes pack(core::ByteSpan raw) {
    core::Bytes packed(ZSTD_compressBound(raw.size()));
    const int level = raw.size() > kLargeBytes ? kPackLevelLarge : kPackLevel;
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), level);
    if (ZSTD_isError(size) != 0 || size >= raw.size()) return {};
    packed.resize(size);
    return packed;
}

Result<core::Bytes> unpack(core::ByteSpan stored, std::uint32_t raw_bytes, std::uint64_t at_byte) {
    if (stored.size() == raw_bytes) return core::Bytes(stored.begin(), stored.end());
    const auto wrong = [&](const char* why) { return refuse(ErrorCode::kBadValue, at_byte, why); };
    const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
    core::Bytes raw;
    ZSTD_inBuffer in{stored.data(), stored.size(), 0};
    std::size_t hint = 1;
    while (hint != 0) {
        const std::size_t used = raw.size();
        const std::size_t room = std::max(kUnpackStepBytes, used);
        // One byte over the size is enough to see that more comes out.
        raw.resize(std::min<std::size_t>(used + room, std::size_t{raw_bytes} + 1));
        ZSTD_outBuffer out{raw.data(), raw.size(), used};
        const std::size_t consumed = in.pos;
        hint = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(hint) != 0) return wrong("the packed bytes do not unpack");
        raw.resize(out.pos);
        if (out.pos > raw_bytes) return wrong("more bytes come out than the chunk states");
        if (out.pos == used && in.pos == consumed) return wrong("the packed bytes end early");
    }
    if (raw.size() != raw_bytes || in.pos != in.size) {
        return wrong("not the number of bytes that the chunk states");
    }
    return raw;
}

}  // namespace maniple::battle_file
