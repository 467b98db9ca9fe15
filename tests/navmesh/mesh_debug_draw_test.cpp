#include "maniple/nav/mesh_debug_draw.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "maniple/nav/modifier_shapes.h"

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
    EXPECT_TRUE(draw.lines.empty()) << "opt-in";
    draw.switches.area_costs = true;
    draw_area_costs(field, draw);
    EXPECT_GT(draw.lines.size(), 0U);
    EXPECT_EQ(lines_of(kYellow), draw.lines.size());
    EXPECT_EQ(draw.lines.size(), corners([](std::uint8_t area) { return area == kMud; }));

    const MeshField plain = synced_field(mud_costs(5));
    draw.lines.clear();
    draw_area_costs(plain, draw);
    EXPECT_TRUE(draw.lines.empty()) << "areas that a field does not weigh cost 1";
}

}  // namespace
}  // namespace maniple::nav
