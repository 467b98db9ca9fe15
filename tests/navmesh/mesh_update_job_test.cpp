#include <gtest/gtest.h>
#include <optional>

#include "maniple/nav/async_updates.h"
#include "maniple/nav/modifier_shapes.h"

#include "held_background.h"
#include "mesh_field_world.h"

namespace maniple::nav {
namespace {

class MeshUpdateJobTest : public MeshFieldTest {
  protected:
    void start(MeshField& field, bool full = false) {
        ASSERT_TRUE(updates.start(field.async_update(full), 1,
                                  {.max_ticks = 3, .on_completed = [this](bool applied) {
                                       completed.push_back(applied);
                                   }}));
    }
    /// Runs the ticks up to the one in which an update of tick 1 is applied.
    void run_to_the_end() {
        for (int tick = 2; tick <= 4; ++tick) {
            if (!updates.may_run(tick)) background.run_all();
            updates.on_tick(tick);
        }
    }

    tests::HeldBackground background;
    AsyncUpdates updates{background};
    std::vector<bool> completed;
};

// proves: ASY-008, ASY-014, NAVM-010
TEST_F(MeshUpdateJobTest, OnlyFloodsBesideTheTickAndAppliesWhatTheSynchronousUpdateGives) {
    MeshField field = make(tests::two_floors());
    MeshField reference = make();
    const auto wind = std::make_shared<ShapeDirectionModifier>();
    wind->shape = BoxShape{at(6, 0, 4), {1200, 800, 100}, 0};
    wind->direction = {0, 0, -2};
    for (MeshField* each : {&field, &reference}) {
        each->set_goals({{}, {at(20, 4, 12)}});
        ASSERT_TRUE(each->register_modifier(wind));
    }
    ASSERT_TRUE(reference.update(true));
    start(field, true);
    ASSERT_EQ(background.size(), 1U);
    EXPECT_FALSE(field.initialised());
    field.set_goals({{}, {at(2, 0, 2)}});  // for the next one
    background.run_all();
    EXPECT_FALSE(field.default_layer().solved) << "before its tick";
    EXPECT_TRUE(completed.empty());
    run_to_the_end();
    EXPECT_EQ(completed, std::vector{true});
    EXPECT_TRUE(field.initialised());
    const MeshLayer& layer = field.default_layer();
    const MeshLayer& wanted = reference.default_layer();
    EXPECT_TRUE(layer.solved);
    EXPECT_EQ(layer.goals, wanted.goals);
    EXPECT_EQ(layer.solution.dist, wanted.solution.dist);
    EXPECT_EQ(layer.solution.next, wanted.solution.next);
    EXPECT_EQ(layer.solution.direction, wanted.solution.direction);
    EXPECT_EQ(layer.base_direction, wanted.base_direction);
    EXPECT_NE(layer.base_direction, layer.solution.direction) << "the modifier is in the one";
    EXPECT_EQ(field.cell_at(GridCoord{}).cell.location,
              reference.cell_at(GridCoord{}).cell.location);
}

// proves: ASY-013
TEST_F(MeshUpdateJobTest, HoldsItsTickBackUntilItIsComputed) {
    MeshField field = make(plain());
    field.set_goals({{}, {at(30, 0, 4)}});
    start(field);
    EXPECT_TRUE(updates.may_run(3));
    EXPECT_FALSE(updates.may_run(4));
    background.run_all();
    EXPECT_TRUE(updates.may_run(4));
}

// proves: O-ASY-02, O-ASY-05, ASY-011
TEST_F(MeshUpdateJobTest, IsOneAtATimeAndYieldsToWhatUpdatesTheFieldMeanwhileOrEndsIt) {
    std::optional<MeshField> field;
    field.emplace(make(plain()));
    field->set_goals({{}, {at(30, 0, 4)}});
    start(*field);
    EXPECT_EQ(field->async_update(false), nullptr);
    field->set_goals({{}, {at(2, 0, 4)}});
    ASSERT_TRUE(field->update(false));
    run_to_the_end();
    EXPECT_EQ(completed, std::vector{false});
    EXPECT_EQ(field->default_layer().goals.front(), at(2, 0, 4));
    start(*field);
    field.reset();
    background.run_all();
    run_to_the_end();
    EXPECT_EQ(completed, (std::vector{false, false}));
}

// proves: O-ASY-05
TEST_F(MeshUpdateJobTest, YieldsToAReplicaThatCameOrWentMeanwhile) {
    MeshField field = make(plain());
    const auto mesh = std::make_shared<const MeshReplica>(tests::replica_of(bake(plain())));
    field.set_goals({{}, {at(30, 0, 4)}});
    start(field);
    ASSERT_TRUE(field.set_replica(mesh, {at(2, 0, 4)}, 1));
    run_to_the_end();
    EXPECT_EQ(completed, std::vector{false});
    EXPECT_EQ(field.default_layer().goals.front(), at(2, 0, 4));
    for (const std::vector<Vec3d>& stream_goals :
         {std::vector{at(2, 0, 4)}, std::vector<Vec3d>()}) {
        completed.clear();
        ASSERT_TRUE(field.set_replica(mesh, stream_goals, 1));
        start(field);
        field.release_replica();
        run_to_the_end();
        EXPECT_EQ(completed, std::vector{false}) << "its goals were the stream's";
    }
}

// proves: ASY-004, ASY-005, ASY-010, ASY-014
TEST_F(MeshUpdateJobTest, WithoutALimitItBeginsInTheNextFrameAndEndsInThatWhichFindsItDone) {
    MeshField field = make(plain());
    MeshField reference = make();
    field.set_goals({{}, {at(2, 0, 4)}});
    ASSERT_TRUE(updates.start(field.async_update(true), 1, {.on_completed = [this](bool applied) {
                                  completed.push_back(applied);
                              }}));
    EXPECT_EQ(background.size(), 0U);
    EXPECT_EQ(field.engine_mesh(), nullptr) << "not even prepared";
    const GoalSet later{{}, {at(30, 0, 4)}};
    field.set_goals(later);
    updates.on_tick(2);
    EXPECT_EQ(background.size(), 0U) << "ticks do not count";
    updates.on_frame();
    EXPECT_EQ(background.size(), 1U) << "no traces: prepared and under way at once";
    EXPECT_NE(field.engine_mesh(), nullptr);
    for (int tick = 3; tick < 100; ++tick) {
        EXPECT_TRUE(updates.may_run(tick)) << "it holds no tick back";
        EXPECT_FALSE(updates.in_flight_after(tick));
        updates.on_tick(tick);
    }
    updates.on_frame();
    EXPECT_FALSE(field.initialised());
    EXPECT_TRUE(completed.empty());
    background.run_all();
    updates.on_tick(100);
    EXPECT_FALSE(field.initialised()) << "frames end it, not ticks";
    updates.on_frame();
    EXPECT_EQ(completed, std::vector{true});
    EXPECT_TRUE(updates.empty());
    reference.set_goals(later);
    ASSERT_TRUE(reference.update(true));
    EXPECT_EQ(field.default_layer().goals, later.locations) << "goals of the frame it began in";
    EXPECT_EQ(field.default_layer().solution.dist, reference.default_layer().solution.dist);
    EXPECT_EQ(field.default_layer().solution.direction,
              reference.default_layer().solution.direction);
}

// proves: NAVM-005, ASY-014
TEST_F(MeshUpdateJobTest, WithoutGoalsItEndsAsTheSynchronousOneDoes) {
    MeshField field = make(plain());
    start(field);
    run_to_the_end();
    EXPECT_EQ(completed, std::vector{true});
    EXPECT_TRUE(field.initialised());
    EXPECT_FALSE(field.default_layer().solved);
    EXPECT_EQ(codes, std::vector{code(MeshFieldLog::kNoGoals)});
}

}  // namespace
}  // namespace maniple::nav
