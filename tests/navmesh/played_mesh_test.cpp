#include "maniple/substrate/played_mesh.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "maniple/core/hash.h"
#include "maniple/nav/field_path.h"
#include "maniple/nav/mesh_path.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/played_field.h"

#include "held_background.h"
#include "mesh_plain.h"

namespace maniple::substrate {
namespace {

using tests::at;
using tests::delta_between;
using tests::Plain;
using tests::played;

std::vector<Vec3f> directions(const PlayedMesh& mesh) {
    return mesh.field().default_layer().solution.direction;
}

/// Of a mesh made now: those made before have lower ones.
std::uint64_t newest_generation() {
    const tests::BakedMesh mesh = tests::bake({.tiles_x = 1, .tiles_z = 1, .height = tests::flat});
    return tests::replica_of(mesh).generation();
}

// proves: SYNC-046, SYNC-057, SYNC-059, SYNC-064, SYNC-065, NAVM-024
TEST(PlayedMesh, StandsOnTheReplicaOfItsStreamAndFloodsFromTheGoalsInIt) {
    const core::Bytes bytes = Plain{}.stream();
    PlayedMesh mesh("ground", {});
    EXPECT_FALSE(mesh.field().synced());
    EXPECT_EQ(mesh.field().active_mesh(), nullptr);
    const Result<ImportReport> report = mesh.import(bytes);
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->applied);
    EXPECT_EQ(report->kind, StreamKind::kFull);
    EXPECT_EQ(report->version, content_hash(bytes));
    EXPECT_EQ(mesh.version(), report->version);
    EXPECT_TRUE(std::ranges::equal(mesh.stream(), bytes));
    ASSERT_NE(mesh.field().active_mesh(), nullptr);
    EXPECT_EQ(mesh.field().active_mesh()->tile_count(), 9u);
    EXPECT_TRUE(mesh.field().flood_applied());
    const nav::NavigationAnswer answer = mesh.field().query(at(2, 0, 2), 0);
    EXPECT_TRUE(answer.valid);
    EXPECT_EQ(answer.goal, (Vec3d{-2000, -2000, 0}));
    EXPECT_LT(answer.direction.x, 0);
    EXPECT_LT(answer.direction.y, 0);

    PlayedMesh aimless = played(Plain{.goals = {}}.stream());
    EXPECT_TRUE(aimless.field().flood_applied());
}

// proves: SYNC-047, SYNC-060, SYNC-067
TEST(PlayedMesh, KnowsNoGoalsButTheStreamsAndFloodsFromThemAgain) {
    PlayedMesh mesh("ground", {});
    nav::GoalSet local;
    local.locations = {at(2, 0, 22)};
    mesh.field().set_goals(std::move(local));
    ASSERT_TRUE(mesh.import(Plain{}.stream()).has_value());
    const PlayedMesh without_goals = played(Plain{}.stream());
    const auto imported = directions(mesh);
    EXPECT_EQ(imported, directions(without_goals));
    const core::Bytes before(mesh.stream().begin(), mesh.stream().end());
    const std::uint64_t generation = mesh.field().active_mesh()->generation();
    EXPECT_TRUE(mesh.field().update(true));
    EXPECT_EQ(directions(mesh), imported);
    EXPECT_EQ(mesh.field().active_mesh()->generation(), generation);
    EXPECT_TRUE(std::ranges::equal(mesh.stream(), before));
    EXPECT_TRUE(mesh.field().synced());
}

/// A direction modifier that counts how often a flood ran to its end.
class CountedFlood final : public nav::DirectionModifier {
  public:
    explicit CountedFlood(int& floods) : floods_(floods) {}
    void apply_direction(nav::DirectionEdit&) const override {}
    void apply_direction_mesh(nav::MeshDirectionEdit&) const override { ++floods_; }
    std::shared_ptr<const DirectionModifier> snapshot() const override {
        return std::make_shared<CountedFlood>(*this);
    }

