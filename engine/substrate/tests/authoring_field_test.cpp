#include "maniple/substrate/authoring_field.h"

#include <cstring>
#include <gtest/gtest.h>

#include "maniple/substrate/delta.h"
#include "maniple/substrate/played_field.h"

#include "stream_vectors.h"

namespace maniple::substrate {
namespace {

constexpr std::int32_t kSide = 40;

/// Level ground of kSide x kSide cells with one goal.
CheckedStream start_stream() {
    const GoalCm goal{300, 400, 0};
    return CheckedStream::write(
        {0, 0, 0, 0}, {&goal, 1}, {kSide, kSide, 100}, [](std::uint8_t* out) {
            constexpr std::uint8_t kGround[] = {1, 1, 0, 0, 0, 0, 0, 0, 127};
            for (int i = 0; i < kSide * kSide; ++i) {
                std::memcpy(out, kGround, sizeof kGround);
                out += sizeof kGround;
            }
        });
}

AuthoringField author(DispatchMode mode, double share = 0.5) {
    return {"ground", nav::FieldConfig{}, start_stream(), {mode, share}};
}

/// Cells (x, 0) to (x, y_max) become obstacles.
void raise_wall(AuthoringField& field, std::int32_t x, std::int32_t y_max) {
    field.field().set_cells({x, 0}, {x, y_max}, nav::CellType::kObstacle, nav::kImpassableCost);
    field.field().commit_edits();
}

std::size_t full_bytes() { return start_stream().bytes().size(); }
/// Of a delta of `cells` cells with one goal.
std::size_t delta_bytes(std::size_t cells) { return 41 + 12 + 13 * cells; }

// proves: NET-001, O-NET-01
TEST(AuthoringField, ChangesWhenEditedAndThePlayedFieldWhenTheDispatchIsExecuted) {
    AuthoringField server = author(DispatchMode::kIncremental);
    PlayedField played("ground", {});
    ASSERT_TRUE(played.import(start_stream().bytes()).has_value());
    raise_wall(server, 5, 9);
    const std::optional<Dispatch> dispatch = server.rebuild(7);
    ASSERT_TRUE(dispatch.has_value());
    EXPECT_FALSE(server.field().synced());
    EXPECT_EQ(server.field().substrate().cost[5 * kSide], 255);
    EXPECT_EQ(played.field().substrate().cost[5 * kSide], 1);

    ASSERT_TRUE(played.import(dispatch->payload).has_value());
    EXPECT_EQ(played.field().substrate().cost[5 * kSide], 255);
    EXPECT_EQ(played.field().substrate_version(), dispatch->version);
    EXPECT_EQ(to_hex(played.stream()), to_hex(server.history().newest().bytes()));
}

// proves: NET-003, O-NET-08
TEST(AuthoringField, WithoutAChangeHasNothingToSend) {
    for (const DispatchMode mode : {DispatchMode::kIncremental, DispatchMode::kAuto}) {
        AuthoringField server = author(mode);
        const std::uint32_t version = server.history().newest().version();
        raise_wall(server, 5, 9);
        server.field().set_cells({5, 0}, {5, 9}, nav::CellType::kGround, 1);
        EXPECT_FALSE(server.rebuild(7).has_value());
        EXPECT_EQ(server.history().newest().version(), version);
        EXPECT_EQ(server.history().version_count(), 1u);
        EXPECT_EQ(server.figures().skipped, 1);
    }
}

// proves: O-NET-03
TEST(AuthoringField, InModeFullSendsTheStreamEvenWithoutAChange) {
    AuthoringField server = author(DispatchMode::kFull);
    const std::optional<Dispatch> dispatch = server.rebuild(7);
    ASSERT_TRUE(dispatch.has_value());
    EXPECT_EQ(dispatch->kind, StreamKind::kFull);
    EXPECT_EQ(to_hex(dispatch->payload), to_hex(start_stream().bytes()));
}

// proves: NET-004
TEST(AuthoringField, InModeIncrementalSendsADeltaThoughItIsLongerThanTheStream) {
    AuthoringField server = author(DispatchMode::kIncremental);
    server.field().set_cells({0, 0}, {kSide - 1, kSide - 1}, nav::CellType::kGround, 2);
    const std::optional<Dispatch> dispatch = server.rebuild(7);
    ASSERT_TRUE(dispatch.has_value());
    EXPECT_EQ(dispatch->kind, StreamKind::kDelta);
    EXPECT_GT(dispatch->payload.size(), full_bytes());
    EXPECT_EQ(dispatch->payload.size(), delta_bytes(std::size_t{kSide} * kSide));
}

// proves: NET-005, O-NET-03
TEST(AuthoringField, InModeAutoSendsADeltaOnlyBelowItsShareOfTheStream) {
    for (const bool below : {true, false}) {
        const double share = static_cast<double>(delta_bytes(10) + (below ? 1 : 0)) /
                             static_cast<double>(full_bytes());
        AuthoringField server = author(DispatchMode::kAuto, share);
        raise_wall(server, 5, 9);
        const std::optional<Dispatch> dispatch = server.rebuild(7);
        ASSERT_TRUE(dispatch.has_value());
        EXPECT_EQ(dispatch->kind, below ? StreamKind::kDelta : StreamKind::kFull);
        EXPECT_EQ(dispatch->payload.size(), below ? delta_bytes(10) : full_bytes());
        EXPECT_EQ(server.figures().delta.count, below ? 1 : 0);
        EXPECT_EQ(server.figures().full.count, below ? 0 : 1);
        EXPECT_EQ(server.figures().full.bytes + server.figures().delta.bytes,
                  static_cast<std::int64_t>(dispatch->payload.size()));
    }
}

// proves: NET-006
TEST(AuthoringField, OfAnotherGeometrySendsTheStreamWhole) {
    AuthoringField server = author(DispatchMode::kIncremental);
    nav::GridSubstrate ground = server.field().substrate();
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, kSide * 2, kSide / 2, 100);
    server.field().set_substrate(std::move(ground));
    const std::optional<Dispatch> dispatch = server.rebuild(7);
    ASSERT_TRUE(dispatch.has_value());
    EXPECT_EQ(dispatch->kind, StreamKind::kFull);
    // The way back to the old geometry is kept whole too.
    EXPECT_EQ(server.history().at(6)->grid().x_num, kSide);
    EXPECT_EQ(server.history().at(7)->grid().x_num, kSide * 2);
}

// proves: NET-002, O-NET-09
TEST(AuthoringField, ChainsTwoEditsInsideOneInputDelay) {
    AuthoringField server = author(DispatchMode::kIncremental);
    raise_wall(server, 5, 9);
    const std::optional<Dispatch> first = server.rebuild(7);
    raise_wall(server, 9, 3);
    const std::optional<Dispatch> second = server.rebuild(8);
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(DeltaView::check(second->payload)->header().base_hash, first->version);

    PlayedField played("ground", {});
    ASSERT_TRUE(played.import(start_stream().bytes()).has_value());
    ASSERT_TRUE(played.import(first->payload).has_value());
    ASSERT_TRUE(played.import(second->payload).has_value());
    EXPECT_EQ(to_hex(played.stream()), to_hex(server.history().newest().bytes()));
}

// proves: O-SNAP-10, O-NET-04
TEST(StreamHistory, GivesTheStreamThatAFieldStoodOnAtATick) {
    AuthoringField server = author(DispatchMode::kIncremental);
    PlayedField played("ground", {});
    ASSERT_TRUE(played.import(start_stream().bytes()).has_value());
    std::vector<core::Bytes> streams;  // After each tick, from tick 0 on.
    for (std::int32_t tick = 0; tick <= 20; ++tick) {
        // Two in tick 10, none in most.
        for (int i = 0; i < (tick == 10 ? 2 : tick % 5 == 0 ? 1 : 0); ++i) {
            raise_wall(server, tick + i, 3 + i);
            const std::optional<Dispatch> dispatch = server.rebuild(tick);
            ASSERT_TRUE(dispatch.has_value());
            ASSERT_TRUE(played.import(dispatch->payload).has_value());
        }
        streams.emplace_back(played.stream().begin(), played.stream().end());
    }
    const auto expect_from = [&](std::int32_t oldest) {
        for (std::int32_t tick = oldest; tick <= 20; ++tick) {
            const Result<CheckedStream> stream = server.history().at(tick);
            ASSERT_TRUE(stream.has_value()) << tick;
            EXPECT_EQ(to_hex(stream->bytes()), to_hex(streams[static_cast<std::size_t>(tick)]));
            EXPECT_EQ(content_hash(stream->bytes()), stream->version());
        }
    };
    expect_from(0);
    server.history().forget_before(9);
    expect_from(5);
    EXPECT_EQ(server.history().at(4).error().code, ErrorCode::kNotFound);
    server.history().forget_before(1000);
    EXPECT_EQ(server.history().version_count(), 1u);
    expect_from(20);
}

TEST(StreamHistory, ForgetsTheOldestVersionOverItsLimit) {
    StreamHistory history(0, start_stream());
    for (std::size_t i = 1; i <= kHistoryVersionsMax; ++i) {
        history.push(static_cast<std::int32_t>(i), history.newest());
        EXPECT_EQ(history.version_count(), std::min(i + 1, kHistoryVersionsMax));
    }
    EXPECT_FALSE(history.at(0).has_value());
    EXPECT_TRUE(history.at(1).has_value());
}

}  // namespace
}  // namespace maniple::substrate
