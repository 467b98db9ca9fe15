#include "maniple/net/wire.h"

#include <gtest/gtest.h>

#include "records.h"

namespace maniple::net {
namespace {

sim::Command command_of(Tick tick, std::int64_t sequence) {
    sim::Command command;
    command.type = 64;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    command.set("units", sim::Int32List{3, 4, 9});
    return command;
}

TEST(Record, FramesAndSharesComeBackEqual) {
    const std::vector<FrameCommand> frame{{command_of(5, 1), std::nullopt},
                                          {command_of(5, 3), PayloadRef{77, 1001, 30}}};
    const auto frame_again = decode_frame(5, encode_frame(frame));
    ASSERT_TRUE(frame_again.has_value());
    EXPECT_EQ(*frame_again, frame);
    const std::vector<PlanCommand> share{{0, command_of(5, 0)}, {4, command_of(5, 0)}};
    const auto share_again = decode_share(5, encode_share(share));
    ASSERT_TRUE(share_again.has_value());
    EXPECT_EQ(*share_again, share);
    EXPECT_TRUE(encode_frame({}).empty());
    EXPECT_TRUE(decode_frame(5, {})->empty());
}

TEST(Record, RefusesWhatItsTickAndOrderForbid) {
    const auto frame = [](const FrameCommand& a, const FrameCommand& b) {
        return decode_frame(5, encode_frame({a, b})).has_value();
    };
    const FrameCommand one{command_of(5, 1), std::nullopt};
    EXPECT_TRUE(frame(one, {command_of(5, 2), std::nullopt}));
    EXPECT_FALSE(frame(one, {command_of(5, 1), std::nullopt}));
    EXPECT_FALSE(frame(one, {command_of(6, 2), std::nullopt}));
    EXPECT_FALSE(frame(one, {command_of(5, 2), PayloadRef{1, 1000, 10}}));
    const auto share = [](const PlanCommand& a, const PlanCommand& b) {
        return decode_share(5, encode_share({a, b})).has_value();
    };
    EXPECT_TRUE(share({1, command_of(5, 0)}, {2, command_of(5, 0)}));
    EXPECT_FALSE(share({1, command_of(5, 0)}, {1, command_of(5, 0)}));
    EXPECT_FALSE(share({1, command_of(5, 0)}, {2, command_of(5, 7)}));
    sim::Command engines = command_of(5, 0);
    engines.type = sim::kFirstGameCommand;
    EXPECT_TRUE(share({1, command_of(5, 0)}, {2, engines}));
    engines.type = sim::kFirstGameCommand - 1;
    EXPECT_FALSE(share({1, command_of(5, 0)}, {2, engines}));
    engines.type = sim::kCommandRebuildFlowField;
    EXPECT_FALSE(share({1, command_of(5, 0)}, {2, engines}));
}

TEST(Record, EveryShorterOrLongerFormIsRefused) {
    Bytes bytes = encode_frame({{command_of(5, 1), PayloadRef{77, 1001, 30}}});
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        EXPECT_FALSE(decode_frame(5, ByteSpan(bytes).first(size)).has_value()) << size;
    }
    bytes.push_back(0);
    EXPECT_FALSE(decode_frame(5, bytes).has_value());
}

TEST(Record, AFewBytesCannotNameMillionsOfUnits) {
    sim::Command wide = command_of(5, 0);
    sim::Int32List units(131'072);
    for (std::size_t i = 0; i < units.size(); ++i) units[i] = static_cast<std::int32_t>(i);
    wide.params = {{"units", units}};
    std::vector<PlanCommand> share;
    for (std::uint32_t i = 0; i < 8; ++i) share.push_back({i, wide});
    EXPECT_TRUE(decode_share(5, encode_share(share)).has_value());
    share.push_back({8, command_of(5, 0)});
    const auto refused = decode_share(5, encode_share(share));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kOverCap);
}

TEST(Datagram, ALargeRecordIsCutAndPutTogetherInAnyOrder) {
    Bytes record(5 * kPartBytes + 7);
    for (std::size_t i = 0; i < record.size(); ++i) record[i] = static_cast<std::uint8_t>(i % 251);
    FramesDatagram frames{3, 11, 12, {}};
    append_slices(40, {}, frames.slices);
    append_slices(41, record, frames.slices);
    std::vector<Bytes> datagrams = encode_frames(frames);
    EXPECT_EQ(datagrams.size(), 5U);
    RecordAssembler assembler;
    std::optional<Bytes> whole;
    for (auto at = datagrams.rbegin(); at != datagrams.rend(); ++at) {
        ASSERT_LE(at->size(), kDatagramBytesMax);
        const auto decoded = decode_frames(*at);
        ASSERT_TRUE(decoded.has_value());
        EXPECT_EQ(decoded->epoch, 3);
        EXPECT_EQ(decoded->hashes_acked, 11);
        EXPECT_EQ(decoded->shares_acked, 12);
        for (const Slice& slice : decoded->slices) {
            EXPECT_TRUE(assembler.fits(slice));
            if (slice.tick == 41 && !whole) whole = assembler.add(slice);
        }
    }
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(*whole, record);
}

TEST(Datagram, ReportsComeBackEqualAndTheirPrefixesOnlyAtSliceEnds) {
    const Bytes record(20, 9);
    ReportDatagram report{1, 30, 29, 25, {1, 2, 3}, {}};
    append_slices(50, record, report.slices);
    const Bytes bytes = encode_report(report).at(0);
    const auto again = decode_report(bytes);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->hashes, report.hashes);
    EXPECT_EQ(again->executed, 29);
    ASSERT_EQ(again->slices.size(), 1U);
    EXPECT_EQ(again->slices[0].tick, 50);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const bool at_slice_end = size == bytes.size() - 4 - record.size();
        EXPECT_EQ(decode_report(ByteSpan(bytes).first(size)).has_value(), at_slice_end) << size;
    }
    EXPECT_FALSE(decode_frames(bytes).has_value());
    EXPECT_FALSE(decode_report(Bytes(1201, 0)).has_value());
}

