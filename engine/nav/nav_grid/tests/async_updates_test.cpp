#include "maniple/nav/async_updates.h"

#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/modifier_shapes.h"

#include "held_background.h"
#include "plain_ground.h"
#include "test_worlds.h"

namespace maniple::nav {
namespace {

/// Answers with a world's answers, but the last question first and only when told to.
class LateWorld final : public AsyncWorldQuery {
  public:
    explicit LateWorld(const WorldQuery& world) : world_(world) {}
    void trace_line(Vec3d from, Vec3d to, TraceMask mask, Answer answer) override {
        questions.push_back([this, from, to, mask, answer = std::move(answer)] {
            answer(world_.trace_line(from, to, mask));
        });
    }
    void sweep_sphere(Vec3d from, Vec3d to, double radius_cm, TraceMask mask,
                      Answer answer) override {
        questions.push_back([this, from, to, radius_cm, mask, answer = std::move(answer)] {
            answer(world_.sweep_sphere(from, to, radius_cm, mask));
        });
    }
    void answer_last() {
        const auto question = std::move(questions.back());
        questions.pop_back();
        question();
    }

    std::vector<std::function<void()>> questions;

  private:
    const WorldQuery& world_;
};

/// A hill with a hole in it and a box on its side.
FormulaWorld hilly_world() {
    FormulaWorld world;
    world.ground = [](double x, double y) -> std::optional<SurfaceHit> {
        if (x > 250 && y > 250) return std::nullopt;
        const bool steep = x < -250;
        return SurfaceHit{{x, y, 200 + x / 4}, steep ? Vec3f{1, 0, 0} : Vec3f{0, 0, 1}};
    };
    world.boxes.push_back({{0, -400, 0}, {120, -200, 900}});
    return world;
}

/// A field of 9 × 9 cells in a world, and what it and its updates said.
struct Stage {
    FormulaWorld world = hilly_world();
    LateWorld late{world};
    std::vector<FieldLog> codes;
    std::vector<bool> completed;
    tests::HeldBackground background;
    std::optional<FlowField> held;
    FlowField& field;
    AsyncUpdates updates{background};