  private:
    int& floods_;
};

// proves: SYNC-048, SYNC-049, O-SYNC-08, O-SYNC-33
TEST(PlayedMesh, FloodsAgainOnARedeliveryOnlyIfTheFirstFloodFailed) {
    int errors = 0;  // One is logged at the third flood in a row that fails.
    nav::FieldHost host;
    host.log = [&](const core::LogEntry& entry) {
        if (entry.code == static_cast<int>(nav::MeshFieldLog::kNoFlow)) ++errors;
    };
    int floods = 0;
    PlayedMesh mesh("ground", {}, host);
    const auto counter = std::make_shared<CountedFlood>(floods);
    mesh.field().register_modifier(counter);

    // A goal far from the mesh: the import succeeds, the flood does not.
    const core::Bytes astray = Plain{.goals = {{900'000, 0, 0}}}.stream();
    ASSERT_TRUE(mesh.import(astray).has_value());
    EXPECT_FALSE(mesh.field().flood_applied());
    const std::uint64_t generation = mesh.field().active_mesh()->generation();
    const std::uint32_t ref = mesh.field().active_mesh()->polygon_ref({4, 0});
    for (int delivery = 2; delivery <= 3; ++delivery) {
        EXPECT_EQ(errors, 0);
        const Result<ImportReport> again = mesh.import(astray);
        ASSERT_TRUE(again.has_value());
        EXPECT_FALSE(again->applied);
        EXPECT_EQ(mesh.field().active_mesh()->generation(), generation);
        EXPECT_EQ(mesh.field().active_mesh()->polygon_ref({4, 0}), ref);
    }
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(floods, 0);

    // A goal that projects: the flood of the import counts, a redelivery adds none.
    const core::Bytes fine = Plain{}.stream();
    ASSERT_TRUE(mesh.import(delta_between(astray, fine)).has_value());
    EXPECT_EQ(floods, 1);
    EXPECT_FALSE(mesh.import(fine)->applied);
    EXPECT_FALSE(mesh.import(delta_between(astray, fine))->applied);
    EXPECT_EQ(floods, 1);
    // Corrupt bytes of the standing version are refused all the same.
    core::Bytes corrupt = fine;
    corrupt.back() ^= 1;
    EXPECT_EQ(mesh.import(corrupt).error().code, ErrorCode::kBadHash);
}

// proves: SYNC-051, SYNC-053, SYNC-054, O-SYNC-13, O-SYNC-15
TEST(PlayedMesh, TakesADeltaOnItsBaseAloneAndElseStaysAsItWas) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes second = Plain{.ridged = {4}}.stream();
    const core::Bytes third = Plain{.ridged = {4, 7}}.stream();
    const core::Bytes delta = delta_between(first, second);
    PlayedMesh mesh("ground", {});
    EXPECT_EQ(mesh.import(delta).error().code, ErrorCode::kNotReady);
    ASSERT_TRUE(mesh.import(first).has_value());
    const auto before = directions(mesh);
    EXPECT_EQ(mesh.import(delta_between(second, third)).error().code, ErrorCode::kBaseMismatch);
    EXPECT_EQ(directions(mesh), before);
    EXPECT_EQ(mesh.version(), content_hash(first));
    const Result<ImportReport> report = mesh.import(delta);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->kind, StreamKind::kDelta);
    EXPECT_TRUE(std::ranges::equal(mesh.stream(), second));
    const PlayedMesh late = played(second);
    EXPECT_EQ(directions(mesh), directions(late));
    EXPECT_NE(directions(mesh), before);
}

// proves: SYNC-035, O-SYNC-05
TEST(PlayedMesh, TakesADeltaOfAnAreasCostAlone) {
    nav::FieldConfig config;
    config.use_area_costs = true;
    PlayedMesh mesh("ground", config);
    const core::Bytes first = Plain{}.stream();
    ASSERT_TRUE(mesh.import(first).has_value());
    const std::uint32_t before = mesh.field().query(at(2, 0, 2), 0).dist;
    ASSERT_GT(before, 0U);
    Plain dear;
    dear.costs[mesh.field().active_mesh()->graph().area(0)] = 3;
    const core::Bytes second = dear.stream();
    const Result<ImportReport> report = mesh.import(delta_between(first, second));
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->applied);
    EXPECT_EQ(mesh.version(), content_hash(second));
    EXPECT_GT(mesh.field().query(at(2, 0, 2), 0).dist, 2 * before);
    PlayedMesh late("ground", config);
    ASSERT_TRUE(late.import(second).has_value());
    EXPECT_EQ(mesh.field().default_layer().solution.dist,
              late.field().default_layer().solution.dist);
}

// proves: O-SYNC-13
TEST(PlayedMesh, SwapsInWhatWasComputedAheadAndGivesWhatItWouldGiveWithoutThat) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes second = Plain{.ridged = {4}}.stream();
    const core::Bytes third = Plain{.ridged = {4, 7}}.stream();
    const core::Bytes one = delta_between(first, second);
    const core::Bytes two = delta_between(second, third);
    tests::HeldBackground background;
    PlayedMesh ahead = played(first);
    PlayedMesh late = played(first);
    // Both deltas are under way before the first is due: the second builds on the first.
    ahead.prepare(one, background);
    ahead.prepare(two, background);
    EXPECT_FALSE(ahead.is_ready(one));
    EXPECT_TRUE(ahead.is_ready(third)) << "nothing was announced";
    background.run_all();
    EXPECT_TRUE(ahead.is_ready(one) && ahead.is_ready(two));
    for (const core::Bytes* delta : {&one, &two}) {
        ASSERT_TRUE(ahead.import(*delta).has_value());
        ASSERT_TRUE(late.import(*delta).has_value());
        EXPECT_EQ(directions(ahead), directions(late));
        EXPECT_TRUE(std::ranges::equal(ahead.stream(), late.stream()));
    }
    // The mesh that was computed is the one that stands.
    ahead.prepare(first, background);
    background.run_all();
    const std::uint64_t now = newest_generation();
    ASSERT_TRUE(ahead.import(first).has_value());
    EXPECT_LT(ahead.field().active_mesh()->generation(), now);
}

