#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "maniple/nav/modifier_shapes.h"

#include "mesh_field_world.h"

/// What a navmesh field takes from its host: the time of its updates and the ground under capsules.
namespace maniple::nav {
namespace {

/// A field that counts how often its one goal is asked where it is.
class TimedMeshTest : public MeshFieldTest {
  protected:
    TimedMeshTest() : field(make(plain())) {
        field.set_goals({{[this] {
                             ++collected;
                             return goal;
                         }},
                         {}});
    }
    void set_interval(double seconds) {
        FieldSetup setup = field.setup();
        setup.refresh_interval_s = seconds;
        ASSERT_TRUE(field.set_setup(setup));
    }

    int collected = 0;
    std::optional<Vec3d> goal = at(30, 0, 4);
    MeshField field;
};

// proves: GRID-020, GRID-021
TEST_F(TimedMeshTest, TheTimerUpdatesWhenItHasRunOutAndIsThenSetAnew) {
    set_interval(0.1);
    EXPECT_TRUE(field.update_timed(true, 0.05));
    EXPECT_EQ(collected, 1) << "due at once";
    EXPECT_TRUE(field.initialised());
    EXPECT_EQ(field.next_update_s(), 0.1);
    EXPECT_TRUE(field.update_timed(true, 0.05));
    EXPECT_EQ(field.next_update_s(), 0.05);
    goal = at(2, 0, 4);
    EXPECT_TRUE(field.update_timed(true, 0.05));
    EXPECT_EQ(field.next_update_s(), 0);
    EXPECT_EQ(collected, 1);
    EXPECT_LT(field.query(at(14, 0, 4), 0).direction.x, -0.9F);
    EXPECT_TRUE(field.update_timed(true, 0.05));
    EXPECT_EQ(collected, 2);
    EXPECT_EQ(field.next_update_s(), 0.1);
    EXPECT_GT(field.query(at(14, 0, 4), 0).direction.x, 0.9F);
}

// proves: GRID-020, O-GRID-24
TEST_F(TimedMeshTest, TheTimerCountsTheHostsTimeAndAnIntervalOfNoneIsEveryTick) {
    constexpr double kTickS = 1.0 / 16;
    set_interval(0.5);
    for (int tick = 0; tick < 20; ++tick) EXPECT_TRUE(field.update_timed(false, kTickS));
    EXPECT_EQ(collected, 3) << "ticks 0, 9 and 18";
    set_interval(-1);
    for (int tick = 0; tick < 20; ++tick) EXPECT_TRUE(field.update_timed(false, kTickS));
    EXPECT_EQ(collected, 3 + 13) << "each tick from 27 on";
    goal.reset();
    EXPECT_FALSE(field.update_timed(false, kTickS)) << "as an update without goals";
}

// proves: GRID-011, GRID-012
TEST_F(TimedMeshTest, RuntimeInitKeepsTheTimerTheOthersResetIt) {
    EXPECT_TRUE(field.update_timed(false, 0.05));
    EXPECT_EQ(field.next_update_s(), 1);
    field.init(InitMode::kRuntime);
    EXPECT_EQ(field.next_update_s(), 1);
    for (const InitMode mode : {InitMode::kConstruction, InitMode::kBeginPlay}) {
        EXPECT_TRUE(field.update_timed(false, 0.05));
        field.init(mode);
        EXPECT_EQ(field.next_update_s(), 0);
    }
}

// proves: GRID-020, SYNC-060
TEST_F(TimedMeshTest, ASyncedFieldFloodsTheStreamsGoalsAgainWhenItIsDue) {
    const auto mesh = std::make_shared<const MeshReplica>(tests::replica_of(bake(plain())));
    ASSERT_TRUE(field.set_replica(mesh, {at(2, 0, 4)}, 1));
    const auto wind = std::make_shared<ShapeDirectionModifier>();
    wind->shape = BoxShape{at(16, 0, 4), {9000, 9000, 900}, 0};
    wind->direction = {0, 0, 1};
    ASSERT_TRUE(field.register_modifier(wind, ModifierOrigin::kCommand));
    EXPECT_GT(field.query(at(14, 0, 4), 0).direction.x, 0.9F);
    EXPECT_TRUE(field.update_timed(false, 0.05));
    EXPECT_EQ(field.query(at(14, 0, 4), 0).direction, (Vec3f{0, 0, 1}));
    EXPECT_EQ(field.query(at(14, 0, 4), 0).goal, at(2, 0, 4));
    EXPECT_EQ(field.substrate_version(), 1U);
    EXPECT_EQ(collected, 0) << "its own goals are not asked";
}

/// A level floor that only capsules meet; it writes down what was asked.
class CapsuleFloor final : public WorldQuery {
  public:
    struct Sweep {
        Vec3d from, to;
        double radius_cm, half_height_cm;
        TraceMask mask;
    };
    explicit CapsuleFloor(double z) : z_(z) {}
    [[nodiscard]] std::optional<SurfaceHit> trace_line(Vec3d, Vec3d, TraceMask) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_sphere(Vec3d, Vec3d, double,
                                                         TraceMask) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<SurfaceHit> sweep_capsule(Vec3d from, Vec3d to, double radius_cm,
                                                          double half_height_cm,
                                                          TraceMask mask) const override {
        sweeps.push_back({from, to, radius_cm, half_height_cm, mask});
        if (to.z - half_height_cm > z_) return std::nullopt;
        return SurfaceHit{{from.x, from.y, z_}, {0, 0.6F, 0.8F}};
    }
    mutable std::vector<Sweep> sweeps;