    explicit Stage(FieldRole role = FieldRole::kServer, bool lockstep = false)
        : field(held.emplace("ground", FieldConfig{}, host(role, lockstep))) {
        FieldSetup setup;
        setup.size_cm = {900, 900, 1000};
        setup.trace_ground = setup.trace_obstacles = true;
        field.set_setup(setup);
        field.set_goals({{}, {{0, 0, 0}}});
    }
    FieldHost host(FieldRole role, bool lockstep) {
        FieldHost host;
        host.world = &world;
        host.async_world = &late;
        host.role = role;
        host.lockstep = lockstep;
        host.log = [this](const core::LogEntry& entry) {
            codes.push_back(static_cast<FieldLog>(entry.code));
        };
        return host;
    }
    AsyncUpdateOptions options(std::int32_t max_ticks) {
        return {max_ticks, false, [this](bool applied) { completed.push_back(applied); }};
    }
    bool start(bool full, std::int64_t tick, std::int32_t max_ticks) {
        return updates.start(field.async_update(full), tick, options(max_ticks));
    }
};

void expect_equal(const FlowField& a, const FlowField& b) {
    EXPECT_EQ(a.substrate().cost, b.substrate().cost);
    EXPECT_EQ(a.substrate().type, b.substrate().type);
    EXPECT_EQ(a.substrate().z_cm, b.substrate().z_cm);
    EXPECT_EQ(a.substrate().normal, b.substrate().normal);
    EXPECT_EQ(a.substrate().goals_cm, b.substrate().goals_cm);
    EXPECT_EQ(a.grid_modified(), b.grid_modified());
    EXPECT_TRUE(a.moves() == b.moves());
    EXPECT_EQ(a.components().label, b.components().label);
    const Layer& x = a.default_layer();
    const Layer& y = b.default_layer();
    EXPECT_EQ(x.goals, y.goals);
    EXPECT_EQ(x.goal_cells, y.goal_cells);
    EXPECT_EQ(x.solution.dist, y.solution.dist);
    EXPECT_EQ(x.solution.direction, y.solution.direction);
    for (CellIndex cell = 0; cell < a.geometry().cell_count(); ++cell) {
        EXPECT_EQ(a.base_cost(cell), b.base_cost(cell));
        EXPECT_EQ(a.current_cost(cell), b.current_cost(cell));
        EXPECT_EQ(x.base_direction(cell), y.base_direction(cell));
        EXPECT_EQ(x.goal_label(a.geometry(), cell), y.goal_label(b.geometry(), cell));
        EXPECT_EQ(a.direction(x, cell), b.direction(y, cell));
    }
}

/// Modifiers of every family, as a seed wills.
std::vector<std::shared_ptr<Modifier>> random_modifiers(std::mt19937& random) {
    const auto shape = [&] {
        const auto place = [&] { return static_cast<double>(random() % 900) - 450; };
        return BoxShape{{place(), place(), 0}, {200, 200, 1e6}};
    };
    const auto wall = std::make_shared<ShapeGridModifier>();
    wall->shape = shape();
    const auto ask = std::make_shared<EnvironmentGridModifier>();
    ask->shape = shape();
    const auto slow = std::make_shared<ShapeCostModifier>();
    slow->shape = shape();
    slow->amount = static_cast<std::int32_t>(random() % 300);
    const auto stream = std::make_shared<ShapeDirectionModifier>();
    stream->shape = shape();
    stream->direction = {0.5F, static_cast<float>(random() % 3) - 1, 0};
    std::vector<std::shared_ptr<Modifier>> all{wall, ask, slow, stream};
    std::shuffle(all.begin(), all.end(), random);
    return all;
}

// proves: ASY-009, ASY-014, MOD-014
TEST(AsyncUpdates, TheirResultIsTheSynchronousOneBitForBit) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Stage sync;
        Stage limited;
        Stage framed;
        const auto modifiers = random_modifiers(random);
        for (Stage* s : {&sync, &limited, &framed}) {
            s->field.set_extra_costs({{static_cast<CellIndex>(seed), 40}});
            for (const auto& modifier : modifiers) s->field.register_modifier(modifier);
        }
        for (const bool full : {true, false, seed % 2 == 0}) {
            const double x = static_cast<double>(random() % 900) - 450;
            for (Stage* s : {&sync, &limited, &framed}) s->field.set_goals({{}, {{x, 90, 0}}});
            ASSERT_TRUE(sync.field.update(full));
            ASSERT_TRUE(limited.start(full, 1, 1));
            limited.background.run_all();
            limited.updates.on_tick(2);
            ASSERT_TRUE(framed.start(full, 1, 0));
            framed.updates.on_frame();
            while (!framed.late.questions.empty()) framed.late.answer_last();
            framed.background.run_all();
            framed.updates.on_frame();
            expect_equal(sync.field, limited.field);
            expect_equal(sync.field, framed.field);
        }
    }
}

// proves: ASY-012, ASY-013, O-ASY-01, O-ASY-03
TEST(AsyncUpdates, FastAndSlowPeersApplyAtTheSameTick) {
    Stage fast;
    Stage slow;
    for (Stage* s : {&fast, &slow}) ASSERT_TRUE(s->start(true, 10, 4));
    fast.background.run_all();
    for (std::int64_t tick = 11; tick <= 13; ++tick) {
        for (Stage* s : {&fast, &slow}) {
            ASSERT_TRUE(s->updates.may_run(tick));
            s->updates.on_tick(tick);
            EXPECT_FALSE(s->field.initialised()) << "earlier results wait";
        }
    }
    for (int retry = 0; retry < 9; ++retry) EXPECT_FALSE(slow.updates.may_run(14));
    EXPECT_TRUE(fast.updates.may_run(14));
    slow.background.run_all();
    for (Stage* s : {&fast, &slow}) {
        ASSERT_TRUE(s->updates.may_run(14)) << "retries counted no tick";
        s->updates.on_tick(14);
        EXPECT_TRUE(s->field.initialised());
        EXPECT_EQ(s->completed, std::vector{true});
        EXPECT_TRUE(s->updates.empty());
    }
    expect_equal(fast.field, slow.field);
}

