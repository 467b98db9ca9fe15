#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "maniple/core/bytes.h"
#include "maniple/replay/big_int.h"
#include "maniple/replay/text.h"

/// Writers of single parameters (docs/formats/replay.md §2). Each writes at `out`, where the caller
/// has claimed `bytes_max(value)` bytes, and returns the end. They may scribble over the slack.
namespace maniple::replay::encode {

enum : std::uint8_t {
    kTypeBool = 0,
    kTypeInt8 = 1,
    kTypeInt16 = 2,
    kTypeInt32 = 3,
    kTypeInt64 = 4,
    kTypeInt64Negative = 5,
    kTypeFloat64 = 6,
    kTypeBigInt = 7,
    kTypeBigIntNegative = 8,
    kTypeString = 9,
    kTypeShortString = 32,
};
inline constexpr std::size_t kNumberBytesMax = 9;
inline constexpr std::size_t kShortStringBytesMax = 223;
inline constexpr std::size_t kBigIntBytesMax = 255;

[[nodiscard]] inline std::uint16_t swap_bytes(std::uint16_t v) { return __builtin_bswap16(v); }
[[nodiscard]] inline std::uint32_t swap_bytes(std::uint32_t v) { return __builtin_bswap32(v); }
[[nodiscard]] inline std::uint64_t swap_bytes(std::uint64_t v) { return __builtin_bswap64(v); }

template <std::unsigned_integral T>
inline void store_be(std::uint8_t* out, T value) {
    core::store_le(out, swap_bytes(value));
}
template <std::unsigned_integral T>
[[nodiscard]] inline T load_be(const std::uint8_t* in) {
    return swap_bytes(core::load_le<T>(in));
}

// implements: REPA-020
inline std::uint8_t* put(std::uint8_t* out, bool value) {
    out[0] = kTypeBool;
    out[1] = value ? 1 : 0;
    return out + 2;
}

// implements: REPA-021, REPA-022, REPA-023, REPA-030
inline std::uint8_t* put(std::uint8_t* out, std::int32_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    if (value == static_cast<std::int8_t>(value)) {
        core::store_le(out, static_cast<std::uint16_t>(kTypeInt8 | bits << 8));
        return out + 2;
    }
    if (value == static_cast<std::int16_t>(value)) {
        out[0] = kTypeInt16;
        store_be(out + 1, static_cast<std::uint16_t>(bits));
        return out + 3;
    }
    out[0] = kTypeInt32;
    store_be(out + 1, bits);
    return out + 5;
}

/// A number that is no int32: larger integers, fractions, −0, NaN and ±∞.
std::uint8_t* put_wide_number(std::uint8_t* out, double value);

/// The int32 that a number is bit for bit, so not of −0; 0 and false for others.
struct WholeNumber {
    std::int32_t value;
    bool exact;
};
[[nodiscard]] inline WholeNumber whole_number(double value) {
    constexpr double kMin = std::numeric_limits<std::int32_t>::min();
    constexpr double kMax = std::numeric_limits<std::int32_t>::max();
    if (!(value >= kMin && value <= kMax)) return {0, false};
    const auto whole = static_cast<std::int32_t>(value);
    return {whole, std::bit_cast<std::uint64_t>(static_cast<double>(whole)) ==
                       std::bit_cast<std::uint64_t>(value)};
}

inline std::uint8_t* put(std::uint8_t* out, double value) {
    const WholeNumber whole = whole_number(value);
    return whole.exact ? put(out, whole.value) : put_wide_number(out, value);
}

/// The bytes of put() without a branch on an integer's width, for numbers of unpredictable size.
inline std::uint8_t* put_any_number(std::uint8_t* out, double value) {
    constexpr std::uint8_t kShifts[] = {24, 16, 0};
    constexpr std::uint8_t kBytes[] = {2, 3, 5};
    const WholeNumber whole = whole_number(value);
    if (!whole.exact) return put_wide_number(out, value);
    const int wider = (whole.value != static_cast<std::int8_t>(whole.value)) +
                      (whole.value != static_cast<std::int16_t>(whole.value));
    *out = static_cast<std::uint8_t>(kTypeInt8 + wider);
    store_be(out + 1, static_cast<std::uint32_t>(whole.value) << kShifts[wider]);
    return out + kBytes[wider];
}

/// Well-formed UTF-8 only.
// implements: REPA-027, REPA-028, REPA-031
inline std::uint8_t* put_well_formed(std::uint8_t* out, std::string_view text) {
    if (text.size() <= kShortStringBytesMax) {
        *out++ = static_cast<std::uint8_t>(kTypeShortString + text.size());
    } else {
        *out = kTypeString;
        store_be(out + 1, static_cast<std::uint32_t>(text.size()));
        out += 5;
    }
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    return out + text.size();
}

/// Magnitudes of at most kBigIntBytesMax bytes only.
std::uint8_t* put(std::uint8_t* out, const BigInt& value);

}  // namespace maniple::replay::encode