TEST(Stream, MessagesComeWholeFromSingleBytes) {
    Bytes bytes;
    encode_message(Welcome{true}, bytes);
    encode_message(Payload{9, 88, {1, 2, 3}}, bytes);
    encode_message(Final{10, 99}, bytes);
    StreamReader reader(StreamReceiver::kClient);
    std::vector<StreamMessage> messages;
    for (const std::uint8_t byte : bytes) {
        reader.push({&byte, 1});
        auto message = reader.next();
        ASSERT_TRUE(message.has_value());
        if (*message) messages.push_back(std::move(**message));
    }
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_TRUE(std::get<Welcome>(messages[0]).wait_for_snapshot);
    EXPECT_EQ(std::get<Payload>(messages[1]).packed, (Bytes{1, 2, 3}));
    EXPECT_EQ(std::get<Final>(messages[2]).hash, 99U);
}

TEST(Stream, RefusesLengthsOverTheCapFromTheHeadAlone) {
    const auto code = [](StreamReceiver receiver, Bytes head) {
        StreamReader reader(receiver);
        reader.push(head);
        const auto message = reader.next();
        return message ? ErrorCode::kNone : message.error().code;
    };
    constexpr auto kServer = StreamReceiver::kServer;
    EXPECT_EQ(code(kServer, {0x00, 0x04, 0, 0, 5}), ErrorCode::kNone);
    EXPECT_EQ(code(kServer, {0x01, 0x04, 0, 0, 5}), ErrorCode::kOverCap);
    EXPECT_EQ(code(kServer, {0x00, 0x80, 0, 0, 1}), ErrorCode::kNone);
    EXPECT_EQ(code(kServer, {0x01, 0x80, 0, 0, 1}), ErrorCode::kOverCap);
    EXPECT_EQ(code(kServer, {0, 0, 0, 0, 6}), ErrorCode::kBadMode);
    EXPECT_EQ(code(StreamReceiver::kClient, {0, 0, 0, 0, 1}), ErrorCode::kBadMode);
    EXPECT_EQ(code(kServer, {0, 0, 0, 0, 0}), ErrorCode::kBadMode);
    EXPECT_EQ(code(kServer, {0, 0, 0, 0, 13}), ErrorCode::kBadMode);
    EXPECT_EQ(code(StreamReceiver::kClient, {0, 0, 0, 0, 14}), ErrorCode::kBadMode);
    EXPECT_EQ(code(kServer, {1, 0, 0, 0, 9, 7}), ErrorCode::kTrailing);
}

}  // namespace
}  // namespace maniple::net
