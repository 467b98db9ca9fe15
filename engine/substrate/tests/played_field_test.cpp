#include "maniple/substrate/played_field.h"

#include <cstring>
#include <gtest/gtest.h>

#include "maniple/substrate/grid_export.h"

#include "stream_vectors.h"

namespace maniple::substrate {
namespace {

const core::Bytes& golden() { return stream_vectors().bytes("golden"); }
const core::Bytes& golden_delta() { return stream_vectors().bytes("golden delta"); }
const core::Bytes& golden_next() {
    return stream_vectors().bytes("golden: goal moved, two cells changed");
}

PlayedField empty_field() { return {"ground", nav::FieldConfig{}}; }

PlayedField field_with(core::ByteSpan stream) {
    PlayedField field = empty_field();
    EXPECT_TRUE(field.import(stream).has_value());
    return field;
}

/// Everything that an import sets and a reader can see.
struct FieldState {
    std::string stream;
    bool synced;
    std::uint32_t version;
    std::vector<std::uint32_t> dist;
    std::vector<std::uint8_t> direction;
    std::vector<std::uint16_t> goal;
    std::vector<Vec3d> goals;

    explicit FieldState(const PlayedField& played)
        : stream(to_hex(played.stream())),
          synced(played.field().synced()),
          version(played.field().substrate_version()),
          direction(played.field().default_layer().solution.direction),
          goals(played.field().default_layer().goals) {
        const nav::Layer& layer = played.field().default_layer();
        for (nav::CellIndex cell = 0; cell < layer.solution.dist.size(); ++cell) {
            dist.push_back(layer.solution.dist[cell]);
            goal.push_back(layer.goal_label(played.field().geometry(), cell));
        }
        // What the field navigates on and the stream beside it never part.
        const Result<CheckedStream> exported = export_substrate(played.field());
        EXPECT_EQ(exported ? to_hex(exported->bytes()) : "", stream);
    }
    friend bool operator==(const FieldState&, const FieldState&) = default;
};

/// A walled 24 x 20 ground with slow cells and two goals: somewhere for a flood to go.
core::Bytes walled_stream(std::int32_t goal_x) {
    const std::vector<GoalCm> goals = {{goal_x, 300, 0}, {-900, -700, 5}};
    const CheckedStream stream =
        CheckedStream::write({100, 200, 300, 3000}, goals, {24, 20, 100}, [](std::uint8_t* out) {
            for (int cell = 0; cell < 24 * 20; ++cell, out += kCellRecordBytes) {
                const bool wall = cell / 20 == 12 && cell % 20 != 4;
                const std::uint8_t cost = cell % 7 == 0 ? 3 : 1;
                const std::uint8_t record[] = {wall ? std::uint8_t{255} : cost,
                                               wall ? std::uint8_t{2} : std::uint8_t{1},
                                               static_cast<std::uint8_t>(cell % 20),
                                               0,
                                               0,
                                               0,
                                               0,
                                               0,
                                               127};
                std::memcpy(out, record, sizeof record);
            }
        });
    return {stream.bytes().begin(), stream.bytes().end()};
}

// proves: SYNC-041
TEST(GridExport, OfAFieldWithoutGroundIsNotReady) {
    const Result<CheckedStream> stream = export_substrate(empty_field().field());
    ASSERT_FALSE(stream.has_value());
    EXPECT_EQ(stream.error().code, ErrorCode::kNotReady);
}

// proves: SYNC-040, SYNC-043, SYNC-045, SYNC-066, O-SYNC-20, O-SYNC-21, O-GRID-35
TEST(GridExport, OfAnImportedFieldIsTheImportedStreamThoughItsGoalsFlooded) {
    for (const core::Bytes& bytes : {golden(), golden_next(), walled_stream(700),
                                     stream_vectors().bytes("the extremes of every field"),
                                     stream_vectors().bytes("two goals, the second twice")}) {
        const PlayedField field = field_with(bytes);
        const Result<CheckedStream> exported = export_substrate(field.field());
        ASSERT_TRUE(exported.has_value());
        EXPECT_EQ(to_hex(exported->bytes()), to_hex(bytes));
    }
}

// proves: O-SYNC-02, O-SYNC-11
TEST(GridExport, WritesGroundThatWasNeverImported) {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(1000, -2000, 300, 9000, 3, 2, 100);
    ground.cost = {1, 2, 3, 255, 5, 255};
    ground.type = {1, 1, 1, 2, 1, 0};
    ground.z_cm = {0, 10, -5, 0, 256, 0};
    ground.normal = {{0, 0, 127}, {0, 0, 127},  {-63, 0, 110},
                     {0, 0, 127}, {0, 64, 110}, {0, 0, 127}};
    ground.goals_cm = {{150, -50, 7}};
    PlayedField field = empty_field();
    field.field().set_substrate(ground);
    EXPECT_FALSE(field.field().synced());
    EXPECT_EQ(to_hex(export_substrate(field.field())->bytes()), to_hex(golden()));
}

// proves: SYNC-050, SYNC-064, SYNC-065
TEST(GridImport, MarksTheFieldSyncedAtTheStreamsVersion) {
    PlayedField field = empty_field();
    EXPECT_FALSE(field.field().synced());
    EXPECT_EQ(field.field().substrate_version(), 0u);
    const Result<ImportReport> report = field.import(golden());
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->applied);
    EXPECT_EQ(report->kind, StreamKind::kFull);
    EXPECT_TRUE(field.field().synced());
    EXPECT_TRUE(field.field().initialised());
    EXPECT_EQ(core::hex8(field.field().substrate_version()), "87db36fb");
}

// proves: SYNC-042, SYNC-047, SYNC-058
TEST(GridImport, FloodsFromTheStreamsGoalsWhateverGoalsTheFieldHadBefore) {
    const FieldState fresh(field_with(walled_stream(700)));
    // Two peers that stood on other ground with other goals, and one with none.
    for (const core::Bytes& before :
         {golden(), walled_stream(-800), stream_vectors().bytes("one cell without a goal")}) {
        PlayedField field = empty_field();
        field.field().set_substrate(read_grid_stream(*CheckedView::check(before)));
        ASSERT_TRUE(field.import(walled_stream(700)).has_value());
        EXPECT_EQ(FieldState(field), fresh);
    }
    EXPECT_EQ(fresh.goals.size(), 2u);
    EXPECT_EQ(fresh.goals[1], (Vec3d{-800, -500, 305}));
    EXPECT_EQ(std::ranges::count(fresh.dist, 0u), 2);
}

// proves: SYNC-059, O-SYNC-33
TEST(GridImport, OfAStreamWithoutGoalsSucceedsAndReachesNothing) {
    const PlayedField field = field_with(stream_vectors().bytes("one cell without a goal"));
    EXPECT_TRUE(field.field().synced());
    EXPECT_EQ(field.field().default_layer().solution.dist[0],
              field.field().config().distance_limit);
}

// proves: SYNC-048
TEST(GridImport, OfTheSameVersionAgainChangesNothing) {
    PlayedField field = field_with(walled_stream(700));
    const FieldState before(field);
    // Were it imported again, this mark would be flooded away.
    const std::vector<Vec3d> goals = {{100, 200, 300}};
    const nav::LayerHandle layer = field.field().get_or_acquire_layer(goals);
    const auto* directions = field.field().find_layer(layer)->solution.direction.data();
    const Result<ImportReport> report = field.import(walled_stream(700));
    ASSERT_TRUE(report.has_value());
    EXPECT_FALSE(report->applied);
    EXPECT_EQ(report->version, before.version);
    EXPECT_EQ(FieldState(field), before);
    EXPECT_EQ(field.field().find_layer(layer)->solution.direction.data(), directions);
}

// proves: SYNC-044, O-SYNC-07, O-SYNC-15
TEST(GridImport, OfARefusedStreamLeavesTheFieldUntouched) {
    PlayedField field = field_with(golden());
    const FieldState before(field);
    PlayedField untouched = empty_field();
    int refused = 0;
    for (const StreamVector& vector : stream_vectors().all()) {
        if (vector.expect == "accept") continue;
        const Result<ImportReport> report = field.import(vector.bytes);
        ASSERT_FALSE(report.has_value()) << vector.name;
        EXPECT_EQ(FieldState(field), before) << vector.name;
        EXPECT_FALSE(untouched.import(vector.bytes).has_value()) << vector.name;
        EXPECT_FALSE(untouched.field().initialised());
        EXPECT_FALSE(untouched.field().synced());
        ++refused;
    }
    EXPECT_GT(refused, 40);
}

// proves: SYNC-043, SYNC-052, SYNC-054, SYNC-056, SYNC-065, NET-008
TEST(GridDeltaImport, LeavesAFieldEqualToOneThatImportedTheNewStreamWhole) {
    PlayedField field = field_with(golden());
    const Result<ImportReport> report = field.import(golden_delta());
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->kind, StreamKind::kDelta);
    EXPECT_TRUE(report->applied);
    EXPECT_EQ(report->changed_cells, (std::vector<nav::CellIndex>{2, 5}));
    EXPECT_EQ(FieldState(field), FieldState(field_with(golden_next())));
}

