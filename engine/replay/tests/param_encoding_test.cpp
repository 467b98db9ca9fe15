#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/replay/text.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

/// The parameter region of one step with one parameter.
std::string bytes_of(const Param& param) {
    ReplayArray array;
    array.add(0, ParamList{param});
    return to_hex(array.params());
}

BigInt two_to(int exponent) {
    core::Bytes magnitude(static_cast<std::size_t>(exponent / 8 + 1));
    magnitude.back() = static_cast<std::uint8_t>(1 << exponent % 8);
    return BigInt(false, magnitude);
}

// proves: REPA-007, REPA-008, REPA-009, REPA-033, REPA-034, O-REPA-01
TEST(ReplayEncoding, MatchesTheReferenceExampleAtBothWidths) {
    ReplayArray narrow(CommandWidth::k8);
    narrow.append(42, 100);
    EXPECT_EQ(to_hex(narrow.commands()), "012a");
    EXPECT_EQ(to_hex(narrow.params()), "0164");
    EXPECT_EQ(index_of(narrow), std::vector<std::uint32_t>{0});

    ReplayArray wide(CommandWidth::k16);
    wide.append(42, 100);
    EXPECT_EQ(to_hex(wide.commands()), "01002a");
    EXPECT_EQ(to_hex(wide.params()), "0164");
    EXPECT_EQ(index_of(wide), std::vector<std::uint32_t>{0});
}

// proves: REPA-021, REPA-022, REPA-023, REPA-030
TEST(ReplayEncoding, WholeNumbersTakeTheNarrowestInteger) {
    EXPECT_EQ(bytes_of(127.0), "017f");
    EXPECT_EQ(bytes_of(128.0), "020080");
    EXPECT_EQ(bytes_of(-128.0), "0180");
    EXPECT_EQ(bytes_of(-129.0), "02ff7f");
    EXPECT_EQ(bytes_of(32767.0), "027fff");
    EXPECT_EQ(bytes_of(32768.0), "0300008000");
    EXPECT_EQ(bytes_of(-32768.0), "028000");
    EXPECT_EQ(bytes_of(-32769.0), "03ffff7fff");
    EXPECT_EQ(bytes_of(2147483647.0), "037fffffff");
    EXPECT_EQ(bytes_of(-2147483648.0), "0380000000");
}

// proves: REPA-024, O-REPA-01, O-REPA-02
TEST(ReplayEncoding, LargeIntegersAreMagnitudesLowHalfFirst) {
    EXPECT_EQ(bytes_of(2147483648.0), "048000000000000000");
    EXPECT_EQ(bytes_of(-2147483649.0), "058000000100000000");
    EXPECT_EQ(bytes_of(9007199254740992.0), "040000000000200000");
    EXPECT_EQ(bytes_of(-9007199254740992.0), "050000000000200000");
    EXPECT_EQ(bytes_of(9223372036854775808.0), "040000000080000000");
}

// proves: REPA-025, O-REPA-02
TEST(ReplayEncoding, WhatNoIntegerHoldsIsFloat64) {
    EXPECT_EQ(bytes_of(18446744073709551616.0), "0643f0000000000000");
    EXPECT_EQ(bytes_of(-0.0), "068000000000000000");
    EXPECT_EQ(bytes_of(100.5), "064059200000000000");
    EXPECT_EQ(bytes_of(std::numeric_limits<double>::infinity()), "067ff0000000000000");
    EXPECT_EQ(bytes_of(-std::numeric_limits<double>::infinity()), "06fff0000000000000");
}

