#include <gtest/gtest.h>

#include "maniple/sim/world.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/map_facts.h"
#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::skirmish {
namespace {

constexpr sim::TemplateId kMelee{1};
constexpr sim::TemplateId kRanged{2};

/// 32 × 8 cells of level ground; `wall_x` ≥ 0 closes that column.
substrate::CheckedStream strip(std::int32_t wall_x) {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, 32, 8, 100);
    const std::size_t cells = ground.geometry.cell_count();
    ground.cost.assign(cells, 1);
    ground.type.assign(cells, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(cells, 0);
    ground.normal.assign(cells, {0, 0, 127});
    for (std::int32_t y = 0; y < 8 && wall_x >= 0; ++y) {
        const nav::CellIndex cell = ground.geometry.index({wall_x, y});
        ground.cost[cell] = nav::kImpassableCost;
        ground.type[cell] = static_cast<std::uint8_t>(nav::CellType::kObstacle);
    }
    return substrate::write_grid_stream(ground);
}

class Orders : public testing::Test {
  protected:
    void begin(std::int32_t wall_x) {
        ASSERT_TRUE(world_.import_substrate(kFieldName, strip(wall_x).bytes()));
        send(kCommandSpawnSquad, 0, [](sim::Command& c) {
            c.set("template", std::string("melee"));
            c.set("cells", sim::Int32List{2 * 8 + 3, 2 * 8 + 5});
        });
        ASSERT_TRUE(world_.step());
    }
    template <typename Fill>
    void send(std::uint32_t type, std::int64_t team, Fill&& fill) {
        sim::Command command;
        command.type = type;
        command.tick = world_.tick() + 1;
        command.server_exec_sequence = ++sequence_;
        command.set("team", team);
        command.set("squad", std::int64_t{0});
        fill(command);
        ASSERT_TRUE(world_.queue(std::move(command)));
    }
    void move_to(std::int64_t cell) {
        send(kCommandMoveTo, 0, [cell](sim::Command& c) { c.set("goal", cell); });
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) ASSERT_TRUE(world_.step());
    }

    core::SerialExecutor executor_;
    sim::World world_{make_skirmish(), {}, executor_};
    std::int64_t sequence_ = 0;
};

TEST_F(Orders, ReachableGoalIsReachedByTheSquad) {
    begin(-1);
    move_to(28 * 8 + 4);
    run(300);
    EXPECT_TRUE(world_.tasks().empty());
    for (const std::int32_t uid : {0, 1}) {
        EXPECT_EQ(world_.fragment<Order>({uid})->state, OrderState::kArrived);
        EXPECT_GT(world_.fragment<Position>({uid})->cm().x, 800.0);
    }
}

TEST_F(Orders, GoalBehindAWallFailsAtOnceAndReleasesItsLayer) {
    begin(16);
    move_to(28 * 8 + 4);
    run(1);
    EXPECT_TRUE(world_.tasks().empty());
    EXPECT_EQ(world_.fragment<Order>({0})->state, OrderState::kFailed);
    run(1);
    EXPECT_EQ(world_.find_field(kFieldName)->layer_count(), 0U);
}

TEST_F(Orders, UnitInsideANewWallWalksOut) {
    begin(-1);
    sim::Command command;
    command.type = sim::kCommandRebuildFlowField;
    command.tick = world_.tick() + 1;
    command.server_exec_sequence = ++sequence_;
    command.target = kFieldName;
    const substrate::CheckedStream walled = strip(2);
    command.byte_payload.assign(walled.bytes().begin(), walled.bytes().end());
    ASSERT_TRUE(world_.queue(std::move(command)));
    run(20);
    const nav::FlowField& field = *world_.find_field(kFieldName);
    for (const std::int32_t uid : {0, 1}) {
        const Vec2d at = world_.fragment<Position>({uid})->cm();
        const auto located = field.geometry().world_to_grid(at);
        EXPECT_TRUE(field.passable(field.geometry().index(located.coord)));
    }
}

TEST_F(Orders, UnitsOnOneSpotDriftApart) {
    begin(-1);
    *world_.fragment<Position>({1}) = *world_.fragment<Position>({0});
    run(40);
    const Vec2d off = world_.fragment<Position>({0})->cm() - world_.fragment<Position>({1})->cm();
    EXPECT_GT(dot(off, off), 60.0 * 60.0);
}

