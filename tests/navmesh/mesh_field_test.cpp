#include "maniple/nav/mesh_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/nav/modifier_shapes.h"

#include "mesh_field_world.h"

namespace maniple::nav {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// proves: NAVM-002
TEST_F(MeshFieldTest, TakesTheCachedThenTheNamedThenTheDefaultMesh) {
    meshes.add("default", bake(plain()));
    meshes.add("small", bake({.tiles_x = 1, .tiles_z = 1, .height = tests::flat}));
    MeshField field = make();
    EXPECT_EQ(std::as_const(field).engine_mesh(), nullptr);
    EXPECT_EQ(meshes.asked, 0);
    EXPECT_EQ(field.resolve_engine_mesh()->name, "default");
    field.set_target_mesh("small");
    EXPECT_EQ(field.resolve_engine_mesh()->name, "default");
    EXPECT_EQ(std::as_const(field).engine_mesh()->name, "default");
    field.init(InitMode::kRuntime);
    EXPECT_EQ(field.engine_mesh()->name, "default");
    field.init(InitMode::kConstruction);
    EXPECT_EQ(field.engine_mesh()->name, "small");
    field.set_target_mesh("none of that name");
    field.init(InitMode::kBeginPlay);
    EXPECT_EQ(field.engine_mesh()->name, "default");
}

// proves: NAVM-001
TEST_F(MeshFieldTest, CachesTheMeshAndCollectsLinksWhereItBegins) {
    MeshField field = make(plain());
    int collected = 0;
    field.set_link_sources([&] {
        ++collected;
        return std::vector<LinkDescriptor>{};
    });
    field.init(InitMode::kRuntime);
    EXPECT_EQ(collected, 0);
    EXPECT_EQ(field.engine_mesh(), nullptr);
    field.init(InitMode::kConstruction);
    EXPECT_EQ(collected, 1);
    EXPECT_NE(field.engine_mesh(), nullptr);
    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(false));
    EXPECT_EQ(collected, 2) << "the first update begins play";
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(collected, 2);
}

// proves: NAVM-012, NAVM-031, NAVM-032, NAVM-035, SYNC-022, O-NAVM-15
TEST_F(MeshFieldTest, PutsOverridesOnTopOfTheMeshesOwnCostsAndIntoItsDigest) {
    FieldConfig config;
    config.use_area_costs = true;
    config.area_cost_overrides = {{63, 3}};
    FieldConfig plain_config = config;
    plain_config.area_cost_overrides.clear();
    EXPECT_NE(config.digest(), plain_config.digest());
    MeshField dear = make(plain(), config);
    MeshField cheap = make(plain_config);
    for (MeshField* field : {&dear, &cheap}) {
        field->set_goals({{}, {at(30, 0, 4)}});
        EXPECT_TRUE(field->update(true));
    }
    EXPECT_EQ(dear.area_costs().cost[63], 3);
    EXPECT_EQ(dear.active_mesh()->area_costs()[63], 1) << "the mesh's own table stays";
    const double ratio =
        static_cast<double>(dear.query(at(2, 0, 4), 0).dist) / cheap.query(at(2, 0, 4), 0).dist;
    EXPECT_NEAR(ratio, 3, 1e-3);
}

// proves: NAVM-003, NAVM-006, NAVM-007, NAVM-008, NAVM-009, GRID-001, GRID-007
TEST_F(MeshFieldTest, HasACellForEveryCoveredPolygonAndThePlaceholderForEveryCoordinate) {
    MeshField field = make(plain());
    EXPECT_EQ(MeshField::mode(), GenerationMode::kNavMesh);
    EXPECT_EQ(FlowField::mode(), GenerationMode::kGrid);
    EXPECT_EQ(MeshField::coord_to_index({3, 4}), 0u);
    EXPECT_FALSE(field.cell_at(GridCoord{3, 4}).valid);
    const Vec3d goal = at(30, 0, 4);
    field.set_goals({{}, {goal, at(29, 0, 4)}});
    EXPECT_TRUE(field.update(true));
    const CellAnswer placeholder = field.cell_at(GridCoord{3, 4});
    EXPECT_TRUE(placeholder.valid);
    EXPECT_EQ(placeholder.cell.location, goal);
    const auto here = field.cell_at(at(2, 0, 4));
    ASSERT_TRUE(here.has_value());
    EXPECT_EQ(here->goal.y, goal.y);
    EXPECT_GT(here->dist_cm(), 2000);
    EXPECT_LT(here->direction.x, -0.99F);
    EXPECT_TRUE(here->next.has_value());
    EXPECT_EQ(field.cell(field.default_layer(), here->polygon)->dist, here->dist);
    EXPECT_FALSE(field.cell(field.default_layer(), {0, 9999}).has_value());
    EXPECT_FALSE(field.cell(field.default_layer(), {-1, 0}).has_value());
    // The fallback of 500 cm for a horizontal extent that is not set.
    FieldConfig config;
    config.path_stop_search_cm = {0, 0, 0};
    MeshField other = make(std::move(config));
    other.set_goals({{}, {goal}});
    EXPECT_TRUE(other.update(true));
    EXPECT_TRUE(other.cell_at(at(2, 0, -3)).has_value());
    EXPECT_FALSE(other.cell_at(at(2, 0, -7)).has_value());
}

