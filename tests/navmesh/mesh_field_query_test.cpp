#include <DetourNavMeshQuery.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <thread>

#include "maniple/core/random.h"
#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/sample_hash.h"

#include "mesh_field_world.h"
#include "replica_impl.h"

namespace maniple::nav {
namespace {

// proves: NAVM-015, NAVM-018
TEST_F(MeshFieldTest, AnswersNothingWhereNoFlowIs) {
    MeshField field = make(tests::islands());
    field.set_goals({{}, {at(2, 0, 4)}});
    EXPECT_TRUE(field.update(true));
    EXPECT_TRUE(field.query(at(10, 0, 4), 0).valid);
    EXPECT_FALSE(field.query(at(36, 0, 4), 0).valid);
    EXPECT_FALSE(field.query(at(36, 0, 4), 200).valid);
    EXPECT_FALSE(field.cell_at(at(36, 0, 4)).has_value());
}

// proves: NAVM-017, NAVM-018, NAVM-022, NAVM-042
TEST_F(MeshFieldTest, ProjectsWithTheGivenExtentsAndThenWithTheDefault) {
    MeshField field = make(tests::two_floors());
    field.set_goals({{}, {at(28, 0, 12)}});
    EXPECT_TRUE(field.update(true));
    const Vec3d between = at(12, 2.5F, 12);
    const NavigationAnswer upper = field.query(between, 0, {50, 50, 200});
    ASSERT_TRUE(upper.valid);
    EXPECT_GT(upper.dist, field.query(at(12, 0, 12), 0, {50, 50, 50}).dist);
    // Nothing within 10 cm: the default extents of 500 cm find the nearer floor.
    EXPECT_EQ(field.query(between, 0, {10, 10, 10}).dist, upper.dist);
    EXPECT_EQ(field.query(between, 0, {0, -1, 0}).dist, upper.dist);
    // A layer's query does not look a second time (NAVM-042, LAY-013).
    EXPECT_FALSE(field.query_layer(&field.default_layer(), between, {10, 10, 10}).valid);
    EXPECT_TRUE(field.query_layer(&field.default_layer(), between, {50, 50, 200}).valid);
    EXPECT_FALSE(field.query({std::nan(""), 0, 0}, 0).valid);
    EXPECT_FALSE(field.query(between, std::nan("")).valid);
    EXPECT_FALSE(field.query(between, 0, {HUGE_VAL, 10, 10}).valid);
    EXPECT_FALSE(field.query(between, 0, {std::nan(""), 10, 10}).valid);
}

// proves: NAVM-019, NAVM-020, NAVM-021, O-NAVM-07, O-NAVM-08
TEST_F(MeshFieldTest, AveragesThePolygonsAroundByTheirDistance) {
    MeshField field = make({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(3)});
    field.set_goals({{}, {at(30, 0, 30)}});
    EXPECT_TRUE(field.update(true));
    MeshContext context;
    core::RandomStream random(3);
    int averaged = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3d place = at(static_cast<float>(random.next_below(320)) / 10, 0.5F,
                               static_cast<float>(random.next_below(320)) / 10);
        const NavigationAnswer exact = field.query(place, 0);
        const NavigationAnswer tiny = field.query(place, 1e-3, {}, &context);
        const NavigationAnswer wide = field.query(place, 400, {}, &context);
        if (!exact.valid) continue;
        ASSERT_TRUE(wide.valid);
        EXPECT_EQ(wide.dist, exact.dist);
        EXPECT_EQ(wide.goal, exact.goal);
        if (tiny.sampled_cells_hash == exact.sampled_cells_hash) {
            EXPECT_NEAR(tiny.direction.x, exact.direction.x, 1e-6);
        }
        if (wide.sampled_cells_hash != exact.sampled_cells_hash) ++averaged;
        const Vec3f d = wide.direction;
        EXPECT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-5);
        // With a context or without, the first time or the hundredth.
        const NavigationAnswer again = field.query(place, 400);
        EXPECT_EQ(again.direction, wide.direction);
        EXPECT_EQ(again.sampled_cells_hash, wide.sampled_cells_hash);
    }
    EXPECT_GT(averaged, 50);
}

double to_segment(Vec3d point, Vec3d a, Vec3d b) {
    const auto length = [](Vec3d v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); };
    double nearest = length(point - a);
    // Not by a formula: a thousand places along the way.
    for (int i = 1; i <= 1000; ++i) {
        nearest = std::min(nearest, length(point - (a + (b - a) * (i / 1000.0))));
    }
    return nearest;
}

/// The average said once more, over what Detour itself finds around a place.
struct CircleReference {
    const MeshField& field;
    const dtNavMesh& mesh = field.active_mesh()->impl().detour();
    dtNavMeshQuery query;
    int found = 0;

