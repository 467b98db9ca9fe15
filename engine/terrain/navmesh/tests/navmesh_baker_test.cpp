#include "maniple/terrain/navmesh_baker.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_path.h"

namespace maniple::terrain {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Vec3d kNear{60, 60, 150};

void add_quad(TriangleMesh& mesh, Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
    mesh.triangles.push_back({at, at + 1, at + 2});
    mesh.triangles.push_back({at, at + 2, at + 3});
}

/// A floor seen from above: its corners go round so that it faces up.
void add_floor(TriangleMesh& mesh, Vec2d low, Vec2d high, double z) {
    add_quad(mesh, {low.x, low.y, z}, {high.x, low.y, z}, {high.x, high.y, z}, {low.x, high.y, z});
}

/// Two floors of 40 m by 20 m, 6 m apart along X.
TriangleMesh two_islands() {
    TriangleMesh mesh;
    add_floor(mesh, {-4300, -1000}, {-300, 1000}, 0);
    add_floor(mesh, {300, -1000}, {4300, 1000}, 0);
    return mesh;
}

Result<nav::NavMesh> bake(const TriangleMesh& mesh, const NavMeshConfig& config = {},
                          std::span<const NavBox> obstacles = {}) {
    Result<NavMeshBaker> baker = NavMeshBaker::make(mesh, config);
    if (!baker) return refuse(baker.error());
    core::SerialExecutor serial;
    return baker->bake("test", serial, obstacles);
}

bool stands(const nav::NavMesh& mesh, Vec3d at) {
    return nav::project_to_mesh(*mesh.mesh, at, kNear).has_value();
}

TEST(NavMeshBaker, BakesTheUpperSideOfFloors) {
    const auto mesh = bake(two_islands());
    ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
    EXPECT_GT(mesh->tiles.size(), 4u);
    EXPECT_TRUE(stands(*mesh, {-2000, 0, 0}));
    EXPECT_TRUE(stands(*mesh, {2000, 500, 0}));
    EXPECT_FALSE(stands(*mesh, {0, 0, 0}));
    // The agent's radius is kept from every edge.
    EXPECT_FALSE(nav::project_to_mesh(*mesh->mesh, {330, 0, 0}, {5, 5, 100}).has_value());
    EXPECT_FALSE(nav::is_reachable_navmesh(mesh->mesh.get(), {-2000, 0, 0}, {2000, 0, 0}));
    EXPECT_TRUE(nav::is_reachable_navmesh(mesh->mesh.get(), {400, -900, 0}, {4200, 900, 0}));
    EXPECT_EQ(mesh->area_names[kDefaultArea], "default");
    TriangleMesh ceiling;
    add_quad(ceiling, {0, 0, 0}, {0, 1000, 0}, {1000, 1000, 0}, {1000, 0, 0});
    EXPECT_EQ(bake(ceiling).error().code, ErrorCode::kNoGround);
}

TEST(NavMeshBaker, LetsAgentsClimbRampsAndSlopesUpToItsOwn) {
    for (const double rise : {700.0, 1300.0}) {  // Over 10 m: 35 and 52 degrees.
        TriangleMesh mesh;
        add_floor(mesh, {0, 0}, {1000, 1000}, 0);
        add_quad(mesh, {1000, 0, 0}, {2000, 0, rise}, {2000, 1000, rise}, {1000, 1000, 0});
        add_floor(mesh, {2000, 0}, {3000, 1000}, rise);
        const auto baked = bake(mesh);
        ASSERT_TRUE(baked.has_value());
        EXPECT_EQ(nav::is_reachable_navmesh(baked->mesh.get(), {500, 500, 0}, {2500, 500, rise}),
                  rise < 1000);
    }
}

TEST(NavMeshBaker, JoinsIslandsByLinksInTheirDirection) {
    using Direction = NavLink::Direction;
    for (const Direction direction :
         {Direction::kBoth, Direction::kLeftToRight, Direction::kRightToLeft}) {
        NavMeshConfig config;
        config.links = {{"bridge", {-450, 0, 0}, {450, 0, 0}, direction}};
        const auto mesh = bake(two_islands(), config);
        ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
        const Vec3d left{-2000, 0, 0};
        const Vec3d right{2000, 0, 0};
        EXPECT_EQ(nav::is_reachable_navmesh(mesh->mesh.get(), left, right),
                  direction != Direction::kRightToLeft);
        EXPECT_EQ(nav::is_reachable_navmesh(mesh->mesh.get(), right, left),
                  direction != Direction::kLeftToRight);
    }
}

TEST(NavMeshBaker, NamesALinkThatJoinsNothingAndSaysWhy) {
    using Direction = NavLink::Direction;
    const auto refused = [](const NavLink& link, Direction direction) {
        NavMeshConfig config;
        config.links = {{"good", {-450, 0, 0}, {450, 0, 0}, Direction::kBoth}, link};
        config.links[1].direction = direction;
        Result<NavMeshBaker> baker = NavMeshBaker::make(two_islands(), config);
        if (!baker) return baker.error().message;
        core::SerialExecutor serial;
        const auto mesh = baker->bake("test", serial);
        EXPECT_TRUE(mesh.has_value());
        const auto checked = baker->check_links(*mesh);
        return checked ? std::string() : checked.error().message;
    };
    const std::string name = "off_mesh_links[1] bad";
    const Vec3d west{-450, 500, 0};
    const Vec3d east{450, 500, 0};
    for (const Direction way :
         {Direction::kBoth, Direction::kLeftToRight, Direction::kRightToLeft}) {
        EXPECT_EQ(refused({"bad", west, east, way}, way), "");
        EXPECT_EQ(refused({"bad", {-450, 0, 0}, {450, 0, 0}, way}, way), "") << "a second such one";
        // In the chasm, on the rim that the agent's radius keeps free, too high, off the mesh.
        for (const Vec3d off : {Vec3d{0, 0, 0}, Vec3d{-450, 0, 400}}) {
            EXPECT_EQ(refused({"bad", off, east, way}, way),
                      name + ": its left end has no ground to stand on");
            EXPECT_EQ(refused({"bad", west, {-off.x, 0, off.z}, way}, way),
                      name + ": its right end has no ground to stand on");
        }
        EXPECT_EQ(refused({"bad", {-4301, 0, 0}, {-4200, 0, 0}, way}, way),
                  name + ": its left end lies outside the mesh");
        EXPECT_EQ(refused({"bad", west, {450, 1001, 0}, way}, way),
                  name + ": its right end lies outside the mesh");
        EXPECT_EQ(refused({"bad", {-4000, 0, 0}, {4000, 0, 0}, way}, way),
                  name + " reaches farther than the next tile: choose larger tiles or split it");
        EXPECT_EQ(refused({"bad", west, {1'000'001, 0, 0}, way}, way),
                  name + ": an end is not finite, or over 10 km from the origin");
        EXPECT_EQ(refused({"bad", {kNaN, 0, 0}, east, way}, way),
                  name + ": an end is not finite, or over 10 km from the origin");
    }
}

TEST(NavMeshBaker, GivesBoxesTheirAreasAndCosts) {
    NavMeshConfig config;
    config.areas = {{"mud", 4, {{1000, -1000, -50}, {2000, 1000, 50}}},
                    {"road", 0.5F, {{3000, -1000, -50}, {3500, 1000, 50}}},
                    {"mud", 4, {{-3000, -1000, -50}, {-2000, 1000, 50}}}};
    EXPECT_EQ(area_ids(config), (std::vector<std::uint8_t>{1, 2, 1}));
    const auto mesh = bake(two_islands(), config);
    ASSERT_TRUE(mesh.has_value());
    EXPECT_EQ(mesh->area_names[1], "mud");
    EXPECT_EQ(mesh->area_names[2], "road");
    EXPECT_EQ(mesh->area_costs[1], 4);
    EXPECT_EQ(mesh->area_costs[2], 0.5F);
    const auto area_at = [&](Vec3d at) {
        const auto place = nav::project_to_mesh(*mesh->mesh, at, kNear);
        const nav::MeshGraph& graph = mesh->mesh->graph();
        return place ? graph.area(graph.index(place->polygon)) : 0;
    };
    EXPECT_EQ(area_at({1500, 0, 0}), 1);
    EXPECT_EQ(area_at({-2500, 0, 0}), 1);
    EXPECT_EQ(area_at({3250, 0, 0}), 2);
    EXPECT_EQ(area_at({2500, 0, 0}), kDefaultArea);
}

TEST(NavMeshBaker, BakesTheSameOnAnyNumberOfThreadsAndTellsItsProgress) {
    const TriangleMesh mesh = two_islands();
    Result<NavMeshBaker> baker = NavMeshBaker::make(mesh, {});
    ASSERT_TRUE(baker.has_value());
    core::SerialExecutor serial;
    const auto four = core::make_executor(4);
    std::size_t done = 0;
    std::size_t total = 0;
    const auto one = baker->bake("mesh", serial, {}, [&](std::size_t d, std::size_t t) {
        done = d;
        total = t;
        return true;
    });
    EXPECT_EQ(done, static_cast<std::size_t>(baker->tile_count()));
    EXPECT_EQ(total, done);
    const auto many = baker->bake("mesh", *four);
    ASSERT_TRUE(one && many);
    ASSERT_EQ(one->tiles.size(), many->tiles.size());
    for (std::size_t i = 0; i < one->tiles.size(); ++i) {
        EXPECT_EQ(one->tiles[i].blob, many->tiles[i].blob);
    }
    const auto cancelled =
        baker->bake("mesh", serial, {}, [](std::size_t, std::size_t) { return false; });
    EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
}

TEST(NavMeshBaker, RebakesTheTilesOfAnObstacleToWhatAWholeBakeGives) {
    const TriangleMesh mesh = two_islands();
    Result<NavMeshBaker> baker = NavMeshBaker::make(mesh, {});
    ASSERT_TRUE(baker.has_value());
    core::SerialExecutor serial;
    const auto open = baker->bake("mesh", serial);
    const std::vector<NavBox> wall{{{1900, -600, -20}, {2100, 600, 300}}};
    const auto walled = baker->bake("mesh", serial, wall);
    const auto rebaked = baker->rebake(*open, serial, wall, wall);
    const auto removed = baker->rebake(*rebaked, serial, {}, wall);
    ASSERT_TRUE(open && walled && rebaked && removed);
    const auto same = [](const nav::NavMesh& a, const nav::NavMesh& b) {
        if (a.tiles.size() != b.tiles.size()) return false;
        for (std::size_t i = 0; i < a.tiles.size(); ++i) {
            if (a.tiles[i].slot != b.tiles[i].slot || a.tiles[i].blob != b.tiles[i].blob) {
                return false;
            }
        }
        return true;
    };
    EXPECT_TRUE(same(*walled, *rebaked));
    EXPECT_FALSE(same(*open, *rebaked));
    EXPECT_TRUE(same(*open, *removed));
    EXPECT_TRUE(stands(*open, {2000, 0, 0}));
    EXPECT_FALSE(stands(*rebaked, {2000, 0, 0}));
}

TEST(NavMeshBaker, RefusesHostileMeshesWithAReason) {
    const auto refused = [](const TriangleMesh& mesh, const NavMeshConfig& config = {}) {
        const auto baked = bake(mesh, config);
        return baked ? ErrorCode::kNone : baked.error().code;
    };
    EXPECT_EQ(refused({}), ErrorCode::kNoGround);
    TriangleMesh mesh = two_islands();
    mesh.vertices[3].y = kNaN;
    EXPECT_EQ(refused(mesh), ErrorCode::kBadValue);
    mesh = two_islands();
    mesh.vertices[3].y = 1e30;
    EXPECT_EQ(refused(mesh), ErrorCode::kBadValue);
    mesh = two_islands();
    mesh.triangles[0][1] = 8;
    EXPECT_EQ(refused(mesh), ErrorCode::kBadValue);
    // 10 km by 10 km of tiles of 14.4 m are too many, 8,001 cells of height are.
    mesh = two_islands();
    add_floor(mesh, {-500'000, -500'000}, {500'000, 500'000}, -1000);
    EXPECT_EQ(refused(mesh), ErrorCode::kOverCap);
    mesh = two_islands();
    add_floor(mesh, {0, 0}, {100, 100}, 160'100);
    EXPECT_EQ(refused(mesh), ErrorCode::kOverCap);
    // Without area, in one line, upright: nothing to stand on.
    TriangleMesh line;
    line.vertices = {{0, 0, 0}, {100, 0, 0}, {200, 0, 0}};
    line.triangles = {{0, 1, 2}, {0, 0, 0}};
    EXPECT_EQ(refused(line), ErrorCode::kNoGround);
    TriangleMesh wall;
    add_quad(wall, {0, 0, 0}, {1000, 0, 0}, {1000, 0, 1000}, {0, 0, 1000});
    EXPECT_EQ(refused(wall), ErrorCode::kNoGround);
    // The same triangle many times, and three at one edge, are no harm.
    mesh = two_islands();
    for (int i = 0; i < 100; ++i) mesh.triangles.push_back(mesh.triangles[0]);
    add_quad(mesh, {-4300, 0, 0}, {-300, 0, 0}, {-300, 0, 500}, {-4300, 0, 500});
    EXPECT_EQ(refused(mesh), ErrorCode::kNone);
}

TEST(NavMeshConfig, NamesTheValueThatItRefuses) {
    const auto refused = [](auto change) {
        NavMeshConfig config;
        change(config);
        const auto checked = check_navmesh_config(config);
        return checked ? std::string() : checked.error().message.substr(0, 8);
    };
    EXPECT_EQ(refused([](NavMeshConfig&) {}), "");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.cell_cm = 0; }), "cell_cm ");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.cell_cm = kNaN; }), "cell_cm ");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.slope_deg = 89.5; }), "slope_de");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.tile_cells = 7; }), "tile_cel");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.tile_cells = 8; }), "");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.agent_radius_cm = 3601; }), "agent_ra");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.areas = {{"a", -1, {}}}; }), "the cost");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.areas = {{"a", 1, {}}, {"a", 2, {}}}; }),
              "area a h");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.areas = {{"a", 1, {{1, 0, 0}, {0, 0, 0}}}}; }),
              "the box ");
    EXPECT_EQ(refused([](NavMeshConfig& c) { c.links = {{"l", {kNaN, 0, 0}, {}, {}}}; }),
              "off_mesh");
    NavMeshConfig config;
    for (int i = 0; i < 63; ++i) config.areas.push_back({std::to_string(i), 1, {}});
    EXPECT_EQ(check_navmesh_config(config).error().code, ErrorCode::kOverCap);
    config.areas.pop_back();
    EXPECT_TRUE(check_navmesh_config(config).has_value());
}

