#pragma once

#include <cstdint>

#include "maniple/core/bytes.h"

/// Unsigned LEB128 in the fewest bytes and its zigzag form (docs/formats/command.md).
namespace maniple::sim {

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t bits) {
    return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
}

[[nodiscard]] constexpr std::size_t varint_bytes(std::uint64_t value) {
    std::size_t bytes = 1;
    while ((value >>= 7) != 0) ++bytes;
    return bytes;
}

inline void put_varint(core::ByteWriter& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.u8(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    out.u8(static_cast<std::uint8_t>(value));
}

/// A varint of at most `value_max`; a larger one latches `over` (kBadValue for a field out of its
/// range, kOverCap for a count), a needlessly long one kBadValue.
[[nodiscard]] inline std::uint64_t get_varint(core::ByteReader& in, std::uint64_t value_max,
                                              ErrorCode over, const char* what) {
    constexpr int kShiftMax = 63;
    const std::size_t start = in.at();
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const std::uint8_t byte = in.u8();
        if (!in.ok()) return 0;
        const std::uint64_t bits = byte & 0x7FU;
        if (shift == kShiftMax && byte > 1) {
            in.fail(ErrorCode::kBadValue, start, std::string(what) + " is over 64 bits");
            return 0;
        }
        value |= bits << shift;
        if ((byte & 0x80) != 0) continue;
        if (byte == 0 && shift != 0) {
            in.fail(ErrorCode::kBadValue, start, std::string(what) + " is longer than needed");
            return 0;
        }
        break;
    }
    if (value > value_max) {
        in.fail(over, start,
                std::string(what) + " is " + std::to_string(value) + ", the limit is " +
                    std::to_string(value_max));
        return 0;
    }
    return value;
}

/// A count of items of at least `item_bytes_min` > 0 bytes each, checked against `limit` and the
/// bytes left before anything is allocated.
[[nodiscard]] inline std::uint32_t get_varint_count(core::ByteReader& in, std::uint32_t limit,
                                                    std::size_t item_bytes_min, const char* what) {
    const std::size_t start = in.at();
    const std::uint64_t count = get_varint(in, limit, ErrorCode::kOverCap, what);
    if (in.ok() && count > in.remaining() / item_bytes_min) {
        in.fail(ErrorCode::kTruncated, start,
                std::string(what) + " is " + std::to_string(count) + ", the bytes left hold " +
                    std::to_string(in.remaining() / item_bytes_min));
        return 0;
    }
    return static_cast<std::uint32_t>(count);
}

}  // namespace maniple::sim
