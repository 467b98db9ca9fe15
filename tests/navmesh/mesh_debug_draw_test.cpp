#include "maniple/nav/mesh_debug_draw.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "maniple/nav/async_updates.h"
#include "maniple/nav/modifier_shapes.h"

#include "held_background.h"
#include "mesh_field_world.h"

namespace maniple::nav {
namespace {

constexpr std::uint8_t kMud = 5;

/// Two islands with a link between them, mud on the western one.
BakeSettings muddy_islands() {
    BakeSettings settings = tests::islands();
    settings.links = {tests::over_the_chasm(true)};
    settings.area = [](int x, int) { return x < 16 ? int{kMud} : 63; };
    return settings;
}
AreaCosts mud_costs(float cost) {
    AreaCosts costs = tests::even_costs();
    costs[kMud] = cost;
    return costs;
}

class MeshDebugDrawTest : public MeshFieldTest {
  protected:
    MeshField synced_field(const AreaCosts& costs) {
        MeshField field = make();
        replica =
            std::make_shared<const MeshReplica>(tests::replica_of(bake(muddy_islands()), costs));
        EXPECT_TRUE(field.set_replica(replica, {at(2, 0, 4)}, 1));
        return field;
    }
    std::size_t lines_of(DrawColour colour) const {
        return static_cast<std::size_t>(std::ranges::count(draw.lines, colour, &DrawLine::colour));
    }
    /// Corners of the ground polygons that a rule takes.
    template <class Takes>
    std::size_t corners(Takes takes) const {
        std::size_t count = 0;
        const MeshGraph& graph = replica->graph();
        for (PolygonIndex polygon = 0; polygon < graph.size(); ++polygon) {
            if (graph.off_mesh(polygon) || !takes(graph.area(polygon))) continue;
            count += graph.vertices(polygon).size();
        }
        return count;
    }

