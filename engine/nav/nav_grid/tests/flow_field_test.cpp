#include "maniple/nav/flow_field.h"

#include <gtest/gtest.h>
#include <limits>

#include "plain_ground.h"

namespace maniple::nav {
namespace {

// proves: GRID-023, GRID-024, O-GRID-06, O-GRID-31
TEST(GridGeometry, EveryCellOwnsItsCentreAtAnyYaw) {
    for (const std::int32_t yaw : {0, 9000, -18000, 4500, 1234}) {
        const GridGeometry g(-350, 7020, 5, yaw, 7, 4, 100);
        for (CellIndex cell = 0; cell < g.cell_count(); ++cell) {
            const auto found = g.world_to_grid(g.cell_centre(g.coord(cell)));
            EXPECT_TRUE(found.inside);
            EXPECT_EQ(found.coord, g.coord(cell));
        }
        EXPECT_FALSE(g.world_to_grid({1e9, 1e9}).inside);
    }
}

// proves: O-GEN-08
TEST(GridGeometry, ANonFinitePositionIsCellZeroAndOutside) {
    const GridGeometry g(0, 0, 0, 0, 5, 5, 100);
    const auto found = g.world_to_grid({std::numeric_limits<double>::quiet_NaN(), 0});
    EXPECT_FALSE(found.inside);
    EXPECT_EQ(found.coord, (GridCoord{0, 0}));
    FlowField field("ground", {});
    field.set_substrate(plain_ground(5, 5));
    EXPECT_FALSE(field.query({std::numeric_limits<double>::infinity(), 0}, 0).valid);
}

// proves: LAY-017, LAY-018, LAY-020, LAY-027, LAY-030
TEST(Layers, AManagedLayerOutlivesItsLastUserUntilTheFlush) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(9, 9));
    const std::vector<Vec3d> goals{{100, 100, 0}};
    const LayerHandle first = field.get_or_acquire_layer(goals);
    EXPECT_EQ(field.get_or_acquire_layer(goals), first);
    EXPECT_TRUE(field.release_layer(first));
    EXPECT_TRUE(field.release_layer(first));
    EXPECT_FALSE(field.release_layer(first)) << "a double release is refused";
    ASSERT_NE(field.find_layer(first), nullptr) << "queued, not removed inline";
    EXPECT_TRUE(field.acquire_layer(first));
    field.flush_pending_destroys();
    ASSERT_NE(field.find_layer(first), nullptr) << "taken again before the flush";
    EXPECT_TRUE(field.release_layer(first));
    field.flush_pending_destroys();
    EXPECT_EQ(field.find_layer(first), nullptr);
    EXPECT_FALSE(field.get_or_acquire_layer({}).valid());
}

// proves: LAY-019
TEST(Layers, AHandMadeLayerIsNeverQueued) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(5, 5));
    const LayerHandle layer = field.create_layer("mine", {{}, {{0, 0, 0}}});
    EXPECT_FALSE(field.find_layer(layer)->solved) << "a new layer is not computed";
    EXPECT_TRUE(field.update_layer(layer));
    field.acquire_layer(layer);
    field.release_layer(layer);
    field.flush_pending_destroys();
    EXPECT_NE(field.find_layer(layer), nullptr);
}

// proves: O-LAY-02, LAY-007
TEST(Layers, NewGroundResolvesManagedLayersAndInvalidatesOthers) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(5, 1));
    const LayerHandle managed = field.get_or_acquire_layer({{-200, 0, 0}});
    const LayerHandle hand_made = field.create_layer("mine", {{}, {{-200, 0, 0}}});
    field.update_layer(hand_made);
    const CellIndex far = field.geometry().index({4, 0});
    EXPECT_EQ(field.find_layer(managed)->solution.dist[far], 4U);
    field.set_cells({2, 0}, {2, 0}, CellType::kObstacle, kImpassableCost);
    field.commit_edits();
    EXPECT_EQ(field.find_layer(managed)->solution.dist[far], 65'535U);
    EXPECT_FALSE(field.find_layer(hand_made)->solved);
    EXPECT_EQ(field.components().cell_count.size(), 2U);
}

