#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/modifier_shapes.h"

#include "plain_ground.h"
#include "test_worlds.h"

namespace maniple::nav {
namespace {

/// Writes its name down when it runs and changes nothing.
template <class Family>
class Noted : public Family {
  public:
    Noted(char name, std::string& log, std::int32_t order = 0) : name_(name), log_(&log) {
        this->priority = order;
    }

  protected:
    void note() const { *log_ += name_; }

  private:
    char name_;
    std::string* log_;
};
struct NotedGrid final : Noted<GridModifier> {
    using Noted::Noted;
    void apply_grid(GridEdit&) override { note(); }
};
struct NotedCost final : Noted<CostModifier> {
    using Noted::Noted;
    void apply_cost(CostEdit&) const override { note(); }
    std::shared_ptr<const CostModifier> snapshot() const override {
        return std::make_shared<NotedCost>(*this);
    }
};
struct NotedDirection final : Noted<DirectionModifier> {
    using Noted::Noted;
    void apply_direction(DirectionEdit&) const override { note(); }
    std::shared_ptr<const DirectionModifier> snapshot() const override {
        return std::make_shared<NotedDirection>(*this);
    }
};

/// A field of 9 × 9 flat cells around the origin, built from an empty world.
struct Stage {
    std::vector<std::shared_ptr<Modifier>> attached;
    std::vector<FieldLog> codes;
    FlowField field;
    Stage() : field("ground", {}, host()) {
        FieldSetup setup;
        setup.size_cm = {900, 900, 0};
        field.set_setup(setup);
    }
    FieldHost host() {
        FieldHost host;
        host.attached_modifiers = [this] { return attached; };
        host.log = [this](const core::LogEntry& entry) {
            codes.push_back(static_cast<FieldLog>(entry.code));
        };
        return host;
    }
    CellIndex at(std::int32_t x, std::int32_t y) const { return field.geometry().index({x, y}); }
};

// proves: GRID-019, MOD-002, MOD-004, MOD-005, MOD-007, MOD-010, MOD-011, O-MOD-02, O-MOD-11
TEST(Modifiers, RescansKeepRegistrationsAndTheOrderOfEqualPriorities) {
    Stage s;
    std::string log;
    const auto d1 = std::make_shared<NotedDirection>('1', log, 5);
    const auto d2 = std::make_shared<NotedDirection>('2', log, 5);
    const auto d3 = std::make_shared<NotedDirection>('3', log, 1);
    const auto grid = std::make_shared<NotedGrid>('g', log);
    s.field.set_include_modifiers({d2});
    s.attached = {d3};
    EXPECT_TRUE(s.field.register_modifier(d1));
    EXPECT_TRUE(s.field.register_modifier(grid));
    for (int i = 0; i < 2; ++i) {
        log.clear();
        ASSERT_TRUE(s.field.update(true).has_value());
        EXPECT_EQ(log, "312") << "a full rebuild runs no grid modifier";
    }
    EXPECT_TRUE(s.field.register_modifier(d1)) << "again: nothing happens";
    EXPECT_TRUE(s.field.register_modifier(d2)) << "a member already";
    EXPECT_EQ(s.field.active_modifiers(ModifierFamily::kDirection),
              (std::vector<std::shared_ptr<Modifier>>{d3, d1, d2}));
    EXPECT_TRUE(s.codes.empty());
    s.field.unregister_modifier(*d2);
    s.field.unregister_modifier(*d2);
    log.clear();
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(log, "g31");
    log.clear();
    ASSERT_TRUE(s.field.update(true).has_value());
    EXPECT_EQ(log, "312") << "membership brings it back";
}

// proves: MOD-001, MOD-003, MOD-006, MOD-009
TEST(Modifiers, ARegisteredOneIsSeenByTheNextPartialUpdateAndOutsideItsShapeNothingChanges) {
    Stage s;
    s.field.set_goals({{}, {{400, 400, 0}}});
    ASSERT_TRUE(s.field.update(false).has_value());
    const FieldSolution before = s.field.default_layer().solution;
    const auto far = std::make_shared<ShapeCostModifier>();
    far->shape = BoxShape{{90'000, 0, 0}, {200, 200, 200}};
    far->amount = 9;
    const auto near = std::make_shared<ShapeCostModifier>(*far);
    near->shape = BoxShape{{0, 0, 0}, {50, 50, 50}};
    s.field.register_modifier(far);
    s.field.register_modifier(near);
    EXPECT_EQ(near->field.get(), &s.field);
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(s.field.substrate().cost[s.at(4, 4)], 10);
    s.field.unregister_modifier(*near);
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(s.field.default_layer().solution.dist, before.dist);
    EXPECT_EQ(s.field.default_layer().solution.direction, before.direction);
}

TEST(Modifiers, OneDestroyedWhileRegisteredIsGone) {
    Stage s;
    std::string log;
    auto cost = std::make_shared<NotedCost>('c', log);
    auto direction = std::make_shared<NotedDirection>('d', log);
    auto grid = std::make_shared<NotedGrid>('g', log);
    s.field.register_modifier(cost);
    s.field.register_modifier(direction);
    s.field.register_modifier(grid);
    s.field.set_include_modifiers({cost});
    cost.reset();
    direction.reset();
    grid.reset();
    ASSERT_TRUE(s.field.update(true).has_value());
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(log, "");
    EXPECT_TRUE(s.field.active_modifiers(ModifierFamily::kCost).empty());

    const auto outlives = std::make_shared<NotedGrid>('o', log);
    {
        Stage gone;
        gone.field.register_modifier(outlives);
        EXPECT_EQ(outlives->field.get(), &gone.field);
    }
    EXPECT_EQ(outlives->field.get(), nullptr);
}

// proves: MOD-013, MOD-016
TEST(Modifiers, DisabledOnesAreSkippedInEveryFamily) {
    Stage s;
    std::string log;
    const auto grid = std::make_shared<NotedGrid>('g', log);
    const auto cost = std::make_shared<NotedCost>('c', log);
    const auto direction = std::make_shared<NotedDirection>('d', log);
    for (const std::shared_ptr<Modifier>& m :
         std::vector<std::shared_ptr<Modifier>>{grid, cost, direction}) {
        s.field.register_modifier(m);
        m->enabled = false;
    }
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(log, "");
    for (const auto& m : std::vector<Modifier*>{grid.get(), cost.get(), direction.get()}) {
        m->enabled = true;
    }
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(log, "gccd") << "costs are made with and without the goals";
}

// proves: O-MOD-03
TEST(Modifiers, AttachedOnesAreOrderedByTheirStableId) {
    Stage s;
    std::string log;
    const auto a = std::make_shared<NotedDirection>('a', log);
    const auto b = std::make_shared<NotedDirection>('b', log);
    a->id = 9;
    b->id = 4;
    s.attached = {a, b};
    ASSERT_TRUE(s.field.update(false).has_value()) << "the first update scans too (O-MOD-11)";
    EXPECT_EQ(log, "ba");
}

// proves: O-MOD-10
TEST(Modifiers, ASyncedFieldTakesThemByCommandOnly) {
    Stage s;
    s.field.set_substrate(plain_ground(9, 9));
    s.field.mark_synced(1);
    const auto modifier = std::make_shared<ShapeDirectionModifier>();
    EXPECT_FALSE(s.field.register_modifier(modifier));
    EXPECT_EQ(s.codes, std::vector{FieldLog::kSyncedModifier});
    EXPECT_TRUE(s.field.register_modifier(modifier, ModifierOrigin::kCommand));
    EXPECT_FALSE(s.field.unregister_modifier(*modifier));
    EXPECT_TRUE(s.field.unregister_modifier(*modifier, ModifierOrigin::kCommand));
}

#ifndef NDEBUG  // assertions are on
// proves: O-MOD-09
TEST(Modifiers, RegisteringInAParallelStageIsAnError) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Stage s;
    const auto modifier = std::make_shared<ShapeDirectionModifier>();
    core::SerialExecutor executor;
    s.field.register_modifier(modifier);
    EXPECT_DEATH(executor.run(1, [&](std::size_t) { s.field.register_modifier(modifier); }),
                 "in_parallel_stage");
    EXPECT_DEATH(executor.run(1, [&](std::size_t) { s.field.unregister_modifier(*modifier); }),
                 "in_parallel_stage");
}
#endif

// proves: MOD-013, O-MOD-07, O-MOD-08
TEST(GridModifiers, WriteTheInitialCellsAndAFreshGridForgetsThem) {
    FormulaWorld world = flat_world(100);
    Stage s;
    FieldHost host = s.host();
    host.world = &world;
    FlowField field("ground", {}, host);
    FieldSetup setup;
    setup.size_cm = {900, 900, 1000};
    setup.trace_ground = true;
    field.set_setup(setup);
    const auto wall = std::make_shared<ShapeGridModifier>();
    wall->shape = BoxShape{{0, 0, 100}, {50, 150, 10}};
    field.register_modifier(wall);
    ASSERT_TRUE(field.update(false).has_value());
    EXPECT_EQ(field.grid_modified(), (std::vector<CellIndex>{39, 40, 41}));
    EXPECT_EQ(field.substrate().type[40], 2);
    EXPECT_EQ(field.substrate().cost[40], 255);
    EXPECT_EQ(field.substrate().z_cm[40], 100);
    EXPECT_FALSE(field.passable(40));

    wall->shape = BoxShape{{-400, 0, 100}, {50, 50, 10}};
    ASSERT_TRUE(field.update(false).has_value());
    EXPECT_EQ(field.grid_modified(), std::vector<CellIndex>{4});
    EXPECT_EQ(field.substrate().type[40], 2) << "the old place stays changed";
    const auto restore = std::make_shared<EnvironmentGridModifier>();
    restore->shape = BoxShape{{0, 0, 100}, {50, 150, 10}};
    field.register_modifier(restore);
    ASSERT_TRUE(field.update(false).has_value());
    EXPECT_EQ(field.substrate().type[40], 1) << "until somebody asks the world again";
    EXPECT_EQ(field.substrate().cost[40], 1);

    ASSERT_TRUE(field.update(true).has_value());
    EXPECT_TRUE(field.grid_modified().empty());
    EXPECT_EQ(field.substrate().type[4], 1);
}

// proves: GRID-006, MOD-015, O-MOD-04, O-SYNC-20
TEST(CostModifiers, GoalsAreZeroedFirstThenModifiersThenExtraCosts) {
    Stage s;
    s.field.set_goals({{}, {{0, 0, 0}}});
    const auto add = std::make_shared<ShapeCostModifier>();
    add->shape = BoxShape{{0, 0, 0}, {100, 0, 0}};  // Cells (3,4), (4,4), (5,4).
    add->amount = 20;
    add->priority = 2;
    const auto set = std::make_shared<ShapeCostModifier>(*add);
    set->rule = ShapeCostModifier::Rule::kSet;
    set->shape = BoxShape{{100, 0, 0}, {0, 0, 0}};
    set->amount = 7;
    set->priority = 1;
    s.field.register_modifier(add);
    s.field.register_modifier(set);
    s.field.set_extra_costs({{40, 3}, {41, -30}, {42, 1000}, {81, 1}});
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(s.field.current_cost(s.at(4, 4)), 23) << "0 + 20 + 3";
    EXPECT_EQ(s.field.substrate().cost[s.at(4, 4)], 24) << "exported: 1 + 20 + 3";
    EXPECT_EQ(s.field.base_cost(s.at(4, 4)), 1);
    EXPECT_EQ(s.field.current_cost(s.at(5, 4)), 27) << "7 + 20: ascending priority";
    EXPECT_EQ(s.field.current_cost(s.at(4, 5)), 0) << "1 - 30, clamped";
    EXPECT_EQ(s.field.current_cost(s.at(4, 6)), 255);
    EXPECT_TRUE(s.field.blocks(s.at(4, 6)));
    EXPECT_EQ(s.field.substrate().type[s.at(4, 6)], 1) << "the type stays";
    EXPECT_EQ(s.codes, std::vector{FieldLog::kExtraCost});
    s.field.set_extra_costs({});
    s.field.unregister_modifier(*add);
    s.field.unregister_modifier(*set);
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_EQ(s.field.substrate().cost, std::vector<std::uint8_t>(81, 1));
    EXPECT_EQ(s.field.current_cost(s.at(4, 4)), 0);
}

// proves: GRID-043, O-GRID-12
TEST(CostModifiers, ARaisedCostOnTheLineEndsTheLineOfSight) {
    FieldConfig straight;
    straight.straight_first = true;
    Stage s;
    FlowField field("ground", straight, s.host());
    FieldSetup setup;
    setup.size_cm = {2100, 2100, 0};
    field.set_setup(setup);
    field.set_goals({{}, {{-700, -500, 0}}});  // Cell (3,5).
    const auto bump = std::make_shared<ShapeCostModifier>();
    bump->shape = BoxShape{{-500, -400, 0}, {100, 100, 0}};
    bump->amount = 1;
    bump->enabled = false;
    field.register_modifier(bump);
    ASSERT_TRUE(field.update(false).has_value());
    const CellIndex knight = field.geometry().index({7, 7});
    EXPECT_EQ(field.default_layer().solution.direction[knight], kStraightToGoal);
    const double length = std::sqrt(20.0);
    EXPECT_EQ(field.direction(field.default_layer(), knight),
              (Vec3f{static_cast<float>(-4 / length), static_cast<float>(-2 / length), 0}));
    bump->enabled = true;
    ASSERT_TRUE(field.update(false).has_value());
    EXPECT_NE(field.default_layer().solution.direction[knight], kStraightToGoal);
    bump->enabled = false;
    ASSERT_TRUE(field.update(false).has_value());
    EXPECT_EQ(field.default_layer().solution.direction[knight], kStraightToGoal);
}

// proves: MOD-016, MOD-018, LAY-002, LAY-007
TEST(DirectionModifiers, RunAfterTheBaseDirectionsWereKeptOnEveryLayer) {
    Stage s;
    s.field.set_goals({{}, {{400, 0, 0}}});
    const auto wind = std::make_shared<ShapeDirectionModifier>();
    wind->shape = BoxShape{{0, 0, 0}, {150, 50, 0}};
    wind->direction = {0, 3, 4};
    const auto stop = std::make_shared<ShapeDirectionModifier>();
    stop->shape = BoxShape{{100, 0, 0}, {0, 0, 0}};
    stop->priority = 1;
    s.field.register_modifier(wind);
    s.field.register_modifier(stop);
    ASSERT_TRUE(s.field.update(false).has_value());
    const LayerHandle handle = s.field.create_layer("a", {{}, {{-400, 0, 0}}});
    ASSERT_TRUE(s.field.update_layer(handle));
    for (const Layer* layer : {&s.field.default_layer(), s.field.find_layer(handle)}) {
        const bool west = layer != &s.field.default_layer();
        EXPECT_EQ(s.field.direction(*layer, s.at(4, 4)), (Vec3f{0, 0.6F, 0.8F}));
        EXPECT_EQ(s.field.direction(*layer, s.at(5, 4)), (Vec3f{0, 0, 0})) << "the last one wins";
        EXPECT_EQ(layer->base_direction(s.at(4, 4)), west ? 2 : 0);
        EXPECT_EQ(layer->base_direction(s.at(5, 4)), west ? 2 : 0);
        EXPECT_EQ(layer->base_direction(s.at(0, 0)), layer->solution.direction[s.at(0, 0)]);
        EXPECT_EQ(layer->modified.size(), 3U);
    }
    s.field.unregister_modifier(*wind);
    s.field.unregister_modifier(*stop);
    ASSERT_TRUE(s.field.update(false).has_value());
    EXPECT_TRUE(s.field.default_layer().modified.empty());
    EXPECT_EQ(s.field.direction(s.field.default_layer(), s.at(5, 4)), (Vec3f{1, 0, 0}));
}

// proves: SYNC-058
TEST(DirectionModifiers, AnImportedGroundIsFloodedWithThemAndWithoutCostModifiers) {
    Stage s;
    const auto wind = std::make_shared<ShapeDirectionModifier>();
    wind->shape = BoxShape{{0, 0, 0}, {50, 50, 0}};
    wind->direction = {0, 1, 0};
    const auto dear = std::make_shared<ShapeCostModifier>();
    dear->shape = BoxShape{{0, 0, 0}, {50, 50, 0}};
    dear->amount = 9;
    s.field.register_modifier(wind);
    s.field.register_modifier(dear);
    GridSubstrate ground = plain_ground(9, 9);
    ground.goals_cm.push_back({400, 0, 0});
    s.field.set_substrate(std::move(ground));
    const Layer& layer = s.field.default_layer();
    EXPECT_EQ(layer.goal_cells, std::vector<CellIndex>{s.at(8, 4)}) << "the stream's goal";
    EXPECT_EQ(layer.solution.dist[s.at(4, 4)], 4U);
    EXPECT_EQ(s.field.direction(layer, s.at(4, 4)), (Vec3f{0, 1, 0}));
    EXPECT_EQ(layer.base_direction(s.at(4, 4)), 0) << "what the solver said is kept";
    EXPECT_EQ(s.field.current_cost(s.at(4, 4)), 1) << "costs are baked into the stream";
}

// proves: O-MOD-01
TEST(Shapes, ABoxHoldsTheCellsWhoseCentreIsInsideAtItsHeightAndYaw) {
    GridSubstrate ground = plain_ground(5, 5);
    EXPECT_EQ(cells_in(BoxShape{{0, 0, 0}, {100, 0, 0}}, ground),
              (std::vector<CellIndex>{7, 12, 17}));
    EXPECT_EQ(cells_in(BoxShape{{0, 0, 0}, {99, 99, 0}}, ground), std::vector<CellIndex>{12});
    EXPECT_EQ(cells_in(BoxShape{{0, 0, 0}, {100, 1, 0}, 9000}, ground),
              (std::vector<CellIndex>{11, 12, 13}));
    EXPECT_EQ(cells_in(BoxShape{{0, 0, 0}, {290, 10, 0}, 4500}, ground),
              (std::vector<CellIndex>{0, 6, 12, 18, 24}));
    ground.z_cm[12] = 51;
    EXPECT_TRUE(cells_in(BoxShape{{0, 0, 0}, {10, 10, 50}}, ground).empty());
    EXPECT_TRUE(cells_in(BoxShape{{1 / 0.0, 0, 0}, {10, 10, 50}}, ground).empty());
}

// proves: O-MOD-01
TEST(Shapes, ACorridorFollowsItsSplineAndKnowsItsDirection) {
    const GridSubstrate ground = plain_ground(5, 5);
    const CorridorShape row{{{-200, 100, 0}, {200, 100, 0}}, 10};
    EXPECT_EQ(cells_in(row, ground), (std::vector<CellIndex>{3, 8, 13, 18, 23}));
    for (const CorridorCell& cell : corridor_cells(row, ground)) {
        EXPECT_EQ(cell.along, (Vec2d{1, 0}));
    }
    const CorridorShape bend{{{-200, -200, 0}, {200, -200, 0}, {200, 200, 0}}, 60};
    const auto cells = corridor_cells(bend, ground);
    EXPECT_EQ(cells.front().cell, 0U);
    EXPECT_GT(cells.front().along.x, 0.9);
    EXPECT_EQ(cells.back().cell, 24U);
    EXPECT_GT(cells.back().along.y, 0.9);
    EXPECT_EQ(cells_in(CorridorShape{{{0, 0, 0}}, 100}, ground),
              (std::vector<CellIndex>{7, 11, 12, 13, 17}))
        << "one point is a disc";
    EXPECT_TRUE(cells_in(CorridorShape{}, ground).empty());
    ShapeDirectionModifier along;
    along.shape = row;
    FieldSolution solution;
    solution.direction.assign(25, kNoDirection);
    std::vector<ModifiedDirection> set;
    DirectionEdit edit(ground, solution, set);
    along.apply_direction(edit);
    ASSERT_EQ(set.size(), 5U);
    EXPECT_EQ(set[2].direction, (Vec3f{1, 0, 0}));
}

}  // namespace
}  // namespace maniple::nav