    std::shared_ptr<const MeshReplica> replica;
    DebugDraw draw;
};

// proves: VIS-001, VIS-005
TEST_F(MeshDebugDrawTest, AFrameOutlinesTheReplicaInThreeColours) {
    const MeshField field = synced_field(mud_costs(4));
    draw.switches.graph_edges_in_game = true;
    draw_mesh_frame(field, true, draw);
    EXPECT_GT(lines_of(kSilver), 0U);
    EXPECT_EQ(lines_of(kSilver), corners([](std::uint8_t area) { return area != kMud; }));
    EXPECT_GT(lines_of(kOrange), 0U);
    EXPECT_EQ(lines_of(kOrange), corners([](std::uint8_t area) { return area == kMud; }));
    ASSERT_EQ(lines_of(kMagenta), 1U);
    const auto link = std::ranges::find(draw.lines, kMagenta, &DrawLine::colour);
    const Vec3d along = link->to_cm - link->from_cm;
    EXPECT_NEAR(std::abs(along.x), 900, 1) << "from 14 m to 23 m";
    EXPECT_NEAR(along.y, 0, 1);
    EXPECT_TRUE(draw.arrows.empty()) << "lines are a frame's only job";
}

// proves: VIS-005, VIS-006, VIS-016
TEST_F(MeshDebugDrawTest, LinesLastOneFrameAndNeedSwitchGameAndReplica) {
    MeshField field = synced_field(mud_costs(4));
    draw_mesh_frame(field, true, draw);
    EXPECT_TRUE(draw.lines.empty()) << "opt-in";
    draw.switches.graph_edges_in_game = true;
    draw_mesh_frame(field, true, draw);
    const std::size_t once = draw.lines.size();
    draw_mesh_frame(field, true, draw);
    EXPECT_EQ(draw.lines.size(), once) << "nothing piles up";
    draw_mesh_frame(field, false, draw);
    EXPECT_TRUE(draw.lines.empty()) << "not in an editor";

    EXPECT_FALSE(field.set_replica(nullptr, {at(2, 0, 4)}, 2));
    draw_mesh_frame(field, true, draw);
    EXPECT_TRUE(draw.lines.empty());
    MeshField local = make(muddy_islands());
    local.set_goals({{}, {at(2, 0, 4)}});
    ASSERT_TRUE(local.update(true));
    draw_mesh_frame(local, true, draw);
    EXPECT_TRUE(draw.lines.empty()) << "never the host's own mesh";
}

/// A plane that rises along world X, one in two.
class Slope final : public WorldQuery {
  public:
    std::optional<SurfaceHit> trace_line(Vec3d from, Vec3d, TraceMask) const override {
        return SurfaceHit{{from.x, from.y, from.x / 2}, core::normalised({-1, 0, 2})};
    }
    std::optional<SurfaceHit> sweep_sphere(Vec3d, Vec3d, double, TraceMask) const override {
        return {};
    }
    std::optional<SurfaceHit> sweep_capsule(Vec3d, Vec3d, double, double,
                                            TraceMask) const override {
        return {};
    }
};

// proves: VIS-014
TEST_F(MeshDebugDrawTest, ArrowsStandOnTheSurfaceAndUncoveredPolygonsAreRedDots) {
    BakeSettings settings = tests::islands();
    settings.off_mesh = true;  // A link inside every tile.
    MeshField field = make(settings);
    field.set_goals({{}, {at(2, 0, 4)}});
    const auto turn = std::make_shared<ShapeDirectionModifier>();
    turn->shape = BoxShape{at(6, 0, 4), {400, 1000, 500}};
    turn->direction = {0, 1, 0};
    field.register_modifier(turn);
    ASSERT_TRUE(field.update(true));
    draw_mesh_arrows(field, nullptr, 1, draw);
    EXPECT_TRUE(draw.arrows.empty()) << "opt-in";
    draw.switches.arrows = true;
    const Slope slope;
    for (int i = 0; i < 2; ++i) draw_mesh_arrows(field, &slope, 1, draw);

    const MeshGraph& graph = field.active_mesh()->graph();
    std::size_t at_arrow = 0;
    std::size_t dots = 0;
    std::size_t turned = 0;
    for (PolygonIndex polygon = 0; polygon < graph.size(); ++polygon) {
        if (graph.off_mesh(polygon)) continue;
        ASSERT_LT(at_arrow, draw.arrows.size());
        const DrawArrow& arrow = draw.arrows[at_arrow++];
        const Vec3d centre = graph.centre(polygon);
        EXPECT_EQ(arrow.location_cm, (Vec3d{centre.x, centre.y, centre.x / 2}));
        if (!field.default_layer().solution.covered(polygon)) {
            ++dots;
            EXPECT_EQ(arrow.kind, ArrowKind::kNoDirection);
            EXPECT_EQ(arrow.along, (Vec3f{}));
            continue;
        }
        if (arrow.kind == ArrowKind::kModified) ++turned;
        EXPECT_NEAR(
            arrow.along.x * arrow.up.x + arrow.along.y * arrow.up.y + arrow.along.z * arrow.up.z, 0,
            1e-6);
    }
    EXPECT_EQ(at_arrow, draw.arrows.size()) << "made anew, links skipped";
    EXPECT_GT(dots, 0U) << "the other island";
    EXPECT_GT(turned, 0U);
    EXPECT_LT(dots + turned, at_arrow);
    draw_mesh_arrows(field, nullptr, 1, draw);
    EXPECT_EQ(draw.arrows[0].location_cm, graph.centre(0)) << "without a world on the mesh itself";
}

// proves: VIS-015, O-VIS-04
TEST(MeshDebugDraw, AreaCostsGoFromGreenOverYellowToRed) {
    EXPECT_EQ(area_cost_colour(1), kGreen);
    EXPECT_EQ(area_cost_colour(0.1F), kGreen);
    EXPECT_EQ(area_cost_colour(3), (DrawColour{128, 255, 0}));
    EXPECT_EQ(area_cost_colour(5), kYellow);
    EXPECT_EQ(area_cost_colour(7.5F), (DrawColour{255, 128, 0}));
    EXPECT_EQ(area_cost_colour(10), kRed);
    EXPECT_EQ(area_cost_colour(255), kRed);
}

// proves: VIS-015, O-VIS-03
TEST_F(MeshDebugDrawTest, EveryGroundPolygonOfAnotherCostIsOutlinedInItsColour) {
    FieldConfig config;
    config.use_area_costs = true;
    MeshField field = make(config);
    replica =
        std::make_shared<const MeshReplica>(tests::replica_of(bake(muddy_islands()), mud_costs(5)));
    EXPECT_TRUE(field.set_replica(replica, {at(2, 0, 4)}, 1));
    draw_area_costs(field, draw);
    EXPECT_TRUE(draw.area_costs.empty()) << "opt-in";
    draw.switches.area_costs = true;
    for (int i = 0; i < 2; ++i) draw_area_costs(field, draw);
    EXPECT_GT(draw.area_costs.size(), 0U);
    EXPECT_EQ(draw.area_costs.size(), corners([](std::uint8_t area) { return area == kMud; }));
    for (const DrawLine& line : draw.area_costs) EXPECT_EQ(line.colour, kYellow);
    EXPECT_TRUE(draw.lines.empty()) << "lines are a frame's";

    const MeshField plain = synced_field(mud_costs(5));
    draw_area_costs(plain, draw);
    EXPECT_TRUE(draw.area_costs.empty()) << "areas that a field does not weigh cost 1";
}

// proves: NAVM-029, NAVM-030, NAVM-035
TEST_F(MeshDebugDrawTest, ThePictureShowsTheCostsThatTheFloodTakes) {
    struct Shown {
        std::vector<std::uint32_t> dist;
        std::vector<DrawColour> colours;
        bool operator==(const Shown&) const = default;
    };
    const auto shown = [&](float of_the_stream, std::optional<float> override_cost, bool enabled) {
        FieldConfig config;
        config.use_area_costs = enabled;
        if (override_cost) config.area_cost_overrides = {{kMud, *override_cost}};
        MeshField field = make(config);
        const auto mesh = std::make_shared<const MeshReplica>(
            tests::replica_of(bake(muddy_islands()), mud_costs(of_the_stream)));
        EXPECT_TRUE(field.set_replica(mesh, {at(2, 0, 4)}, 1));
        draw_area_costs(field, draw);
        Shown out{field.default_layer().solution.dist, {}};
        for (const DrawLine& line : draw.area_costs) out.colours.push_back(line.colour);
        return out;
    };
    draw.switches.area_costs = true;
    const Shown overridden = shown(2, 5, true);
    EXPECT_EQ(overridden, shown(5, std::nullopt, true)) << "wherever the cost comes from";
    const Shown cheaper = shown(2, std::nullopt, true);
    EXPECT_NE(cheaper.dist, overridden.dist);
    EXPECT_EQ(cheaper.colours.size(), overridden.colours.size());
    EXPECT_NE(cheaper.colours, overridden.colours);
    const Shown off = shown(2, 5, false);
    EXPECT_TRUE(off.colours.empty());
    EXPECT_EQ(off.dist, shown(1, std::nullopt, true).dist) << "all cost 1 to the flood, too";
}

/// A drawn field over the muddy islands that writes down what its pipeline does, stage by stage.
class MeshPipelineTest : public testing::Test {
  protected:
    class Meshes final : public NavProvider {
      public:
        Meshes(std::vector<std::string>& stages) : stages_(stages) {
            meshes_.add("default", bake(muddy_islands()));
        }
        [[nodiscard]] std::shared_ptr<const NavMesh> find(std::string_view name) const override {
            return meshes_.find(name);
        }
        [[nodiscard]] std::shared_ptr<const NavMesh> default_mesh() const override {
            stages_.emplace_back("init");
            return meshes_.default_mesh();
        }

