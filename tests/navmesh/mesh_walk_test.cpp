#include "maniple/nav/mesh_walk.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <optional>

#include "maniple/nav/mesh_graph.h"

#include "mesh_worlds.h"

namespace maniple::nav {
namespace {

MeshPlace place_on(const MeshReplica& mesh, Vec3d location) {
    const std::optional<MeshPlace> place = project_to_mesh(mesh, location, {50, 50, 100});
    EXPECT_TRUE(place.has_value());
    return place.value_or(MeshPlace{});
}

/// Walks straight towards `to` in steps of 20 cm.
MeshPlace walk(const MeshReplica& mesh, MeshPlace place, Vec3d to, int steps) {
    MeshContext context;
    for (int i = 0; i < steps; ++i) {
        const Vec2d off{to.x - place.location.x, to.y - place.location.y};
        const Vec2d way = core::safe_normal(off);
        place = walk_on_mesh(
            mesh, place,
            {place.location.x + 20 * way.x, place.location.y + 20 * way.y, place.location.z},
            context);
    }
    return place;
}

TEST(WalkOnMesh, FollowsTheSurfaceOntoTheFloorThatARampLeadsTo) {
    const MeshReplica mesh = tests::replica_of(tests::bake(tests::two_floors()));
    const MeshPlace top = walk(mesh, place_on(mesh, tests::at(3, 0, 4)), tests::at(20, 4, 4), 90);
    EXPECT_NEAR(top.location.z, 400, 30);
    const MeshPlace below =
        walk(mesh, place_on(mesh, tests::at(3, 0, 12)), tests::at(20, 0, 12), 90);
    EXPECT_NEAR(below.location.z, 0, 30) << "under the floor one stays below";
}

TEST(WalkOnMesh, EndsAtTheEdgeAndNeverCrossesAConnection) {
    auto settings = tests::islands();
    settings.links = {tests::over_the_chasm(true)};
    const MeshReplica mesh = tests::replica_of(tests::bake(settings));
    const MeshPlace end = walk(mesh, place_on(mesh, tests::at(10, 0, 4)), tests::at(25, 0, 4), 100);
    const double walked = std::abs(end.location.x - tests::at(10, 0, 4).x);
    EXPECT_GT(walked, 500);
    EXPECT_LT(walked, 720) << "the chasm begins 7 m on";
    EXPECT_FALSE(mesh.graph().off_mesh(mesh.graph().index(end.polygon)));
}

TEST(WalkOnMesh, StaysForWhatIsNoPlaceOrNoNumber) {
    const MeshReplica mesh = tests::replica_of(tests::bake({.height = tests::flat}));
    MeshContext context;
    const MeshPlace from = place_on(mesh, tests::at(8, 0, 8));
    const MeshPlace nowhere{{1'000'000, 3}, from.location};
    EXPECT_EQ(walk_on_mesh(mesh, nowhere, from.location, context).polygon, nowhere.polygon);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(walk_on_mesh(mesh, from, {nan, 0, 0}, context).location, from.location);
    EXPECT_EQ(walk_on_mesh(mesh, from, from.location, context).polygon, from.polygon);
}

}  // namespace
}  // namespace maniple::nav
