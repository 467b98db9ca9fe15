#include <bit>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/sim/command.h"

namespace maniple::sim {
namespace {

core::Bytes bytes_of(const Command& command) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    encode_command(command, out);
    return bytes;
}
core::Bytes bytes_of(const Int32List& uids) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    encode_uid_list(uids, out);
    return bytes;
}

Command decoded(const core::Bytes& bytes) {
    core::ByteReader in(bytes);
    Command command = decode_command(in);
    EXPECT_TRUE(in.ok());
    return command;
}

Command sample() {
    Command command;
    command.type = 300;
    command.tick = 1000;
    command.server_exec_sequence = 77;
    command.issuer_slot = 3;
    command.target = "main";
    command.set("fast", true);
    command.set("slow", false);
    command.set("goal", std::int64_t{-5});
    command.set("speed", -0.0);
    command.set("name", std::string("h\xC3\xA9"));
    command.set("units", Int32List{1, 2, 3, 9});
    command.byte_payload = {9, 8, 7};
    return command;
}

struct Refusal {
    ErrorCode code;
    std::uint64_t at;
    friend bool operator==(const Refusal&, const Refusal&) = default;
};
void PrintTo(const Refusal& refusal, std::ostream* out) {
    *out << error_code_name(refusal.code) << " at " << refusal.at;
}
Refusal command_refusal(const core::Bytes& bytes) {
    core::ByteReader in(bytes);
    EXPECT_EQ(decode_command(in), Command{});
    return {in.error().code, in.error().at_byte};
}
Refusal list_refusal(const core::Bytes& bytes, std::uint32_t limit = 1000) {
    core::ByteReader in(bytes);
    const Int32List list = decode_uid_list(in, limit);
    if (!in.ok()) {
        EXPECT_TRUE(list.empty());
    }
    return {in.error().code, in.error().at_byte};
}
constexpr Refusal kAccepted{ErrorCode::kNone, Error::kNoOffset};

// proves: O-SNAP-01
TEST(CommandCodec, BytesAreWhatTheFormatSays) {
    const core::Bytes expected = {
        0xAC, 0x02, 0xE8, 0x07, 77,  6,       // type, tick, sequence, slot
        4,    'm',  'a',  'i',  'n', 6,       // target, parameter count
        4,    'f',  'a',  's',  't', 1,       // true
        4,    's',  'l',  'o',  'w', 0,       // false
        4,    'g',  'o',  'a',  'l', 2,   9,  // -5
        5,    's',  'p',  'e',  'e', 'd', 3,   0, 0, 0,   0,    0,    0,
        0,    0x80, 4,    'n',  'a', 'm', 'e', 4, 3, 'h', 0xC3, 0xA9, 5,
        'u',  'n',  'i',  't',  's', 5,   0,   2, 2, 2,   4,    0,  // ranges 1..3 and 9
        3,    9,    8,    7};
    EXPECT_EQ(bytes_of(sample()), expected);
}

TEST(CommandCodec, RoundTripsEveryKindAndTheExtremes) {
    Command extreme;
    extreme.type = std::numeric_limits<std::uint32_t>::max();
    extreme.tick = std::numeric_limits<Tick>::max();
    extreme.server_exec_sequence = std::numeric_limits<std::int64_t>::max();
    extreme.issuer_slot = std::numeric_limits<std::int32_t>::min();
    extreme.target = std::string(kCommandNameBytesMax, 'x');
    extreme.set("low", std::numeric_limits<std::int64_t>::min());
    extreme.set("high", std::numeric_limits<std::int64_t>::max());
    extreme.set("empty", Int32List{});
    extreme.set("text", std::string(kCommandTextBytesMax, 'y'));
    for (const Command& command : {Command{}, sample(), extreme}) {
        const core::Bytes bytes = bytes_of(command);
        core::ByteReader in(bytes);
        EXPECT_EQ(decode_command(in), command);
        in.expect_end();
        EXPECT_TRUE(in.ok()) << in.error().message;
    }
}

TEST(CommandCodec, DoublesKeepTheirBits) {
    constexpr std::uint64_t kNanWithPayload = 0xFFF8000000001234;
    Command command;
    command.set("a", std::bit_cast<double>(kNanWithPayload));
    const core::Bytes bytes = bytes_of(command);
    core::ByteReader in(bytes);
    const Command back = decode_command(in);
    ASSERT_NE(back.param<double>("a"), nullptr);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back.param<double>("a")), kNanWithPayload);
}

TEST(CommandCodec, EveryTruncationIsRefusedInsideTheInput) {
    const core::Bytes bytes = bytes_of(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Refusal refusal =
            command_refusal({bytes.begin(), bytes.begin() + std::ptrdiff_t(size)});
        EXPECT_EQ(refusal.code, ErrorCode::kTruncated) << size;
        EXPECT_LE(refusal.at, size);
    }
}

