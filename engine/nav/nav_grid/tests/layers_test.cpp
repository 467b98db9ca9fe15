#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "maniple/nav/flow_field.h"

#include "plain_ground.h"

namespace maniple::nav {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A field of 9 × 9 cells around the origin that keeps the codes of its warnings.
struct Logged {
    std::vector<FieldLog> codes;
    FlowField field;
    explicit Logged(FieldConfig config = {}, bool with_ground = true)
        : field("ground", config, host()) {
        if (with_ground) field.set_substrate(plain_ground(9, 9));
    }
    FieldHost host() {
        FieldHost host;
        host.log = [this](const core::LogEntry& entry) {
            EXPECT_EQ(entry.severity, core::Severity::kWarning);
            codes.push_back(static_cast<FieldLog>(entry.code));
        };
        return host;
    }
};

// proves: LAY-001, LAY-004, LAY-029
TEST(Layers, ANewLayerHasTheNextIdAndIsNotComputed) {
    Logged l;
    const LayerHandle first = l.field.create_layer("a", {{}, {{0, 0, 0}}});
    const LayerHandle second = l.field.create_layer("b", {{}, {{0, 0, 0}}});
    EXPECT_EQ(second.id, first.id + 1);
    EXPECT_FALSE(l.field.find_layer(first)->solved);
    EXPECT_EQ(l.field.find_layer(first)->name, "a");
    EXPECT_EQ(l.field.find_layer({}), nullptr);
    l.field.destroy_layer(first);
    EXPECT_EQ(l.field.find_layer(first), nullptr);
    EXPECT_EQ(l.field.create_layer("c", {}).id, second.id + 1);
}

// proves: LAY-003, O-LAY-07
TEST(Layers, DestroyingIsSilentForNobodyAndCancelsTheQueue) {
    Logged l;
    l.field.destroy_layer({});
    l.field.destroy_layer({77});
    const LayerHandle layer = l.field.get_or_acquire_layer({{100, 0, 0}});
    l.field.release_layer(layer);
    l.field.destroy_layer(layer);
    l.field.flush_pending_destroys();
    EXPECT_EQ(l.field.layer_count(), 0U);
    EXPECT_TRUE(l.codes.empty());
}

// proves: LAY-002, LAY-005
TEST(Layers, NewGoalsInvalidateUntilTheNextUpdate) {
    Logged l;
    const LayerHandle layer = l.field.create_layer("a", {{}, {{-400, 0, 0}}});
    ASSERT_TRUE(l.field.update_layer(layer));
    EXPECT_TRUE(l.field.set_layer_goals(layer, {{}, {{400, 0, 0}}}));
    EXPECT_FALSE(l.field.find_layer(layer)->solved);
    EXPECT_FALSE(l.field.query_layer(l.field.find_layer(layer), {0, 0}, 0).valid);
    EXPECT_TRUE(l.field.update_layer(layer));
    const NavigationAnswer answer = l.field.query_layer(l.field.find_layer(layer), {0, 0}, 0);
    EXPECT_EQ(answer.direction, (Vec3f{1, 0, 0}));
    EXPECT_TRUE(l.codes.empty());
    EXPECT_FALSE(l.field.set_layer_goals({77}, {}));
    EXPECT_EQ(l.codes, std::vector{FieldLog::kMissingLayer});
}

// proves: GRID-015, LAY-006, LAY-009, O-SYNC-04
TEST(Layers, AnUpdateAsksTheSourcesFirstAndNeedsAGoal) {
    Logged l;
    std::optional<Vec3d> unit;
    const GoalSource source = [&] { return unit; };
    const LayerHandle layer = l.field.create_layer("a", {{source}, {}});
    EXPECT_FALSE(l.field.update_layer(layer)) << "the source is gone and there is no other goal";
    EXPECT_FALSE(l.field.find_layer(layer)->solved);
    unit = Vec3d{200, 0, 7};
    EXPECT_TRUE(l.field.update_layer(layer));
    l.field.set_layer_goals(layer, {{source}, {{1e9, 0, 0}}});
    EXPECT_TRUE(l.field.update_layer(layer));
    const Layer& found = *l.field.find_layer(layer);
    EXPECT_EQ(found.goals, (std::vector<Vec3d>{{200, 0, 7}, {1e9, 0, 0}}));
    EXPECT_EQ(found.goal_cells, (std::vector<CellIndex>{l.field.geometry().index({6, 4}),
                                                        l.field.geometry().index({8, 4})}));
    EXPECT_TRUE(found.solved);
}

// proves: LAY-007, O-LAY-06
TEST(Layers, AnUpdateLeavesTheDefaultLayerAloneAndIgnoresItsGoals) {
    GridSubstrate ground = plain_ground(9, 1);
    ground.goals_cm.push_back({0, 0, 0});
    FlowField field("ground", {});
    field.set_substrate(ground);
    const FieldSolution before = field.default_layer().solution;
    const LayerHandle layer = field.create_layer("a", {{}, {{-400, 0, 0}}});
    ASSERT_TRUE(field.update_layer(layer));
    EXPECT_EQ(field.default_layer().solution.dist, before.dist);
    EXPECT_EQ(field.default_layer().solution.direction, before.direction);
    EXPECT_EQ(field.find_layer(layer)->solution.dist[8], 8U) << "the default goal costs 1 here";
}

// proves: LAY-010, O-LAY-02, O-LAY-11
TEST(Layers, BeforeTheFieldHasGroundALayerStaysUnsolvedWithAWarning) {
    Logged l({}, false);
    const LayerHandle layer = l.field.create_layer("a", {{}, {{0, 0, 0}}});
    EXPECT_FALSE(l.field.update_layer(layer));
    EXPECT_EQ(l.codes, std::vector{FieldLog::kLayerNotSolved});
    const LayerHandle managed = l.field.create_managed_layer({}, {{0, 0, 0}}, 5);
    EXPECT_TRUE(managed.valid());
    EXPECT_FALSE(l.field.find_layer(managed)->solved);
    EXPECT_EQ(l.codes.size(), 2U);
    l.field.set_substrate(plain_ground(9, 9));
    EXPECT_TRUE(l.field.update_layer(managed));
}

TEST(Layers, AGoalThatIsNotFiniteIsRefusedWithAWarning) {
    Logged l;
    const LayerHandle layer = l.field.create_layer("a", {{}, {{0, 0, 0}, {kNaN, 0, 0}}});
    EXPECT_FALSE(l.field.update_layer(layer));
    EXPECT_FALSE(l.field.find_layer(layer)->solved);
    EXPECT_FALSE(l.field.get_or_acquire_layer({{0, 0, 1 / 0.0}}).valid());
    EXPECT_EQ(l.field.layer_count(), 1U);
    EXPECT_EQ(l.codes, (std::vector{FieldLog::kBadGoal, FieldLog::kBadGoal}));
}

// proves: LAY-016, LAY-028
TEST(Layers, EveryAcquireIsOneUserAndAMissingLayerWarns) {
    Logged l;
    const LayerHandle layer = l.field.create_layer("a", {{}, {{0, 0, 0}}});
    EXPECT_TRUE(l.field.acquire_layer(layer));
    EXPECT_TRUE(l.field.acquire_layer(layer));
    EXPECT_EQ(l.field.layer_user_count(layer), 2);
    EXPECT_TRUE(l.codes.empty());
    EXPECT_FALSE(l.field.acquire_layer({77}));
    EXPECT_EQ(l.codes, std::vector{FieldLog::kMissingLayer});
    EXPECT_EQ(l.field.layer_user_count({77}), 0);
}

// proves: LAY-017, LAY-018, LAY-020, O-LAY-10
TEST(Layers, ADoubleReleaseWarnsAndQueuesNothingTwice) {
    Logged l;
    const LayerHandle layer = l.field.get_or_acquire_layer({{100, 0, 0}});
    EXPECT_TRUE(l.field.release_layer(layer));
    EXPECT_FALSE(l.field.release_layer(layer));
    EXPECT_FALSE(l.field.release_layer({77}));
    EXPECT_EQ(l.codes, (std::vector{FieldLog::kUserCount, FieldLog::kMissingLayer}));
    EXPECT_EQ(l.field.layer_user_count(layer), 0);
    ASSERT_NE(l.field.find_layer(layer), nullptr);
    EXPECT_TRUE(l.field.query_layer(l.field.find_layer(layer), {0, 0}, 0).valid);
    EXPECT_TRUE(l.field.acquire_layer(layer));
    l.field.flush_pending_destroys();
    ASSERT_NE(l.field.find_layer(layer), nullptr) << "taken again before the flush";
    l.field.flush_pending_destroys();
    EXPECT_TRUE(l.field.release_layer(layer)) << "the entry was dropped; this queues anew";
    l.field.flush_pending_destroys();
    EXPECT_EQ(l.field.find_layer(layer), nullptr);
}

// proves: LAY-023, LAY-024, LAY-025, O-LAY-04, O-LAY-12
TEST(ManagedLayers, AreSolvedAtOnceNamedByTheirHashAndLiveWithoutAnAcquire) {
    Logged l;
    const LayerHandle layer = l.field.create_managed_layer({}, {{100, 0, 0}}, 4'000'000'000U);
    const Layer& found = *l.field.find_layer(layer);
    EXPECT_TRUE(found.solved);
    EXPECT_TRUE(found.auto_release);
    EXPECT_EQ(found.goal_hash, 4'000'000'000U);
    EXPECT_EQ(found.name, "MBManaged_4000000000");
    EXPECT_EQ(found.user_count, 0);
    l.field.flush_pending_destroys();
    EXPECT_NE(l.field.find_layer(layer), nullptr);
    EXPECT_EQ(l.field.find_layer(l.field.create_managed_layer("mine", {{0, 0, 0}}, 2))->name,
              "mine");
    EXPECT_FALSE(l.field.create_managed_layer({}, {{0, 0, 0}}, 0).valid());
    EXPECT_FALSE(l.field.create_managed_layer({}, {}, 7).valid());
}

// proves: LAY-026, O-LAY-08
TEST(ManagedLayers, NewGoalsAreSolvedInTheSameCall) {
    Logged l;
    const LayerHandle layer = l.field.create_managed_layer({}, {{100, 0, 0}}, 1);
    EXPECT_TRUE(l.field.update_managed_layer_goals(layer, {{-400, 0, 0}}, 2));
    EXPECT_TRUE(l.field.find_layer(layer)->solved);
    EXPECT_EQ(l.field.query_layer(l.field.find_layer(layer), {0, 0}, 0).dist, 4U);
    EXPECT_EQ(l.field.find_managed_layer(2), layer);
    EXPECT_FALSE(l.field.update_managed_layer_goals(layer, {}, 3));
    EXPECT_FALSE(l.field.update_managed_layer_goals(layer, {{0, 0, 0}}, 0));
    EXPECT_FALSE(l.field.update_managed_layer_goals({77}, {{0, 0, 0}}, 3));
    const LayerHandle hand_made = l.field.create_layer("a", {});
    EXPECT_FALSE(l.field.update_managed_layer_goals(hand_made, {{0, 0, 0}}, 3));
    EXPECT_EQ(l.field.find_layer(layer)->goal_hash, 2U);
}

// proves: LAY-027, LAY-030, O-LAY-03
TEST(ManagedLayers, TasksOfEqualGoalsShareOneLayer) {
    Logged l;
    const std::vector<Vec3d> goals{{100, 100, 0}, {-100, 0, 0}};
    const LayerHandle first = l.field.get_or_acquire_layer(goals);
    EXPECT_EQ(l.field.get_or_acquire_layer(goals), first);
    EXPECT_EQ(l.field.layer_user_count(first), 2);
    EXPECT_EQ(l.field.find_managed_layer(l.field.managed_goal_hash(goals)), first);
    EXPECT_NE(l.field.get_or_acquire_layer({goals[1], goals[0]}), first) << "order counts";
    EXPECT_FALSE(l.field.find_managed_layer(0).valid());
    l.field.create_layer("hand made", {{}, goals});
    EXPECT_EQ(l.field.get_or_acquire_layer(goals), first);
    EXPECT_FALSE(l.field.get_or_acquire_layer({}).valid());
    // Equal to the centimetre, so equal in hash; the task's own goals are solved.
    EXPECT_EQ(l.field.get_or_acquire_layer({{100.2, 100, 0}, {-100, 0, 0}}), first);
    EXPECT_EQ(l.field.find_layer(first)->goals[0].x, 100.2);
}

// proves: LAY-011, LAY-012, LAY-014, O-LAY-01, O-LAY-09
TEST(LayerQueries, AreInvalidWithoutALayerAndReadTheClampedCellAtRadiusZero) {
    Logged l;
    const LayerHandle layer = l.field.create_layer("a", {{}, {{400, 0, 3}}});
    EXPECT_FALSE(l.field.query_layer(nullptr, {0, 0}, 0).valid);
    EXPECT_FALSE(l.field.query_layer(l.field.find_layer(layer), {0, 0}, 0).valid);
    l.field.update_layer(layer);
    const NavigationAnswer far = l.field.query_layer(l.field.find_layer(layer), {-9000, 0}, 0);
    EXPECT_TRUE(far.valid);
    EXPECT_EQ(far.dist, 8U);
    EXPECT_EQ(far.goal, (Vec3d{400, 0, 3}));
    EXPECT_FALSE(l.field.query_layer(l.field.find_layer(layer), {kNaN, 0}, 0).valid);
    EXPECT_FALSE(l.field.query_layer(l.field.find_layer(layer), {0, 0}, kNaN).valid);
}

// proves: LAY-015, O-LAY-09
TEST(LayerQueries, ARadiusSkipsUnreachedCellsAndNeverSpirals) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(9, 1);
    ground.type[4] = 2;
    ground.cost[4] = kImpassableCost;
    field.set_substrate(ground);
    const LayerHandle layer = field.create_layer("a", {{}, {{-400, 0, 0}}});
    field.update_layer(layer);
    const Layer* west = field.find_layer(layer);
    // Around the wall at x = 0: the eastern cells are ground but unreached.
    const NavigationAnswer both = field.query_layer(west, {0, 0}, 120);
    EXPECT_TRUE(both.valid);
    EXPECT_EQ(both.dist, 3U);
    EXPECT_EQ(both.direction, (Vec3f{-1, 0, 0}));
    EXPECT_FALSE(field.query_layer(west, {300, 0}, 120).valid);
    EXPECT_EQ(field.query_layer(west, {300, 0}, 120).sampled_cells_hash, 0U);
    EXPECT_TRUE(field.query({300, 0}, 120).valid) << "the default layer's filter is the type";
}

TEST(Layers, TellAllGoalsOfTheWireApart) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(257, 256));
    GoalSet goals;
    for (CellIndex cell = 0; cell < kGoalsMax; ++cell) {
        goals.locations.push_back(field.world_location(cell));
    }
    const LayerHandle layer = field.create_layer("a", goals);
    ASSERT_TRUE(field.update_layer(layer));
    const Vec3d beside = field.world_location(kGoalsMax + 255);
    EXPECT_EQ(field.query_layer(field.find_layer(layer), {beside.x, beside.y}, 0).goal,
              goals.locations.back());
    goals.locations.push_back({0, 0, 0});
    field.set_layer_goals(layer, goals);
    EXPECT_FALSE(field.update_layer(layer));
}

}  // namespace
}  // namespace maniple::nav