TEST(NavMeshConfig, TakesManyBoxesOfFewNamesInNoTime) {
    NavMeshConfig config;
    constexpr int kBoxes = 200'000;
    for (int i = 0; i < kBoxes; ++i) {
        const double x = i % 40 * 100.0 + 300;
        config.areas.push_back({std::to_string(i % 62), 1, {{x, 0, 0}, {x + 1, 1, 1}}});
    }
    ASSERT_TRUE(check_navmesh_config(config).has_value());
    EXPECT_EQ(area_ids(config)[kBoxes - 1], (kBoxes - 1) % 62 + 1);
    EXPECT_TRUE(bake(two_islands(), config).has_value());
    // Every one of them over every tile is too much.
    for (NavArea& area : config.areas) area.box = {{-15'000, -15'000, 0}, {15'000, 15'000, 1}};
    TriangleMesh wide = two_islands();
    add_floor(wide, {-15'000, -15'000}, {15'000, 15'000}, -1000);
    EXPECT_EQ(bake(wide, config).error().code, ErrorCode::kOverCap);
}

// proves: NAVM-002
TEST(BakedNavProvider, GivesMeshesByNameAndTheFirstByDefault) {
    BakedNavProvider provider;
    EXPECT_EQ(provider.default_mesh(), nullptr);
    auto first = bake(two_islands());
    auto second = bake(two_islands());
    ASSERT_TRUE(first && second);
    first->name = "first";
    second->name = "second";
    provider.set(*first);
    provider.set(*second);
    EXPECT_EQ(provider.default_mesh()->name, "first");
    EXPECT_EQ(provider.find("second")->name, "second");
    EXPECT_EQ(provider.find("third"), nullptr);
    const auto before = provider.find("first");
    provider.set(*first);
    EXPECT_NE(provider.find("first"), before);
    EXPECT_EQ(provider.default_mesh(), provider.find("first"));
}

}  // namespace
}  // namespace maniple::terrain