// proves: O-NAVM-19, O-NAVM-22
TEST_F(MeshFieldTest, SkipsGoalsThatDoNotProjectAndKeepsTheGoalAsGiven) {
    MeshField field = make(plain());
    const Vec3d floating = at(30, 2, 4);
    field.set_goals({{}, {at(500, 0, 500), floating}});
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(field.query(at(2, 0, 4), 0).goal, floating);
    EXPECT_EQ(field.default_layer().mesh_goals.size(), 1u);
    field.set_goals({{}, {at(500, 0, 500)}});
    EXPECT_FALSE(field.update(false));
    EXPECT_FALSE(field.query(at(2, 0, 4), 0).valid);
}

// proves: NAVM-004, O-NAVM-17
TEST_F(MeshFieldTest, LogsTheThirdFailureInARowOnceUntilASuccess) {
    MeshField field = make(plain());
    const GoalSet lost{{}, {at(500, 0, 500)}};
    const GoalSet good{{}, {at(30, 0, 4)}};
    field.set_goals(lost);
    EXPECT_FALSE(field.update(true));
    EXPECT_FALSE(field.update(false));
    EXPECT_THAT(codes, IsEmpty());
    EXPECT_FALSE(field.update(false));
    EXPECT_THAT(codes, ElementsAre(code(MeshFieldLog::kNoFlow)));
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(field.update(false));
    EXPECT_EQ(codes.size(), 1u);
    field.set_goals(good);
    EXPECT_TRUE(field.update(false));
    field.set_goals(lost);
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(field.update(false));
    EXPECT_EQ(codes.size(), 1u);
    EXPECT_FALSE(field.update(false));
    EXPECT_EQ(codes.size(), 2u);
}

// proves: NAVM-004
TEST_F(MeshFieldTest, HasNoFlowWithoutANavmesh) {
    MeshField field = make();
    field.set_goals({{}, {at(30, 0, 4)}});
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(field.update(false));
    EXPECT_THAT(codes, ElementsAre(code(MeshFieldLog::kNoFlow)));
    EXPECT_FALSE(field.query(at(2, 0, 4), 0).valid);
    EXPECT_FALSE(field.project(at(2, 0, 4)).has_value());
    EXPECT_FALSE(field.interpolated_ground(at(2, 0, 4), 50).valid);
}

// proves: NAVM-005
TEST_F(MeshFieldTest, WarnsOnceOfNoGoalsUntilASuccess) {
    MeshField field = make(plain());
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(field.update(false));
    EXPECT_THAT(codes, ElementsAre(code(MeshFieldLog::kNoGoals)));
    // The mesh serves heights and paths all the same.
    EXPECT_TRUE(field.interpolated_ground(at(2, 0, 4), 50).valid);
    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(false));
    field.set_goals({});
    EXPECT_FALSE(field.update(false));
    EXPECT_FALSE(field.query(at(2, 0, 4), 0).valid);
    EXPECT_EQ(codes.size(), 2u);
}

