#include "maniple/replay/big_int.h"

#include <algorithm>
#include <bit>

namespace maniple::replay {
namespace {

constexpr std::size_t kDecimalDigitsMax = 10'000;
constexpr std::size_t kChunkDigits = 9;
constexpr std::uint32_t kChunk = 1'000'000'000;

/// limbs = limbs × factor + addend, little-endian base 2^32.
void multiply_add(std::vector<std::uint32_t>& limbs, std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& limb : limbs) {
        carry += std::uint64_t{limb} * factor;
        limb = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
}

/// limbs = limbs ÷ divisor; @return the remainder.
std::uint32_t divide(std::vector<std::uint32_t>& limbs, std::uint32_t divisor) {
    std::uint64_t remainder = 0;
    for (std::size_t i = limbs.size(); i-- > 0;) {
        remainder = remainder << 32 | limbs[i];
        limbs[i] = static_cast<std::uint32_t>(remainder / divisor);
        remainder %= divisor;
    }
    while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
    return static_cast<std::uint32_t>(remainder);
}

}  // namespace

BigInt::BigInt(bool negative, core::ByteSpan little_endian)
    : magnitude_(little_endian.begin(), little_endian.end()) {
    while (!magnitude_.empty() && magnitude_.back() == 0) magnitude_.pop_back();
    negative_ = negative && !magnitude_.empty();
}

BigInt::BigInt(std::int64_t value) {
    // Negating in unsigned arithmetic is defined for the smallest value too.
    const auto bits = static_cast<std::uint64_t>(value);
    std::array<std::uint8_t, 8> bytes;
    core::store_le(bytes.data(), value < 0 ? 0 - bits : bits);
    *this = BigInt(value < 0, bytes);
}

Result<BigInt> BigInt::from_decimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.size() > kDecimalDigitsMax) {
        return refuse(ErrorCode::kBadText, 0, "a bigint has 1 to 10000 decimal digits");
    }
    std::vector<std::uint32_t> limbs;
    for (std::size_t at = 0; at < digits.size(); at += kChunkDigits) {
        std::uint32_t factor = 1;
        std::uint32_t chunk = 0;
        for (std::size_t i = at; i < std::min(at + kChunkDigits, digits.size()); ++i) {
            if (digits[i] < '0' || digits[i] > '9') {
                return refuse(ErrorCode::kBadText, i + (negative ? 1 : 0),
                              "a bigint has decimal digits only");
            }
            chunk = chunk * 10 + static_cast<std::uint32_t>(digits[i] - '0');
            factor *= 10;
        }
        multiply_add(limbs, factor, chunk);
    }
    core::Bytes bytes(limbs.size() * 4);
    for (std::size_t i = 0; i < limbs.size(); ++i) core::store_le(&bytes[i * 4], limbs[i]);
    return BigInt(negative, bytes);
}

std::string BigInt::to_decimal() const {
    if (magnitude_.empty()) return "0";
    std::vector<std::uint32_t> limbs((magnitude_.size() + 3) / 4);
    for (std::size_t i = 0; i < magnitude_.size(); ++i) {
        limbs[i / 4] |= static_cast<std::uint32_t>(magnitude_[i]) << (i % 4 * 8);
    }
    std::string reversed;
    while (!limbs.empty()) {
        std::uint32_t chunk = divide(limbs, kChunk);
        for (std::size_t i = 0; i < kChunkDigits; ++i, chunk /= 10) {
            reversed.push_back(static_cast<char>('0' + chunk % 10));
        }
    }
    while (reversed.back() == '0') reversed.pop_back();
    if (negative_) reversed.push_back('-');
    return {reversed.rbegin(), reversed.rend()};
}

std::optional<std::int64_t> BigInt::to_int64() const {
    if (magnitude_.size() > 8) return std::nullopt;
    std::array<std::uint8_t, 8> bytes{};
    std::copy(magnitude_.begin(), magnitude_.end(), bytes.begin());
    const auto value = core::load_le<std::uint64_t>(bytes.data());
    constexpr std::uint64_t kSmallest = std::uint64_t{1} << 63;
    if (value > kSmallest || (value == kSmallest && !negative_)) return std::nullopt;
    return std::bit_cast<std::int64_t>(negative_ ? 0 - value : value);
}

}  // namespace maniple::replay
