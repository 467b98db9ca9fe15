#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace maniple::nav {

/// Eight cells at a time: the bytes of a word as lanes, in memory order on every machine.
inline constexpr std::uint64_t kByteOnes = 0x0101'0101'0101'0101U;

/// `count` ≤ 8 bytes; the lanes behind them hold `rest`.
inline std::uint64_t load_bytes(const std::uint8_t* bytes, std::size_t count,
                                std::uint8_t rest = 0) {
    std::uint64_t word = kByteOnes * rest;
    if (count >= 8) {
        std::memcpy(&word, bytes, 8);
    } else {
        std::memcpy(&word, bytes, count);
    }
    return word;
}

/// Bit 0 of every lane that is 255; all other bits are 0.
inline std::uint64_t lanes_of_255(std::uint64_t word) {
    return (((word & kByteOnes * 0x7F) + kByteOnes) & word) >> 7 & kByteOnes;
}
/// Bit 0 of every lane that is not 0; all other bits are 0.
inline std::uint64_t lanes_not_0(std::uint64_t word) {
    return (((word & kByteOnes * 0x7F) + kByteOnes * 0x7F) | word) >> 7 & kByteOnes;
}
/// So many lanes of 0 or 1 add up in a lane.
inline constexpr std::size_t kLaneSumsMax = 255;
inline std::uint64_t sum_of_lanes(std::uint64_t word) {
    constexpr std::uint64_t kEven = 0x00FF'00FF'00FF'00FFU;
    return ((word & kEven) + (word >> 8 & kEven)) * 0x0001'0001'0001'0001U >> 48;
}
/// Bit 0 of each lane, the first lane's in bit 0.
inline std::uint64_t gather_bits(std::uint64_t word) {
    word &= kByteOnes;
    if constexpr (std::endian::native == std::endian::little) {
        return word * 0x0102'0408'1020'4080U >> 56;
    } else {
        return word * 0x8040'2010'0804'0201U >> 56;
    }
}

}  // namespace maniple::nav