// proves: NAVM-009, NAVM-010, NAVM-024, SYNC-057, SYNC-060, SYNC-063, O-SYNC-32
TEST_F(MeshFieldTest, StandsOnTheReplicaAloneWhileItIsSynced) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(true));
    const auto replica = std::make_shared<const MeshReplica>(
        tests::replica_of(bake({.tiles_x = 2, .tiles_z = 1, .height = tests::flat})));
    EXPECT_TRUE(field.set_replica(replica, {at(2, 0, 4)}, 77));
    EXPECT_TRUE(field.synced());
    EXPECT_TRUE(field.flood_applied());
    EXPECT_EQ(field.substrate_version(), 77u);
    EXPECT_EQ(field.active_mesh(), replica.get());
    EXPECT_GT(field.query(at(14, 0, 4), 0).direction.x, 0.9F);
    EXPECT_FALSE(field.project(at(25, 0, 4)).has_value());
    // An update floods the stream's goals again, whatever the local ones are.
    EXPECT_TRUE(field.update(true));
    EXPECT_GT(field.query(at(14, 0, 4), 0).direction.x, 0.9F);
    // What was made beside the simulation is the same.
    MeshField other = make();
    EXPECT_TRUE(other.set_replica(replica, {at(2, 0, 4)}, 77,
                                  other.prepare_flows(*replica, {{at(2, 0, 4)}})));
    EXPECT_EQ(other.default_layer().solution.direction, field.default_layer().solution.direction);
    EXPECT_EQ(other.default_layer().solution.dist, field.default_layer().solution.dist);
    EXPECT_TRUE(field.prepare_flows(*replica, {{at(500, 0, 4)}}).flows.empty());
    // Nothing delivered: never the provider's mesh.
    EXPECT_FALSE(field.set_replica(nullptr, {at(2, 0, 4)}, 78));
    EXPECT_EQ(field.active_mesh(), nullptr);
    EXPECT_FALSE(field.query(at(14, 0, 4), 0).valid);
    EXPECT_FALSE(field.project(at(14, 0, 4)).has_value());
    // A release frees the mesh, and may be repeated (SYNC-063).
    EXPECT_TRUE(field.set_replica(replica, {at(2, 0, 4)}, 79));
    EXPECT_EQ(replica.use_count(), 3);
    field.release_replica();
    EXPECT_EQ(replica.use_count(), 2);
    field.release_replica();
    EXPECT_EQ(field.substrate_version(), 0u);
    EXPECT_EQ(field.active_mesh(), field.engine_mesh()->mesh.get());
    EXPECT_TRUE(field.update(false));
    EXPECT_LT(field.query(at(14, 0, 4), 0).direction.x, -0.9F);
}

// proves: SYNC-059
TEST_F(MeshFieldTest, CountsAStreamWithoutGoalsAsFlooded) {
    MeshField field = make();
    const auto replica = std::make_shared<const MeshReplica>(tests::replica_of(bake(plain())));
    EXPECT_TRUE(field.set_replica(replica, {}, 1));
    EXPECT_FALSE(field.set_replica(replica, {at(500, 0, 4)}, 2));
    EXPECT_FALSE(field.flood_applied());
}

// proves: LAY-008, LAY-012, LAY-013, O-LAY-02
TEST_F(MeshFieldTest, SolvesLayersOfTheirOwnGoalsAndAnewOnAnotherMesh) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    const LayerHandle early = field.get_or_acquire_layer({at(2, 0, 4)});
    EXPECT_FALSE(field.query_layer(field.find_layer(early), at(14, 0, 4)).valid);
    EXPECT_TRUE(field.update(true));
    const NavigationAnswer before = field.query_layer(field.find_layer(early), at(14, 0, 4));
    ASSERT_TRUE(before.valid);
    EXPECT_GT(before.direction.x, 0.9F);
    EXPECT_EQ(before.goal, at(2, 0, 4));
    EXPECT_LT(field.query(at(14, 0, 4), 0).direction.x, -0.9F);
    const LayerHandle plain_layer = field.create_layer("plain", {{}, {at(2, 0, 4)}});
    EXPECT_FALSE(field.query_layer(field.find_layer(plain_layer), at(14, 0, 4)).valid);
    EXPECT_TRUE(field.update_layer(plain_layer));
    EXPECT_FALSE(field.query_layer(nullptr, at(14, 0, 4)).valid);

    const auto replica = std::make_shared<const MeshReplica>(tests::replica_of(bake(plain())));
    EXPECT_TRUE(field.set_replica(replica, {at(30, 0, 4)}, 1));
    EXPECT_TRUE(field.query_layer(field.find_layer(early), at(14, 0, 4)).valid);
    EXPECT_FALSE(field.query_layer(field.find_layer(plain_layer), at(14, 0, 4)).valid);
}

