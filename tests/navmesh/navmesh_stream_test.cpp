#include "maniple/substrate/navmesh_stream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/nav/mesh_replica.h"
#include "maniple/substrate/navmesh_delta.h"

#include "tile_baker.h"

namespace maniple::substrate {
namespace {

using tests::bake;
using tests::BakedMesh;

/// A mesh with what a stream says beside its tiles.
struct World {
    BakedMesh mesh;
    std::vector<GoalCm> goals = {{100, 200, 0}};
    AreaCosts costs;

    explicit World(std::uint32_t seed, int side = 3)
        : mesh(bake({.tiles_x = side,
                     .tiles_z = side,
                     .height = tests::pillars(seed),
                     .off_mesh = true})) {
        costs.fill(1);
        costs[5] = std::numeric_limits<float>::max();
    }
    [[nodiscard]] NavMeshStream stream() const {
        const std::vector<nav::MeshTile> tiles = mesh.tiles();
        Result<NavMeshStream> stream =
            NavMeshStream::write({{1, 2, 3, 400}, goals, mesh.params, costs, tiles});
        EXPECT_TRUE(stream.has_value());
        return std::move(*stream);
    }
};

/// Builds the delta, applies it and compares with the new stream byte for byte.
DeltaBuild expect_delta_leads_there(const NavMeshStream& base, const NavMeshStream& next) {
    Result<DeltaBuild> build = build_substrate_delta(base.view(), next.view());
    EXPECT_TRUE(build.has_value());
    EXPECT_TRUE(build->any_change);
    const Result<NavMeshDeltaView> delta = NavMeshDeltaView::check(build->bytes);
    EXPECT_TRUE(delta.has_value());
    EXPECT_EQ(delta->changed_tiles().size(), build->changed_tiles);
    const Result<NavMeshStream> applied = apply_delta(base.view(), *delta);
    EXPECT_TRUE(applied.has_value()) << applied.error().message;
    EXPECT_TRUE(std::ranges::equal(applied->bytes(), next.bytes()));
    EXPECT_EQ(applied->version(), next.version());
    return std::move(*build);
}

// proves: SYNC-020, SYNC-021, SYNC-022, O-SYNC-12
TEST(NavMeshStream, CarriesTheBakedBlobsByteForByteAlsoWhenExportedFromAnImport) {
    const World world(1);
    const NavMeshStream stream = world.stream();
    const Result<NavMeshView> view = NavMeshView::check(stream.bytes());
    ASSERT_TRUE(view.has_value());
    ASSERT_EQ(view->tiles().size(), world.mesh.blobs.size());
    for (std::size_t i = 0; i < view->tiles().size(); ++i) {
        EXPECT_EQ(view->tiles()[i].slot, world.mesh.slots[i]);
        EXPECT_TRUE(std::ranges::equal(view->tiles()[i].blob, world.mesh.blobs[i]));
    }
    // A replica stands on the tiles meanwhile: Detour patches its own copies only.
    const Result<nav::MeshReplica> replica =
        nav::MeshReplica::build(view->params(), view->tiles(), view->area_costs());
    ASSERT_TRUE(replica.has_value());
    EXPECT_EQ(replica->polygon_count(), view->polygon_count());
    const Result<NavMeshStream> again = NavMeshStream::write(
        {view->identity(), view->goals(), view->params(), view->area_costs(), view->tiles()});
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(std::ranges::equal(again->bytes(), stream.bytes()));
}

// proves: SYNC-034, SYNC-053, SYNC-027, SYNC-028
TEST(NavMeshDelta, AddsReplacesAndRemovesTiles) {
    World base(1);
    base.mesh.slots.erase(base.mesh.slots.begin() + 4);
    base.mesh.blobs.erase(base.mesh.blobs.begin() + 4);
    World next(1);
    next.mesh.blobs[7] = World(8).mesh.blobs[7];
    next.mesh.slots.erase(next.mesh.slots.begin());
    next.mesh.blobs.erase(next.mesh.blobs.begin());
    const DeltaBuild build = expect_delta_leads_there(base.stream(), next.stream());
    EXPECT_EQ(build.changed_tiles, 3u);
    EXPECT_FALSE(build.goals_changed);
    EXPECT_FALSE(build.costs_changed);
}

// proves: O-SYNC-12, SYNC-021
TEST(NavMeshDelta, OfOneReplacedTileCarriesThatTileAlone) {
    World next(1);
    next.mesh.blobs[2] = World(8).mesh.blobs[2];
    const DeltaBuild build = expect_delta_leads_there(World(1).stream(), next.stream());
    EXPECT_EQ(build.changed_tiles, 1u);
    EXPECT_EQ(build.bytes.size(), 301 + 12 + 8 + next.mesh.blobs[2].size());
}

// proves: O-SYNC-14
TEST(NavMeshDelta, MovesATileToAnotherSlotAndSwapsTwo) {
    World base(1);
    base.mesh.params.tiles_max = 16;
    base.mesh.slots = {0, 2, 3, 4, 5, 6, 7, 8, 9};
    World moved = base;
    moved.mesh.slots = {0, 1, 2, 4, 5, 6, 7, 8, 9};  // The tiles of 2 and 3 go one down.
    expect_delta_leads_there(base.stream(), moved.stream());
    expect_delta_leads_there(moved.stream(), base.stream());
    World swapped = base;
    std::swap(swapped.mesh.blobs[0], swapped.mesh.blobs[2]);
    EXPECT_EQ(expect_delta_leads_there(base.stream(), swapped.stream()).changed_tiles, 2u);
}

// proves: SYNC-053, O-SYNC-13
TEST(NavMeshDelta, LeavesAStandingPeerWithTheReferencesOfALateJoiner) {
    NavMeshStream standing = World(1).stream();
    for (const std::uint32_t seed : {2u, 3u, 4u, 5u, 6u}) {
        World next(1);
        next.mesh.blobs[seed] = World(seed).mesh.blobs[seed];
        const NavMeshStream target = next.stream();
        const DeltaBuild build = expect_delta_leads_there(standing, target);
        standing = std::move(*apply_delta(standing.view(), *NavMeshDeltaView::check(build.bytes)));
    }
    World last(1);
    last.mesh.blobs[6] = World(6).mesh.blobs[6];
    const NavMeshStream late = last.stream();
    const auto build = [](const NavMeshView& v) {
        return nav::MeshReplica::build(v.params(), v.tiles(), v.area_costs());
    };
    const auto a = build(standing.view());
    const auto b = build(late.view());
    for (const nav::MeshTile& tile : late.view().tiles()) {
        EXPECT_EQ(a->polygon_ref({tile.slot, 0}), b->polygon_ref({tile.slot, 0}));
        EXPECT_NE(a->polygon_ref({tile.slot, 0}), 0u);
    }
}

// proves: SYNC-035, O-SYNC-05
TEST(NavMeshDelta, OfOneAreaCostAloneIsAChange) {
    World cheap(1);
    cheap.costs[17] = 0.5F;
    const DeltaBuild build = expect_delta_leads_there(World(1).stream(), cheap.stream());
    EXPECT_TRUE(build.costs_changed);
    EXPECT_EQ(build.changed_tiles, 0u);
}

// proves: SYNC-038, SYNC-037
TEST(NavMeshDelta, OfAGoalAloneIsSmallAndOfNothingIsEmpty) {
    World moved(1);
    moved.goals[0].x += 1;
    const DeltaBuild build = expect_delta_leads_there(World(1).stream(), moved.stream());
    EXPECT_TRUE(build.goals_changed);
    EXPECT_EQ(build.bytes.size(), 301u + 12u);
    const NavMeshStream stream = World(1).stream();
    const Result<DeltaBuild> none = build_substrate_delta(stream.view(), stream.view());
    EXPECT_FALSE(none->any_change);
    EXPECT_TRUE(none->bytes.empty());
}

// proves: SYNC-032
TEST(NavMeshDelta, IsNotBuiltAcrossParametersIdentityOrMode) {
    const NavMeshStream base = World(1).stream();
    World other(1);
    other.mesh.params.tiles_max += 1;
    const Result<DeltaBuild> build = build_substrate_delta(base.view(), other.stream().view());
    ASSERT_FALSE(build.has_value());
    EXPECT_EQ(build.error().code, ErrorCode::kParamsMismatch);
    EXPECT_EQ(build.error().at_byte, 37u + 12u);

    const CheckedStream grid = CheckedStream::write(
        {1, 2, 3, 400}, {}, {1, 1, 1}, [](std::uint8_t* out) { std::fill_n(out, 9, 1); });
    for (const bool grid_first : {true, false}) {
        core::Bytes delta;
        bool any_change = false;
        Error error;
        EXPECT_FALSE(build_substrate_delta_bytes(grid_first ? grid.bytes() : base.bytes(),
                                                 grid_first ? base.bytes() : grid.bytes(), delta,
                                                 any_change, &error));
        EXPECT_TRUE(any_change);
        EXPECT_EQ(error.code, ErrorCode::kBadMode);
    }
}

// proves: SYNC-051, SYNC-044
TEST(NavMeshDelta, IsRefusedByAnotherBaseAndByTilesThatAreNotSafe) {
    const NavMeshStream base = World(1).stream();
    World next(1);
    next.mesh.blobs[2] = World(8).mesh.blobs[2];
    const Result<DeltaBuild> build = build_substrate_delta(base.view(), next.stream().view());
    const auto code_of = [&](core::Bytes bytes, const NavMeshView& standing) {
        const auto delta = NavMeshDeltaView::check(bytes);
        const auto applied = apply_delta(standing, *delta);
        return std::pair(applied.error().code, applied.error().at_byte);
    };
    EXPECT_EQ(code_of(build->bytes, World(3).stream().view()),
              std::pair(ErrorCode::kBaseMismatch, std::uint64_t{13}));
    core::Bytes bytes = build->bytes;
    const std::size_t blob_at = 301 + 12 + 8;
    bytes[blob_at + 4] = 8;  // Another tile version.
    EXPECT_EQ(code_of(bytes, base.view()),
              std::pair(ErrorCode::kBadTile, std::uint64_t{blob_at + 4}));
    bytes = build->bytes;
    bytes[blob_at + 20] = 1;  // The user id: sound, but not what the new hash covers.
    EXPECT_EQ(code_of(bytes, base.view()), std::pair(ErrorCode::kBadHash, std::uint64_t{9}));
    bytes = build->bytes;
    core::store_le(bytes.data() + blob_at + 8, 0);  // On top of the tile of slot 0.
    EXPECT_EQ(code_of(bytes, base.view()), std::pair(ErrorCode::kBadTile, std::uint64_t{297 + 12}));
    bytes = build->bytes;
    core::store_le(bytes.data() + blob_at - 8, 9);  // One slot behind the last.
    EXPECT_EQ(code_of(bytes, base.view()),
              std::pair(ErrorCode::kBadValue, std::uint64_t{blob_at - 8}));
}

}  // namespace
}  // namespace maniple::substrate
