#include "maniple/replay/container.h"

#include <utility>

#include "maniple/core/hash.h"
#include "maniple/replay/encode.h"

namespace maniple::replay {
namespace {

constexpr std::uint32_t kMagic = 0x52504C31;  // "RPL1", big-endian.
constexpr std::size_t kHeaderBytes = 17;
constexpr std::size_t kChecksumBytes = 4;

}  // namespace

// implements: REPS-001, O-REPA-06
core::Bytes encode_container(const ReplayArray& array) {
    core::Bytes out(kHeaderBytes);
    encode::store_be(&out[0], kMagic);
    out[4] = static_cast<std::uint8_t>(array.command_width());
    encode::store_be(&out[5], static_cast<std::uint32_t>(array.size()));
    encode::store_be(&out[9], static_cast<std::uint32_t>(array.commands().size()));
    encode::store_be(&out[13], static_cast<std::uint32_t>(array.params().size()));
    out.insert(out.end(), array.commands().begin(), array.commands().end());
    out.insert(out.end(), array.params().begin(), array.params().end());
    const std::uint32_t checksum = core::crc32(out);
    out.resize(out.size() + kChecksumBytes);
    encode::store_be(&out[out.size() - kChecksumBytes], checksum);
    return out;
}

Result<ReplayArray> decode_container(core::ByteSpan bytes, core::LogSink log) {
    if (bytes.size() < kHeaderBytes + kChecksumBytes) {
        return refuse(ErrorCode::kTruncated, bytes.size(), "shorter than a replay header");
    }
    if (encode::load_be<std::uint32_t>(&bytes[0]) != kMagic) {
        return refuse(ErrorCode::kBadMagic, 0, "not an RPL1 replay");
    }
    const std::uint8_t width = bytes[4];
    if (width != 8 && width != 16) {
        return refuse(ErrorCode::kBadMode, 4, "width " + std::to_string(width) + ", not 8 or 16");
    }
    const std::uint64_t steps = encode::load_be<std::uint32_t>(&bytes[5]);
    const std::uint64_t command_bytes = encode::load_be<std::uint32_t>(&bytes[9]);
    const std::uint64_t param_bytes = encode::load_be<std::uint32_t>(&bytes[13]);
    if (command_bytes != steps * (width == 8 ? 2 : 3)) {
        return refuse(ErrorCode::kBadValue, 9,
                      std::to_string(steps) + " steps cannot take " +
                          std::to_string(command_bytes) + " command bytes");
    }
    const std::uint64_t total = kHeaderBytes + command_bytes + param_bytes + kChecksumBytes;
    if (total > bytes.size()) {
        return refuse(ErrorCode::kTruncated, bytes.size(),
                      std::to_string(total) + " bytes declared, " + std::to_string(bytes.size()) +
                          " present");
    }
    if (total < bytes.size()) {
        return refuse(ErrorCode::kTrailing, total, "bytes after the checksum");
    }
    const std::size_t checksum_at = bytes.size() - kChecksumBytes;
    if (core::crc32(bytes.first(checksum_at)) !=
        encode::load_be<std::uint32_t>(&bytes[checksum_at])) {
        return refuse(ErrorCode::kBadHash, checksum_at, "the checksum does not match");
    }
    Result<ReplayArray> array = ReplayArray::from_regions(
        width == 8 ? CommandWidth::k8 : CommandWidth::k16,
        bytes.subspan(kHeaderBytes, command_bytes),
        bytes.subspan(kHeaderBytes + command_bytes, param_bytes), std::move(log));
    if (!array) {
        Error error = std::move(array.error());
        error.at_byte += kHeaderBytes;
        return refuse(std::move(error));
    }
    return array;
}

}  // namespace maniple::replay