/// type, tick, sequence, slot, target, parameter count, payload; each as raw bytes.
core::Bytes assemble(std::initializer_list<core::Bytes> fields) {
    core::Bytes all;
    for (const core::Bytes& field : fields) all.insert(all.end(), field.begin(), field.end());
    return all;
}
bool accepts(const core::Bytes& bytes) {
    core::ByteReader in(bytes);
    static_cast<void>(decode_command(in));
    return in.ok();
}
const core::Bytes kU32Max = {0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
const core::Bytes kU32MaxPlusOne = {0x80, 0x80, 0x80, 0x80, 0x10};
const core::Bytes kI32Max = {0xFF, 0xFF, 0xFF, 0xFF, 0x07};
const core::Bytes kI32MaxPlusOne = {0x80, 0x80, 0x80, 0x80, 0x08};
const core::Bytes kI64Max = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
const core::Bytes kI64MaxPlusOne = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01};

TEST(CommandCodec, RefusesNumbersOneOverTheirRange) {
    EXPECT_TRUE(accepts(assemble({kU32Max, {0, 0, 0, 0, 0, 0}})));
    EXPECT_EQ(command_refusal(assemble({kU32MaxPlusOne, {0, 0, 0, 0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 0}));
    EXPECT_TRUE(accepts(assemble({{0}, kI32Max, {0, 0, 0, 0, 0}})));
    EXPECT_EQ(command_refusal(assemble({{0}, kI32MaxPlusOne, {0, 0, 0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 1}));
    EXPECT_TRUE(accepts(assemble({{0, 0}, kI64Max, {0, 0, 0, 0}})));
    EXPECT_EQ(command_refusal(assemble({{0, 0}, kI64MaxPlusOne, {0, 0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 2}));
    EXPECT_TRUE(accepts(assemble({{0, 0, 0}, kU32Max, {0, 0, 0}})));
    EXPECT_EQ(command_refusal(assemble({{0, 0, 0}, kU32MaxPlusOne, {0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 3}));
}

TEST(CommandCodec, RefusesVarintsThatAreTooLong) {
    EXPECT_EQ(command_refusal({0x80, 0x00, 0, 0, 0, 0, 0, 0}), (Refusal{ErrorCode::kBadValue, 0}));
    core::Bytes over_64_bits(9, 0x80);
    over_64_bits.push_back(0x02);
    EXPECT_EQ(command_refusal(assemble({{0, 0}, over_64_bits, {0, 0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 2}));
}

TEST(CommandCodec, RefusesTextsThatAreTooLongOrNotUtf8) {
    const core::Bytes name_at_limit(kCommandNameBytesMax, 'x');
    EXPECT_TRUE(accepts(assemble({{0, 0, 0, 0, 0xFF, 0x01}, name_at_limit, {0, 0}})));
    EXPECT_EQ(command_refusal(assemble({{0, 0, 0, 0, 0x80, 0x02, 'x'}, name_at_limit, {0, 0}})),
              (Refusal{ErrorCode::kOverCap, 4}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 1, 0xFF, 0, 0}), (Refusal{ErrorCode::kBadText, 4}));
    const core::Bytes text(kCommandTextBytesMax, 'y');
    EXPECT_TRUE(accepts(assemble({{0, 0, 0, 0, 0, 1, 0, 4, 0x80, 0x80, 0x04}, text, {0}})));
    EXPECT_EQ(
        command_refusal(assemble({{0, 0, 0, 0, 0, 1, 0, 4, 0x81, 0x80, 0x04, 'y'}, text, {0}})),
        (Refusal{ErrorCode::kOverCap, 8}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 1, 0, 4, 1, 0x80, 0}),
              (Refusal{ErrorCode::kBadText, 8}));
}

TEST(CommandCodec, RefusesParametersOverTheirLimitsAndOfUnknownKinds) {
    core::Bytes params;
    for (std::uint32_t i = 0; i < kCommandParamsMax; ++i) params.insert(params.end(), {0, 1});
    EXPECT_TRUE(accepts(assemble({{0, 0, 0, 0, 0, 64}, params, {0}})));
    EXPECT_EQ(command_refusal(assemble({{0, 0, 0, 0, 0, 65}, params, {0, 1, 0}})),
              (Refusal{ErrorCode::kOverCap, 5}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 2, 0, 1, 0}), (Refusal{ErrorCode::kTruncated, 5}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 1, 0, 6, 0}), (Refusal{ErrorCode::kBadMode, 7}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 1, 0, 5, 3, 0}), (Refusal{ErrorCode::kBadMode, 8}));
}

// proves: SYNC-013
TEST(CommandCodec, CarriesAPayloadAsItIsWhateverItHolds) {
    Command command;
    command.type = kCommandRebuildFlowField;
    command.target = "ground";
    EXPECT_TRUE(command.byte_payload.empty());
    EXPECT_TRUE(decoded(bytes_of(command)).byte_payload.empty());
    // Neither a stream nor the beginning of one.
    for (const core::Bytes& payload :
         {core::Bytes{0}, core::Bytes{'F', 'F', 'S', '1'}, core::Bytes(100'000, 0xFF)}) {
        command.byte_payload = payload;
        EXPECT_EQ(decoded(bytes_of(command)).byte_payload, payload);
    }
}

TEST(CommandCodec, RefusesAPayloadOverItsLimitBeforeReadingIt) {
    // 640 MiB is 0x28000000.
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 0, 0x81, 0x80, 0x80, 0xC0, 0x02}),
              (Refusal{ErrorCode::kOverCap, 6}));
    EXPECT_EQ(command_refusal({0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0xC0, 0x02}),
              (Refusal{ErrorCode::kTruncated, 6}));
}

TEST(UidListCodec, TakesTheSmallestForm) {
    EXPECT_EQ(bytes_of(Int32List{}), (core::Bytes{0, 0}));
    EXPECT_EQ(bytes_of(Int32List{5, 6, 7, 8}), (core::Bytes{0, 1, 10, 3}));
    EXPECT_EQ(bytes_of(Int32List{5, 7, 9}), (core::Bytes{1, 3, 10, 1, 1}));
    EXPECT_EQ(bytes_of(Int32List{2, 1}), (core::Bytes{2, 2, 2, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(bytes_of(Int32List{4, 4}), (core::Bytes{2, 2, 4, 0, 0, 0, 4, 0, 0, 0}));
}

TEST(UidListCodec, RoundTripsOverTheWholeRange) {
    constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
    Int32List sparse;
    for (std::int32_t i = 0; i < 500; ++i) sparse.push_back(i * i);
    const std::vector<Int32List> lists = {
        {}, {kLow}, {kHigh}, {kLow, kHigh}, {kHigh, kLow}, {kHigh - 1, kHigh}, {-1, 0, 1}, sparse};
    for (const Int32List& list : lists) {
        const core::Bytes bytes = bytes_of(list);
        core::ByteReader in(bytes);
        EXPECT_EQ(decode_uid_list(in, 1000), list);
        in.expect_end();
        EXPECT_TRUE(in.ok()) << in.error().message;
    }
}

TEST(UidListCodec, RefusesMoreItemsThanTheLimitInEveryForm) {
    EXPECT_EQ(list_refusal({0, 1, 0, 3}, 4), kAccepted);
    EXPECT_EQ(list_refusal({0, 1, 0, 4}, 4), (Refusal{ErrorCode::kOverCap, 3}));
    EXPECT_EQ(list_refusal({0, 2, 0, 2, 0, 0}, 4), kAccepted);
    EXPECT_EQ(list_refusal({0, 2, 0, 3, 0, 0}, 4), (Refusal{ErrorCode::kOverCap, 4}));
    EXPECT_EQ(list_refusal({1, 4, 0, 0, 0, 0}, 4), kAccepted);
    EXPECT_EQ(list_refusal({1, 5, 0, 0, 0, 0, 0}, 4), (Refusal{ErrorCode::kOverCap, 1}));
    EXPECT_EQ(list_refusal({2, 1, 0, 0, 0, 0}, 1), kAccepted);
    EXPECT_EQ(list_refusal({2, 2, 0, 0, 0, 0, 0, 0, 0, 0}, 1), (Refusal{ErrorCode::kOverCap, 1}));
    EXPECT_EQ(list_refusal({0, 0}, 0), kAccepted);
    EXPECT_EQ(list_refusal({0, 1, 0, 0}, 0), (Refusal{ErrorCode::kOverCap, 1}));
}

TEST(UidListCodec, RefusesCountsThatTheBytesCannotHold) {
    EXPECT_EQ(list_refusal({0, 2, 0, 0, 0}), (Refusal{ErrorCode::kTruncated, 1}));
    EXPECT_EQ(list_refusal({1, 3, 0, 0}), (Refusal{ErrorCode::kTruncated, 1}));
    EXPECT_EQ(list_refusal({2, 1, 0, 0, 0}), (Refusal{ErrorCode::kTruncated, 1}));
}

TEST(UidListCodec, RefusesUidsBeyondInt32) {
    const core::Bytes max_zigzag = {0xFE, 0xFF, 0xFF, 0xFF, 0x0F};
    EXPECT_EQ(list_refusal(assemble({{0, 1}, max_zigzag, {0}})), kAccepted);
    EXPECT_EQ(list_refusal(assemble({{0, 1}, max_zigzag, {1}})),
              (Refusal{ErrorCode::kBadValue, 7}));
    EXPECT_EQ(list_refusal(assemble({{1, 2}, max_zigzag, {0}})),
              (Refusal{ErrorCode::kBadValue, 7}));
    EXPECT_EQ(list_refusal(assemble({{0, 2}, max_zigzag, {0, 0, 0}})),
              (Refusal{ErrorCode::kBadValue, 8}));
}

}  // namespace
}  // namespace maniple::sim