// proves: O-SYNC-13
TEST(PlayedMesh, ComputesInPlaceWhatWasPreparedForAnotherBaseOrIsNotDone) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes second = Plain{.ridged = {4}}.stream();
    const core::Bytes third = Plain{.ridged = {4, 7}}.stream();
    tests::HeldBackground background;
    PlayedMesh mesh = played(first);
    mesh.prepare(delta_between(first, second), background);
    ASSERT_TRUE(mesh.import(delta_between(first, second)).has_value());
    // Prepared on the first stream, but a full one came between.
    mesh.prepare(delta_between(second, first), background);
    background.run_all();
    ASSERT_TRUE(mesh.import(third).has_value());
    EXPECT_EQ(mesh.import(delta_between(second, first)).error().code, ErrorCode::kBaseMismatch);
    EXPECT_TRUE(std::ranges::equal(mesh.stream(), third));
    // Refused bytes are as refused when they were computed ahead.
    core::Bytes corrupt = second;
    corrupt.back() ^= 1;
    mesh.prepare(corrupt, background);
    background.run_all();
    EXPECT_EQ(mesh.import(corrupt).error().code, ErrorCode::kBadHash);
}

// proves: O-SYNC-13, NET-012
TEST(PlayedMesh, UsesWhatWasComputedAheadOnAStreamThatARepairBrought) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes second = Plain{.ridged = {4}}.stream();
    const core::Bytes third = Plain{.ridged = {4, 7}}.stream();
    const core::Bytes stale = delta_between(first, second);
    const core::Bytes next = delta_between(second, third);
    tests::HeldBackground background;
    PlayedMesh mesh = played(first);
    mesh.prepare(stale, background);
    mesh.prepare(next, background);
    EXPECT_FALSE(mesh.is_ready(stale));
    ASSERT_TRUE(mesh.import(second).has_value());
    mesh.drop_preparation(stale);
    EXPECT_TRUE(mesh.is_ready(stale)) << "nobody waits for it any more";
    EXPECT_FALSE(mesh.is_ready(next));
    background.run_all();
    const std::uint64_t now = newest_generation();
    ASSERT_TRUE(mesh.import(next).has_value());
    EXPECT_LT(mesh.field().active_mesh()->generation(), now) << "a swap";
    EXPECT_TRUE(std::ranges::equal(mesh.stream(), third));
}

