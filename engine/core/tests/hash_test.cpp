#include "maniple/core/hash.h"

#include <gtest/gtest.h>
#include <vector>

namespace maniple::core {
namespace {

constexpr std::uint64_t kPrime64 = 11400714785074694797U;

/// The test data of xxHash's own sanity check.
Bytes sanity_bytes(std::size_t size) {
    Bytes data(size);
    std::uint64_t generator = 2654435761U;
    for (std::uint8_t& byte : data) {
        byte = static_cast<std::uint8_t>(generator >> 56);
        generator *= kPrime64;
    }
    return data;
}

struct Xxh3Vector {
    std::size_t size;
    std::uint64_t seed;
    std::uint64_t expected;
};

// Values published with xxHash (its sanity check, XXH3_64bits).
// proves: O-HASH-01
TEST(Xxh3, GivesThePublishedValuesInEveryLengthClass) {
    const std::vector<Xxh3Vector> vectors = {
        {0, 0, 0x2D06800538D394C2U},    {0, kPrime64, 0xA8A6B918B2F0364AU},
        {1, 0, 0xC44BDFF4074EECDBU},    {1, kPrime64, 0x032BE332DD766EF8U},
        {6, 0, 0x27B56A84CD2D7325U},    {6, kPrime64, 0x84589C116AB59AB9U},
        {12, 0, 0xA713DAF0DFBB77E7U},   {12, kPrime64, 0xE7303E1B2336DE0EU},
        {24, 0, 0xA3FE70BF9D3510EBU},   {24, kPrime64, 0x850E80FC35BDD690U},
        {48, 0, 0x397DA259ECBA1F11U},   {48, kPrime64, 0xADC2CBAA44ACC616U},
        {80, 0, 0xBCDEFBBB2C47C90AU},   {80, kPrime64, 0xC6DD0CB699532E73U},
        {195, 0, 0xCD94217EE362EC3AU},  {195, kPrime64, 0xBA68003D370CB3D9U},
        {403, 0, 0xCDEB804D65C6DEA4U},  {403, kPrime64, 0x6259F6ECFD6443FDU},
        {512, 0, 0x617E49599013CB6BU},  {512, kPrime64, 0x3CE457DE14C27708U},
        {2048, 0, 0xDD59E2C3A5F038E0U}, {2048, kPrime64, 0x66F81670669ABABCU},
        {2240, 0, 0x6E73A90539CF2948U}, {2240, kPrime64, 0x757BA8487D1B5247U},
        {2367, 0, 0xCB37AEB9E5D361EDU}, {2367, kPrime64, 0xD2DB3415B942B42AU},
    };
    for (const Xxh3Vector& v : vectors) {
        EXPECT_EQ(xxh3_64(sanity_bytes(v.size), v.seed), v.expected) << v.size << " " << v.seed;
    }
}

// proves: O-HASH-01
TEST(Mix, HashesTheLittleEndianBytesSeededByTheRunningHash) {
    const Bytes raw = {0x04, 0x03, 0x02, 0x01};
    EXPECT_EQ(mix(77, std::uint32_t{0x01020304}), xxh3_64(raw, 77));
    const Bytes minus_two = {0xFE, 0xFF};
    EXPECT_EQ(mix(0, std::int16_t{-2}), xxh3_64(minus_two, 0));
    const Bytes one_and_a_half = {0, 0, 0, 0, 0, 0, 0xF8, 0x3F};
    EXPECT_EQ(mix(5, 1.5), xxh3_64(one_and_a_half, 5));
}

// proves: O-HASH-03
TEST(MixText, PutsTheInt32LengthBeforeTheBytes) {
    const Bytes length = {3, 0, 0, 0};
    const Bytes text = {'a', 'b', 'c'};
    EXPECT_EQ(mix_text(9, "abc"), xxh3_64(text, xxh3_64(length, 9)));
    EXPECT_NE(mix_text(mix_text(0, "ab"), "c"), mix_text(mix_text(0, "a"), "bc"));
}

// proves: SYNC-012
TEST(Crc32, IsTheReflectedCrcOfZlib) {
    const std::string digits = "123456789";
    const Bytes data(digits.begin(), digits.end());
    EXPECT_EQ(crc32(data), 0xCBF43926U);
    EXPECT_EQ(crc32({}), 0U);
    Bytes all(256);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(crc32(all), 0x29058C73U);
}

TEST(Crc32, ContinuesAnEarlierResult) {
    const Bytes data = sanity_bytes(1000);
    const ByteSpan whole = data;
    EXPECT_EQ(crc32(whole.subspan(333), crc32(whole.first(333))), crc32(whole));
}

TEST(Hex, HasAFixedWidthInLowerCase) {
    EXPECT_EQ(hex16(0x0123456789ABCDEFU), "0123456789abcdef");
    EXPECT_EQ(hex16(0), "0000000000000000");
    EXPECT_EQ(hex8(0xDEADBEEFU), "deadbeef");
    EXPECT_EQ(hex8(10), "0000000a");
}

}  // namespace
}  // namespace maniple::core