      private:
        std::vector<std::string>& stages_;
        NamedMeshes meshes_;
    };
    /// Turns everything along Y; by then the base directions are kept.
    class Turn final : public DirectionModifier {
      public:
        explicit Turn(std::vector<std::string>& stages) : stages_(stages) {}
        void apply_direction(DirectionEdit&) const override {}
        void apply_direction_mesh(MeshDirectionEdit& edit) const override {
            stages_.emplace_back("modifiers run");
            for (PolygonIndex p = 0; p < edit.size(); ++p) edit.set(p, {0, 1, 0});
        }
        [[nodiscard]] std::shared_ptr<const DirectionModifier> snapshot() const override {
            return std::make_shared<Turn>(stages_);
        }

      private:
        std::vector<std::string>& stages_;
    };
    class Ground final : public WorldQuery {
      public:
        Ground(MeshPipelineTest& test) : test_(test) {}
        std::optional<SurfaceHit> trace_line(Vec3d, Vec3d, TraceMask mask) const override {
            EXPECT_EQ(mask, kGround);
            EXPECT_TRUE(test_.draw.area_costs.empty()) << "arrows come first";
            if (test_.stages.back() != "arrows") test_.stages.emplace_back("arrows");
            return std::nullopt;
        }
        std::optional<SurfaceHit> sweep_sphere(Vec3d, Vec3d, double, TraceMask) const override {
            return std::nullopt;
        }
        std::optional<SurfaceHit> sweep_capsule(Vec3d, Vec3d, double, double,
                                                TraceMask) const override {
            return std::nullopt;
        }

