#include "maniple/nav/mesh_links.h"

#include <gtest/gtest.h>

#include "maniple/nav/mesh_field.h"

#include "mesh_worlds.h"

namespace maniple::nav {
namespace {

using tests::at;
using tests::bake;
using tests::replica_of;

constexpr Vec3d kExtents{500, 500, 500};

class MeshLinksTest : public testing::Test {
  protected:
    MeshLinksTest() {
        tests::BakeSettings settings = tests::islands();
        settings.links = {tests::over_the_chasm(true)};
        mesh = std::make_shared<const MeshReplica>(replica_of(bake(settings)));
    }
    [[nodiscard]] std::vector<LinkEntry> match(std::vector<LinkDescriptor> links) const {
        return match_links(*mesh, links, kExtents);
    }
    [[nodiscard]] PolygonId connection() const {
        return match({{"bridge", left, right, {}, 0}}).at(0).connection;
    }

    std::shared_ptr<const MeshReplica> mesh;
    const Vec3d left = at(14, 0, 4);
    const Vec3d right = at(23, 0, 4);
};

// proves: NAVM-036, NAVM-037, O-NAVM-10
TEST_F(MeshLinksTest, MatchesEndsWithinFiftyCentimetresEitherWayRound) {
    const std::vector<LinkEntry> exact = match({{"bridge", left, right, {}, 0}});
    ASSERT_EQ(exact.size(), 1u);
    EXPECT_TRUE(mesh->graph().off_mesh(mesh->graph().index(exact[0].connection)));
    EXPECT_TRUE(exact[0].valid());
    EXPECT_FALSE(mesh->graph().off_mesh(mesh->graph().index(*exact[0].left_ground)));
    EXPECT_EQ(match({{"bridge", left + Vec3d{0, 30, 40}, right, {}, 0}}).size(), 1u);
    EXPECT_EQ(match({{"bridge", left + Vec3d{0, 30, 40.1}, right, {}, 0}}).size(), 0u);
    EXPECT_EQ(match({{"bridge", left, right + Vec3d{51, 0, 0}, {}, 0}}).size(), 0u);
    const std::vector<LinkEntry> reversed = match({{"bridge", right, left, {}, 0}});
    ASSERT_EQ(reversed.size(), 1u);
    EXPECT_EQ(reversed[0].left, right);
    EXPECT_EQ(reversed[0].left_ground, exact[0].right_ground);
    EXPECT_EQ(match({}).size(), 0u);
}

// proves: NAVM-036, O-NAVM-10
TEST_F(MeshLinksTest, OfTwoConnectionsInReachTheNearerThenTheFirstIsMatched) {
    tests::BakeSettings settings = tests::islands();
    settings.links = {{{14, 0, 4}, {23, 0, 4}, true}, {{14, 0, 4.5F}, {23, 0, 4.5F}, true}};
    const MeshReplica two = replica_of(bake(settings));
    const std::vector<OffMeshConnection> connections = off_mesh_connections(two);
    ASSERT_EQ(connections.size(), 2u);
    ASSERT_LT(connections[0].polygon, connections[1].polygon);
    const auto matched = [&](float z) {
        const LinkDescriptor link{"bridge", at(14, 0, z), at(23, 0, z), {}, 0};
        const LinkDescriptor back{"bridge", link.right, link.left, {}, 0};
        const auto entries = match_links(two, {link}, kExtents);
        const auto reversed = match_links(two, {back}, kExtents);
        EXPECT_EQ(entries.size(), 1u);
        EXPECT_EQ(reversed.at(0).connection, entries.at(0).connection);
        return entries.at(0).connection;
    };
    EXPECT_EQ(matched(4.25F), connections[0].polygon) << "as near to both";
    const bool first_is_low = std::abs(connections[0].start.y - at(0, 0, 4).y) < 1;
    EXPECT_EQ(matched(4.125F), connections[first_is_low ? 0 : 1].polygon);
    EXPECT_EQ(matched(4.375F), connections[first_is_low ? 1 : 0].polygon);
}

// proves: NAVM-037, NAVM-039, NAVM-041
TEST_F(MeshLinksTest, ALinkWhoseEndLiesOnNoGroundIsKeptAndInvalid) {
    tests::BakeSettings settings = tests::islands();
    settings.links = {{{15.9F, 0, 4}, {23, 0, 4}, true}};
    const auto edge = std::make_shared<const MeshReplica>(replica_of(bake(settings)));
    FieldConfig config;
    config.path_stop_search_cm = {5, 5, 5};
    MeshField field("links", config);
    const Vec3d over_the_edge = at(16.3F, 0, 4);  // Of the connection 40 cm away, of ground 25.
    field.set_link_sources(
        [&] { return std::vector<LinkDescriptor>{{"bridge", over_the_edge, right, {}, 0}}; });
    EXPECT_TRUE(field.set_replica(edge, {at(30, 0, 4)}, 1));
    const PolygonId connection = off_mesh_connections(*edge).at(0).polygon;
    EXPECT_EQ(field.validate_links().valid, 0u);
    EXPECT_EQ(field.validate_links().invalid, 1u);
    EXPECT_EQ(field.link_direction(connection, right).status, LinkStatus::kNotFound);
}

// proves: NAVM-036
TEST_F(MeshLinksTest, PlacesAnOwnersPointsInTheWorld) {
    const Vec3d owner = at(14, 0, 4);
    // A quarter turn: the owner's +Y is the world's −X.
    EXPECT_EQ(match({{"bridge", {0, 0, 0}, {0, 900, 0}, owner, 9000}}).size(), 1u);
    EXPECT_EQ(match({{"bridge", {0, 0, 0}, {900, 0, 0}, owner, 9000}}).size(), 0u);
}

// proves: NAVM-038, NAVM-039, NAVM-040, NAVM-041, O-NAVM-10, O-NAVM-16
TEST_F(MeshLinksTest, TellsAnAgentOnALinkWhereItLeads) {
    MeshField field("links", {});
    EXPECT_EQ(field.link_direction(connection(), left).status, LinkStatus::kCacheNotInitialized);
    std::vector<LinkDescriptor> links{{"bridge", left, right, {}, 0}};
    field.set_link_sources([&] { return links; });
    EXPECT_TRUE(field.set_replica(mesh, {at(36, 0, 4)}, 1));
    const LinkAnswer answer = field.link_direction(connection(), left + Vec3d{0, 300, 0});
    EXPECT_EQ(answer.status, LinkStatus::kSuccess);
    EXPECT_LT(answer.direction.x, -0.9F);
    EXPECT_EQ(answer.left, left);
    EXPECT_EQ(answer.right, right);
    EXPECT_EQ(answer.source, "bridge");
    EXPECT_TRUE(answer.at_left_end);
    EXPECT_FALSE(answer.at_right_end);
    EXPECT_FALSE(field.link_direction(connection(), left + Vec3d{0, 300.1, 0}).at_left_end);
    EXPECT_TRUE(field.link_direction(connection(), right).at_right_end);
    EXPECT_EQ(field.link_direction(std::nullopt, left).status, LinkStatus::kInvalidPolygon);
    EXPECT_EQ(field.link_direction(PolygonId{0, 0}, left).status, LinkStatus::kNotFound);
    EXPECT_EQ(field.validate_links().valid, 1u);
    links[0].source = "another";
    EXPECT_EQ(field.validate_links().invalid, 1u);
    // Another mesh, without the connection: its polygons are not the link's.
    const auto bare = std::make_shared<const MeshReplica>(replica_of(bake(tests::islands())));
    const PolygonId before = connection();
    EXPECT_TRUE(field.set_replica(bare, {at(36, 0, 4)}, 2));
    EXPECT_EQ(field.link_direction(before, left).status, LinkStatus::kNotFound);
}

// proves: NAVM-038
TEST_F(MeshLinksTest, NeedsNoMeshWithoutLinks) {
    MeshField field("links", {});
    field.collect_links();
    EXPECT_EQ(field.link_direction(PolygonId{0, 0}, left).status, LinkStatus::kNotFound);
    field.set_link_sources(
        [&] { return std::vector<LinkDescriptor>{{"bridge", left, right, {}, 0}}; });
    field.collect_links();
    EXPECT_EQ(field.link_direction(PolygonId{0, 0}, left).status, LinkStatus::kCacheNotInitialized);
}

}  // namespace
}  // namespace maniple::nav
