#include <cstring>
#include <gtest/gtest.h>

#include "maniple/substrate/checked_stream.h"

#include "stream_vectors.h"

namespace maniple::substrate {
namespace {

const core::Bytes& golden() { return stream_vectors().bytes("golden"); }

CheckedStream write_golden(std::span<const GoalCm> goals) {
    const core::ByteSpan records = CheckedView::check(golden())->records();
    return CheckedStream::write(
        {1000, -2000, 300, 9000}, goals, {3, 2, 100},
        [&](std::uint8_t* out) { std::memcpy(out, records.data(), records.size()); });
}

// proves: SYNC-012, SYNC-015, SYNC-019
TEST(FullStream, IsWrittenAsTheGoldenBytes) {
    const std::vector<GoalCm> goals = {{150, -50, 7}};
    EXPECT_EQ(to_hex(write_golden(goals).bytes()), to_hex(golden()));
}

// proves: O-SYNC-01, O-SYNC-04
TEST(FullStream, HasAnotherVersionWhenOneGoalMovesByOneCentimetreOrTwoSwap) {
    const std::vector<GoalCm> goals = {{150, -50, 7}, {1, 2, 3}};
    const std::vector<GoalCm> moved = {{151, -50, 7}, {1, 2, 3}};
    const std::vector<GoalCm> swapped = {{1, 2, 3}, {150, -50, 7}};
    EXPECT_NE(write_golden(goals).version(), write_golden(moved).version());
    EXPECT_NE(write_golden(goals).version(), write_golden(swapped).version());
}

// proves: O-SYNC-31
TEST(FullStream, WrittenOrReadGivesEqualCheckedStreams) {
    const std::vector<GoalCm> goals = {{150, -50, 7}};
    const CheckedStream written = write_golden(goals);
    const Result<CheckedStream> read = CheckedStream::check(golden());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(written.version(), read->version());
    EXPECT_EQ(written.identity(), read->identity());
    EXPECT_EQ(written.grid(), read->grid());
    EXPECT_EQ(written.view().goals(), read->view().goals());
}

TEST(FullStream, GivesItsBytesBackUnchanged) {
    Result<CheckedStream> stream = CheckedStream::check(golden());
    ASSERT_TRUE(stream.has_value());
    EXPECT_EQ(std::move(*stream).release(), golden());
}

// proves: SYNC-005
TEST(StreamKind, IsToldByTheFirstFourBytesAlone) {
    EXPECT_EQ(peek_stream_kind(from_hex("46465331")), StreamKind::kFull);
    EXPECT_EQ(peek_stream_kind(from_hex("46464431")), StreamKind::kDelta);
    EXPECT_EQ(peek_stream_kind(from_hex("464653")), std::nullopt);
    EXPECT_EQ(peek_stream_kind(from_hex("46465332")), std::nullopt);
}

// proves: SYNC-015, SYNC-023
TEST(SubstrateHeader, IsReadOfBothKindsWithoutLookingBehindIt) {
    core::Bytes full = golden();
    full.resize(29);
    const Result<SubstrateHeader> header = read_substrate_header(full);
    ASSERT_TRUE(header.has_value());
    EXPECT_EQ(header->kind, StreamKind::kFull);
    EXPECT_EQ(header->mode, StreamMode::kGrid);
    EXPECT_EQ(core::hex8(header->content_hash), "87db36fb");
    EXPECT_EQ(header->identity, (SubstrateIdentity{1000, -2000, 300, 9000}));

    core::Bytes delta = stream_vectors().bytes("golden delta");
    delta.resize(33);
    const Result<SubstrateHeader> delta_header = read_substrate_header(delta);
    ASSERT_TRUE(delta_header.has_value());
    EXPECT_EQ(delta_header->kind, StreamKind::kDelta);
    EXPECT_EQ(core::hex8(delta_header->content_hash), "ca1721b0");
    EXPECT_EQ(core::hex8(delta_header->base_hash), "87db36fb");
    EXPECT_EQ(delta_header->identity, header->identity);

    full.resize(28);
    EXPECT_EQ(read_substrate_header(full).error().code, ErrorCode::kTruncated);
    delta.resize(32);
    EXPECT_EQ(read_substrate_header(delta).error().at_byte, 29u);
}

TEST(SubstrateHeader, OfANavmeshStreamIsReadThoughAGridReaderRefusesIt) {
    core::Bytes bytes = golden();
    bytes[8] = 1;
    const Result<SubstrateHeader> header = read_substrate_header(bytes);
    ASSERT_TRUE(header.has_value());
    EXPECT_EQ(header->mode, StreamMode::kNavMesh);
    EXPECT_EQ(CheckedView::check(bytes).error().code, ErrorCode::kUnsupported);
}

TEST(FullStream, CutAtAnyByteIsTruncated) {
    for (std::size_t size = 0; size < golden().size(); ++size) {
        const Result<CheckedView> view = CheckedView::check(core::ByteSpan(golden()).first(size));
        ASSERT_FALSE(view.has_value()) << size;
        EXPECT_EQ(view.error().code, ErrorCode::kTruncated) << size;
        EXPECT_LE(view.error().at_byte, size);
    }
}

TEST(FullStream, WithAnyBitFlippedIsRefused) {
    for (std::size_t bit = 0; bit < 8 * golden().size(); ++bit) {
        core::Bytes bytes = golden();
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1u << (bit % 8)));
        EXPECT_FALSE(CheckedView::check(bytes).has_value()) << bit;
    }
}

}  // namespace
}  // namespace maniple::substrate