      private:
        MeshPipelineTest& test_;
    };

    MeshPipelineTest() : field("mesh", config(), host(), &meshes) {
        FieldSetup setup;
        setup.location_cm = {100, 200, 300};
        setup.size_cm = {4000, -1, 500};
        setup.ground_mask = kGround;
        EXPECT_TRUE(field.set_setup(setup));
        field.set_goals({{[this] {
                             stages.emplace_back("goals");
                             return std::optional(at(2, 0, 4));
                         }},
                         {}});
    }
    static FieldConfig config() {
        FieldConfig config;
        config.use_area_costs = true;
        config.area_cost_overrides = {{kMud, 5}};
        return config;
    }
    FieldHost host() {
        FieldHost host;
        host.draw = &draw;
        host.world = &ground;
        host.log = [this](const core::LogEntry& entry) { codes.push_back(entry.code); };
        host.attached_modifiers = [this] {
            stages.emplace_back("modifiers found");
            return std::vector<std::shared_ptr<Modifier>>{turn};
        };
        return host;
    }
    void switch_all_on() { draw.switches = {true, true, true, true, true, true, true, true}; }
    std::size_t ground_polygons() const {
        const MeshGraph& graph = field.active_mesh()->graph();
        std::size_t count = 0;
        for (PolygonIndex p = 0; p < graph.size(); ++p) count += graph.off_mesh(p) ? 0 : 1;
        return count;
    }