// proves: O-SYNC-13, O-SYNC-15
TEST(PlayedMesh, TellsPreparationsApartByAllTheirBytes) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes fine = Plain{.ridged = {4}}.stream();
    core::Bytes corrupt = fine;  // With the head of the other.
    corrupt.back() ^= 1;
    tests::HeldBackground background;
    PlayedMesh mesh = played(first);
    mesh.prepare(fine, background);
    EXPECT_TRUE(mesh.is_ready(corrupt));
    background.run_all();
    EXPECT_EQ(mesh.import(corrupt).error().code, ErrorCode::kBadHash);
    const std::uint64_t now = newest_generation();
    ASSERT_TRUE(mesh.import(fine).has_value());
    EXPECT_LT(mesh.field().active_mesh()->generation(), now) << "a swap";
}

// proves: O-SYNC-13
TEST(PlayedMesh, OutlivesItsJobsOnAThreadOfTheirOwn) {
    const core::Bytes first = Plain{}.stream();
    const core::Bytes second = Plain{.ridged = {4}}.stream();
    const auto background = core::make_background();
    for (int i = 0; i < 20; ++i) {
        PlayedMesh mesh = played(first);
        mesh.prepare(delta_between(first, second), *background);
        if (i % 2 == 0) continue;  // Gone before its job ends.
        while (!mesh.is_ready(delta_between(first, second))) std::this_thread::yield();
        ASSERT_TRUE(mesh.import(delta_between(first, second)).has_value());
    }
}

// proves: SYNC-063, NAVM-024, PATH-036
TEST(PlayedMesh, ReleasesItsReplicaTwice) {
    PlayedMesh mesh = played(Plain{}.stream());
    for (int i = 0; i < 2; ++i) {
        mesh.release();
        EXPECT_FALSE(mesh.field().synced());
        EXPECT_EQ(mesh.version(), 0u);
        EXPECT_EQ(mesh.field().active_mesh(), nullptr);
        EXPECT_TRUE(mesh.stream().empty());
        EXPECT_FALSE(mesh.field().project(at(2, 0, 2)).has_value());
    }
    EXPECT_EQ(
        mesh.import(delta_between(Plain{}.stream(), Plain{.ridged = {1}}.stream())).error().code,
        ErrorCode::kNotReady);
}

// proves: O-SYNC-36, O-SYNC-37
TEST(PlayedMesh, TakesTheGoalsFromTheOriginAndTheTilesAsTheyAre) {
    const SubstrateIdentity turned{-500, -300, 7, 9000};
    PlayedMesh mesh = played(Plain{.goals = {{-1500, -1700, 3}}, .identity = turned}.stream());
    EXPECT_EQ(mesh.field().query(at(2, 0, 2), 0).goal, (Vec3d{-2000, -2000, 10}));
    EXPECT_EQ(directions(mesh), directions(played(Plain{.goals = {{-2000, -2000, 10}}}.stream())));
}

/// One passable row of cells.
core::Bytes grid_stream() {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, 5, 1, 100);
    ground.cost.assign(5, 1);
    ground.type.assign(5, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(5, 0);
    ground.normal.assign(5, {0, 0, 127});
    return write_grid_stream(ground).release();
}