TEST_F(Orders, TheDeadAreTaggedDyingBeforeTheyGo) {
    begin(-1);
    send(kCommandSpawnSquad, 1, [](sim::Command& c) {
        c.set("template", std::string("ranged"));
        c.set("cells", sim::Int32List{6 * 8 + 3});
    });
    run(1);
    world_.fragment<Unit>({0})->health = 1;
    world_.fragment<Unit>({1})->health = 1;
    bool seen_dying = false;
    for (int i = 0; i < 120; ++i) {
        run(1);
        for (const std::uint16_t tags : world_.group(kMelee).tags) {
            seen_dying = seen_dying || (tags & sim::kTagDying) != 0;
        }
    }
    EXPECT_TRUE(seen_dying);
    EXPECT_EQ(world_.group(kMelee).size(), 0U);
    EXPECT_EQ(world_.group(kRanged).size(), 1U);
}

/// What a unit loses in the next 100 ticks, strike by strike.
struct Blows {
    std::vector<std::int32_t> damage;
    std::vector<sim::Tick> ticks;
};
Blows blows_on(sim::World& world, sim::Uid victim) {
    Blows blows;
    for (int i = 0; i < 100; ++i) {
        const std::int32_t before = world.fragment<Unit>(victim)->health;
        EXPECT_TRUE(world.step());
        const std::int32_t after = world.fragment<Unit>(victim)->health;
        if (after == before) continue;
        blows.damage.push_back(before - after);
        blows.ticks.push_back(world.tick());
    }
    return blows;
}

TEST_F(Orders, ArchersOfASquadLooseInOneTick) {
    begin(-1);
    send(kCommandSpawnSquad, 1, [](sim::Command& c) {
        c.set("template", std::string("ranged"));
        c.set("cells", sim::Int32List{8 * 8 + 2, 8 * 8 + 4, 8 * 8 + 6});
    });
    run(1);
    for (const std::int32_t uid : {0, 1}) world_.fragment<Unit>({uid})->health = 10'000;
    Blows blows = blows_on(world_, {0});
    const Blows second = blows_on(world_, {1});
    blows.ticks.insert(blows.ticks.end(), second.ticks.begin(), second.ticks.end());
    ASSERT_GE(blows.ticks.size(), 4U);
    for (const sim::Tick tick : blows.ticks) EXPECT_EQ(tick % 20, blows.ticks.front() % 20);
}

TEST_F(Orders, CavalryStrikesHarderAtAGallop) {
    begin(-1);
    send(kCommandSpawnSquad, 1, [](sim::Command& c) {
        c.set("template", std::string("cavalry"));
        c.set("cells", sim::Int32List{12 * 8 + 3});
    });
    run(1);
    for (const std::int32_t uid : {0, 1, 2}) world_.fragment<Unit>({uid})->health = 10'000;
    send(kCommandChaseAttack, 1, [](sim::Command&) {});
    Blows blows = blows_on(world_, {0});
    if (blows.damage.empty()) FAIL() << "the rider met the other unit";
    ASSERT_GE(blows.damage.size(), 2U);
    EXPECT_GE(blows.damage[0], 45);
    EXPECT_LT(blows.damage[1], 17);
}

TEST_F(Orders, SpawnOnAWallIsRefusedWhole) {
    begin(16);
    send(kCommandSpawnSquad, 0, [](sim::Command& c) {
        c.set("template", std::string("melee"));
        c.set("cells", sim::Int32List{8, 16 * 8});
    });
    run(1);
    EXPECT_EQ(world_.state().uid_cursor, 2);
}

TEST_F(Orders, OnlyUnitsAreSpawnedAsASquad) {
    begin(-1);
    send(kCommandSpawnSquad, 0, [](sim::Command& c) {
        c.set("template", std::string(kWallKey));
        c.set("cells", sim::Int32List{8});
    });
    run(1);
    EXPECT_EQ(world_.state().uid_cursor, 2);
}

}  // namespace
}  // namespace maniple::skirmish
