#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/nav/flow_field.h"

#include "plain_ground.h"
#include "test_worlds.h"

namespace maniple::nav {
namespace {

/// A field over a flat world 100 cm high, and how often the world was asked.
struct Built {
    struct CountingWorld final : WorldQuery {
        FormulaWorld world = flat_world(100);
        mutable int lines = 0;
        std::optional<SurfaceHit> trace_line(Vec3d a, Vec3d b, TraceMask m) const override {
            ++lines;
            return world.trace_line(a, b, m);
        }
        std::optional<SurfaceHit> sweep_sphere(Vec3d a, Vec3d b, double r,
                                               TraceMask m) const override {
            return world.sweep_sphere(a, b, r, m);
        }
        std::optional<SurfaceHit> sweep_capsule(Vec3d a, Vec3d b, double r, double h,
                                                TraceMask m) const override {
            return world.sweep_capsule(a, b, r, h, m);
        }
    };
    CountingWorld world;
    std::vector<FieldLog> codes;
    FieldHost host;
    FlowField field;
    explicit Built(FieldRole role = FieldRole::kServer, bool lockstep = false)
        : host(make_host(role, lockstep)), field("ground", {}, host) {
        FieldSetup setup;
        setup.size_cm = {900, 500, 1000};
        setup.trace_ground = true;
        field.set_setup(setup);
    }
    FieldHost make_host(FieldRole role, bool lockstep) {
        FieldHost made;
        made.role = role;
        made.lockstep = lockstep;
        made.world = &world;
        made.log = [this](const core::LogEntry& entry) {
            codes.push_back(static_cast<FieldLog>(entry.code));
        };
        return made;
    }
};

// proves: GRID-008, GRID-009, GRID-016, GRID-017, GRID-018, GRID-022, O-GRID-30
TEST(FieldUpdate, BuildsTheGridOnceAndAgainOnlyWhenItIsFull) {
    Built b;
    b.field.set_goals({{}, {{400, 0, 77}}});
    EXPECT_FALSE(b.field.initialised());
    EXPECT_TRUE(b.field.grid_dirty());
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_TRUE(b.field.initialised());
    EXPECT_FALSE(b.field.grid_dirty());
    EXPECT_EQ(b.world.lines, 45);
    EXPECT_EQ(b.field.substrate().z_cm[0], 100);
    EXPECT_EQ(b.field.default_layer().solution.dist[b.field.geometry().index({0, 2})], 8U);
    b.field.set_goals({{}, {{-400, 0, 0}}});
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_EQ(b.world.lines, 45) << "new goals ask the world nothing";
    EXPECT_EQ(b.field.default_layer().solution.dist[b.field.geometry().index({0, 2})], 0U);
    b.world.world = flat_world(300);
    ASSERT_TRUE(b.field.update(true).has_value());
    EXPECT_EQ(b.world.lines, 90);
    EXPECT_EQ(b.field.substrate().z_cm[0], 300);
}

/// Writes down when it is called.
struct Stages {
    std::string log;
    DebugDraw draw;
    struct World final : WorldQuery {
        std::string* log = nullptr;
        std::optional<SurfaceHit> trace_line(Vec3d from, Vec3d, TraceMask) const override {
            if (log->empty() || log->back() != 'w') *log += 'w';
            return SurfaceHit{{from.x, from.y, 0}, {0, 0, 1}};
        }
        std::optional<SurfaceHit> sweep_sphere(Vec3d, Vec3d, double, TraceMask) const override {
            return {};
        }
        std::optional<SurfaceHit> sweep_capsule(Vec3d, Vec3d, double, double,
                                                TraceMask) const override {
            return {};
        }
    } world;
    struct Grid final : GridModifier {
        std::string* log = nullptr;
        void apply_grid(GridEdit&) override { *log += 'g'; }
    };
    struct Cost final : CostModifier {
        std::string* log = nullptr;
        void apply_cost(CostEdit& edit) const override {
            if (log->back() != 'c') *log += 'c';
            edit.cost[0] = 7;
        }
        std::shared_ptr<const CostModifier> snapshot() const override { return nullptr; }
    };
    struct Direction final : DirectionModifier {
        Stages* stages = nullptr;
        void apply_direction(DirectionEdit& edit) const override {
            EXPECT_EQ(edit.solution().dist[0], 14U) << "solved before, 7 for the cell itself";
            EXPECT_EQ(edit.solution().direction[0], 0) << "with the solver's directions";
            EXPECT_TRUE(stages->draw.arrows.empty()) << "drawn after";
            stages->log += 'd';
            edit.set(0, {0, 1, 0});
        }
        std::shared_ptr<const DirectionModifier> snapshot() const override { return nullptr; }
    };
    std::shared_ptr<Grid> grid = std::make_shared<Grid>();
    std::shared_ptr<Cost> cost = std::make_shared<Cost>();
    std::shared_ptr<Direction> direction = std::make_shared<Direction>();
    FlowField field;
    Stages() : field("ground", {}, host()) {
        world.log = grid->log = cost->log = &log;
        direction->stages = this;
        FieldSetup setup;
        setup.size_cm = {900, 100, 1000};
        setup.trace_ground = true;
        field.set_setup(setup);
        field.set_goals({{[this]() -> std::optional<Vec3d> {
                             EXPECT_EQ(draw.parameters.x_num, 9) << "after the init";
                             log += 's';
                             return Vec3d{400, 0, 0};
                         }},
                         {}});
    }
    FieldHost host() {
        FieldHost host;
        host.world = &world;
        host.draw = &draw;
        host.attached_modifiers = [this] {
            log += 'm';
            return std::vector<std::shared_ptr<Modifier>>{grid, cost, direction};
        };
        return host;
    }
};

// proves: GRID-017, GRID-019
TEST(FieldUpdate, RunsItsStagesInOneOrder) {
    Stages s;
    s.draw.switches.arrows = true;
    ASSERT_TRUE(s.field.update(true));
    EXPECT_EQ(s.log, "swmcd") << "goals, grid, modifiers, costs, directions";
    EXPECT_EQ(s.draw.arrows.size(), 9U);
    EXPECT_EQ(s.draw.arrows[0].kind, ArrowKind::kModified);
    s.log.clear();
    s.draw.arrows.clear();
    ASSERT_TRUE(s.field.update(false));
    EXPECT_EQ(s.log, "sgcd");
}

// proves: GRID-011, GRID-012
TEST(FieldUpdate, RuntimeInitKeepsTimerAndGridTheOthersResetThem) {
    Built b;
    ASSERT_TRUE(b.field.update_timed(false, 0.05).has_value());
    EXPECT_EQ(b.field.next_update_s(), 1);
    ASSERT_TRUE(b.field.init(InitMode::kRuntime).has_value());
    EXPECT_FALSE(b.field.grid_dirty());
    EXPECT_EQ(b.field.next_update_s(), 1);
    for (const InitMode mode : {InitMode::kConstruction, InitMode::kBeginPlay}) {
        ASSERT_TRUE(b.field.update_timed(false, 0.05).has_value());
        ASSERT_TRUE(b.field.init(mode).has_value());
        EXPECT_TRUE(b.field.grid_dirty());
        EXPECT_EQ(b.field.next_update_s(), 0);
    }
}

// proves: GRID-020, GRID-021
TEST(FieldUpdate, TheTimerUpdatesWhenItHasRunOutAndIsThenSetAnew) {
    Built b;
    FieldSetup setup = b.field.setup();
    setup.refresh_interval_s = 0.1;
    b.field.set_setup(setup);
    ASSERT_TRUE(b.field.update_timed(true, 0.05).has_value());
    EXPECT_EQ(b.world.lines, 45);
    EXPECT_EQ(b.field.next_update_s(), 0.1);
    ASSERT_TRUE(b.field.update_timed(true, 0.05).has_value());
    EXPECT_EQ(b.field.next_update_s(), 0.05);
    ASSERT_TRUE(b.field.update_timed(true, 0.05).has_value());
    EXPECT_EQ(b.world.lines, 45);
    EXPECT_EQ(b.field.next_update_s(), 0);
    ASSERT_TRUE(b.field.update_timed(true, 0.05).has_value());
    EXPECT_EQ(b.world.lines, 90);
    EXPECT_EQ(b.field.next_update_s(), 0.1);
}

// proves: GRID-015, GRID-024, O-GRID-13, O-GRID-34
TEST(FieldUpdate, GoalsOffTheGridAreOnTheClampedBorderCellAndKeepTheirPlace) {
    Built b;
    std::optional<Vec3d> flag = Vec3d{9e6, 0.25, 3};
    b.field.set_goals({{[&] { return flag; }}, {{-9e6, 0, 0}}});
    ASSERT_TRUE(b.field.update(false).has_value());
    const Layer& layer = b.field.default_layer();
    EXPECT_EQ(layer.goal_cells, (std::vector<CellIndex>{b.field.geometry().index({8, 2}),
                                                        b.field.geometry().index({0, 2})}));
    EXPECT_EQ(b.field.query({300, 0}, 0).goal, (Vec3d{9e6, 0.25, 3}));
    EXPECT_EQ(b.field.substrate().goals_cm[0], (std::array<std::int32_t, 3>{9'000'000, 0, 3}));
    flag.reset();
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_EQ(b.field.default_layer().goals.size(), 1U);
}

TEST(FieldUpdate, ARefusedOneLeavesTheFieldAsItWas) {
    Built b;
    b.field.set_goals({{}, {{0, 0, 0}}});
    ASSERT_TRUE(b.field.update(false).has_value());
    const FieldSolution before = b.field.default_layer().solution;
    b.field.set_goals({{}, {{0, std::numeric_limits<double>::quiet_NaN(), 0}}});
    EXPECT_EQ(b.field.update(true).error().code, ErrorCode::kBadValue);
    b.field.set_goals({{}, {{0, 0, 0}}});
    FieldSetup setup = b.field.setup();
    setup.size_cm = {4e6, 4e6, 0};
    b.field.set_setup(setup);
    EXPECT_EQ(b.field.update(true).error().code, ErrorCode::kOverCap);
    setup.size_cm.x = std::numeric_limits<double>::infinity();
    b.field.set_setup(setup);
    EXPECT_EQ(b.field.update(true).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(b.field.default_layer().solution.dist, before.dist);
    EXPECT_TRUE(b.field.default_layer().solved);
    EXPECT_EQ(b.field.geometry().x_num(), 9);
}

// proves: O-GRID-24
TEST(FieldUpdate, TheTimerCountsTheHostsTimeAndASyncedClientIgnoresIt) {
    Built b;
    FieldSetup setup = b.field.setup();
    setup.refresh_interval_s = 0.5;
    b.field.set_setup(setup);
    constexpr double kTickS = 1.0 / 16;
    for (int tick = 0; tick < 20; ++tick) ASSERT_TRUE(b.field.update_timed(true, kTickS));
    EXPECT_EQ(b.world.lines, 3 * 45) << "ticks 0, 9 and 18";

    Built client(FieldRole::kClient);
    client.field.set_substrate(plain_ground(3, 3));
    client.field.mark_synced(7);
    for (int tick = 0; tick < 20; ++tick) ASSERT_TRUE(client.field.update_timed(true, kTickS));
    EXPECT_EQ(client.world.lines, 0);
    EXPECT_EQ(client.field.substrate_version(), 7U);
}

// proves: O-GRID-22
TEST(FieldUpdate, TheDefaultsOfAField) {
    const FieldSetup setup;
    EXPECT_EQ(setup.cell_size_cm, 100);
    EXPECT_EQ(setup.size_cm, (Vec3d{5000, 5000, 1000}));
    EXPECT_EQ(setup.initial_cost, 1);
    EXPECT_EQ(setup.refresh_interval_s, 1);
    EXPECT_FALSE(setup.trace_ground || setup.trace_obstacles);
    const FieldConfig config;
    EXPECT_EQ(config.max_walkable_centideg, 4500);
    EXPECT_EQ(config.path_stop_search_cm, (Vec3d{500, 500, 500}));
    EXPECT_EQ(config.max_area_cost_multiplier, 10);
    EXPECT_TRUE(config.ignore_internal_obstacles);
    EXPECT_FALSE(config.straight_first);
    EXPECT_EQ(config.style, Style::kAdjacentFirst);
    EXPECT_FALSE(DrawSwitches{}.arrows || DrawSwitches{}.cells || DrawSwitches{}.volume);
    FlowField field("ground", config);
    ASSERT_TRUE(field.update(true));
    EXPECT_EQ(field.geometry().cell_count(), 2500U);
    FieldSetup other;
    other.cell_size_cm = 50;
    field.set_setup(other);
    ASSERT_TRUE(field.update(true));
    EXPECT_EQ(field.geometry().cell_count(), 10'000U) << "a host's own value counts";
}

// proves: SYNC-061
TEST(FieldUpdate, ASyncedClientIgnoresItAndWarnsOnce) {
    Built b(FieldRole::kClient);
    b.field.set_substrate(plain_ground(3, 3));
    b.field.mark_synced(7);
    ASSERT_TRUE(b.field.update(true).has_value());
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_EQ(b.codes, std::vector{FieldLog::kSyncedUpdate});
    EXPECT_EQ(b.field.geometry().x_num(), 3);
    EXPECT_EQ(b.field.substrate_version(), 7U);
}

// proves: SYNC-062, O-SYNC-32
TEST(FieldUpdate, ASyncedServerRebuildsAndLeavesSyncedMode) {
    Built b;
    b.field.set_goals({{}, {{400, 0, 0}}});
    GridSubstrate imported = plain_ground(3, 3);
    imported.goals_cm.push_back({-100, 0, 0});
    b.field.set_substrate(std::move(imported));
    b.field.mark_synced(7);
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_FALSE(b.field.synced());
    EXPECT_EQ(b.field.substrate_version(), 0U);
    EXPECT_EQ(b.field.geometry().x_num(), 9);
    EXPECT_EQ(b.field.default_layer().goals, (std::vector<Vec3d>{{400, 0, 0}}));
    EXPECT_TRUE(b.codes.empty());
}

// proves: O-LAY-02
TEST(FieldUpdate, ANewGridResolvesManagedLayersAPartialUpdateLeavesThem) {
    Built b;
    ASSERT_TRUE(b.field.update(false).has_value());
    const LayerHandle managed = b.field.get_or_acquire_layer({{0, 0, 0}});
    const LayerHandle hand_made = b.field.create_layer("a", {{}, {{0, 0, 0}}});
    b.field.update_layer(hand_made);
    ASSERT_TRUE(b.field.update(false).has_value());
    EXPECT_TRUE(b.field.find_layer(hand_made)->solved);
    ASSERT_TRUE(b.field.update(true).has_value());
    EXPECT_FALSE(b.field.find_layer(hand_made)->solved);
    EXPECT_TRUE(b.field.find_layer(managed)->solved);
}

// proves: GRID-002, GRID-003, GRID-004, GRID-007, GRID-026, GRID-028, O-GRID-01
TEST(Cells, AreTheClampedOnesOutsideAndValidInside) {
    Built b;
    b.field.set_goals({{}, {{400, 0, 7}}});
    ASSERT_TRUE(b.field.update(false).has_value());
    const CellAnswer inside = b.field.cell_at(Vec2d{-290, 10});
    EXPECT_TRUE(inside.valid);
    EXPECT_EQ(inside.cell.coord, (GridCoord{1, 2}));
    EXPECT_EQ(inside.cell.location, (Vec3d{-300, 0, 100}));
    EXPECT_EQ(inside.cell.normal, (Vec3f{0, 0, 1}));
    EXPECT_EQ(inside.cell.type, CellType::kGround);
    EXPECT_EQ(inside.cell.cost, 1);
    EXPECT_EQ(inside.cell.dist, 7U);
    EXPECT_EQ(inside.cell.direction, (Vec3f{1, 0, 0}));
    EXPECT_EQ(inside.cell.goal_coord, (GridCoord{8, 2}));
    EXPECT_EQ(inside.cell.goal, (Vec3d{400, 0, 7}));
    EXPECT_EQ(b.field.cell_at(GridCoord{8, 2}).cell.cost, 0) << "a goal's current cost";
    const CellAnswer outside = b.field.cell_at(Vec2d{-1e300, 1e300});
    EXPECT_FALSE(outside.valid);
    EXPECT_EQ(outside.cell.coord, (GridCoord{0, 4}));
    EXPECT_FALSE(b.field.cell_at(GridCoord{9, -1}).valid);
    EXPECT_EQ(b.field.cell_at(GridCoord{9, -1}).cell.coord, (GridCoord{8, 0}));
    EXPECT_EQ(b.field.world_to_index({-300, 0}).index, 1U * 5 + 2);
}

// proves: GRID-005, GRID-010, GRID-025, GRID-027, O-GRID-27
TEST(Cells, BeforeTheGridThereIsTheDefaultCell) {
    FlowField field("ground", {});
    EXPECT_FALSE(field.cell_at(Vec2d{0, 0}).valid);
    EXPECT_FALSE(field.cell_at(GridCoord{0, 0}).valid);
    EXPECT_EQ(field.cell_at(Vec2d{0, 0}).cell.dist, 65'535U);
    EXPECT_EQ(field.cell_at(Vec2d{0, 0}).cell.goal_coord, (GridCoord{-1, -1}));
    EXPECT_EQ(field.world_to_index({5, 5}).index, 0U);
    EXPECT_FALSE(field.world_to_index({5, 5}).inside);
    field.set_substrate(plain_ground(3, 3));
    EXPECT_EQ(field.world_to_index({1e9, 1e9}).index, 8U);
    EXPECT_FALSE(field.world_to_index({1e9, 1e9}).inside);
    EXPECT_EQ(field.cell_at(Vec2d{0, 0}).cell.dist, 65'535U) << "no goal reaches it";
}

// proves: GRID-048, GRID-049
TEST(Queries, AreInvalidBeforeTheGrid) {
    FlowField field("ground", {});
    EXPECT_FALSE(field.query({0, 0}, 0).valid);
    EXPECT_FALSE(field.query({0, 0}, 100).valid);
    EXPECT_EQ(field.average_direction({0, 0}, 100), (Vec3f{}));
    EXPECT_FALSE(field.interpolated_ground({0, 0}).valid);
}

// proves: GRID-052, O-GRID-16
TEST(Queries, TheHashIsFnvOverTheIndicesAsBytes) {
    FlowField field("ground", {});
    field.set_substrate(plain_ground(3, 3));
    // FNV-1a of 04 00 00 00.
    EXPECT_EQ(field.query({0, 0}, 0).sampled_cells_hash, 0x0AE4F8D1U);
}

/// A wall of nine columns with ground in the first and an open field's rules.
GridSubstrate mostly_wall() {
    GridSubstrate ground = plain_ground(9, 1);
    for (CellIndex cell = 1; cell < 9; ++cell) {
        ground.type[cell] = 2;
        ground.cost[cell] = kImpassableCost;
    }
    ground.goals_cm.push_back({-400, 0, 5});
    return ground;
}

// proves: GRID-053, O-GRID-15
TEST(Queries, WithoutASampleARadiusLeadsToTheNearestGround) {
    FlowField field("ground", {});
    field.set_substrate(mostly_wall());
    const NavigationAnswer answer = field.query({0, 0}, 120);
    EXPECT_TRUE(answer.valid);
    EXPECT_EQ(answer.direction, (Vec3f{-1, 0, 0}));
    EXPECT_EQ(answer.dist, 0U);
    EXPECT_EQ(answer.goal, (Vec3d{-400, 0, 5}));
    EXPECT_EQ(answer.sampled_cells_hash, 0U);
    EXPECT_FALSE(field.query({200, 0}, 120).valid) << "6 m are beyond the search distance";
}

// proves: GRID-045, O-GRID-23, O-GRID-33
TEST(AverageDirection, TakesEveryCellTheCircleTouches) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(9, 9);
    ground.goals_cm.push_back({0, 0, 0});
    ground.z_cm[ground.geometry.index({5, 4})] = 30;
    field.set_substrate(std::move(ground));
    EXPECT_EQ(field.average_direction({200, 0}, 0), (Vec3f{-1, 0, 0})) << "level, of unit length";
    // From the middle of cell (6,4): 49 cm touch nothing else, 50 cm the four neighbours.
    EXPECT_EQ(field.average_direction({200, 0}, 49), (Vec3f{-1, 0, 0}));
    const Vec3f wide = field.average_direction({150, 100}, 60);
    EXPECT_LT(wide.x, -0.6F);
    EXPECT_LT(wide.y, 0.0F);
    EXPECT_EQ(wide.z, 0.0F);
    EXPECT_EQ(field.average_direction({0, 0}, 40), (Vec3f{0, 0, 0})) << "a goal leads nowhere";
}

// proves: GRID-046, GRID-047
TEST(AverageDirection, LeadsToTheNearestGroundAndElseNowhere) {
    FlowField field("ground", {});
    field.set_substrate(mostly_wall());
    EXPECT_EQ(field.average_direction({0, 0}, 100), (Vec3f{-1, 0, 0}));
    EXPECT_EQ(field.average_direction({200, 0}, 100), (Vec3f{0, 0, 0}));
    EXPECT_EQ(field.average_direction({std::numeric_limits<double>::infinity(), 0}, 100),
              (Vec3f{}));
}

// proves: GRID-054, GRID-055, O-GRID-18
TEST(InterpolatedGround, IsBilinearBetweenFourCentresAndFailsWithoutOne) {
    FlowField field("ground", {});
    GridSubstrate ground = plain_ground(3, 2);
    ground.z_cm = {0, 100, 200, 300, 0, 0};
    ground.normal[2] = {127, 0, 0};
    ground.type[2] = 2;
    ground.type[5] = 0;
    field.set_substrate(std::move(ground));
    // Centres at x −100, 0, 100 and y −50, 50.
    const GroundAnswer middle = field.interpolated_ground({-75, 0});
    ASSERT_TRUE(middle.valid) << "an obstacle has a height";
    EXPECT_EQ(middle.location, (Vec3d{-75, 0, 100}));
    EXPECT_EQ(field.interpolated_ground({-100, -50}).location.z, 0);
    EXPECT_EQ(field.interpolated_ground({-50, -50}).location.z, 100);
    const Vec3f tilted = field.interpolated_ground({-50, -50}).normal;
    EXPECT_FLOAT_EQ(tilted.x, tilted.z) << "halfway between up and east, of unit length";
    EXPECT_FLOAT_EQ(tilted.x, static_cast<float>(std::sqrt(0.5)));
    for (const Vec2d& outside : {Vec2d{-100.5, 0}, Vec2d{50, 0}, Vec2d{-75, 50},
                                 Vec2d{std::numeric_limits<double>::quiet_NaN(), 0}}) {
        const GroundAnswer none = field.interpolated_ground(outside);
        EXPECT_FALSE(none.valid);
        EXPECT_EQ(none.location, (Vec3d{0, 0, 0}));
        EXPECT_EQ(none.normal, (Vec3f{0, 0, 1}));
    }
}

// proves: GRID-056, GRID-057, GRID-058
TEST(GroundLocation, FollowsItsTraceMode) {
    Built b;
    ASSERT_TRUE(b.field.update(false).has_value());
    b.world.world = flat_world(60);
    const auto ground = [&](Vec2d at, TraceMode mode, double kill_z = -1000) {
        return b.field.ground_location({at.x, at.y, 500}, 30, 90, mode, kill_z);
    };
    EXPECT_EQ(ground({0, 0}, TraceMode::kFlowField).location.z, 100);
    EXPECT_FALSE(ground({9000, 0}, TraceMode::kFlowField).valid);
    EXPECT_EQ(ground({0, 0}, TraceMode::kCapsuleSweep).location.z, 60);
    EXPECT_FALSE(ground({0, 0}, TraceMode::kCapsuleSweep, 61).valid) << "no deeper than kill Z";
    EXPECT_EQ(ground({0, 0}, TraceMode::kFlowFieldOrCapsuleSweep).location.z, 100);
    EXPECT_EQ(ground({9000, 0}, TraceMode::kFlowFieldOrCapsuleSweep).location.z, 60);
    EXPECT_TRUE(b.codes.empty());
}

// proves: O-GEN-09
TEST(GroundLocation, InLockstepNoTraceReachesAnAgent) {
    Built b(FieldRole::kServer, true);
    ASSERT_TRUE(b.field.update(false).has_value());
    b.world.world = flat_world(60);
    for (const TraceMode mode : {TraceMode::kCapsuleSweep, TraceMode::kFlowFieldOrCapsuleSweep}) {
        EXPECT_EQ(b.field.ground_location({0, 0, 500}, 30, 90, mode, -1000).location.z, 100);
        EXPECT_FALSE(b.field.ground_location({9e5, 0, 500}, 30, 90, mode, -1000).valid);
    }
    EXPECT_EQ(b.codes, std::vector{FieldLog::kTraceRefused}) << "said once";
}

}  // namespace
}  // namespace maniple::nav