// proves: O-REPA-02
TEST(ReplayEncoding, EveryNanIsWrittenCanonically) {
    EXPECT_EQ(bytes_of(std::numeric_limits<double>::quiet_NaN()), "067ff8000000000000");
    EXPECT_EQ(bytes_of(std::bit_cast<double>(0xFFF0'0000'0000'0001)), "067ff8000000000000");
}

// proves: REPA-020, O-REPA-17
TEST(ReplayEncoding, TheTypeDecidesBetweenBooleanAndNumber) {
    EXPECT_EQ(bytes_of(true), "0001");
    EXPECT_EQ(bytes_of(false), "0000");
    EXPECT_EQ(bytes_of(1.0), "0101");
}

// proves: REPA-026, O-REPA-03
TEST(ReplayEncoding, BigIntsAreLittleEndianMagnitudes) {
    EXPECT_EQ(bytes_of(BigInt(0)), "070100");
    EXPECT_EQ(bytes_of(BigInt(256)), "07020001");
    EXPECT_EQ(bytes_of(BigInt(-255)), "0801ff");
    EXPECT_EQ(bytes_of(BigInt(std::numeric_limits<std::int64_t>::min())), "08080000000000000080");
}

// proves: REPA-026, REPA-032
TEST(ReplayEncoding, ABigIntOf255BytesIsKeptAndOneMoreBitIsDropped) {
    const core::Bytes ones(255, 0xFF);  // 2^2040 − 1
    std::string tail;
    for (int i = 0; i < 255; ++i) tail += "ff";
    EXPECT_EQ(bytes_of(BigInt(false, ones)), "07ff" + tail);
    EXPECT_EQ(bytes_of(BigInt(true, ones)), "08ff" + tail);

    WarningList warnings;
    ReplayArray array(CommandWidth::k8, warnings.sink());
    array.add(7, ParamList{number(1), two_to(2040), "x", number(20)});
    EXPECT_EQ(warnings.take(), std::vector<int>{152});
    EXPECT_EQ(to_hex(array.params()), "010121780114");
    EXPECT_EQ(to_hex(array.commands()), "0307");
}

// proves: REPA-027, REPA-028, REPA-031
TEST(ReplayEncoding, StringsUpTo223BytesUseShortCodes) {
    EXPECT_EQ(bytes_of(""), "20");
    EXPECT_EQ(bytes_of("abc"), "23616263");
    EXPECT_EQ(bytes_of(std::string(223, 'a')).substr(0, 4), "ff61");
    EXPECT_EQ(bytes_of(std::string(223, 'a')).size(), 2 * 224U);
    EXPECT_EQ(bytes_of(std::string(224, 'a')).substr(0, 12), "09000000e061");
    EXPECT_EQ(bytes_of(std::string(224, 'a')).size(), 2 * 229U);
    EXPECT_EQ(bytes_of("\xE9\xAD\x94\xE5\xA1\x94"), "26e9ad94e5a194");  // Length counts bytes.
}

// proves: O-REPA-12
TEST(ReplayEncoding, IllFormedTextBecomesReplacementCharacters) {
    EXPECT_EQ(bytes_of("a\xFF"
                       "b"),
              "2561efbfbd62");
    EXPECT_EQ(bytes_of("\xEF\xBB\xBF"), "23efbbbf");  // A byte order mark stays.
    // A cut three-byte sequence is one ill-formed part; bytes that begin nothing are one each.
    EXPECT_EQ(replace_ill_formed_utf8("\xE5\xA1!"), "\xEF\xBF\xBD!");
    EXPECT_EQ(replace_ill_formed_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(replace_ill_formed_utf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(replace_ill_formed_utf8("\xF0\x9F\x97"), "\xEF\xBF\xBD");
    EXPECT_EQ(replace_ill_formed_utf8("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF");
}

// proves: O-REPA-12
TEST(ReplayEncoding, LoneSurrogatesBecomeReplacementCharacters) {
    const std::vector<std::uint16_t> lone_high = {97, 0xD800, 98};
    EXPECT_EQ(utf8_from_utf16(lone_high),
              "a\xEF\xBF\xBD"
              "b");
    const std::vector<std::uint16_t> high_high_low = {0xD83D, 0xD83D, 0xDDFC};
    EXPECT_EQ(utf8_from_utf16(high_high_low), "\xEF\xBF\xBD\xF0\x9F\x97\xBC");
    const std::vector<std::uint16_t> low_first = {0xDDFC, 0xE9, 0x9B54};
    EXPECT_EQ(utf8_from_utf16(low_first), "\xEF\xBF\xBD\xC3\xA9\xE9\xAD\x94");
}

// proves: REPA-004, REPA-005, O-REPA-07
TEST(ReplayEncoding, CutsAt255ParametersBeforeDroppingUnsupportedOnes) {
    WarningList warnings;
    ReplayArray array(CommandWidth::k8, warnings.sink());
    ParamList params(255, Param{true});
    EXPECT_TRUE(array.add(1, params));
    EXPECT_EQ(warnings.take(), std::vector<int>{});
    EXPECT_EQ(array.commands()[0], 255);

    params.insert(params.begin(), Unsupported{});
    EXPECT_TRUE(array.add(1, params));
    EXPECT_EQ(warnings.take(), (std::vector<int>{153, 148}));
    EXPECT_EQ(array.commands()[2], 254);
}

// proves: REPA-004
TEST(ReplayEncoding, LaterParametersShiftOverADroppedOne) {
    WarningList warnings;
    ReplayArray array(CommandWidth::k8, warnings.sink());
    array.add(1, ParamList{number(1), Unsupported{}, "x"});
    EXPECT_EQ(warnings.take(), std::vector<int>{148});
    EXPECT_EQ(to_hex(array.params()), "01012178");
    EXPECT_EQ(array.commands()[0], 2);
}

// proves: O-REPA-16
TEST(ReplayEncoding, IntegersThatANumberCannotHoldAreRefused) {
    const std::int64_t limit = std::int64_t{1} << 53;
    EXPECT_EQ(exact_number(limit), Param(9007199254740992.0));
    EXPECT_EQ(exact_number(-limit), Param(-9007199254740992.0));
    EXPECT_EQ(exact_number(limit + 1), std::nullopt);
    EXPECT_EQ(exact_number(-limit - 1), std::nullopt);
}

// proves: REPA-036, O-REPA-14
TEST(ReplayEncoding, CodesKeepTheirLowBitsUnchecked) {
    WarningList warnings;
    ReplayArray narrow(CommandWidth::k8, warnings.sink());
    narrow.append(300);
    narrow.append(-1);
    EXPECT_EQ(to_hex(narrow.commands()), "002c00ff");
    ReplayArray wide(CommandWidth::k16, warnings.sink());
    wide.append(65536 + 0x1234);
    wide.append(-1);
    EXPECT_EQ(to_hex(wide.commands()), "00123400ffff");
    EXPECT_EQ(warnings.take(), std::vector<int>{});
}

// proves: REPA-014, O-REPA-16
TEST(ReplayEncoding, AppendOfScalarsWritesTheBytesOfAdd) {
    ReplayArray fast;
    fast.append(9, true, std::int8_t{-5}, std::uint16_t{65535}, 70000, 1.5F, -0.0);
    ReplayArray general;
    general.add(9, ParamList{true, -5.0, 65535.0, 70000.0, 1.5, -0.0});
    EXPECT_EQ(to_hex(fast.params()), to_hex(general.params()));
    EXPECT_EQ(to_hex(fast.commands()), to_hex(general.commands()));
}

TEST(BigIntText, ReadsAndWritesDecimals) {
    for (const char* text : {"0", "1", "-1", "999999999", "1000000000", "18446744073709551616",
                             "-340282366920938463463374607431768211456"}) {
        const Result<BigInt> value = BigInt::from_decimal(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(value->to_decimal(), text);
    }
    EXPECT_EQ(BigInt::from_decimal("-0")->to_decimal(), "0");
    EXPECT_EQ(BigInt::from_decimal("000255"), BigInt(255));
}

TEST(BigIntText, RefusesWhatIsNotADecimal) {
    for (const char* text : {"", "-", "+1", "1a", " 1", "--1"}) {
        const Result<BigInt> value = BigInt::from_decimal(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::kBadText);
    }
    EXPECT_TRUE(BigInt::from_decimal(std::string(10'000, '9')));
    EXPECT_FALSE(BigInt::from_decimal(std::string(10'001, '9')));
}

TEST(BigIntText, ConvertsToInt64OnlyInItsRange) {
    EXPECT_EQ(BigInt::from_decimal("9223372036854775807")->to_int64(), INT64_MAX);
    EXPECT_EQ(BigInt::from_decimal("9223372036854775808")->to_int64(), std::nullopt);
    EXPECT_EQ(BigInt::from_decimal("-9223372036854775808")->to_int64(), INT64_MIN);
    EXPECT_EQ(BigInt::from_decimal("-9223372036854775809")->to_int64(), std::nullopt);
}

}  // namespace
}  // namespace maniple::replay