// proves: O-SYNC-17, SYNC-050
TEST(PlayedField, TakesTheModeOfTheStreamThatItWasGivenLast) {
    auto side = std::make_unique<PlayedMesh>("ground", nav::FieldConfig{});
    PlayedMesh& mesh = *side;
    PlayedField field("ground", {}, std::move(side));
    const core::Bytes grid = grid_stream();
    const core::Bytes navmesh = Plain{}.stream();
    EXPECT_FALSE(field.synced());
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(field.import(grid).has_value());
        EXPECT_EQ(field.mode(), StreamMode::kGrid);
        EXPECT_FALSE(mesh.field().synced());
        EXPECT_EQ(field.version(), content_hash(grid));
        EXPECT_TRUE(std::ranges::equal(field.stream(), grid));
        ASSERT_TRUE(field.import(navmesh).has_value());
        EXPECT_EQ(field.mode(), StreamMode::kNavMesh);
        EXPECT_TRUE(field.synced());
        EXPECT_EQ(field.version(), content_hash(navmesh));
        EXPECT_TRUE(std::ranges::equal(field.stream(), navmesh));
    }
    ASSERT_TRUE(field.import(delta_between(navmesh, Plain{.ridged = {2}}.stream())).has_value());
    EXPECT_EQ(field.version(), content_hash(Plain{.ridged = {2}}.stream()));
    // Refused bytes of the other mode change nothing.
    core::Bytes corrupt = grid;
    corrupt.back() ^= 1;
    EXPECT_FALSE(field.import(corrupt).has_value());
    EXPECT_EQ(field.mode(), StreamMode::kNavMesh);
    PlayedField gridded("ground", {});
    EXPECT_EQ(gridded.import(navmesh).error().code, ErrorCode::kUnsupported);
}

