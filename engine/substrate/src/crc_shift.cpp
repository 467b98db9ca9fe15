#include "crc_shift.h"

#include <array>
#include <cstddef>

#include "maniple/core/hash.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate::detail {
namespace {

// A CRC is a polynomial over GF(2) modulo P, the coefficient of x^0 in bit 31. A zero byte behind
// it multiplies it by x^8.
constexpr std::uint32_t kPolynomial = 0xEDB88320;
constexpr std::uint32_t kOne = 0x80000000;

constexpr std::uint32_t times_x(std::uint32_t a) {
    return (a & 1) != 0 ? (a >> 1) ^ kPolynomial : a >> 1;
}

constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (std::uint32_t bit = kOne; a != 0; bit >>= 1) {
        if ((a & bit) != 0) {
            product ^= b;
            a ^= bit;
        }
        b = times_x(b);
    }
    return product;
}

using Digit = std::array<std::uint32_t, 256>;

/// powers[d][n] = (x^8)^(record size · n · 256^d).
constexpr std::array<Digit, 4> make_powers() {
    std::uint32_t record = kOne;
    for (std::size_t bit = 0; bit < 8 * kCellRecordBytes; ++bit) record = times_x(record);
    std::array<Digit, 4> powers{};
    for (Digit& digit : powers) {
        digit[0] = kOne;
        for (std::size_t n = 1; n < digit.size(); ++n) {
            digit[n] = multiply(digit[n - 1], record);
        }
        record = multiply(digit.back(), record);
    }
    return powers;
}

constexpr std::array<Digit, 4> kPowers = make_powers();

}  // namespace

std::uint32_t crc32_linear(core::ByteSpan bytes) {
    // zlib's crc32(c, …) runs from the state ~c and returns the complement of the last state.
    return ~core::crc32(bytes, 0xFFFFFFFF);
}

std::uint32_t crc32_shift_cells(std::uint32_t crc, std::uint32_t cells) {
    for (const Digit& digit : kPowers) {
        if ((cells & 0xFF) != 0) crc = multiply(digit[cells & 0xFF], crc);
        cells >>= 8;
    }
    return crc;
}

}  // namespace maniple::substrate::detail
