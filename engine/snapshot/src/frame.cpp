#include "frame.h"

#include <algorithm>
#include <memory>
#include <string>
#include <zstd.h>

#include "maniple/core/hash.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::snapshot {
namespace {

constexpr int kPackLevel = 1;
constexpr std::size_t kUnpackStepBytes = 64 * 1024;
/// What a snapshot is expected to unpack to, so that its buffer is made once.
constexpr std::size_t kExpectedRatio = 16;

struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

tl::unexpected<Error> bad_content(const char* why) {
    return refuse(ErrorCode::kBadValue, kFrameHeaderBytes, why);
}

Result<core::Bytes> unpack_zstd(core::ByteSpan packed, std::uint64_t raw_bytes) {
    const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
    core::Bytes raw;
    const std::size_t step = std::max(kUnpackStepBytes, kExpectedRatio * packed.size());
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    std::size_t hint = 1;
    while (hint != 0) {
        const std::size_t used = raw.size();
        const std::size_t room = std::max(step, used);
        // One byte over the size is enough to see that more comes out.
        raw.resize(std::min<std::size_t>(used + room, raw_bytes + 1));
        ZSTD_outBuffer out{raw.data(), raw.size(), used};
        const std::size_t consumed = in.pos;
        hint = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(hint) != 0) return bad_content("the packed bytes do not unpack");
        raw.resize(out.pos);
        if (out.pos > raw_bytes) return bad_content("more bytes come out than the frame states");
        if (out.pos == used && in.pos == consumed) {
            return bad_content("the packed bytes end early");
        }
    }
    if (raw.size() != raw_bytes || in.pos != in.size) {
        return bad_content("not the number of bytes that the frame states");
    }
    return raw;
}

}  // namespace

core::Bytes pack_frame(core::ByteSpan raw) {
    MANIPLE_ASSERT(raw.size() <= kRawBytesMax);
    core::Bytes frame(kFrameHeaderBytes + ZSTD_compressBound(raw.size()));
    std::uint8_t* content = frame.data() + kFrameHeaderBytes;
    std::size_t packed_bytes = ZSTD_compress(content, frame.size() - kFrameHeaderBytes, raw.data(),
                                             raw.size(), kPackLevel);
    Codec codec = Codec::kZstd;
    if (ZSTD_isError(packed_bytes) != 0 || packed_bytes >= raw.size()) {
        codec = Codec::kNone;
        packed_bytes = raw.size();
        std::copy(raw.begin(), raw.end(), content);
    }
    frame.resize(kFrameHeaderBytes + packed_bytes);
    core::ByteWriter header(frame);
    header.patch(0, kFrameMagic);
    header.patch(4, kFrameVersion);
    header.patch(8, std::uint64_t{raw.size()});
    header.patch(16, std::uint64_t{packed_bytes});
    header.patch(24, core::xxh3_64(raw));
    header.patch(32, static_cast<std::uint8_t>(codec));
    return frame;
}

Result<core::Bytes> unpack_frame(core::ByteSpan frame) {
    core::ByteReader in(frame);
    const std::uint32_t magic = in.u32();
    if (in.ok() && magic != kFrameMagic) in.fail(ErrorCode::kBadMagic, 0, "not a snapshot frame");
    const std::uint32_t version = in.u32();
    if (in.ok() && version != kFrameVersion) {
        in.fail(ErrorCode::kBadVersion, 4,
                "snapshot version " + std::to_string(version) + ", this build reads " +
                    std::to_string(kFrameVersion));
    }
    const std::uint64_t raw_bytes = in.u64();
    const std::uint64_t packed_bytes = in.u64();
    const std::uint64_t raw_hash = in.u64();
    const std::uint8_t codec = in.u8();
    if (in.ok() && raw_bytes > kRawBytesMax) {
        in.fail(ErrorCode::kOverCap, 8, "a snapshot of " + std::to_string(raw_bytes) + " bytes");
    }
    if (in.ok() && codec > static_cast<std::uint8_t>(Codec::kZstd)) {
        in.fail(ErrorCode::kBadMode, 32, "snapshot codec " + std::to_string(codec));
    }
    const core::ByteSpan packed = in.bytes(packed_bytes);
    in.expect_end();
    if (!in.ok()) return refuse(in.error());

    Result<core::Bytes> raw;
    if (static_cast<Codec>(codec) == Codec::kZstd) {
        raw = unpack_zstd(packed, raw_bytes);
        if (!raw) return raw;
    } else if (packed_bytes != raw_bytes) {
        return refuse(ErrorCode::kBadValue, 16, "two sizes of unpacked bytes");
    } else {
        raw = core::Bytes(packed.begin(), packed.end());
    }
    if (core::xxh3_64(*raw) != raw_hash) {
        return refuse(ErrorCode::kBadHash, 24, "the snapshot's checksum is wrong");
    }
    return raw;
}

}  // namespace maniple::snapshot
