#include "maniple/nav/mesh_replica.h"

#include <gtest/gtest.h>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_query.h"

#include "tile_baker.h"

namespace maniple::nav {
namespace {

using tests::bake;
using tests::BakedMesh;

MeshReplica build(const BakedMesh& mesh) {
    AreaCosts costs;
    costs.fill(1);
    Result<MeshReplica> replica = MeshReplica::build(mesh.params, mesh.tiles(), costs);
    EXPECT_TRUE(replica.has_value());
    return std::move(*replica);
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
    const auto place = project_to_mesh(replica, to_world({20, 0, 4}), {400, 400, 400});
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(place->polygon.slot, 5);
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
        return MeshReplica::build(copy.params, copy.tiles(), AreaCosts{}).has_value();
    };
    std::int32_t links = core::load_le<std::int32_t>(mesh.blobs[0].data() + 32);
    ASSERT_TRUE(with_links(links));
    while (links > 1 && with_links(links - 1)) --links;
    EXPECT_GT(links, 1);
    EXPECT_FALSE(with_links(links - 1));
    EXPECT_FALSE(with_links(1));
}

}  // namespace
}  // namespace maniple::nav
