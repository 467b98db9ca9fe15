#include "maniple/nav/debug_draw.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/modifier_shapes.h"

#include "plain_ground.h"
#include "test_worlds.h"

namespace maniple::nav {
namespace {

FieldHost drawn_by(DebugDraw& draw) {
    FieldHost host;
    host.draw = &draw;
    return host;
}

/// A field of 9 × 5 flat cells, 100 cm above its bottom, with a goal and what it draws.
struct Drawn {
    DebugDraw draw;
    FormulaWorld world = flat_world(100);
    FlowField field;
    Drawn() : field("ground", {}, host()) {
        FieldSetup setup;
        setup.location_cm = {1000, 0, 0};
        setup.yaw_degrees = 90;
        setup.size_cm = {900, 500, 1000};
        setup.trace_ground = true;
        field.set_setup(setup);
        field.set_goals({{}, {{1000, 400, 0}}});
    }
    FieldHost host() {
        FieldHost host = drawn_by(draw);
        host.world = &world;
        return host;
    }
    void switch_all_on() { draw.switches = {true, true, true, true, true, true, true, true}; }
};

// proves: VIS-016
TEST(DebugDraw, EverySwitchIsOffAndThenNothingIsEmitted) {
    Drawn d;
    ASSERT_TRUE(d.field.update(true));
    EXPECT_FALSE(d.draw.volume.visible || d.draw.cells.visible || d.draw.arrows_visible ||
                 d.draw.mesh_fill_visible || d.draw.mesh_edges_visible);
    EXPECT_TRUE(d.draw.arrows.empty());
    EXPECT_TRUE(d.draw.cells.rgba.empty());
    EXPECT_TRUE(d.draw.lines.empty());
    d.switch_all_on();
    ASSERT_TRUE(d.field.update(true));
    EXPECT_FALSE(d.draw.arrows.empty());
    d.draw.switches = {};
    ASSERT_TRUE(d.field.update(true));
    EXPECT_TRUE(d.draw.arrows.empty()) << "what was drawn before goes";
    EXPECT_TRUE(d.draw.cells.rgba.empty());
}

// proves: VIS-002, VIS-016, O-GEN-05
TEST(DebugDraw, ChangesNothingOfTheField) {
    Drawn plain;
    Drawn drawn;
    drawn.switch_all_on();
    for (Drawn* d : {&plain, &drawn}) {
        ASSERT_TRUE(d->field.draw_debug());
        EXPECT_FALSE(d->field.initialised());
        ASSERT_TRUE(d->field.update(false));
    }
    EXPECT_EQ(plain.draw.cells.rotation_degrees, (Vec3d{90, 0, 0}));
    EXPECT_EQ(drawn.draw.billboard_cm, (Vec3d{1000, 0, 0}));
    EXPECT_EQ(drawn.draw.arrows.size(), 45U);
    const FieldSolution& a = plain.field.default_layer().solution;
    const FieldSolution& b = drawn.field.default_layer().solution;
    EXPECT_EQ(a.dist, b.dist);
    EXPECT_EQ(a.direction, b.direction);
    EXPECT_EQ(plain.field.config().digest(), drawn.field.config().digest());
    EXPECT_EQ(plain.field.next_update_s(), drawn.field.next_update_s());
}

// proves: GRID-014, VIS-007, VIS-008
TEST(DebugDraw, AnInitGivesClampedSizesAndTheGridsParameters) {
    Drawn d;
    FieldSetup setup = d.field.setup();
    setup.size_cm = {900, -5, 1000};
    d.field.set_setup(setup);
    ASSERT_TRUE(d.field.init(InitMode::kBeginPlay));
    EXPECT_EQ(d.draw.volume.half_extent_cm, (Vec3d{450, 50, 500})) << "at least one cell";
    EXPECT_EQ(d.draw.volume.centre_cm, (Vec3d{1000, 0, 500}));
    EXPECT_EQ(d.draw.volume.yaw_degrees, 90);
    EXPECT_EQ(d.draw.cells.size_cm, (Vec3d{900, 100, 1000}));
    EXPECT_EQ(d.draw.parameters.x_num, 9);
    EXPECT_EQ(d.draw.parameters.y_num, 1);
    EXPECT_EQ(d.draw.parameters.cell_size_cm, 100);
    EXPECT_EQ(d.draw.parameters.offset_cm, (Vec2d{400, 0}));
    EXPECT_EQ(d.draw.parameters.yaw_degrees, 90);

    const double infinity = std::numeric_limits<double>::infinity();
    setup.size_cm = {infinity, 100, 100};
    d.field.set_setup(setup);
    ASSERT_FALSE(d.field.init(InitMode::kRuntime));
    EXPECT_EQ(d.draw.parameters.x_num, 9) << "a refused one draws nothing";

    DebugDraw mesh;
    draw_setup(GenerationMode::kNavMesh, FieldSetup{}, GridGeometry(0, 0, 0, 0, 50, 50, 100), mesh);
    EXPECT_EQ(mesh.parameters.x_num, 0) << "a navmesh has no cells";
}

// proves: VIS-009
TEST(DebugDraw, WhatIsVisibleFollowsModeAndSwitches) {
    const FieldSetup setup;
    const GridGeometry grid = *grid_of(setup);
    for (int bits = 0; bits < 32; ++bits) {
        DebugDraw grid_draw;
        const auto on = [&](int bit) { return (bits >> bit & 1) != 0; };
        grid_draw.switches = {on(0), on(1), on(2), on(3), on(4)};
        DebugDraw mesh_draw = grid_draw;
        draw_setup(GenerationMode::kGrid, setup, grid, grid_draw);
        draw_setup(GenerationMode::kNavMesh, setup, grid, mesh_draw);
        EXPECT_EQ(grid_draw.volume.visible, on(0));
        EXPECT_EQ(mesh_draw.volume.visible, on(0));
        EXPECT_EQ(grid_draw.cells.visible, on(1));
        EXPECT_FALSE(mesh_draw.cells.visible);
        EXPECT_EQ(grid_draw.arrows_visible, on(2));
        EXPECT_EQ(mesh_draw.arrows_visible, on(2));
        EXPECT_FALSE(grid_draw.mesh_fill_visible || grid_draw.mesh_edges_visible);
        EXPECT_EQ(mesh_draw.mesh_fill_visible, on(3));
        EXPECT_EQ(mesh_draw.mesh_edges_visible, on(4));
    }
}

// proves: VIS-010, O-VIS-01
TEST(DebugDraw, ThePixelsOfACellImage) {
    DebugDraw draw;
    draw.switches.cells = true;
    FlowField field("ground", {}, drawn_by(draw));
    // Distances 0, 2, 3, 8 along y, then an obstacle and nothing.
    GridSubstrate ground = plain_ground(1, 6);
    ground.cost = {9, 2, 1, 5, 255, 255};
    ground.type = {1, 1, 1, 1, 2, 0};
    ground.goals_cm.push_back({0, -250, 0});
    field.set_substrate(std::move(ground));
    draw_cells(field, draw);
    EXPECT_EQ(draw.cells.width, 1);
    EXPECT_EQ(draw.cells.height, 6);
    EXPECT_EQ(draw.cells.rgba, (std::vector<std::uint8_t>{0,   0, 0,   255,  // the goal costs 0
                                                          2,   0, 64,  255,  // 255 · 2/8 = 63.75
                                                          1,   0, 96,  255,  // 95.6
                                                          5,   0, 255, 255,  //
                                                          255, 0, 255, 255,  //
                                                          255, 0, 255, 0}));
}

// proves: VIS-010
TEST(DebugDraw, GreenIsWhereAGridModifierWroteAndRowsAreOfEqualY) {
    Drawn d;
    d.draw.switches.cells = true;
    const auto modifier = std::make_shared<ShapeGridModifier>();
    modifier->shape = BoxShape{{1000, -400, 100}, {50, 50, 50}};  // Cell (0, 2): yaw 90.
    d.field.register_modifier(modifier);
    ASSERT_TRUE(d.field.update(false));
    ASSERT_EQ(d.field.grid_modified(), std::vector<CellIndex>{2});
    ASSERT_EQ(d.draw.cells.rgba.size(), 45U * 4);
    for (std::size_t pixel = 0; pixel < 45; ++pixel) {
        EXPECT_EQ(d.draw.cells.rgba[4 * pixel + 1], pixel == 2 * 9 ? 255 : 0);
    }
}

// proves: VIS-012, O-VIS-02
TEST(DebugDraw, ArrowsLieInTheSurfaceAndRiseWithItsSlope) {
    DebugDraw draw;
    draw.switches.arrows = true;
    FlowField field("ground", {}, drawn_by(draw));
    GridSubstrate ground = plain_ground(3, 1);
    ground.z_cm = {0, 40, 70};
    ground.normal = {std::array<std::int8_t, 3>{0, 0, 127}, {-76, 0, 102}, {0, 0, 127}};
    ground.goals_cm.push_back({100, 0, 0});
    field.set_substrate(std::move(ground));
    draw_arrows(field, draw);
    ASSERT_EQ(draw.arrows.size(), 3U);
    const DrawArrow& flat = draw.arrows[0];
    EXPECT_EQ(flat.location_cm, (Vec3d{-100, 0, 5})) << "5 cm of 100 on level ground";
    EXPECT_EQ(flat.along, (Vec3f{1, 0, 0})) << "level, though the way rises";
    const DrawArrow& steep = draw.arrows[1];
    const float rise =
        steep.along.x * steep.up.x + steep.along.y * steep.up.y + steep.along.z * steep.up.z;
    EXPECT_NEAR(rise, 0, 1e-6);
    EXPECT_GT(steep.along.z, 0.5F);
    EXPECT_NEAR(steep.location_cm.z, 40 + 100 * (0.05 + 0.45 * (1 - steep.up.z)), 1e-9);
    EXPECT_NEAR(steep.up.z, 0.8, 0.01);
    EXPECT_NEAR(steep.location_cm.z - 40, 14, 0.5) << "5 + 45 · 0.2";
}

// proves: VIS-011, VIS-013
TEST(DebugDraw, ArrowsTellDirectionModificationAndGroundAndAreMadeAnew) {
    DebugDraw draw;
    draw.switches.arrows = true;
    FlowField field("ground", {}, drawn_by(draw));
    GridSubstrate ground = plain_ground(5, 1);
    ground.type[0] = 0;
    ground.cost[0] = 255;
    ground.goals_cm.push_back({200, 0, 0});
    const auto turn = std::make_shared<ShapeDirectionModifier>();
    turn->shape = BoxShape{{0, 0, 0}, {10, 10, 10}};
    turn->direction = {0, 1, 0};
    const auto stop = std::make_shared<ShapeDirectionModifier>();
    stop->shape = BoxShape{{100, 0, 0}, {10, 10, 10}};
    field.register_modifier(turn);
    field.register_modifier(stop);
    field.set_substrate(std::move(ground));
    for (int i = 0; i < 2; ++i) {
        draw_arrows(field, draw);
        ASSERT_EQ(draw.arrows.size(), 5U);
    }
    EXPECT_FALSE(draw.arrows[0].visible);
    EXPECT_TRUE(draw.arrows[1].visible);
    EXPECT_EQ(draw.arrows[1].kind, ArrowKind::kPlain);
    EXPECT_EQ(draw.arrows[2].kind, ArrowKind::kModified);
    EXPECT_EQ(draw.arrows[2].along, (Vec3f{0, 1, 0}));
    EXPECT_EQ(draw.arrows[3].kind, ArrowKind::kNoDirection) << "it stops there";
    EXPECT_EQ(draw.arrows[4].kind, ArrowKind::kNoDirection) << "the goal";
    EXPECT_EQ(static_cast<int>(ArrowKind::kModified), 1);
    EXPECT_EQ(static_cast<int>(ArrowKind::kNoDirection), 2);
}

// proves: VIS-003, VIS-004
TEST(DebugDraw, AnEditorsPreviewRunsTheWholePipelineWhenLive) {
    Drawn d;
    d.draw.switches.cells = d.draw.switches.arrows = true;
    const auto wall = std::make_shared<ShapeGridModifier>();
    wall->shape = BoxShape{{1000, 0, 100}, {50, 450, 50}};
    d.field.set_include_modifiers({wall});
    bool constructed = false;
    const auto construct = [&] {
        constructed = true;
        EXPECT_EQ(d.draw.parameters.x_num, 0) << "the host's own part comes first";
    };
    ASSERT_TRUE(d.field.on_construction(construct));
    EXPECT_TRUE(constructed);
    EXPECT_EQ(d.draw.parameters.x_num, 9);
    EXPECT_TRUE(d.draw.arrows.empty()) << "not live";

    d.draw.switches.editor_live_update = true;
    ASSERT_TRUE(d.field.on_construction([] {}));
    ASSERT_EQ(d.draw.cells.rgba.size(), 45U * 4);
    const auto green = [&] {
        int count = 0;
        for (std::size_t pixel = 0; pixel < 45; ++pixel) count += d.draw.cells.rgba[4 * pixel + 1];
        return count / 255;
    };
    EXPECT_EQ(green(), 9) << "grid modifiers run, though the grid is new";
    EXPECT_EQ(d.draw.arrows.size(), 45U);
    EXPECT_FALSE(d.field.initialised()) << "only an update or an import begins the play";

    FieldSetup setup = d.field.setup();
    setup.size_cm.x = 300;
    d.field.set_setup(setup);
    ASSERT_TRUE(d.field.on_construction([] {}));
    EXPECT_EQ(d.draw.arrows.size(), 15U) << "another configuration, another picture";
    EXPECT_TRUE(d.field.grid_dirty());
}

// proves: O-VIS-04
TEST(DebugDraw, ColoursHaveFixedValues) {
    EXPECT_EQ(kSilver, (DrawColour{192, 192, 192}));
    EXPECT_EQ(kOrange, (DrawColour{255, 165, 0}));
    EXPECT_EQ(kMagenta, (DrawColour{255, 0, 255}));
    EXPECT_EQ(kRed, (DrawColour{255, 0, 0}));
    EXPECT_EQ(kGreen, (DrawColour{0, 255, 0}));
    EXPECT_EQ(kYellow, (DrawColour{255, 255, 0}));
}

}  // namespace
}  // namespace maniple::nav