// proves: ASY-012
TEST(AsyncUpdates, OutsideLockstepAReadyResultIsAppliedAtTheNextTick) {
    Stage s;
    AsyncUpdateOptions options = s.options(50);
    options.apply_when_ready = true;
    ASSERT_TRUE(s.updates.start(s.field.async_update(true), 1, options));
    s.updates.on_tick(2);
    EXPECT_TRUE(s.completed.empty());
    s.background.run_all();
    s.updates.on_tick(3);
    EXPECT_EQ(s.completed, std::vector{true});
}

// proves: ASY-003, ASY-009, ASY-010
TEST(AsyncUpdates, WithALimitAllIsTakenAtTheStartAndTheFieldStaysUntilTheEnd) {
    Stage s;
    ASSERT_TRUE(s.field.update(true));
    const auto slow = std::make_shared<ShapeCostModifier>();
    slow->shape = BoxShape{{100, 0, 0}, {200, 50, 1e6}};
    slow->amount = 9;
    s.field.register_modifier(slow);
    Stage expected;
    expected.field.register_modifier(slow);
    ASSERT_TRUE(expected.field.update(true));

    const FieldSolution before = s.field.default_layer().solution;
    ASSERT_TRUE(s.start(false, 1, 2));
    EXPECT_EQ(s.background.size(), 1U) << "under way";
    EXPECT_TRUE(s.late.questions.empty()) << "prepared synchronously";
    slow->amount = 200;
    s.field.unregister_modifier(*slow);
    s.field.set_goals({{}, {{400, 400, 0}}});
    s.background.run_all();
    EXPECT_EQ(s.field.default_layer().solution.dist, before.dist);
    s.updates.on_tick(3);
    expect_equal(s.field, expected.field);
}

// proves: ASY-001, ASY-002, O-ASY-02
TEST(AsyncUpdates, AFieldHasOneAtATime) {
    Stage s;
    EXPECT_FALSE(s.updates.start(nullptr, 1, s.options(3)));
    ASSERT_TRUE(s.start(true, 1, 3));
    EXPECT_FALSE(s.start(true, 2, 3));
    EXPECT_EQ(s.codes, std::vector{FieldLog::kUpdateInFlight});
    s.background.run_all();
    s.updates.on_tick(4);
    EXPECT_EQ(s.completed, std::vector{true}) << "the first is not stranded";
    EXPECT_TRUE(s.start(true, 4, 3));
    EXPECT_EQ(s.codes.size(), 1U);
}

// proves: O-ASY-05
TEST(AsyncUpdates, WhatUpdatesTheFieldMeanwhileWins) {
    for (const bool by_import : {true, false}) {
        Stage s;
        ASSERT_TRUE(s.start(true, 1, 2));
        if (by_import) {
            s.field.set_substrate(plain_ground(3, 3));
        } else {
            ASSERT_TRUE(s.field.update(true));
            s.field.set_goals({{}, {{400, 400, 0}}});
            ASSERT_TRUE(s.field.update(false));
        }
        const FieldSolution imported = s.field.default_layer().solution;
        EXPECT_TRUE(s.updates.may_run(3)) << "nobody waits for what will be dropped";
        s.updates.on_tick(3);
        EXPECT_EQ(s.completed, std::vector{false});
        s.background.run_all();
        s.updates.on_tick(4);
        EXPECT_EQ(s.field.default_layer().solution.dist, imported.dist);
        EXPECT_TRUE(s.updates.empty());
    }
}

// proves: ASY-001, ASY-011
TEST(AsyncUpdates, WithoutItsFieldOneEndsCleanly) {
    for (const std::int32_t max_ticks : {2, 0}) {
        Stage s;
        ASSERT_TRUE(s.start(true, 1, max_ticks));
        s.updates.on_frame();
        s.held.reset();
        EXPECT_TRUE(s.updates.may_run(3));
        s.background.run_all();
        s.updates.on_tick(3);
        s.updates.on_frame();
        EXPECT_EQ(s.completed, std::vector{false});
        EXPECT_TRUE(s.updates.empty());
    }
}