// proves: SYNC-038, O-SYNC-01, O-SYNC-34
TEST(GridDeltaImport, OfAGoalAloneTurnsTheFlowLikeAFullStreamWould) {
    core::Bytes delta;
    bool any_change = false;
    ASSERT_TRUE(
        build_substrate_delta_bytes(walled_stream(700), walled_stream(701), delta, any_change));
    ASSERT_TRUE(any_change);
    core::Bytes far_delta;
    ASSERT_TRUE(build_substrate_delta_bytes(walled_stream(701), walled_stream(-700), far_delta,
                                            any_change));
    PlayedField field = field_with(walled_stream(700));
    const std::uint32_t version = field.field().substrate_version();
    ASSERT_TRUE(field.import(delta).has_value());
    EXPECT_NE(field.field().substrate_version(), version);
    EXPECT_EQ(FieldState(field), FieldState(field_with(walled_stream(701))));
    ASSERT_TRUE(field.import(far_delta).has_value());
    EXPECT_EQ(FieldState(field), FieldState(field_with(walled_stream(-700))));
}

// proves: O-SYNC-08
TEST(GridDeltaImport, OfAnAppliedDeltaAgainChangesNothing) {
    PlayedField field = field_with(golden());
    ASSERT_TRUE(field.import(golden_delta()).has_value());
    const FieldState before(field);
    const Result<ImportReport> again = field.import(golden_delta());
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->applied);
    EXPECT_EQ(FieldState(field), before);
}

