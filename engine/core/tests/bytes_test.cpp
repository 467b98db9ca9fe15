#include "maniple/core/bytes.h"

#include <gtest/gtest.h>

namespace maniple::core {
namespace {

TEST(ByteWriter, WritesLittleEndianWithoutPadding) {
    Bytes out;
    ByteWriter writer(out);
    writer.u8(0x11);
    writer.u16(0x2233);
    writer.u32(0x44556677);
    writer.i32(-2);
    writer.f32(1.5F);
    writer.f64(-2.0);
    const Bytes expected = {0x11, 0x33, 0x22, 0x77, 0x66, 0x55, 0x44, 0xFE, 0xFF, 0xFF, 0xFF, 0x00,
                            0x00, 0xC0, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xC0};
    EXPECT_EQ(out, expected);
}

TEST(ByteWriter, PatchesAFieldInPlace) {
    Bytes out;
    ByteWriter writer(out);
    writer.u32(0);
    writer.u8(9);
    writer.patch(0, std::uint32_t{0x01020304});
    EXPECT_EQ(out, (Bytes{4, 3, 2, 1, 9}));
}

TEST(ByteReader, ReadsWhatTheWriterWrote) {
    Bytes out;
    ByteWriter writer(out);
    writer.u64(0x0102030405060708U);
    writer.i8(-1);
    writer.text("valley");
    writer.blob(Bytes{7, 8});
    ByteReader reader(out);
    EXPECT_EQ(reader.u64(), 0x0102030405060708U);
    EXPECT_EQ(reader.i8(), -1);
    EXPECT_EQ(reader.text(6, "name"), "valley");
    const ByteSpan blob = reader.blob(2, "blob");
    EXPECT_EQ(Bytes(blob.begin(), blob.end()), (Bytes{7, 8}));
    reader.expect_end();
    EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, AcceptsTheLastByteAndRefusesOneMore) {
    const Bytes data = {1, 2, 3, 4};
    ByteReader whole(data);
    EXPECT_EQ(whole.u32(), 0x04030201U);
    EXPECT_TRUE(whole.ok());

    ByteReader shorter(ByteSpan(data).first(3));
    EXPECT_EQ(shorter.u32(), 0U);
    EXPECT_EQ(shorter.error().code, ErrorCode::kTruncated);
    EXPECT_EQ(shorter.error().at_byte, 0U);
}

TEST(ByteReader, LatchesItsFirstFailure) {
    const Bytes data = {1, 2};
    ByteReader reader(data);
    EXPECT_EQ(reader.u8(), 1);
    EXPECT_EQ(reader.u32(), 0U);
    EXPECT_EQ(reader.u8(), 0) << "a byte is left, but the reader has failed";
    reader.fail(ErrorCode::kBadValue, 99, "later");
    EXPECT_EQ(reader.error().code, ErrorCode::kTruncated);
    EXPECT_EQ(reader.error().at_byte, 1U);
    EXPECT_EQ(reader.at(), 1U);
}

TEST(ByteReader, RefusesACountOverItsLimitBeforeItIsUsed) {
    Bytes data;
    ByteWriter writer(data);
    writer.u32(3);
    writer.bytes(Bytes{1, 2, 3, 4, 5, 6});
    ByteReader fits(data);
    EXPECT_EQ(fits.count(3, 2, "pairs"), 3U);
    ByteReader over(data);
    EXPECT_EQ(over.count(2, 2, "pairs"), 0U);
    EXPECT_EQ(over.error().code, ErrorCode::kOverCap);
    ByteReader absent(data);
    EXPECT_EQ(absent.count(3, 3, "triples"), 0U);
    EXPECT_EQ(absent.error().code, ErrorCode::kTruncated);
    EXPECT_EQ(absent.error().message, "3 triples declared, 2 present");
}

TEST(ByteReader, RefusesTextThatIsNotUtf8) {
    Bytes data;
    ByteWriter(data).text("\xC3");
    ByteReader reader(data);
    EXPECT_EQ(reader.text(10, "names"), "");
    EXPECT_EQ(reader.error().code, ErrorCode::kBadText);
}

TEST(ByteReader, RefusesTrailingBytes) {
    const Bytes data = {1, 2};
    ByteReader reader(data);
    (void)reader.u8();
    reader.expect_end();
    EXPECT_EQ(reader.error().code, ErrorCode::kTrailing);
    EXPECT_EQ(reader.error().at_byte, 1U);
}

TEST(Utf8, AcceptsWellFormedSequencesOnly) {
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_utf8("a\xC2\x80\xE0\xA0\x80\xED\x9F\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
    for (const char* bad : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "a\xFF"}) {
        EXPECT_FALSE(is_utf8(bad)) << bad;
    }
}

TEST(Describe, NamesSourceByteAndReason) {
    const Error error{ErrorCode::kTruncated, 45, "7 cells declared, 3 present"};
    EXPECT_EQ(describe(error, "base.ffs"), "base.ffs: byte 45: 7 cells declared, 3 present");
    const Error no_byte{ErrorCode::kNotFound, Error::kNoOffset, "no such file"};
    EXPECT_EQ(describe(no_byte, "x.map"), "x.map: no such file");
    EXPECT_EQ(error_code_name(ErrorCode::kTruncated), "Truncated");
    EXPECT_EQ(error_code_name(ErrorCode::kCancelled), "Cancelled");
}

}  // namespace
}  // namespace maniple::core