// proves: O-ASY-06
TEST(AsyncUpdates, ASyncedClientTakesNone) {
    Stage s(FieldRole::kClient);
    s.field.set_substrate(plain_ground(3, 3));
    s.field.mark_synced(7);
    EXPECT_FALSE(s.start(true, 1, 3));
    EXPECT_FALSE(s.start(false, 1, 0));
    EXPECT_EQ(s.codes, std::vector{FieldLog::kSyncedUpdate});
    EXPECT_EQ(s.field.substrate_version(), 7U);

    Stage server;
    server.field.set_substrate(plain_ground(3, 3));
    server.field.mark_synced(7);
    ASSERT_TRUE(server.start(false, 1, 1));
    server.background.run_all();
    server.updates.on_tick(2);
    EXPECT_FALSE(server.field.synced());
    EXPECT_EQ(server.field.geometry().x_num(), 9);
}

// proves: O-ASY-07
TEST(AsyncUpdates, InLockstepOnlyTheServerTraces) {
    Stage client(FieldRole::kClient, true);
    EXPECT_FALSE(client.start(true, 1, 3));
    EXPECT_EQ(client.field.update(true).error().code, ErrorCode::kUnsupported);
    FieldSetup flat = client.field.setup();
    flat.trace_ground = flat.trace_obstacles = false;
    client.field.set_setup(flat);
    EXPECT_TRUE(client.start(true, 1, 3)) << "flat ground needs no trace";
    Stage server(FieldRole::kServer, true);
    EXPECT_TRUE(server.start(true, 1, 3));
}

// proves: ASY-004, ASY-005, ASY-007, ASY-010, MOD-014
TEST(AsyncUpdates, WithoutALimitTheNextFrameAsksAndTheAnswersStartTheWork) {
    Stage s;
    ASSERT_TRUE(s.field.update(true));
    const auto door = std::make_shared<EnvironmentGridModifier>();
    door->shape = BoxShape{{0, 0, 0}, {100, 0, 1e6}};  // Three cells.
    const auto wall = std::make_shared<ShapeGridModifier>();
    wall->shape = BoxShape{{0, 0, 0}, {0, 0, 1e6}};
    s.field.register_modifier(door);
    s.field.register_modifier(wall);
    s.world = flat_world(500);
    ASSERT_TRUE(s.start(false, 1, 0));
    EXPECT_TRUE(s.late.questions.empty());
    s.updates.on_frame();
    EXPECT_EQ(s.late.questions.size(), 3U);
    for (int i = 0; i < 5; ++i) s.late.answer_last();  // A ground answer asks for the obstacle.
    EXPECT_EQ(s.background.size(), 0U) << "one answer is missing";
    EXPECT_EQ(s.field.substrate().z_cm[40], 200) << "the field stays as it is";
    s.late.answer_last();
    EXPECT_EQ(s.background.size(), 1U);
    s.updates.on_frame();
    EXPECT_TRUE(s.completed.empty());
    s.background.run_all();
    s.updates.on_frame();
    EXPECT_EQ(s.completed, std::vector{true});
    EXPECT_EQ(s.field.grid_modified(), (std::vector<CellIndex>{31, 40, 49}));
    EXPECT_EQ(s.field.substrate().z_cm[31], 500);
    EXPECT_EQ(s.field.substrate().type[40], 2) << "the wall stands on the new ground";
    EXPECT_EQ(s.field.substrate().z_cm[40], 500);
}

// proves: ASY-005, O-ASY-04
TEST(AsyncUpdates, AFullRebuildRunsNoGridModifier) {
    Stage s;
    const auto wall = std::make_shared<ShapeGridModifier>();
    wall->shape = BoxShape{{0, 0, 0}, {900, 900, 1e6}};
    s.field.register_modifier(wall);
    for (const std::int32_t max_ticks : {1, 0}) {
        ASSERT_TRUE(s.start(true, 1, max_ticks));
        s.updates.on_frame();
        EXPECT_TRUE(s.late.questions.empty()) << "no trace: step 2 at once";
        s.background.run_all();
        s.updates.on_frame();
        s.updates.on_tick(2);
        EXPECT_TRUE(s.field.grid_modified().empty());
        EXPECT_TRUE(s.field.passable(40));
    }
    EXPECT_EQ(s.completed, (std::vector{true, true}));
}