// proves: PATH-001, PATH-002, PATH-003, PATH-004, PATH-036, O-SYNC-17
TEST(FindPath, GoesByTheModeOfTheStreamAndNeverToTheProviderOfASyncedField) {
    class TwoIslands final : public nav::NavProvider {
      public:
        TwoIslands() : mesh_(std::make_shared<nav::NavMesh>()) {
            mesh_->mesh = std::make_shared<const nav::MeshReplica>(
                tests::replica_of(tests::bake(tests::islands())));
        }
        std::shared_ptr<const nav::NavMesh> find(std::string_view) const override { return mesh_; }
        std::shared_ptr<const nav::NavMesh> default_mesh() const override { return mesh_; }

      private:
        std::shared_ptr<nav::NavMesh> mesh_;
    };
    const TwoIslands provider;
    nav::FieldConfig config;
    config.straight_first = true;
    auto side = std::make_unique<PlayedMesh>("ground", config, nav::FieldHost{}, &provider);
    PlayedMesh& mesh = *side;
    PlayedField field("ground", config, std::move(side));
    nav::PathContext context;
    std::vector<Vec3d> path;
    const auto grounds = [&](nav::GenerationMode configured) {
        return nav::FieldGrounds{field.field(), mesh.field(), configured};
    };
    const auto finds = [&](nav::GenerationMode configured, Vec3d from, Vec3d to) {
        return nav::find_path(grounds(configured), from, to, context, path);
    };
    constexpr auto kGrid = nav::GenerationMode::kGrid;
    constexpr auto kNavMesh = nav::GenerationMode::kNavMesh;
    const Vec3d here = at(2, 0, 4);
    const Vec3d there = at(20, 0, 20);  // On the stream's plain alone.
    const Vec3d across = at(30, 0, 4);  // On the provider's other island alone.

    mesh.field().update(true);
    EXPECT_TRUE(finds(kNavMesh, here, across));
    EXPECT_FALSE(nav::is_reachable(grounds(kNavMesh), here, across));
    EXPECT_TRUE(nav::is_reachable(grounds(kNavMesh), here, at(14, 0, 4)));
    EXPECT_FALSE(finds(kNavMesh, here, there));
    EXPECT_FALSE(finds(kGrid, here, across)) << "no grid yet";

    ASSERT_TRUE(field.import(Plain{}.stream()).has_value());
    for (const auto configured : {kGrid, kNavMesh}) {
        EXPECT_TRUE(finds(configured, here, there));
        EXPECT_TRUE(nav::is_reachable(grounds(configured), here, there));
        EXPECT_FALSE(finds(configured, here, across));
        EXPECT_TRUE(path.empty());
    }
    ASSERT_TRUE(field.import(grid_stream()).has_value());
    for (const auto configured : {kGrid, kNavMesh}) {
        EXPECT_TRUE(finds(configured, {0, 0, 0}, {200, 0, 0}));
        EXPECT_TRUE(nav::is_reachable(grounds(configured), {0, 0, 0}, {200, 0, 0}));
        EXPECT_FALSE(nav::is_reachable(grounds(configured), {0, 0, 0}, {9'000, 0, 0}));
    }
    // Synced, but nothing was delivered.
    mesh.field().set_replica(nullptr, {}, 0);
    EXPECT_FALSE(finds(kNavMesh, here, at(14, 0, 4)));
    EXPECT_TRUE(path.empty());
    EXPECT_FALSE(nav::is_reachable(grounds(kNavMesh), here, at(14, 0, 4)));
}

/// Two streams of one XXH3: a stripe's lane adds its word to its neighbour and the product of the
/// word's halves, each mixed with the secret. Where the high half is the secret's own the product
/// is 0, so that two such words of a lane may swap their low halves.
struct Collision {
    core::Bytes sound, spoilt;

    static constexpr std::size_t kStripeBytes = 64;
    static constexpr std::size_t kGoalsAt = 33;
    /// The first stripe that is all goals, as is the next one.
    static constexpr std::size_t kFirst = kStripeBytes;
    static constexpr std::size_t kSecond = kFirst + kStripeBytes;

    Collision() {
        core::Bytes goal_bytes(std::size_t{60} * 12);
        put_word(goal_bytes, kFirst, 5);
        put_word(goal_bytes, kSecond, 9);
        core::ByteReader in(goal_bytes);
        std::vector<GoalCm> goals(60);
        for (GoalCm& goal : goals) {
            goal.x = in.i32();
            goal.y = in.i32();
            goal.z = in.i32();
        }
        sound = Plain{.goals = goals}.stream();
        spoilt = sound;
        std::swap_ranges(spoilt.begin() + kFirst, spoilt.begin() + kFirst + 4,
                         spoilt.begin() + kSecond);
    }

  private:
    static void put_word(core::Bytes& goal_bytes, std::size_t offset, std::uint8_t low) {
        std::uint8_t* word = goal_bytes.data() + offset - kGoalsAt;
        word[0] = low;
        std::copy_n(XXH3_kSecret + offset / kStripeBytes * 8 + 4, 4, word + 4);
    }
};

// A hash without a key is no proof that what was computed ahead is of the bytes that came.
TEST(PlayedMesh, WhatWasPreparedFromOtherBytesOfTheSameHashIsNotTaken) {
    const Collision bytes;
    ASSERT_NE(bytes.sound, bytes.spoilt);
    ASSERT_EQ(core::xxh3_64(bytes.sound), core::xxh3_64(bytes.spoilt));
    core::InlineBackground worker;
    PlayedMesh mesh("ground", {});
    mesh.prepare(bytes.spoilt, worker);
    EXPECT_TRUE(mesh.import(bytes.sound).has_value());
    EXPECT_EQ(mesh.version(), content_hash(bytes.sound));

    PlayedMesh other("ground", {});
    other.prepare(bytes.sound, worker);
    EXPECT_FALSE(other.import(bytes.spoilt).has_value());
    EXPECT_TRUE(other.import(bytes.sound).has_value());
}

}  // namespace
}  // namespace maniple::substrate