// proves: O-GRID-11, O-GRID-31
TEST(Directions, AreExactFarFromTheOriginAtAnyYaw) {
    for (const std::int32_t yaw : {0, 3000, 4500, -17'999}) {
        GridSubstrate ground = plain_ground(5, 5, yaw);
        ground.geometry = GridGeometry(2'000'000'001, -1'999'999'999, 7, yaw, 5, 5, 100);
        ground.z_cm[ground.geometry.index({2, 2})] = 100;
        FlowField field("ground", FieldConfig::of(Metric::kOctile));
        const Vec2d goal = ground.geometry.cell_centre({4, 4});
        ground.goals_cm.push_back({static_cast<std::int32_t>(goal.x - 2'000'000'001.0),
                                   static_cast<std::int32_t>(goal.y + 1'999'999'999.0), 0});
        field.set_substrate(std::move(ground));
        const double c = core::cos_centideg(yaw);
        const double s = core::sin_centideg(yaw);
        const Layer& layer = field.default_layer();
        const Vec3f east = field.direction(layer, field.geometry().index({1, 4}));
        EXPECT_EQ(east, (Vec3f{static_cast<float>(c), static_cast<float>(s), 0}));
        const Vec3f down = field.direction(layer, field.geometry().index({2, 2}));
        EXPECT_FLOAT_EQ(down.z, static_cast<float>(-1 / std::sqrt(3.0)));
        EXPECT_FLOAT_EQ(down.x, static_cast<float>((c - s) / std::sqrt(3.0)));
    }
}

// proves: O-GRID-29
TEST(FieldConfigs, TheOctileMetricHasTheWidestLimitByDefault) {
    EXPECT_EQ(FieldConfig::of(Metric::kOctile).distance_limit, 2'147'483'647U);
    EXPECT_EQ(FieldConfig::of(Metric::kCells).distance_limit, 65'535U);
    FieldConfig config;
    config.distance_limit = 0;
    EXPECT_EQ(FlowField("ground", config).config().distance_limit, 1U);
    config.distance_limit = ~0U;
    EXPECT_EQ(FlowField("ground", config).config().distance_limit, 2'147'483'647U);
}

// proves: GRID-050, GRID-051, O-GRID-17
TEST(Queries, ARadiusAveragesTheDirectionsOfTheCellsInIt) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(9, 9);
    ground.goals_cm.push_back({400, 0, 0});
    field.set_substrate(std::move(ground));
    const NavigationAnswer one = field.query({0, 0}, 0);
    EXPECT_TRUE(one.valid);
    EXPECT_EQ(one.dist, 4U);
    EXPECT_EQ(one.direction, (Vec3f{1, 0, 0}));
    EXPECT_EQ(one.goal, (Vec3d{400, 0, 0}));
    const NavigationAnswer many = field.query({0, 0}, 150);
    EXPECT_TRUE(many.valid);
    EXPECT_NE(many.sampled_cells_hash, one.sampled_cells_hash);
    EXPECT_GT(many.direction.x, 0.5F);
    EXPECT_EQ(many.direction.z, 0.0F);
}

// proves: GRID-046, O-GRID-14
TEST(Queries, TheSpiralFindsTheNearestGroundWithinItsReach) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(15, 1);
    for (CellIndex cell = 1; cell < 15; ++cell) ground.type[cell] = 2;
    field.set_substrate(std::move(ground));
    const GridGeometry& g = field.geometry();
    EXPECT_EQ(field.nearest_ground(g.cell_centre({5, 0})), 0U);
    EXPECT_EQ(field.nearest_ground(g.cell_centre({6, 0})), kNoCell);
}

}  // namespace
}  // namespace maniple::nav