// proves: ASY-006
TEST(AsyncEnvironmentQuery, HasTheRulesOfTheSynchronousOneForAnyOrderOfAnswers) {
    const FormulaWorld world = hilly_world();
    for (const bool trace_ground : {true, false}) {
        for (const bool trace_obstacles : {true, false}) {
            FieldSetup setup;
            setup.size_cm = {900, 900, 1000};
            setup.trace_ground = trace_ground;
            setup.trace_obstacles = trace_obstacles;
            const GridGeometry grid = *grid_of(setup);
            LateWorld late(world);
            std::vector<std::optional<CellGround>> answers(grid.cell_count());
            {
                const EnvironmentQuery query(grid, setup, 4500);
                for (CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
                    query.query_async(grid.coord(cell), late, [&, cell](const CellGround& ground) {
                        EXPECT_FALSE(answers[cell]);
                        answers[cell] = ground;
                    });
                }
            }
            while (!late.questions.empty()) late.answer_last();
            const EnvironmentQuery query(grid, setup, 4500);
            for (CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
                EXPECT_EQ(answers[cell], query.query(grid.coord(cell), world));
            }
        }
    }
}

// proves: ASY-006
TEST(AsyncUpdates, AnswersThatOutliveTheFieldDoNothing) {
    Stage s;
    const auto door = std::make_shared<EnvironmentGridModifier>();
    door->shape = BoxShape{{0, 0, 0}, {100, 0, 1e6}};
    s.field.register_modifier(door);
    ASSERT_TRUE(s.start(false, 1, 0));
    s.updates.on_frame();
    ASSERT_FALSE(s.late.questions.empty());
    s.held.reset();
    s.late.answer_last();
    s.updates.on_frame();
    while (!s.late.questions.empty()) s.late.answer_last();
    EXPECT_EQ(s.background.size(), 0U);
    EXPECT_EQ(s.completed, std::vector{false});
}

TEST(AsyncUpdates, OneThatCompletesMayStartTheNext) {
    Stage s;
    AsyncUpdateOptions options;
    options.max_ticks = 1;
    options.on_completed = [&](bool) { EXPECT_TRUE(s.start(false, 2, 1)); };
    ASSERT_TRUE(s.updates.start(s.field.async_update(true), 1, options));
    s.background.run_all();
    s.updates.on_tick(2);
    EXPECT_FALSE(s.updates.empty());
    s.background.run_all();
    s.updates.on_tick(3);
    EXPECT_EQ(s.completed, std::vector{true});
}

TEST(AsyncUpdates, AGoalThatIsNotFiniteEndsOneWithoutAResult) {
    Stage s;
    s.field.set_goals({{}, {{std::numeric_limits<double>::quiet_NaN(), 0, 0}}});
    EXPECT_FALSE(s.start(true, 1, 3));
    ASSERT_TRUE(s.start(true, 1, 0));
    s.updates.on_frame();
    EXPECT_EQ(s.completed, std::vector{false});
}

// Agents read a field while its update is computed on another thread.
TEST(AsyncUpdates, RunOnAWorkerWhileTheFieldIsInUse) {
    Stage s;
    ASSERT_TRUE(s.field.update(true));
    const auto worker = core::make_background();
    AsyncUpdates updates(*worker);
    for (std::int64_t tick = 1; tick <= 20; ++tick) {
        s.field.set_goals({{}, {{static_cast<double>(tick) * 20, 0, 0}}});
        ASSERT_TRUE(updates.start(s.field.async_update(tick % 3 == 0), tick, s.options(1)));
        while (!updates.may_run(tick + 1)) {
            EXPECT_TRUE(s.field.query({-200, 0}, 150).valid);
            std::this_thread::yield();
        }
        updates.on_tick(tick + 1);
        EXPECT_EQ(s.field.default_layer().goals[0].x, static_cast<double>(tick) * 20);
    }
    EXPECT_EQ(s.completed, std::vector<bool>(20, true));
}

}  // namespace
}  // namespace maniple::nav