    explicit CircleReference(const MeshField& of) : field(of) { query.init(&mesh, 512); }

    NavigationAnswer ask(const MeshPlace& place, double radius_cm) {
        const dtPolyRef centre = field.active_mesh()->polygon_ref(place.polygon);
        const MeshPosition at = to_mesh(place.location);
        std::array<dtPolyRef, 64> refs;
        query.findPolysAroundCircle(centre, at.data(), static_cast<float>(radius_cm / 100),
                                    &field.active_mesh()->impl().filter, refs.data(), nullptr,
                                    nullptr, &found, 64);
        std::map<PolygonId, dtPolyRef> sampled;
        for (int i = 0; i < found; ++i) {
            const PolygonId id =
                field.active_mesh()->impl().id_of(refs[static_cast<std::size_t>(i)]);
            if (field.cell(field.default_layer(), id))
                sampled[id] = refs[static_cast<std::size_t>(i)];
        }
        Vec3d sum;
        SampleHash hash;
        for (const auto& [id, ref] : sampled) {
            const double away = id == place.polygon ? 0 : distance(place, centre, ref);
            const Vec3f dir = field.cell(field.default_layer(), id)->direction;
            sum = sum + Vec3d{dir.x, dir.y, dir.z} * (1 / (1 + away / radius_cm));
            hash.add(static_cast<std::uint32_t>(id.slot));
            hash.add(static_cast<std::uint32_t>(id.polygon));
        }
        const double size = std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
        NavigationAnswer answer;
        answer.direction = {static_cast<float>(sum.x / size), static_cast<float>(sum.y / size),
                            static_cast<float>(sum.z / size)};
        answer.sampled_cells_hash = hash.value();
        return answer;
    }

    double distance(const MeshPlace& place, dtPolyRef centre, dtPolyRef other) const {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        mesh.getTileAndPolyByRefUnsafe(centre, &tile, &poly);
        for (unsigned i = poly->firstLink; i != DT_NULL_LINK; i = tile->links[i].next) {
            const dtLink& link = tile->links[i];
            if (link.ref != other) continue;
            const Vec3d a = to_world(&tile->verts[3 * poly->verts[link.edge]]);
            const Vec3d b =
                to_world(&tile->verts[3 * poly->verts[(link.edge + 1) % poly->vertCount]]);
            if (link.side == 0xFF) return to_segment(place.location, a, b);
            return to_segment(place.location, a + (b - a) * (link.bmin / 255.0),
                              a + (b - a) * (link.bmax / 255.0));
        }
        const MeshPosition at = to_mesh(place.location);
        MeshPosition closest{};
        query.closestPointOnPoly(other, at.data(), closest.data(), nullptr);
        const Vec3d away = to_world(closest) - place.location;
        return std::sqrt(away.x * away.x + away.y * away.y + away.z * away.z);
    }
};

// proves: NAVM-019, NAVM-021, O-NAVM-07, O-NAVM-08, O-NAVM-09
TEST_F(MeshFieldTest, WeighsWhatDetourFindsAroundAPlaceUpToSixtyFour) {
    MeshField field = make({.tiles_x = 6, .tiles_z = 6, .height = tests::pillars(3)});
    field.set_goals({{}, {at(30, 0, 30)}});
    EXPECT_TRUE(field.update(true));
    CircleReference reference(field);
    core::RandomStream random(9);
    int full = 0;
    for (int i = 0; i < 100; ++i) {
        const float x = static_cast<float>(random.next_below(480)) / 10;
        const float z = static_cast<float>(random.next_below(480)) / 10;
        const double radius_cm = i % 2 == 0 ? 300 : 4000;
        const Vec3d location = at(x, 0.5F, z);
        const auto place = field.project(location);
        if (!place) continue;
        const NavigationAnswer answer = field.query(location, radius_cm);
        if (!answer.valid) continue;
        const NavigationAnswer expected = reference.ask(*place, radius_cm);
        full += reference.found == 64 ? 1 : 0;
        ASSERT_EQ(answer.sampled_cells_hash, expected.sampled_cells_hash) << i;
        EXPECT_NEAR(answer.direction.x, expected.direction.x, 1e-4);
        EXPECT_NEAR(answer.direction.y, expected.direction.y, 1e-4);
        EXPECT_NEAR(answer.direction.z, expected.direction.z, 1e-4);
    }
    EXPECT_GT(full, 10);
}

