#include <gtest/gtest.h>

#include "maniple/core/hash.h"
#include "maniple/replay/container.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

/// "RPL1", width 8, 1 step, 2 command bytes, 2 parameter bytes, `01 2a`, `01 64`.
constexpr std::string_view kExampleBody = "52504c3108000000010000000200000002012a0164";

core::Bytes with_checksum(core::Bytes body) {
    const std::uint32_t checksum = core::crc32(body);
    for (int shift = 24; shift >= 0; shift -= 8) {
        body.push_back(static_cast<std::uint8_t>(checksum >> shift));
    }
    return body;
}

ErrorCode code_of(const core::Bytes& bytes) {
    const Result<ReplayArray> array = decode_container(bytes);
    return array ? ErrorCode::kNone : array.error().code;
}

// proves: O-REPA-06, REPA-006
TEST(ReplayContainer, HasTheDocumentedBytes) {
    ReplayArray array(CommandWidth::k8);
    array.append(42, 100);
    const core::Bytes bytes = encode_container(array);
    // The checksum was computed with Python's zlib.crc32 over the body.
    EXPECT_EQ(to_hex(bytes), std::string(kExampleBody) + "4f9fe3f0");
}

// proves: O-REPA-06, REPS-001
TEST(ReplayContainer, LoadsWhatItSavedAndRebuildsTheIndex) {
    ReplayArray array(CommandWidth::k16);
    array.add(4660, ParamList{true, -2147483649.0, "x", BigInt(-256), std::string(300, 'z')});
    array.append(0);
    array.append(65535, 1.5);
    const Result<ReplayArray> loaded = decode_container(encode_container(array));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->command_width(), CommandWidth::k16);
    EXPECT_EQ(to_hex(loaded->commands()), to_hex(array.commands()));
    EXPECT_EQ(to_hex(loaded->params()), to_hex(array.params()));
    EXPECT_EQ(index_of(*loaded), index_of(array));
}

// proves: O-REPA-06
TEST(ReplayContainer, RefusesEveryTruncationAndEveryFlippedBit) {
    ReplayArray array(CommandWidth::k8);
    array.add(42, ParamList{number(100), "abc", 0.5});
    const core::Bytes good = encode_container(array);
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_EQ(code_of({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}),
                  ErrorCode::kTruncated)
            << size;
    }
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        core::Bytes bad = good;
        bad[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        EXPECT_NE(code_of(bad), ErrorCode::kNone) << bit;
    }
}

// proves: O-REPA-06
TEST(ReplayContainer, NamesWhatItRefuses) {
    const core::Bytes body = from_hex(kExampleBody);
    EXPECT_EQ(code_of(with_checksum(body)), ErrorCode::kNone);
    core::Bytes bad = body;
    bad[3] = '2';
    EXPECT_EQ(code_of(with_checksum(bad)), ErrorCode::kBadMagic);
    bad = body;
    bad[4] = 24;
    EXPECT_EQ(code_of(with_checksum(bad)), ErrorCode::kBadMode);
    bad = body;
    bad[8] = 2;  // Steps.
    EXPECT_EQ(code_of(with_checksum(bad)), ErrorCode::kBadValue);
    bad = with_checksum(body);
    bad.back() ^= 1;
    EXPECT_EQ(code_of(bad), ErrorCode::kBadHash);
    bad = with_checksum(body);
    bad.push_back(0);
    EXPECT_EQ(code_of(bad), ErrorCode::kTrailing);
}

struct Malformed {
    std::string_view commands;
    std::string_view params;
    ErrorCode code;
    std::uint64_t at_byte;  ///< In commands, then params.
};

// proves: REPA-029, O-REPA-08
TEST(ReplayRegions, RefusesMalformedRegionsWithTheByte) {
    const Malformed cases[] = {
        {"01", "", ErrorCode::kTruncated, 1},      // Half a command.
        {"012a", "", ErrorCode::kTruncated, 2},    // No parameter.
        {"012a", "01", ErrorCode::kTruncated, 2},  // int8 without its byte.
        {"012a", "0300000001ff", ErrorCode::kTrailing, 7},
        {"002a", "0101", ErrorCode::kTrailing, 2},
        {"012a", "0a", ErrorCode::kBadValue, 2},        // First reserved code.
        {"012a", "1f00", ErrorCode::kBadValue, 2},      // Last reserved code.
        {"022a", "01010002", ErrorCode::kBadValue, 4},  // Boolean 2.
        {"012a", "09ffffffff61", ErrorCode::kTruncated, 2},
        {"012a", "090000", ErrorCode::kTruncated, 2},
        {"012a", "07", ErrorCode::kTruncated, 2},
        {"012a", "07020a", ErrorCode::kTruncated, 2},
        {"012a", "226a", ErrorCode::kTruncated, 2},
        {"012a", "06000000000000f0", ErrorCode::kTruncated, 2},
    };
    for (const Malformed& bad : cases) {
        const Result<ReplayArray> array = ReplayArray::from_regions(
            CommandWidth::k8, from_hex(bad.commands), from_hex(bad.params));
        ASSERT_FALSE(array) << bad.params;
        EXPECT_EQ(array.error().code, bad.code) << bad.params;
        EXPECT_EQ(array.error().at_byte, bad.at_byte) << bad.params;
    }
}

// proves: O-REPA-03, O-REPA-12, O-REPA-15
TEST(ReplayRegions, AcceptsWiderFormsThanWritersChoose) {
    const Result<ReplayArray> array =
        ReplayArray::from_regions(CommandWidth::k8, from_hex("062a"),
                                  from_hex("040000000500000000"  // 5 as int64
                                           "0900000001"
                                           "61"        // "a" with a length prefix
                                           "0700"      // bigint 0 of no bytes
                                           "080100"    // negative bigint 0
                                           "07020500"  // 5 with a zero byte at its top
                                           "2161"));
    ASSERT_TRUE(array);
    const ParamList expected = {5.0, "a", BigInt(0), BigInt(0), BigInt(5), "a"};
    EXPECT_EQ(array->get(0)->params, expected);
    const Result<ReplayArray> ill_formed =
        ReplayArray::from_regions(CommandWidth::k8, from_hex("012a"), from_hex("22ff61"));
    ASSERT_TRUE(ill_formed);
    EXPECT_EQ(ill_formed->get(0)->params, ParamList{"\xEF\xBF\xBD"
                                                    "a"});
}

}  // namespace
}  // namespace maniple::replay
