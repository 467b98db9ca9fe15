#include "maniple/nav/mesh_replica.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "maniple/core/hash.h"
#include "maniple/core/random.h"

#include "tile_baker.h"

namespace maniple::nav {
namespace {

using tests::bake;
using tests::BakedMesh;

constexpr std::array<float, MeshQuery::kAreaCount> even_costs() {
    std::array<float, MeshQuery::kAreaCount> costs{};
    costs.fill(1);
    return costs;
}
constexpr auto kEvenCosts = even_costs();

MeshReplica build(const BakedMesh& mesh) {
    Result<MeshReplica> replica = MeshReplica::build(mesh.params, mesh.tiles());
    EXPECT_TRUE(replica.has_value());
    return std::move(*replica);
}

MeshQuery::Nearest nearest(const MeshQuery& query, float x, float z) {
    const auto found = query.nearest({x, 0, z}, {4, 4, 4});
    EXPECT_TRUE(found.has_value());
    return found.value_or(MeshQuery::Nearest{});
}

// proves: SYNC-020, O-SYNC-13
TEST(MeshReplica, PutsEveryTileIntoItsSlotThoughThereAreHoles) {
    BakedMesh mesh = bake({.tiles_x = 3, .tiles_z = 1, .height = tests::pillars(1)});
    ASSERT_EQ(mesh.blobs.size(), 3u);
    mesh.params.tiles_max = 8;
    mesh.slots = {0, 2, 5};
    const MeshReplica replica = build(mesh);
    EXPECT_EQ(replica.tile_count(), 3u);
    for (std::int32_t slot = 0; slot < 8; ++slot) {
        const bool used = slot == 0 || slot == 2 || slot == 5;
        EXPECT_EQ(replica.polygon_ref({slot, 0}) != 0, used) << slot;
    }
    const MeshQuery query(replica, kEvenCosts);
    EXPECT_EQ(nearest(query, 20, 4).polygon.slot, 5);
}

// proves: O-SYNC-13, SYNC-053
TEST(MeshReplica, IsAFunctionOfItsTilesWhateverStoodBefore) {
    BakedMesh mesh = bake({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(2)});
    const MeshReplica first = build(mesh);
    // The salt comes from the blob alone: another tile in one slot changes its references only.
    BakedMesh other = mesh;
    other.blobs[5] = bake({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(9)}).blobs[5];
    const MeshReplica changed = build(other);
    const MeshReplica again = build(mesh);
    for (std::size_t i = 0; i < mesh.slots.size(); ++i) {
        const PolygonId id{mesh.slots[i], 0};
        EXPECT_EQ(first.polygon_ref(id), again.polygon_ref(id));
        EXPECT_EQ(first.polygon_ref(id) == changed.polygon_ref(id), i != 5) << i;
    }
    const MeshQuery one(first, kEvenCosts);
    const MeshQuery two(again, kEvenCosts);
    core::RandomStream random(7);
    for (int i = 0; i < 200; ++i) {
        const auto place = [&] { return static_cast<float>(random.next_below(3200)) / 100; };
        const float ax = place(), az = place(), bx = place(), bz = place();
        const auto from = one.nearest({ax, 0, az}, {4, 4, 4});
        const auto to = one.nearest({bx, 0, bz}, {4, 4, 4});
        if (!from || !to) continue;
        const MeshQuery::Path path = one.find_path(*from, *to);
        EXPECT_EQ(path.points, two.find_path(*from, *to).points);
        EXPECT_FALSE(path.points.empty());
    }
}

// proves: O-SYNC-12
TEST(MeshReplica, LeavesTheBlobsPristine) {
    const BakedMesh mesh =
        bake({.tiles_x = 2, .tiles_z = 2, .height = tests::pillars(4), .off_mesh = true});
    const std::vector<core::Bytes> before = mesh.blobs;
    const MeshReplica replica = build(mesh);
    EXPECT_GT(replica.polygon_count(), 4u);
    EXPECT_EQ(mesh.blobs, before);
}

// proves: O-SYNC-13
TEST(MeshReplica, RefusesATileWithMoreLinksThanItHasRoomFor) {
    const BakedMesh mesh = bake({.tiles_x = 2, .tiles_z = 1, .height = tests::pillars(4)});
    // How many links the first tile takes: the least room with which it is built.
    const auto with_links = [&](std::int32_t links) {
        BakedMesh copy = mesh;
        core::Bytes& blob = copy.blobs[0];
        const auto declared = core::load_le<std::int32_t>(blob.data() + 32);
        const auto verts = core::load_le<std::int32_t>(blob.data() + 28);
        const auto polys = core::load_le<std::int32_t>(blob.data() + 24);
        const auto links_at = blob.begin() + 100 + 12 * verts + 32 * polys;
        blob.erase(links_at, links_at + 12 * (declared - links));
        core::store_le(blob.data() + 32, links);
        EXPECT_TRUE(check_tile(blob, copy.params).has_value());
        return MeshReplica::build(copy.params, copy.tiles()).has_value();
    };
    std::int32_t links = core::load_le<std::int32_t>(mesh.blobs[0].data() + 32);
    ASSERT_TRUE(with_links(links));
    while (links > 1 && with_links(links - 1)) --links;
    EXPECT_GT(links, 1);
    EXPECT_FALSE(with_links(links - 1));
    EXPECT_FALSE(with_links(1));
}

TEST(MeshQuery, FindsACompletePathAndTellsAPartialOne) {
    // Two islands: no ground at all between x = 16 m and 24 m.
    const auto chasm = [](int x, int) { return x > 32 && x < 48 ? 30.0F : 0.0F; };
    const BakedMesh mesh = bake({.tiles_x = 5, .tiles_z = 1, .height = chasm});
    const MeshReplica replica = build(mesh);
    const MeshQuery query(replica, kEvenCosts);
    const MeshQuery::Path near = query.find_path(nearest(query, 2, 4), nearest(query, 14, 4));
    EXPECT_TRUE(near.complete);
    EXPECT_GE(near.points.size(), 2u);
    const MeshQuery::Path far = query.find_path(nearest(query, 2, 4), nearest(query, 36, 4));
    EXPECT_FALSE(far.complete);
    EXPECT_FALSE(query.nearest({1e30F, 0, 0}, {4, 4, 4}).has_value());
}

}  // namespace
}  // namespace maniple::nav