  private:
    double z_;
};

class MeshGroundTest : public MeshFieldTest {
  protected:
    static constexpr double kRadiusCm = 30;
    static constexpr double kHalfHeightCm = 90;

    MeshField standing() {
        MeshField field = make(plain());
        FieldSetup setup;
        setup.ground_mask = 4;
        EXPECT_TRUE(field.set_setup(setup));
        field.set_goals({{}, {at(30, 0, 4)}});
        EXPECT_TRUE(field.update(true));
        return field;
    }
    static GroundAnswer ground(MeshField& field, Vec3d agent, TraceMode mode,
                               double kill_z = -1000) {
        return field.ground_location(agent, kRadiusCm, kHalfHeightCm, mode, kill_z);
    }

    CapsuleFloor floor{-60};
    const Vec3d on_mesh = at(14, 2, 4);
    const Vec3d beside = at(14, 2, 40);
};

// proves: GRID-056, GRID-057, GRID-058
TEST_F(MeshGroundTest, FollowsItsTraceMode) {
    host.world = &floor;
    MeshField field = standing();
    const GroundAnswer by_field = ground(field, on_mesh, TraceMode::kFlowField);
    const GroundAnswer surface = field.interpolated_ground(on_mesh, kRadiusCm);
    ASSERT_TRUE(by_field.valid);
    EXPECT_EQ(by_field.location, surface.location);
    EXPECT_EQ(by_field.normal, surface.normal);
    EXPECT_FALSE(ground(field, beside, TraceMode::kFlowField).valid);
    EXPECT_TRUE(ground(field, on_mesh, TraceMode::kFlowFieldOrCapsuleSweep).location ==
                surface.location);
    EXPECT_TRUE(floor.sweeps.empty()) << "the field knows, or nothing else was asked for";

    const GroundAnswer fallen = ground(field, on_mesh, TraceMode::kCapsuleSweep);
    EXPECT_TRUE(fallen.valid);
    EXPECT_EQ(fallen.location, (Vec3d{on_mesh.x, on_mesh.y, -60}));
    EXPECT_EQ(fallen.normal, (Vec3f{0, 0.6F, 0.8F}));
    EXPECT_EQ(ground(field, beside, TraceMode::kFlowFieldOrCapsuleSweep).location.z, -60);
    EXPECT_FALSE(ground(field, on_mesh, TraceMode::kCapsuleSweep, 31).valid)
        << "no deeper than kill Z";
    ASSERT_EQ(floor.sweeps.size(), 3U);
    EXPECT_EQ(floor.sweeps[0].from, on_mesh);
    EXPECT_EQ(floor.sweeps[0].to, (Vec3d{on_mesh.x, on_mesh.y, -1000}));
    EXPECT_EQ(floor.sweeps[0].radius_cm, kRadiusCm);
    EXPECT_EQ(floor.sweeps[0].half_height_cm, kHalfHeightCm);
    EXPECT_EQ(floor.sweeps[0].mask, 4U);
    EXPECT_TRUE(codes.empty());
}

// proves: GRID-055, GRID-057, O-GEN-08
TEST_F(MeshGroundTest, NoCapsuleFallsWithoutAWorldAWidthOrAPlace) {
    MeshField blind = standing();
    EXPECT_FALSE(ground(blind, beside, TraceMode::kFlowFieldOrCapsuleSweep).valid);
    host.world = &floor;
    MeshField field = standing();
    constexpr TraceMode kFall = TraceMode::kCapsuleSweep;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const GroundAnswer none = ground(field, {nan, 0, 0}, kFall);
    EXPECT_FALSE(none.valid);
    EXPECT_EQ(none.location, Vec3d{});
    EXPECT_EQ(none.normal, (Vec3f{0, 0, 1}));
    EXPECT_FALSE(ground(field, {0, 0, nan}, kFall).valid);
    EXPECT_FALSE(ground(field, on_mesh, kFall, -HUGE_VAL).valid);
    EXPECT_FALSE(field.ground_location(on_mesh, 0, kHalfHeightCm, kFall, -1000).valid);
    EXPECT_FALSE(field.ground_location(on_mesh, nan, kHalfHeightCm, kFall, -1000).valid);
    EXPECT_TRUE(floor.sweeps.empty());
    EXPECT_TRUE(field.ground_location(on_mesh, 30, 10, kFall, -1000).valid);
    EXPECT_EQ(floor.sweeps.at(0).half_height_cm, 30) << "a ball at least";
}

// proves: O-GEN-09
TEST_F(MeshGroundTest, InLockstepNoTraceReachesAnAgent) {
    host.world = &floor;
    host.lockstep = true;
    MeshField field = standing();
    const Vec3d surface = field.interpolated_ground(on_mesh, kRadiusCm).location;
    for (const TraceMode mode : {TraceMode::kCapsuleSweep, TraceMode::kFlowFieldOrCapsuleSweep}) {
        EXPECT_EQ(ground(field, on_mesh, mode).location, surface);
        EXPECT_FALSE(ground(field, beside, mode).valid);
    }
    EXPECT_TRUE(floor.sweeps.empty());
    EXPECT_EQ(codes, std::vector{static_cast<int>(FieldLog::kTraceRefused)}) << "said once";
}

}  // namespace
}  // namespace maniple::nav
