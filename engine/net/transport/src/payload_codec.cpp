#include "maniple/net/payload_codec.h"

#include <zstd.h>

#include "maniple/core/assert.h"

namespace maniple::net {

core::Bytes pack_payload(core::ByteSpan raw) {
    core::Bytes packed(ZSTD_compressBound(raw.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1);
    MANIPLE_ASSERT(!ZSTD_isError(size));
    packed.resize(size);
    return packed;
}

// implements: O-NET-16
Result<core::Bytes> unpack_payload(core::ByteSpan packed, std::size_t raw_bytes) {
    // Checked before the allocation: a peer must not make us reserve what its frame cannot fill.
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != raw_bytes) {
        return refuse(ErrorCode::kBadValue, 0, "a packed payload of another size than stated");
    }
    const std::size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
    if (ZSTD_isError(frame) || frame != packed.size()) {
        return refuse(ErrorCode::kBadValue, 0, "a packed payload that is not one zstd frame");
    }
    core::Bytes raw(raw_bytes);
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size());
    if (ZSTD_isError(size) || size != raw_bytes) {
        return refuse(ErrorCode::kBadValue, 0, "a packed payload that does not unpack");
    }
    return raw;
}

}  // namespace maniple::net
