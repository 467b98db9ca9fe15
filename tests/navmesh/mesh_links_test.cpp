#include "maniple/nav/mesh_links.h"

#include <gtest/gtest.h>
#include <utility>

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

// proves: O-NAVM-10
TEST_F(MeshLinksTest, OfAStraightAndAReversedConnectionAsNearTheStraightOneIsMatched) {
    tests::BakeSettings settings = tests::islands();
    settings.links = {{{14, 0, 4}, {23, 0, 4}, false}, {{23, 0, 4}, {14, 0, 4}, false}};
    const MeshReplica two = replica_of(bake(settings));
    const std::vector<OffMeshConnection> connections = off_mesh_connections(two);
    ASSERT_EQ(connections.size(), 2u);
    ASSERT_EQ(connections[0].start, connections[1].end);
    ASSERT_EQ(connections[0].end, connections[1].start);
    const auto matched = [&](Vec3d from, Vec3d to) {
        const auto entries = match_links(two, {{"bridge", from, to, {}, 0}}, kExtents);
        EXPECT_EQ(entries.size(), 1u);
        return entries.at(0).connection;
    };
    for (const Vec3d aside : {Vec3d{}, Vec3d{0, 30, 0}}) {
        for (const OffMeshConnection& each : connections) {
            EXPECT_EQ(matched(each.start + aside, each.end + aside), each.polygon);
        }
    }
    // A nearer one wins, though it is reversed.
    tests::BakeSettings apart = tests::islands();
    apart.links = {{{14, 0, 4}, {23, 0, 4}, false}, {{23, 0, 4.5F}, {14, 0, 4.5F}, false}};
    const MeshReplica nearer = replica_of(bake(apart));
    const auto entries =
        match_links(nearer, {{"bridge", at(14, 0, 4.375F), at(23, 0, 4.375F), {}, 0}}, kExtents);
    const std::vector<OffMeshConnection> all = off_mesh_connections(nearer);
    ASSERT_EQ(all.size(), 2u);
    const bool first_is_reversed = all[0].start.x < all[0].end.x;  // World X is the mesh's −x.
    EXPECT_EQ(entries.at(0).connection, all[first_is_reversed ? 0 : 1].polygon);
}

// proves: NAVM-039
TEST_F(MeshLinksTest, AQueryTestsTheCacheThenThePolygonThenTheEntry) {
    MeshField field("links", {});
    field.set_link_sources(
        [&] { return std::vector<LinkDescriptor>{{"bridge", left, right, {}, 0}}; });
    const auto status = [&](std::optional<PolygonId> polygon) {
        const LinkAnswer answer = field.link_direction(polygon, left);
        if (answer.status != LinkStatus::kSuccess) {
            EXPECT_EQ(answer.direction, Vec3f{});
            EXPECT_EQ(answer.source, "");
            EXPECT_FALSE(answer.at_left_end || answer.at_right_end);
        }
        return answer.status;
    };
    const PolygonId link = connection();
    EXPECT_EQ(status(std::nullopt), LinkStatus::kCacheNotInitialized);
    EXPECT_EQ(status(link), LinkStatus::kCacheNotInitialized);
    ASSERT_TRUE(field.set_replica(mesh, {at(36, 0, 4)}, 1));
    EXPECT_EQ(status(std::nullopt), LinkStatus::kInvalidPolygon);
    EXPECT_EQ(status(PolygonId{0, 0}), LinkStatus::kNotFound) << "ground";
    EXPECT_EQ(status(PolygonId{999, 0}), LinkStatus::kNotFound) << "no polygon at all";
    EXPECT_EQ(status(link), LinkStatus::kSuccess);
    // Nothing delivered: the links have no mesh to be on.
    EXPECT_FALSE(field.set_replica(nullptr, {at(36, 0, 4)}, 2));
    EXPECT_EQ(status(std::nullopt), LinkStatus::kCacheNotInitialized);
}

// proves: NAVM-040, O-NAVM-10
TEST_F(MeshLinksTest, AnAgentIsAtAnEndWithinThreeMetresInSpace) {
    MeshField field("links", {});
    field.set_link_sources(
        [&] { return std::vector<LinkDescriptor>{{"bridge", left, right, {}, 0}}; });
    ASSERT_TRUE(field.set_replica(mesh, {at(36, 0, 4)}, 1));
    const auto ends = [&](Vec3d place) {
        const LinkAnswer answer = field.link_direction(connection(), place);
        return std::pair(answer.at_left_end, answer.at_right_end);
    };
    constexpr std::pair kNone{false, false}, kLeft{true, false}, kRight{false, true};
    for (const double up : {1.0, -1.0}) {
        EXPECT_EQ(ends(left + Vec3d{0, 0, 300 * up}), kLeft);
        EXPECT_EQ(ends(left + Vec3d{0, 0, 300.1 * up}), kNone) << "right over it, but too far";
        EXPECT_EQ(ends(right + Vec3d{0, 180, 240 * up}), kRight);
        EXPECT_EQ(ends(right + Vec3d{0, 180, 240.1 * up}), kNone);
    }
    // Ends nearer to one another than 6 m share the agents between them.
    tests::BakeSettings settings = tests::islands();
    settings.links = {{{15.5F, 0, 4}, {21.25F, 0, 4}, true}};
    const auto narrow = std::make_shared<const MeshReplica>(replica_of(bake(settings)));
    const Vec3d from = at(15.5F, 0, 4), to = at(21.25F, 0, 4);
    field.set_link_sources(
        [&] { return std::vector<LinkDescriptor>{{"bridge", from, to, {}, 0}}; });
    ASSERT_TRUE(field.set_replica(narrow, {at(36, 0, 4)}, 2));
    const PolygonId link = off_mesh_connections(*narrow).at(0).polygon;
    const LinkAnswer between = field.link_direction(link, (from + to) * 0.5);
    EXPECT_TRUE(between.at_left_end && between.at_right_end);
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