// proves: LAY-006, LAY-010, O-LAY-02, O-LAY-11
TEST_F(MeshFieldTest, SolvesNoLayerBeforeItsDefaultOneIsThere) {
    MeshField field = make(plain());
    const int unsolved = static_cast<int>(FieldLog::kLayerNotSolved);
    const auto answers = [&](LayerHandle layer) {
        return field.query_layer(field.find_layer(layer), at(14, 0, 4)).valid;
    };
    const LayerHandle layer = field.create_layer("plain", {{}, {at(2, 0, 4)}});
    EXPECT_FALSE(field.update_layer(layer));
    EXPECT_THAT(codes, ElementsAre(unsolved));
    field.init(InitMode::kBeginPlay);
    ASSERT_NE(field.active_mesh(), nullptr);
    EXPECT_FALSE(field.update_layer(layer)) << "a mesh alone is no start";
    EXPECT_THAT(codes, ElementsAre(unsolved, unsolved));
    EXPECT_FALSE(answers(layer));
    const LayerHandle managed = field.get_or_acquire_layer({at(2, 0, 4)});
    EXPECT_TRUE(managed.valid()) << "a layer all the same";
    EXPECT_FALSE(answers(managed));
    EXPECT_EQ(codes.size(), 3U);

    field.set_goals({{}, {at(30, 0, 4)}});
    EXPECT_TRUE(field.update(false));
    EXPECT_TRUE(answers(managed)) << "in use: solved with the mesh";
    EXPECT_FALSE(answers(layer)) << "by its next update";
    EXPECT_TRUE(field.update_layer(layer));
    EXPECT_TRUE(answers(layer));
    EXPECT_EQ(codes.size(), 3U);
    // Nothing delivered: there is no mesh again.
    EXPECT_FALSE(field.set_replica(nullptr, {at(30, 0, 4)}, 1));
    EXPECT_FALSE(field.update_layer(layer));
    EXPECT_FALSE(answers(layer));
}

/// Turns every covered polygon one way.
class OneWay final : public DirectionModifier {
  public:
    explicit OneWay(Vec3f to) : to_(to) {}
    void apply_direction(DirectionEdit&) const override {}
    void apply_direction_mesh(MeshDirectionEdit& edit) const override {
        for (std::size_t p = 0; p < edit.size(); ++p) edit.set(p, to_);
    }
    [[nodiscard]] std::shared_ptr<const DirectionModifier> snapshot() const override {
        return std::make_shared<OneWay>(*this);
    }

  private:
    Vec3f to_;
};

// proves: MOD-017, MOD-018, O-MOD-06, SYNC-067
TEST_F(MeshFieldTest, AppliesEnabledDirectionModifiersOverTheBaseDirections) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    const auto up = std::make_shared<OneWay>(Vec3f{0, 3, 0});
    const auto box = std::make_shared<ShapeDirectionModifier>();
    box->shape = BoxShape{at(6, 0, 4), {1200, 800, 100}, 0};
    box->direction = {0, 0, -2};
    box->priority = 5;
    EXPECT_TRUE(field.register_modifier(box));
    EXPECT_TRUE(field.register_modifier(up));
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(field.query(at(28, 0, 4), 0).direction, (Vec3f{0, 1, 0}));
    EXPECT_EQ(field.query(at(4, 0, 4), 0).direction, (Vec3f{0, 0, -1}));
    const PolygonIndex p = field.active_mesh()->graph().index(field.project(at(4, 0, 4))->polygon);
    EXPECT_LT(field.default_layer().unmodified_direction(p).x, -0.9F);
    // The replica's flood runs them too.
    const auto replica = std::make_shared<const MeshReplica>(tests::replica_of(bake(plain())));
    EXPECT_TRUE(field.set_replica(replica, {at(30, 0, 4)}, 1));
    EXPECT_EQ(field.query(at(4, 0, 4), 0).direction, (Vec3f{0, 0, -1}));
    EXPECT_FALSE(field.unregister_modifier(*box));
    EXPECT_TRUE(field.unregister_modifier(*box, ModifierOrigin::kCommand));
    up->enabled = false;
    EXPECT_TRUE(field.update(false));
    EXPECT_LT(field.query(at(4, 0, 4), 0).direction.x, -0.9F);
    EXPECT_LT(field.default_layer().unmodified_direction(p).x, -0.9F);
}

// proves: MOD-008, MOD-012, O-MOD-05
TEST_F(MeshFieldTest, KeepsGridAndCostModifiersWarnsAndIgnoresThem) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    const auto cost = std::make_shared<ShapeCostModifier>();
    EXPECT_TRUE(field.register_modifier(cost));
    EXPECT_TRUE(field.register_modifier(cost));
    EXPECT_THAT(codes, ElementsAre(code(MeshFieldLog::kUnsupportedModifier)));
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(codes.size(), 2u);
    EXPECT_TRUE(field.update(false));
    EXPECT_EQ(codes.size(), 2u);
    EXPECT_TRUE(field.unregister_modifier(*cost));
    EXPECT_TRUE(field.update(true));
    EXPECT_EQ(codes.size(), 2u);
}

}  // namespace
}  // namespace maniple::nav
