#pragma once

#include <vector>

#include "maniple/core/assert.h"
#include "maniple/core/bytes.h"
#include "maniple/core/hash.h"

#include "chunk.h"

/// Takes battle files apart and puts changed ones together with every size and checksum mended, so
/// that only re-simulation can find the change. For tests; no such code is in the library.
namespace maniple::battle_file::tamper {

struct Chunk {
    ChunkHeader header;
    core::Bytes raw;
};

/// The chunks of a whole file.
inline std::vector<Chunk> take_apart(core::ByteSpan file) {
    std::vector<Chunk> chunks;
    std::uint64_t at = 0;
    while (at < file.size()) {
        const auto number = static_cast<std::uint32_t>(chunks.size());
        const Result<ChunkHeader> header = read_chunk_header(file, at, number);
        if (!header) break;
        const core::ByteSpan stored = file.subspan(at + kChunkHeaderBytes, header->stored_bytes);
        Result<core::Bytes> raw = unpack(stored, header->raw_bytes, at);
        if (!raw) break;
        chunks.push_back({*header, *std::move(raw)});
        at += kChunkHeaderBytes + header->stored_bytes;
    }
    return chunks;
}

/// A file of these chunks, numbered and checksummed anew, nothing packed.
inline core::Bytes put_together(const std::vector<Chunk>& chunks) {
    core::Bytes file;
    core::ByteWriter out(file);
    std::uint32_t number = 0;
    for (const Chunk& chunk : chunks) {
        ChunkHeader header = chunk.header;
        header.number = number++;
        header.stored_bytes = static_cast<std::uint32_t>(chunk.raw.size());
        header.raw_bytes = header.stored_bytes;
        header.content_hash = core::xxh3_64(chunk.raw);
        encode_chunk_header(header, out);
        out.bytes(chunk.raw);
    }
    return file;
}

/// The chunk of a type that covers a tick, or nullptr.
inline Chunk* find(std::vector<Chunk>& chunks, ChunkType type, sim::Tick tick) {
    for (Chunk& chunk : chunks) {
        const ChunkHeader& header = chunk.header;
        if (header.type == type && header.first_tick <= tick && tick <= header.last_tick) {
            return &chunk;
        }
    }
    return nullptr;
}

}  // namespace maniple::battle_file::tamper