    static constexpr TraceMask kGround = 4;
    std::vector<std::string> stages;
    std::vector<int> codes;
    std::shared_ptr<Turn> turn = std::make_shared<Turn>(stages);
    Meshes meshes{stages};
    Ground ground{*this};
    DebugDraw draw;
    MeshField field;
};

const std::vector<std::string> kWholePipeline{"init", "goals", "modifiers found", "modifiers run",
                                              "arrows"};

// proves: NAVM-003, VIS-011, VIS-016, O-VIS-03
TEST_F(MeshPipelineTest, AnUpdateRunsItsStagesInOneOrderAndDrawsAtItsEnd) {
    switch_all_on();
    ASSERT_TRUE(field.update(false));
    EXPECT_EQ(stages, kWholePipeline) << "the first update looks for modifiers, too";
    EXPECT_EQ(draw.arrows.size(), ground_polygons());
    EXPECT_GT(std::ranges::count(draw.arrows, ArrowKind::kModified, &DrawArrow::kind), 0);
    const std::size_t outlines = draw.area_costs.size();
    EXPECT_GT(outlines, 0U);
    const MeshLayer& layer = field.default_layer();
    for (PolygonIndex p = 0; p < layer.solution.direction.size(); ++p) {
        if (!layer.solution.covered(p)) continue;
        EXPECT_EQ(layer.solution.direction[p], (Vec3f{0, 1, 0}));
        EXPECT_NE(layer.unmodified_direction(p), (Vec3f{0, 1, 0})) << "kept before";
    }

    stages.clear();
    draw.area_costs.clear();  // What the ground expects at the arrows.
    ASSERT_TRUE(field.update(false));
    EXPECT_EQ(stages, (std::vector<std::string>{"goals", "modifiers run", "arrows"}));
    EXPECT_EQ(draw.arrows.size(), ground_polygons());
    EXPECT_EQ(draw.area_costs.size(), outlines) << "nothing piles up";
    draw.switches = {};
    ASSERT_TRUE(field.update(false));
    EXPECT_TRUE(draw.arrows.empty());
    EXPECT_TRUE(draw.area_costs.empty());
}

// proves: NAVM-003, VIS-011
TEST_F(MeshPipelineTest, AnAsynchronousUpdateDrawsWhenItIsApplied) {
    switch_all_on();
    tests::HeldBackground background;
    AsyncUpdates updates(background);
    ASSERT_TRUE(updates.start(field.async_update(true), 1, {.max_ticks = 1}));
    background.run_all();
    EXPECT_TRUE(draw.arrows.empty()) << "before its tick";
    updates.on_tick(2);
    EXPECT_EQ(stages, kWholePipeline);
    EXPECT_EQ(draw.arrows.size(), ground_polygons());
    EXPECT_GT(draw.area_costs.size(), 0U);
}

// proves: VIS-007, VIS-009, GRID-013, GRID-014
TEST_F(MeshPipelineTest, AnInitWritesTheVolumeAndWhatIsVisibleOfANavmesh) {
    field.init(InitMode::kRuntime);
    EXPECT_EQ(draw.volume.half_extent_cm, (Vec3d{2000, 50, 250})) << "clamped";
    EXPECT_EQ(draw.volume.centre_cm, (Vec3d{100, 200, 550}));
    EXPECT_EQ(draw.parameters.x_num, 0) << "no cells";
    const auto visible = [&] {
        return std::vector<bool>{draw.volume.visible, draw.cells.visible, draw.arrows_visible,
                                 draw.mesh_fill_visible, draw.mesh_edges_visible};
    };
    EXPECT_EQ(visible(), std::vector<bool>(5, false));
    for (const InitMode mode :
         {InitMode::kConstruction, InitMode::kBeginPlay, InitMode::kRuntime}) {
        switch_all_on();
        field.init(mode);
        EXPECT_EQ(visible(), (std::vector<bool>{true, false, true, true, true}));
        draw.switches = {};
        field.init(mode);
        EXPECT_EQ(visible(), std::vector<bool>(5, false));
    }
    FieldSetup endless = field.setup();
    endless.size_cm.x = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(field.set_setup(endless));
    EXPECT_EQ(field.setup().size_cm.x, 4000);
}

// proves: NAVM-003, VIS-003, VIS-004
TEST_F(MeshPipelineTest, AnEditorsPreviewRunsTheWholePipelineWhenLive) {
    draw.switches.arrows = draw.switches.area_costs = true;
    bool constructed = false;
    field.on_construction([&] {
        constructed = true;
        EXPECT_EQ(draw.volume.half_extent_cm, Vec3d{}) << "the host's own part comes first";
    });
    EXPECT_TRUE(constructed);
    EXPECT_EQ(stages, std::vector<std::string>{"init"}) << "not live";
    EXPECT_TRUE(draw.arrows.empty());

    stages.clear();
    draw.switches.editor_live_update = true;
    field.on_construction([] {});
    EXPECT_EQ(stages, kWholePipeline);
    EXPECT_EQ(draw.arrows.size(), ground_polygons());
    EXPECT_GT(std::ranges::count(draw.arrows, ArrowKind::kModified, &DrawArrow::kind), 0);
    EXPECT_GT(draw.area_costs.size(), 0U);
    EXPECT_FALSE(field.initialised()) << "only an update or an import begins the play";
    EXPECT_FALSE(field.default_layer().solved) << "the field itself stays as it is";

    draw.area_costs.clear();
    turn->enabled = false;
    field.on_construction([] {});
    EXPECT_EQ(std::ranges::count(draw.arrows, ArrowKind::kModified, &DrawArrow::kind), 0)
        << "another configuration, another picture";
}

// proves: VIS-004, NAVM-005
TEST_F(MeshPipelineTest, APreviewOfASyncedFieldShowsItsReplicaAndWarnsAsAnUpdateDoes) {
    draw.switches.arrows = draw.switches.editor_live_update = true;
    field.set_goals({});
    for (int i = 0; i < 2; ++i) field.draw_debug();
    const int no_goals = static_cast<int>(MeshFieldLog::kNoGoals);
    EXPECT_EQ(codes, std::vector<int>{no_goals}) << "once";

    const auto replica = std::make_shared<const MeshReplica>(
        tests::replica_of(bake({.tiles_x = 1, .tiles_z = 1, .height = tests::flat})));
    ASSERT_TRUE(field.set_replica(replica, {at(2, 0, 4)}, 1));
    const std::vector<std::uint32_t> dist = field.default_layer().solution.dist;
    field.draw_debug();
    EXPECT_EQ(draw.arrows.size(), replica->polygon_count());
    EXPECT_TRUE(field.synced());
    EXPECT_TRUE(field.default_layer().solved);
    EXPECT_EQ(field.default_layer().solution.dist, dist);
    EXPECT_EQ(codes.size(), 1U);
}

}  // namespace
}  // namespace maniple::nav
