#include "maniple/skirmish/mesh_battle.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <thread>

#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/mesh_skirmish.h"
#include "maniple/substrate/played_mesh.h"

#include "forged_state.h"
#include "held_background.h"
#include "state_proof.h"

namespace maniple::skirmish {
namespace {

/// A level rectangle or a ramp, world cm: two triangles that face upwards.
void add_floor(terrain::TriangleMesh& mesh, Vec2d low, Vec2d high, double z_low_x,
               double z_high_x) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {{low.x, low.y, z_low_x},
                                               {high.x, low.y, z_high_x},
                                               {high.x, high.y, z_high_x},
                                               {low.x, high.y, z_low_x}});
    mesh.triangles.insert(mesh.triangles.end(),
                          {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
}

/// A plain of 60 m by 30 m. A ramp climbs from it to a terrace 4 m up that reaches back over the
/// plain as a bridge; an island lies 3 m beyond the plain, joined by an off-mesh connection.
BakedGround bake_ground() {
    terrain::TriangleMesh mesh;
    add_floor(mesh, {0, 0}, {6000, 3000}, 0, 0);
    add_floor(mesh, {2000, 0}, {3200, 400}, 0, 400);
    add_floor(mesh, {3200, 0}, {4400, 400}, 400, 400);
    add_floor(mesh, {4000, 400}, {4400, 3000}, 400, 400);
    add_floor(mesh, {6300, 0}, {7800, 3000}, 0, 0);
    terrain::NavMeshConfig config;
    config.links = {{"jump", {5900, 1500, 0}, {6400, 1500, 0}, terrain::NavLink::Direction::kBoth}};
    auto baker = terrain::NavMeshBaker::make(mesh, config);
    EXPECT_TRUE(baker.has_value());
    BakedGround ground;
    ground.baker = std::make_shared<const terrain::NavMeshBaker>(std::move(*baker));
    core::SerialExecutor serial;
    auto baked = ground.baker->bake("ground", serial);
    EXPECT_TRUE(baked.has_value());
    ground.mesh = std::move(*baked);
    return ground;
}

sim::Command order(std::uint32_t type, sim::Tick tick, std::int64_t team = 0) {
    static std::int64_t sequence = 0;
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.server_exec_sequence = ++sequence;
    command.target = kFieldName;
    command.set("team", team);
    command.set("squad", std::int64_t{0});
    return command;
}

/// A squad of nine around a place on the plain.
class MeshWalkTest : public testing::Test {
  protected:
    MeshWalkTest() : world_(make_mesh_skirmish(), {}, executor_) {
        const auto stream = bake_ground().stream();
        EXPECT_TRUE(stream.has_value());
        EXPECT_TRUE(world_.import_substrate(kFieldName, stream->bytes()).has_value());
        sim::Int32List places;
        for (std::int32_t i = 0; i < 9; ++i) {
            places.insert(places.end(), {1000 + 100 * (i % 3), 1000 + 100 * (i / 3), 0});
        }
        spawn(0, std::move(places));
    }
    void spawn(std::int64_t team, sim::Int32List places) {
        sim::Command command = order(kCommandSpawnSquad, world_.tick() + 1, team);
        command.set("template", std::string("melee"));
        command.set("places", std::move(places));
        EXPECT_TRUE(world_.queue(std::move(command)).has_value());
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) ASSERT_TRUE(world_.step().has_value());
    }
    void walk_to(std::int32_t x, std::int32_t y, std::int32_t z, int ticks) {
        sim::Command move = order(kCommandMoveTo, world_.tick() + 2);
        move.set("goal", sim::Int32List{x, y, z});
        ASSERT_TRUE(world_.queue(std::move(move)).has_value());
        for (int i = 0; i < ticks; ++i) {
            ASSERT_TRUE(world_.step().has_value());
            for (const auto& [x_now, y_now, z_now] : places()) {
                highest_ = std::max(highest_, z_now);
                farthest_ = std::max(farthest_, x_now);
            }
        }
    }
    std::vector<std::array<double, 3>> places() {
        std::vector<std::array<double, 3>> all;
        for (std::uint16_t id = 0; id < kTemplateKeys.size(); ++id) {
            const auto positions = world_.column<Position>({id});
            const auto footings = world_.column<Footing>({id});
            for (std::size_t row = 0; row < positions.size(); ++row) {
                const Vec2d at = positions[row].cm();
                all.push_back({at.x, at.y, footings[row].z});
            }
        }
        return all;
    }
    void expect_around(double x, double y, double z) {
        ASSERT_EQ(places().size(), 9u);
        for (const auto& place : places()) {
            EXPECT_LT(std::hypot(place[0] - x, place[1] - y), 600);
            EXPECT_NEAR(place[2], z, 60);
        }
    }

    std::vector<Unit> units_of(std::int32_t team) {
        std::vector<Unit> found;
        for (const Unit& unit : world_.column<Unit>({1})) {
            if (unit.team == team) found.push_back(unit);
        }
        return found;
    }

    static constexpr std::int32_t kFullHealth = 120;
    core::SerialExecutor executor_;
    sim::World world_;
    double highest_ = 0;
    double farthest_ = 0;
};

TEST_F(MeshWalkTest, UnitsClimbTheRampToTheFloorOverThePlaceBelow) {
    walk_to(4200, 2500, 400, 500);
    expect_around(4200, 2500, 400);
    // Right under that place: down the ramp again.
    walk_to(4200, 2500, 0, 700);
    expect_around(4200, 2500, 0);
}

TEST_F(MeshWalkTest, UnitsCrossAnOffMeshConnection) {
    walk_to(7000, 1500, 0, 600);
    expect_around(7000, 1500, 0);
    EXPECT_LT(highest_, 60);
    walk_to(1000, 1000, 0, 600);
    expect_around(1000, 1000, 0);
}

TEST_F(MeshWalkTest, AMoveToWhereNoWayLeadsFails) {
    sim::Command move = order(kCommandMoveTo, 3);
    move.set("goal", sim::Int32List{90'000, 0, 0});
    ASSERT_TRUE(world_.queue(std::move(move)).has_value());
    run(30);
    EXPECT_TRUE(world_.state().tasks.empty());
    expect_around(1100, 1100, 0);
}

TEST_F(MeshWalkTest, NobodyFightsThroughAFloor) {
    // On the bridge, 4 m over the plain, and under it beside one another.
    spawn(0, {4200, 2000, 400});
    spawn(1, {4200, 2000, 0, 4300, 2100, 0});
    run(120);
    const auto units = world_.column<Unit>({1});
    const auto footings = world_.column<Footing>({1});
    for (std::size_t row = 0; row < units.size(); ++row) {
        EXPECT_EQ(units[row].health, kFullHealth) << footings[row].z;
    }
    // An enemy on the floor itself is found though the one above is nearer.
    spawn(0, {4300, 2000, 0});
    run(40);
    EXPECT_LT(units_of(0).back().health, kFullHealth);
}

TEST_F(MeshWalkTest, UnitsInsideANewBoxWalkOutOfIt) {
    run(1);
    BakedGround ground = bake_ground();
    const terrain::NavBox box{{900, 900, -50}, {1300, 1300, 250}};
    auto rebaked = ground.baker->rebake(ground.mesh, executor_, {&box, 1}, {&box, 1});
    ASSERT_TRUE(rebaked.has_value());
    ground.mesh = std::move(*rebaked);
    const auto stream = ground.stream();
    ASSERT_TRUE(stream.has_value());
    sim::Command command = order(sim::kCommandRebuildFlowField, world_.tick() + 1);
    command.byte_payload.assign(stream->bytes().begin(), stream->bytes().end());
    ASSERT_TRUE(world_.queue(std::move(command)).has_value());
    const auto before = places();
    run(1);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double step =
            std::hypot(places()[i][0] - before[i][0], places()[i][1] - before[i][1]);
        EXPECT_LT(step, 60) << "they walk";
    }
    run(40);
    for (const Footing& footing : world_.column<Footing>({1})) EXPECT_GE(footing.polygon, 0);
    for (const auto& place : places()) {
        const bool inside = place[0] > 900 && place[0] < 1300 && place[1] > 900 && place[1] < 1300;
        EXPECT_FALSE(inside);
    }
}

TEST_F(MeshWalkTest, AStreamOfAGridStopsEveryoneAndNothingElse) {
    run(1);
    const auto map = terrain::make_builtin_map("builtin:valley:64");
    ASSERT_TRUE(map.has_value());
    ASSERT_TRUE(world_.import_substrate(kFieldName, map->stream.bytes()).has_value());
    const auto before = places();
    run(20);
    EXPECT_EQ(places(), before);
}

TEST_F(MeshWalkTest, RefusesCommandsWithoutPlaces) {
    run(1);
    spawn(0, {1, 2});
    sim::Command move = order(kCommandMoveTo, 3);
    move.set("goal", sim::Int32List{1, 2});
    ASSERT_TRUE(world_.queue(std::move(move)).has_value());
    run(3);
    EXPECT_EQ(world_.state().uid_cursor, 9);
    EXPECT_TRUE(world_.state().tasks.empty());
}

// What is on the lattice is taken at any height, and every snapshot of it is accepted.
TEST_F(MeshWalkTest, RefusesPlacesBeyondTheLatticeAndTakesThoseOnIt) {
    run(1);
    const auto edge = static_cast<std::int32_t>(Position::kEdgeCm);
    spawn(0, {edge + 1, 0, 0});
    spawn(0, {0, -edge - 1, 0});
    run(3);
    EXPECT_EQ(world_.state().uid_cursor, 9);
    spawn(0, {edge, -edge, INT32_MAX});
    run(3);
    EXPECT_EQ(world_.state().uid_cursor, 10);
    for (const sim::Int32List& goal :
         {sim::Int32List{edge + 1, 0, 0}, sim::Int32List{0, edge, INT32_MIN}}) {
        sim::Command move = order(kCommandMoveTo, world_.tick() + 1);
        move.set("goal", goal);
        ASSERT_TRUE(world_.queue(std::move(move)).has_value());
        run(1);
        const auto frame = proof::frame_of(world_);
        const auto decoded =
            snapshot::decode_snapshot(*make_mesh_skirmish(), frame, snapshot::Policy::kJoin);
        ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
        const auto restored = snapshot::restore(make_mesh_skirmish(), *decoded, executor_);
        EXPECT_TRUE(restored.has_value()) << restored.error().message;
    }
    EXPECT_EQ(world_.state().next_move_to_task_id, 2) << "only the second goal is a place";
}

Result<std::unique_ptr<LocalBattle>> make_battle(const BattleOptions& options,
                                                 core::Executor& executor) {
    auto script = MeshBattleScript::make(bake_ground(), options);
    if (!script) return refuse(script.error());
    const core::Bytes start(script->start_stream().begin(), script->start_stream().end());
    return LocalBattle::make(std::make_unique<MeshBattleScript>(std::move(*script)), start,
                             options.seed, executor);
}

// proves: O-SYNC-13, O-NET-14, NET-001
TEST(MeshBattle, GivesOneTraceWithAnyThreadsAndToALateJoiner) {
    constexpr sim::Tick kTicks = 260;
    constexpr sim::Tick kJoin = 130;
    const BattleOptions options{.units = 200, .seed = 3, .edit_map_every = 20};
    core::SerialExecutor serial;
    const auto three = core::make_executor(3);
    auto battle = make_battle(options, serial);
    auto threaded = make_battle(options, *three);
    ASSERT_TRUE(battle.has_value() && threaded.has_value());
    std::unique_ptr<sim::World> late;
    for (sim::Tick tick = 1; tick <= kTicks; ++tick) {
        const auto one = (*battle)->step();
        const auto other = (*threaded)->step();
        ASSERT_TRUE(one.has_value() && other.has_value()) << tick;
        ASSERT_EQ(*one, *other) << tick;
        if (late != nullptr) {
            for (const sim::Command& command : (*battle)->last_commands()) {
                ASSERT_TRUE(late->queue(command).has_value());
            }
            ASSERT_EQ(*late->step(), *one) << tick;
        }
        if (tick == kJoin) {
            const sim::World& world = (*battle)->world();
            late = std::make_unique<sim::World>(make_mesh_skirmish(),
                                                sim::MatchConfig{.seed = options.seed}, serial);
            ASSERT_TRUE(
                late->import_substrate(kFieldName, world.substrate_stream(kFieldName)).has_value());
            late->adopt_state(world.state());
            late->recover();
            ASSERT_EQ(late->compute_hash(), *one);
        }
    }
    const BattleFigures& figures = (*battle)->figures();
    EXPECT_EQ(figures.spawned[0] + figures.spawned[1], 200);
    EXPECT_LT(figures.alive[0] + figures.alive[1], 200) << "they fought";
    const auto& script = static_cast<const MeshBattleScript&>((*battle)->script());
    EXPECT_GT(script.dispatched().delta.count, 5);
    EXPECT_FALSE(script.edits().standing().empty());
}

// proves: NET-017, SNAP-014
TEST(MeshBattle, SaveLoadStepEqualsStep) {
    constexpr sim::Tick kLast = 240;
    const auto executor = core::make_executor(1);
    auto script = MeshBattleScript::make(bake_ground(), {.units = 120, .edit_map_every = 30});
    ASSERT_TRUE(script.has_value());
    sim::World world(make_mesh_skirmish(), {}, *executor);
    ASSERT_TRUE(world.import_substrate(kFieldName, script->start_stream()).has_value());
    for (sim::Tick tick = 1; tick <= kLast; ++tick) {
        for (sim::Command& command : script->commands_for_tick(tick)) {
            ASSERT_TRUE(world.queue(std::move(command)).has_value());
        }
    }
    const proof::Recording run =
        proof::record(world, kLast, {1, 2, 29, 30, 31, 100, 119, 120, 210});
    proof::expect_load_and_step_equals_step(make_mesh_skirmish(), run, *executor, 12);
}

// proves: NET-003
TEST(MeshBattle, EditsNeitherCutTheGroundNorStandOnASpawnZone) {
    auto script =
        MeshBattleScript::make(bake_ground(), {.units = 100, .seed = 5, .edit_map_every = 1});
    ASSERT_TRUE(script.has_value());
    for (sim::Tick tick = 1; tick <= 30; ++tick) {
        static_cast<void>(script->server_commands_at(tick));
        for (const terrain::NavBox& box : script->edits().standing()) {
            for (std::int32_t team = 0; team < kTeamCount; ++team) {
                for (const Spot& spot : script->plan().spawn_zone(team)) {
                    const bool inside = spot.at_cm[0] > box.low.x && spot.at_cm[0] < box.high.x &&
                                        spot.at_cm[1] > box.low.y && spot.at_cm[1] < box.high.y;
                    EXPECT_FALSE(inside);
                }
            }
        }
    }
    EXPECT_GT(script->dispatched().delta.count, 20);
}

// proves: O-SYNC-13, O-NET-14
TEST(MeshBattle, EditsBakedBesideTheTicksAreThoseBakedInThem) {
    const BattleOptions options{.units = 100, .seed = 5, .edit_map_every = 3};
    auto ahead = MeshBattleScript::make(bake_ground(), options);
    auto inside = MeshBattleScript::make(bake_ground(), options);
    ASSERT_TRUE(ahead.has_value() && inside.has_value());
    const auto worker = core::make_background();
    for (sim::Tick tick = 1; tick <= 60; ++tick) {
        ahead->prepare_change(tick - 1, 60, *worker);
        EXPECT_TRUE(tick % 3 == 0 || ahead->is_ready(tick)) << "needs no edit";
        while (!ahead->is_ready(tick)) std::this_thread::yield();
        EXPECT_TRUE(ahead->server_commands_at(tick) == inside->server_commands_at(tick)) << tick;
        EXPECT_EQ(*ahead->stream_at(kFieldName, tick), *inside->stream_at(kFieldName, tick));
    }
    EXPECT_GT(ahead->dispatched().delta.count, 10);
}

TEST(MeshBattle, NoEditIsBakedThatWouldComeAfterTheLastTick) {
    auto script = MeshBattleScript::make(bake_ground(), {.units = 100, .edit_map_every = 3});
    ASSERT_TRUE(script.has_value());
    tests::HeldBackground held;
    script->prepare_change(9, 11, held);
    EXPECT_EQ(held.size(), 0u);
    script->prepare_change(9, 12, held);
    EXPECT_EQ(held.size(), 1u);
    script->prepare_change(10, 12, held);
    EXPECT_EQ(held.size(), 1u) << "it is under way";
}

/// Snapshots that are whole and hash as they say, with values that no unit on a mesh has.
TEST(MeshBattle, AForgedHeightIsRefusedByNameAndForgedPolygonsAreBorne) {
    const auto game = make_mesh_skirmish();
    core::SerialExecutor executor;
    sim::World world(game, {}, executor);
    auto script = MeshBattleScript::make(bake_ground(), {.units = 60, .seed = 5});
    ASSERT_TRUE(script.has_value());
    ASSERT_TRUE(world.import_substrate(kFieldName, bake_ground().stream()->bytes()));
    while (world.tick() < 60) {
        for (sim::Command& command : script->commands_for_tick(world.tick() + 1)) {
            ASSERT_TRUE(world.queue(std::move(command)));
        }
        ASSERT_TRUE(world.step());
    }
    snapshot::Snapshot sound;
    snapshot::capture(world, sound);
    snapshot::add_substrates(world, sound);
    const auto forged = [&](const auto& forge) {
        snapshot::Snapshot copy = sound;
        sim::EntityGroup& group = copy.state.groups[1];
        forge(
            *reinterpret_cast<Footing*>(group.find_column(game->fragment_id<Footing>())->row(2)),
            *reinterpret_cast<Position*>(group.find_column(game->fragment_id<Position>())->row(2)));
        return proof::restore_forged(game, std::move(copy), executor);
    };
    for (const double z : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1e300}) {
        const auto refused = forged([&](Footing& footing, Position&) { footing.z = z; });
        ASSERT_FALSE(refused.has_value());
        EXPECT_TRUE(refused.error().message.starts_with("Footing.z of entity "))
            << refused.error().message;
    }
    for (const std::int32_t number : {INT32_MIN, -1, 0, 7, INT32_MAX}) {
        const auto borne = forged([&](Footing& footing, Position& position) {
            footing.slot = number;
            footing.polygon = number;
            position = {number, number};
        });
        ASSERT_TRUE(borne.has_value()) << borne.error().message;
        for (int i = 0; i < 12; ++i) EXPECT_TRUE((*borne)->step());
    }
}

/// A level square of 12 m around a place. No baker takes a mesh so far out: its tile is moved
/// there.
substrate::NavMeshStream square_at(Vec2d centre_cm) {
    terrain::TriangleMesh mesh;
    add_floor(mesh, {-600, -600}, {600, 600}, 0, 0);
    core::SerialExecutor serial;
    auto baked = terrain::NavMeshBaker::make(mesh, {})->bake("square", serial);
    const nav::MeshPosition by = nav::to_mesh({centre_cm.x, centre_cm.y, 0});
    std::vector<nav::MeshTile> tiles;
    for (nav::BakedTile& tile : baked->tiles) {
        std::uint8_t* blob = tile.blob.data();
        const auto count = [&](std::size_t at) {
            return static_cast<std::size_t>(core::load_le<std::int32_t>(blob + at));
        };
        const auto move = [&](std::size_t at, std::size_t points) {
            for (std::size_t end = at + 12 * points; at < end; at += 12) {
                for (const std::size_t axis : {0u, 2u}) {
                    std::uint8_t* value = blob + at + 4 * axis;
                    core::store_le(value, core::load_le<float>(value) + by[axis]);
                }
            }
        };
        // The bounds, the vertices, and those of the details, as Detour lays a tile out.
        move(72, 2);
        move(100, count(28));
        move(100 + 12 * count(28) + 32 * count(24) + 12 * count(32) + 12 * count(36), count(40));
        tiles.push_back({tile.slot, tile.blob});
    }
    for (const std::size_t axis : {0u, 2u}) baked->params.origin[axis] += by[axis];
    auto stream =
        substrate::NavMeshStream::write({{}, {}, baked->params, baked->area_costs, tiles});
    EXPECT_TRUE(stream.has_value());
    return std::move(*stream);
}

TEST(MeshFacts, RefusesAMeshBeyondTheLatticeOfPositions) {
    for (const double side : {1.0, -1.0}) {
        for (const Vec2d axis : {Vec2d{1, 0}, Vec2d{0, 1}}) {
            SCOPED_TRACE(testing::Message() << side * axis.x << ' ' << side * axis.y);
            const auto near = square_at(axis * (side * (Position::kEdgeCm - 1000)));
            const auto facts = MeshFacts::of(near.view(), 4);
            ASSERT_TRUE(facts.has_value()) << facts.error().message;
            EXPECT_FALSE(facts->spots.empty());
            const auto far = square_at(axis * (side * Position::kEdgeCm));
            const auto refused = MeshFacts::of(far.view(), 4);
            ASSERT_FALSE(refused.has_value());
            EXPECT_EQ(refused.error().code, ErrorCode::kOverCap);
        }
    }
}

TEST(MeshPlan, RefusesMoreUnitsThanSpots) {
    const auto script = MeshBattleScript::make(bake_ground(), {.units = 1'000'000});
    ASSERT_FALSE(script.has_value());
    EXPECT_EQ(script.error().code, ErrorCode::kTooManyUnits);
}

}  // namespace
}  // namespace maniple::skirmish
