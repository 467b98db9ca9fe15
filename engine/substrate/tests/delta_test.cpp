#include "maniple/substrate/delta.h"

#include <gtest/gtest.h>

#include "maniple/core/random.h"

#include "stream_vectors.h"

namespace maniple::substrate {
namespace {

const core::Bytes& golden() { return stream_vectors().bytes("golden"); }

/// A stream of `x_num` by `y_num` cells with random records and `goals` random goals.
CheckedStream random_stream(core::RandomStream& random, std::int32_t x_num, std::int32_t y_num,
                            std::uint32_t goals) {
    std::vector<GoalCm> list(goals);
    for (GoalCm& goal : list) goal.x = static_cast<std::int32_t>(random.next_below(1000));
    return CheckedStream::write({0, 0, 0, 0}, list, {x_num, y_num, 100}, [&](std::uint8_t* out) {
        for (std::int64_t i = 0; i < std::int64_t{x_num} * y_num; ++i) {
            for (std::size_t b = 0; b < kCellRecordBytes; ++b) {
                *out++ = static_cast<std::uint8_t>(random.next_below(b == 1 ? 3 : 256));
            }
        }
    });
}

/// `base` with `changes` random cells written anew and other goals.
CheckedStream changed_copy(core::RandomStream& random, const CheckedStream& base,
                           std::uint32_t changes, std::uint32_t goals) {
    std::vector<GoalCm> list(goals);
    for (GoalCm& goal : list) goal.y = static_cast<std::int32_t>(random.next_below(1000));
    const core::ByteSpan records = base.view().records();
    return CheckedStream::write(base.identity(), list, base.grid(), [&](std::uint8_t* out) {
        std::ranges::copy(records, out);
        for (std::uint32_t i = 0; i < changes; ++i) {
            const auto cells = static_cast<std::uint32_t>(base.grid().cell_count());
            out[random.next_below(cells) * kCellRecordBytes] =
                static_cast<std::uint8_t>(random.next_below(256));
        }
    });
}

// proves: SYNC-033, SYNC-052, O-SYNC-15, O-SYNC-27
TEST(Delta, AppliedToItsBaseGivesTheNewStreamByteForByte) {
    core::RandomStream random(20240817);
    // Sizes around the blocks of 2048 and 32 records that the builder compares at once, and one
    // beyond the second base-256 digit of the hash's cell distances.
    for (const auto& [x_num, y_num] :
         {std::pair{1, 1}, {31, 33}, {32, 32}, {25, 41}, {32, 64}, {300, 300}, {64, 65}}) {
        for (const std::uint32_t goals : {0u, 1u, 3u}) {
            CheckedStream standing = random_stream(random, x_num, y_num, 1);
            const CheckedStream next = changed_copy(random, standing, 20, goals);
            const Result<DeltaBuild> build = build_substrate_delta(standing.view(), next.view());
            ASSERT_TRUE(build.has_value());
            const Result<DeltaView> delta = DeltaView::check(build->bytes);
            ASSERT_TRUE(delta.has_value());
            EXPECT_EQ(delta->changed_cells(), build->changed_cells);
            EXPECT_EQ(patched_content_hash(standing.view(), *delta), next.version());
            ASSERT_FALSE(check_delta_fits(standing.view(), *delta).has_value());
            apply_delta(standing, *delta);
            EXPECT_TRUE(std::ranges::equal(standing.bytes(), next.bytes()));
            EXPECT_EQ(standing.version(), next.version());
            EXPECT_EQ(standing.view().goals(), next.view().goals());
        }
    }
}

// proves: SYNC-031
TEST(Delta, ThatCannotBeBuiltStillReportsAChange) {
    core::Bytes other_mode = golden();
    other_mode[8] = 1;
    core::Bytes other_version = golden();
    other_version[4] = 3;
    core::Bytes other_origin = golden();
    other_origin[13] = 0;
    rehash(other_origin);
    core::Bytes other_shape = golden();
    std::swap(other_shape[45], other_shape[49]);
    rehash(other_shape);
    core::Bytes other_cell_size = golden();
    other_cell_size[53] = 50;
    rehash(other_cell_size);
    core::Bytes truncated = golden();
    truncated.pop_back();
    const std::pair<core::Bytes, ErrorCode> cases[] = {
        {truncated, ErrorCode::kTruncated},        {other_mode, ErrorCode::kBadMode},
        {other_version, ErrorCode::kBadVersion},   {other_origin, ErrorCode::kIdentityDrift},
        {other_shape, ErrorCode::kParamsMismatch}, {other_cell_size, ErrorCode::kParamsMismatch},
    };
    for (const auto& [base, code] : cases) {
        core::Bytes delta = {1, 2, 3};
        bool any_change = false;
        Error error;
        EXPECT_FALSE(build_substrate_delta_bytes(base, golden(), delta, any_change, &error));
        EXPECT_TRUE(any_change);
        EXPECT_TRUE(delta.empty());
        EXPECT_EQ(error.code, code);
        any_change = false;
        EXPECT_FALSE(build_substrate_delta_bytes(golden(), base, delta, any_change));
        EXPECT_TRUE(any_change);
    }
}

// proves: SYNC-032
TEST(Delta, NamesTheByteOfTheNewStreamThatRulesItOut) {
    core::Bytes other_yaw = golden();
    other_yaw[25] = 0;
    rehash(other_yaw);
    core::Bytes other_cell_size = golden();
    other_cell_size[53] = 50;
    rehash(other_cell_size);
    const CheckedView base = *CheckedView::check(golden());
    EXPECT_EQ(build_substrate_delta(base, *CheckedView::check(other_yaw)).error().at_byte, 13u);
    EXPECT_EQ(build_substrate_delta(base, *CheckedView::check(other_cell_size)).error().at_byte,
              45u);
}

// proves: SYNC-030, SYNC-037, SYNC-039
TEST(Delta, OfEqualStreamsIsNothingToSend) {
    core::Bytes delta = {1, 2, 3};
    bool any_change = true;
    EXPECT_TRUE(build_substrate_delta_bytes(golden(), golden(), delta, any_change));
    EXPECT_FALSE(any_change);
    EXPECT_TRUE(delta.empty());
}

// proves: SYNC-035, SYNC-036, SYNC-038, O-SYNC-04
TEST(Delta, OfAGoalAloneIsBuiltAndCarriesNoCell) {
    const core::Bytes& moved = stream_vectors().bytes("golden: the goal moved by 1 cm");
    const Result<DeltaBuild> build =
        build_substrate_delta(*CheckedView::check(golden()), *CheckedView::check(moved));
    ASSERT_TRUE(build.has_value());
    EXPECT_TRUE(build->any_change);
    EXPECT_TRUE(build->goals_changed);
    EXPECT_EQ(build->changed_cells, 0u);
    EXPECT_EQ(build->bytes.size(), 41u + 12u);
}

}  // namespace
}  // namespace maniple::substrate
