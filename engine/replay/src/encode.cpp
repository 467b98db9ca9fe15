#include "maniple/replay/encode.h"

#include <algorithm>

namespace maniple::replay::encode {

// implements: REPA-024, REPA-025, REPA-030, O-REPA-01, O-REPA-02
std::uint8_t* put_wide_number(std::uint8_t* out, double value) {
    constexpr double kTwoTo64 = 18446744073709551616.0;
    const double magnitude = value < 0 ? -value : value;
    const bool zero = magnitude == 0;  // −0: float64 keeps its sign.
    if (magnitude < kTwoTo64 && !zero) {
        const auto whole = static_cast<std::uint64_t>(magnitude);
        if (static_cast<double>(whole) == magnitude) {
            *out = value < 0 ? kTypeInt64Negative : kTypeInt64;
            store_be(out + 1, static_cast<std::uint32_t>(whole));
            store_be(out + 5, static_cast<std::uint32_t>(whole >> 32));
            return out + 9;
        }
    }
    constexpr std::uint64_t kCanonicalNan = 0x7FF8'0000'0000'0000;
    *out = kTypeFloat64;
    store_be(out + 1, value == value ? std::bit_cast<std::uint64_t>(value) : kCanonicalNan);
    return out + 9;
}

// implements: REPA-026, O-REPA-03
std::uint8_t* put(std::uint8_t* out, const BigInt& value) {
    const core::ByteSpan magnitude = value.magnitude();
    const std::size_t size = std::max<std::size_t>(magnitude.size(), 1);
    *out++ = value.negative() ? kTypeBigIntNegative : kTypeBigInt;
    *out++ = static_cast<std::uint8_t>(size);
    *out = 0;  // Zero is one zero byte.
    std::copy(magnitude.begin(), magnitude.end(), out);
    return out + size;
}

}  // namespace maniple::replay::encode
