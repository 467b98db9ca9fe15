#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/core/hash.h"

#include "chunk.h"

namespace {

using namespace maniple;
using namespace maniple::battle_file;

void require(bool condition) {
    if (!condition) std::abort();
}

/// The file is refused, or everything the reader offers can be asked for.
void check(core::ByteSpan file) {
    const Result<BattleReader> reader = BattleReader::open(file);
    if (!reader) return;
    require(!reader->damage() || reader->damage()->at_byte <= file.size());
    require(reader->damage() || reader->end_record());
    sim::Tick expected = reader->start_tick() + 1;
    for (std::size_t i = 0; i < reader->ranges().size(); ++i) {
        const ChunkAddress& range = reader->ranges()[i];
        require(range.first_tick == expected);
        expected = range.last_tick + 1;
        static_cast<void>(reader->hash_of(range.last_tick));
        require(reader->range_of(range.first_tick) == i);
        const Result<std::vector<sim::Command>> commands = reader->commands_of(i);
        if (!commands) continue;
        for (const sim::Command& command : *commands) {
            require(command.tick >= range.first_tick && command.tick <= range.last_tick);
        }
    }
    require(reader->last_tick() == expected - 1);
    for (std::size_t i = 0; i < reader->keyframes().size(); ++i) {
        static_cast<void>(reader->keyframe(i));
    }
    static_cast<void>(reader->start_substrates());
}

/// The bytes as a row of chunks with right numbers, sizes and checksums.
core::Bytes mend(core::ByteSpan bytes) {
    core::Bytes file;
    core::ByteWriter out(file);
    core::ByteReader in(bytes);
    for (std::uint32_t number = 0; in.remaining() >= kChunkHeaderBytes; ++number) {
        ChunkHeader header;
        header.type = static_cast<ChunkType>(in.u32());
        header.number = number;
        static_cast<void>(in.u32());
        header.first_tick = in.i32();
        header.last_tick = in.i32();
        const std::uint32_t stored = in.u32();
        const std::uint32_t raw = in.u32();
        header.key = in.u64();
        static_cast<void>(in.bytes(12));
        header.stored_bytes =
            static_cast<std::uint32_t>(std::min<std::size_t>(stored, in.remaining()));
        header.raw_bytes = raw == stored ? header.stored_bytes : raw;
        const core::ByteSpan content = in.bytes(header.stored_bytes);
        header.content_hash = core::xxh3_64(content);
        encode_chunk_header(header, out);
        out.bytes(content);
    }
    return file;
}

}  // namespace

/// Any bytes, as they are and with every checksum mended, which random bytes would not get past.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check({data, size});
    check(mend({data, size}));
    return 0;
}