// proves: O-NAVM-08
TEST_F(MeshFieldTest, HashesSlotAndNumberOfTheSampledPolygon) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(true));
    const PolygonId id = field.project(at(20, 0, 4))->polygon;
    std::uint32_t hash = 2166136261U;
    for (const std::int32_t word : {id.slot, id.polygon}) {
        for (int i = 0; i < 4; ++i) {
            hash = (hash ^ (static_cast<std::uint32_t>(word) >> (8 * i) & 0xFF)) * 16777619U;
        }
    }
    EXPECT_EQ(field.query(at(20, 0, 4), 0).sampled_cells_hash, hash);
}

// proves: NAVM-016
TEST_F(MeshFieldTest, LeadsBackOntoTheMeshFromBesideIt) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(field.average_direction(at(2, 0, 4), 50), field.query(at(2, 0, 4), 0).direction);
    const Vec3f back = field.average_direction(at(10, 0, -2), 50);
    EXPECT_LT(back.y, -0.9F);
    EXPECT_EQ(back.z, 0);
    EXPECT_EQ(field.average_direction(at(10, 0, -20), 50), Vec3f{});
}

// proves: NAVM-023, O-NAVM-13
TEST_F(MeshFieldTest, BlendsTheNormalsBesideAPlace) {
    const auto roof = [](int x, int) { return 0.25F * static_cast<float>(std::abs(x - 32)); };
    MeshField field = make({.tiles_x = 4, .tiles_z = 1, .height = roof});
    field.set_goals({{}, {at(30, 4, 4)}});
    EXPECT_TRUE(field.update(true));
    // A valley along x = 16 m, both sides at 0.5 (its height is in half-metre cells).
    const GroundAnswer left = field.interpolated_ground(at(8, 4, 4), 100);
    const GroundAnswer right = field.interpolated_ground(at(24, 4, 4), 100);
    ASSERT_TRUE(left.valid && right.valid);
    EXPECT_NEAR(left.location.x, at(8, 4, 4).x, 0.01);
    EXPECT_NEAR(left.location.z, 400, 60);
    EXPECT_NEAR(left.normal.x, -right.normal.x, 0.1);
    EXPECT_GT(std::abs(left.normal.x), 0.3F);
    const GroundAnswer valley = field.interpolated_ground(at(16, 0, 4), 300);
    ASSERT_TRUE(valley.valid);
    EXPECT_GT(valley.normal.z, left.normal.z);
    const Vec3f n = valley.normal;
    EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-5);
    // The middle counts twice: of a place a metre beside the valley, the sample on the other side
    // is one of four.
    const Vec3f three_to_one =
        core::normalised({3 * left.normal.x + right.normal.x, 3 * left.normal.y + right.normal.y,
                          3 * left.normal.z + right.normal.z});
    EXPECT_NEAR(field.interpolated_ground(at(14, 3, 4), 300).normal.x, three_to_one.x, 0.03);
    // Samples lie 10 cm away at least.
    int blended = 0;
    for (int cm = 1500; cm < 1700; ++cm) {
        const Vec3d place = at(static_cast<float>(cm) / 100, 0, 4);
        const Vec3f closest = field.interpolated_ground(place, 10).normal;
        EXPECT_EQ(field.interpolated_ground(place, 0).normal, closest);
        blended += closest == field.interpolated_ground(place, 11).normal ? 0 : 1;
    }
    EXPECT_GT(blended, 0);
    // One sample is off the mesh and drops out.
    EXPECT_TRUE(field.interpolated_ground(at(1, 8, 4), 900).valid);
    const GroundAnswer none = field.interpolated_ground(at(1, 80, 4), 100);
    EXPECT_FALSE(none.valid);
    EXPECT_EQ(none.location, Vec3d{});
    EXPECT_EQ(none.normal, (Vec3f{0, 0, 1}));
}

// proves: NAVM-027
TEST_F(MeshFieldTest, AnswersEightThreadsAsItDoesOne) {
    MeshField field = make({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(3)});
    field.set_goals({{}, {at(30, 0, 30)}});
    EXPECT_TRUE(field.update(true));
    const auto answers = [&](std::vector<NavigationAnswer>& out) {
        MeshContext context;
        for (int i = 0; i < 100; ++i) {
            out.push_back(
                field.query(at(static_cast<float>(i % 32), 0.5F, static_cast<float>((7 * i) % 32)),
                            i % 2 == 0 ? 0 : 300, {}, i % 3 == 0 ? nullptr : &context));
        }
    };
    std::vector<NavigationAnswer> expected;
    answers(expected);
    std::vector<std::vector<NavigationAnswer>> all(8);
    std::vector<std::thread> threads;
    for (auto& out : all) threads.emplace_back([&] { answers(out); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& out : all) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(out[i].direction, expected[i].direction);
            EXPECT_EQ(out[i].sampled_cells_hash, expected[i].sampled_cells_hash);
        }
    }
}

}  // namespace
}  // namespace maniple::nav