// proves: SYNC-051, SYNC-055, O-SYNC-16, O-SYNC-18
TEST(GridDeltaImport, NeedsASyncedFieldThatStandsAtTheBase) {
    PlayedField local = empty_field();
    local.field().set_substrate(read_grid_stream(*CheckedView::check(golden())));
    EXPECT_EQ(local.import(golden_delta()).error().code, ErrorCode::kNotReady);

    PlayedField other = field_with(walled_stream(700));
    const Result<ImportReport> report = other.import(golden_delta());
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kBaseMismatch);
    EXPECT_EQ(report.error().at_byte, 13u);
}

// proves: O-SYNC-40
TEST(GridImport, TakesAnAcceptedStreamsBytesAndLeavesRefusedOnes) {
    PlayedField field = empty_field();
    core::Bytes bytes = golden();
    const std::uint8_t* memory = bytes.data();
    ASSERT_TRUE(field.import(std::move(bytes)).has_value());
    EXPECT_EQ(field.stream().data(), memory);

    core::Bytes refused = golden_next();
    refused.back() = 1;
    const core::Bytes before = refused;
    EXPECT_FALSE(field.import(std::move(refused)).has_value());
    EXPECT_EQ(refused, before);
    EXPECT_EQ(field.stream().data(), memory);
}

// proves: O-SYNC-29
TEST(GridImport, TellsAsManyGoalsApartAsAStreamCarries) {
    constexpr std::int32_t kSide = 256;
    std::vector<GoalCm> goals;
    for (std::int32_t i = 0; i < kGoalsMax; ++i) {  // Cell by cell: the grid's centre is 0.
        goals.push_back({i / kSide * 100 - 12'800, i % kSide * 100 - 12'750, 0});
    }
    const CheckedStream stream =
        CheckedStream::write({}, goals, {kSide + 1, kSide, 100}, [](std::uint8_t* out) {
            constexpr std::uint8_t kRecord[] = {1, 1, 0, 0, 0, 0, 0, 0, 127};
            for (int cell = 0; cell < (kSide + 1) * kSide; ++cell) {
                std::memcpy(out + cell * 9, kRecord, sizeof kRecord);
            }
        });
    PlayedField field = empty_field();
    ASSERT_TRUE(field.import(stream.bytes()).has_value());
    const nav::Layer& layer = field.field().default_layer();
    const nav::GridGeometry& geometry = field.field().geometry();
    ASSERT_TRUE(layer.solved);
    ASSERT_EQ(layer.goal_cells.size(), goals.size());
    const nav::GridCoord last = geometry.coord(layer.goal_cells.back());
    EXPECT_EQ(layer.goal_label(geometry, geometry.index({last.x + 1, last.y})), kGoalsMax - 1);
}

}  // namespace
}  // namespace maniple::substrate
