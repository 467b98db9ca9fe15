#include "maniple/battle_file/world_simulator.h"

#include <gtest/gtest.h>

#include "maniple/battle_file/battle_writer.h"
#include "maniple/replay/container.h"
#include "maniple/substrate/grid_export.h"

#include "command_steps.h"
#include "tamper.h"

namespace maniple::battle_file {
namespace {

struct Counter {
    std::int64_t value = 1;
    std::int32_t step = 1;
};
BOOST_DESCRIBE_STRUCT(Counter, (), (value, step))

constexpr std::uint32_t kCommandSpawn = sim::kFirstGameCommand;
constexpr std::uint32_t kCommandPush = sim::kFirstGameCommand + 1;
constexpr sim::Tick kTicks = 75;

Result<void> push(sim::World& world, const sim::Command& command) {
    const auto* uid = command.param<std::int64_t>("uid");
    const auto* amount = command.param<std::int64_t>("amount");
    if (uid == nullptr || amount == nullptr) return refuse(ErrorCode::kBadValue, "no push");
    auto* counter = world.fragment<Counter>(sim::Uid{static_cast<std::int32_t>(*uid)});
    if (counter == nullptr) return refuse(ErrorCode::kNotFound, "no such unit");
    counter->value += *amount;
    return {};
}

/// A game of units that count, on one small field.
std::shared_ptr<const sim::GameDefinition> counting_game() {
    auto game = std::make_shared<sim::GameDefinition>("counting");
    game->add_fragment<Counter>("Counter");
    sim::TemplateBuilder(*game, "unit").with(Counter{}).add();
    game->add_field("ground");
    game->add_command({kCommandSpawn, "Spawn", [](sim::World& world, const sim::Command&) {
                           world.spawn(*world.definition().find_template("unit"));
                           return Result<void>();
                       }});
    game->add_command({kCommandPush, "Push", push});
    game->add_system({"Count", [](sim::SystemContext& context) {
                          const auto id = *context.world.definition().find_template("unit");
                          for (Counter& counter : context.world.column<Counter>(id)) {
                              counter.value += counter.step;
                          }
                      }});
    game->seal();
    return game;
}

/// A flat field of 4 × 4 cells whose first cell has the given cost.
core::Bytes ground(std::uint8_t cost) {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, 4, 4, 100);
    ground.cost.assign(16, 1);
    ground.cost[0] = cost;
    ground.type.assign(16, static_cast<std::uint8_t>(nav::CellType::kGround));
    ground.z_cm.assign(16, 0);
    ground.normal.assign(16, {0, 0, 127});
    ground.goals_cm = {{0, 0, 0}};
    return substrate::write_grid_stream(ground).release();
}

sim::Command command(std::uint32_t type, sim::Tick tick, std::int64_t sequence) {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    return command;
}

std::vector<sim::Command> commands_at(sim::Tick tick) {
    std::vector<sim::Command> commands;
    if (tick <= 5) commands.push_back(command(kCommandSpawn, tick, tick));
    if (tick == 30) {
        commands.push_back(command(sim::kCommandRebuildFlowField, tick, 30));
        commands.back().target = "ground";
        commands.back().byte_payload = ground(9);
    }
    if (tick > 5 && tick % 3 == 0) {
        commands.push_back(command(kCommandPush, tick, 100 + tick));
        commands.back().set("uid", std::int64_t{tick % 5});
        commands.back().set("amount", std::int64_t{1000});
    }
    return commands;
}

struct Recorded {
    core::Bytes file;
    std::vector<std::uint64_t> hashes;
};

/// 75 ticks in ranges of 10 with keyframes at 20, 40 and 60. Commands are queued two ticks ahead,
/// so that keyframes have pending ones.
Recorded record() {
    const std::shared_ptr<const sim::GameDefinition> game = counting_game();
    core::SerialExecutor executor;
    sim::World world(game, {}, executor);
    BattleHeader header;
    header.registry_digest = game->registry_digest();
    header.range_ticks = 10;
    const FieldSubstrate start{"ground", ground(1)};
    EXPECT_TRUE(world.import_substrate(start.field, start.stream));
    MemorySink sink;
    BattleWriter writer(sink, {.keyframe_ticks = 20});
    EXPECT_TRUE(writer.begin(header, std::span(&start, 1)));
    Recorded recorded;
    snapshot::Snapshot snapshot;
    for (sim::Tick tick = 1; tick <= kTicks; ++tick) {
        const sim::Tick from = tick == 1 ? 1 : tick + 2;
        for (sim::Tick ahead = from; ahead <= tick + 2; ++ahead) {
            for (sim::Command& next : commands_at(ahead)) EXPECT_TRUE(world.queue(next));
        }
        recorded.hashes.push_back(*world.step());
        EXPECT_TRUE(writer.record_tick(tick, commands_at(tick), recorded.hashes.back()));
        if (!writer.take_keyframe_request()) continue;
        snapshot::capture(world, snapshot);
        EXPECT_TRUE(writer.add_keyframe(make_keyframe(world, snapshot)));
    }
    EXPECT_TRUE(writer.end(EndReason::kFinished));
    recorded.file = sink.take();
    return recorded;
}

VerifyReport verify(const core::Bytes& file, int threads = 1) {
    const Result<BattleReader> reader = BattleReader::open(file);
    EXPECT_TRUE(reader);
    const std::unique_ptr<core::Executor> executor = core::make_executor(threads);
    return verify_battle(*reader, simulate_worlds(counting_game()), *executor);
}

/// Changes the pushed amount at a tick from 1000 to 1001.
void change_push(std::vector<tamper::Chunk>& chunks, sim::Tick tick) {
    tamper::Chunk* chunk = tamper::find(chunks, ChunkType::kSteps, tick);
    replay::ReplayArray steps = *replay::decode_container(chunk->raw);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(steps.size()); ++i) {
        replay::Step step = *steps.get(i);
        if (step.command != kStepCommand || step.params[1] != replay::Param(100.0 + tick)) continue;
        ASSERT_EQ(step.params.back(), replay::Param(1000.0));
        step.params.back() = 1001.0;
        steps.set(i, step.command, step.params);
    }
    chunk->raw = replay::encode_container(steps);
}

TEST(WorldSimulator, VerifiesARecordedWorldFromItsStartAndItsKeyframes) {
    const Recorded recorded = record();
    for (const int threads : {1, 2}) {
        const VerifyReport report = verify(recorded.file, threads);
        EXPECT_TRUE(report.ok()) << (report.mismatch ? report.mismatch->message : "");
        EXPECT_EQ(report.ticks, kTicks);
        EXPECT_EQ(report.last_hash, recorded.hashes.back());
    }
}

TEST(WorldSimulator, NamesFragmentEntityAndFieldOfAChangedCommand) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(record().file);
    change_push(chunks, 33);
    const VerifyReport report = verify(tamper::put_together(chunks));
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 33);
    EXPECT_EQ(report.mismatch->state_tick, 40);
    EXPECT_EQ(report.mismatch->difference, (StateDifference{"Counter", {33 % 5}, "value"}));
}

TEST(WorldSimulator, FindsAChangedCommandThatAKeyframeHasPending) {
    // The keyframe of tick 20 was taken with the push of tick 21 already queued.
    std::vector<tamper::Chunk> chunks = tamper::take_apart(record().file);
    change_push(chunks, 21);
    const VerifyReport report = verify(tamper::put_together(chunks));
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 21);
}

TEST(WorldSimulator, FindsTheKeyframeOfAnotherTick) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(record().file);
    tamper::find(chunks, ChunkType::kKeyframe, 40)->raw =
        tamper::find(chunks, ChunkType::kKeyframe, 60)->raw;
    const VerifyReport report = verify(tamper::put_together(chunks));
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 40);
}

TEST(WorldSimulator, FindsAKeyframeWhoseFrameWasChanged) {
    std::vector<tamper::Chunk> chunks = tamper::take_apart(record().file);
    core::Bytes& raw = tamper::find(chunks, ChunkType::kKeyframe, 40)->raw;
    raw[raw.size() / 2] ^= 1;
    const VerifyReport report = verify(tamper::put_together(chunks));
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 40);
}

/// The file with the state of one keyframe changed, in a frame that is whole in itself.
core::Bytes with_changed_state(sim::Tick tick) {
    const std::shared_ptr<const sim::GameDefinition> game = counting_game();
    const core::Bytes file = record().file;
    const BattleReader reader = *BattleReader::open(file);
    std::vector<tamper::Chunk> chunks = tamper::take_apart(file);
    const Keyframe keyframe = *reader.keyframe(static_cast<std::size_t>(tick / 20 - 1));
    snapshot::Snapshot snapshot =
        *snapshot::decode_snapshot(*game, keyframe.frame, snapshot::Policy::kJoin);
    sim::Column* counters = snapshot.state.groups[0].find_column(game->fragment_id<Counter>());
    reinterpret_cast<Counter*>(counters->row(3))->value += 1;
    core::Bytes& raw = tamper::find(chunks, ChunkType::kKeyframe, tick)->raw;
    raw.resize(raw.size() - keyframe.frame.size());
    const core::Bytes frame = snapshot::encode_snapshot(*game, snapshot);
    raw.insert(raw.end(), frame.begin(), frame.end());
    return tamper::put_together(chunks);
}

TEST(WorldSimulator, NamesTheFieldOfAKeyframeWhoseStateWasChanged) {
    const VerifyReport report = verify(with_changed_state(40));
    ASSERT_TRUE(report.mismatch);
    EXPECT_EQ(report.mismatch->tick, 40);
    EXPECT_EQ(report.mismatch->state_tick, 40);
    EXPECT_EQ(report.mismatch->difference, (StateDifference{"Counter", {3}, "value"}));
}

TEST(WorldSimulator, SeeksToTheStateOfAnyTick) {
    const Recorded recorded = record();
    const BattleReader reader = *BattleReader::open(recorded.file);
    Result<SeekResult> found = seek_battle(reader, 47, simulate_worlds(counting_game()));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->from_keyframe, 40);
    EXPECT_EQ(found->hash, recorded.hashes[46]);
    const sim::World& world = world_of(*found->simulator);
    EXPECT_EQ(world.tick(), 47);
    EXPECT_TRUE(std::ranges::equal(world.substrate_stream("ground"), ground(9)));
}

// proves: O-SYNC-39
TEST(WorldSimulator, PlaysNoBattleOfAnotherConfiguration) {
    const auto verify_with = [](const std::vector<FieldConfig>& fields) {
        BattleHeader header;
        header.registry_digest = counting_game()->registry_digest();
        header.fields = fields;
        MemorySink sink;
        BattleWriter writer(sink, {});
        static_cast<void>(writer.begin(header, {}));
        static_cast<void>(writer.record_tick(1, {}, 1));
        static_cast<void>(writer.end(EndReason::kFinished));
        return verify(sink.take());
    };
    const std::uint64_t digest = nav::FieldConfig{}.digest();
    EXPECT_FALSE(verify_with({{"ground", digest}}).error);
    for (const FieldConfig& other : {FieldConfig{"ground", digest + 1}, FieldConfig{"sky", 1}}) {
        const VerifyReport report = verify_with({other});
        ASSERT_TRUE(report.error);
        EXPECT_EQ(report.error->code, ErrorCode::kConfigMismatch);
    }
}

TEST(WorldSimulator, DoesNotSeekToTheKeyframeOfAnotherBattle) {
    const core::Bytes file = record().file;
    std::vector<tamper::Chunk> chunks = tamper::take_apart(file);
    tamper::Chunk& hashes = *tamper::find(chunks, ChunkType::kHashes, 40);
    hashes.raw[8 * static_cast<std::size_t>(40 - hashes.header.first_tick)] ^= 1;
    const core::Bytes changed = tamper::put_together(chunks);
    const BattleReader reader = *BattleReader::open(changed);
    for (const sim::Tick tick : {40, 41, 59}) {
        const auto found = seek_battle(reader, tick, simulate_worlds(counting_game()));
        ASSERT_FALSE(found) << tick;
        EXPECT_EQ(found.error().code, ErrorCode::kStateMismatch) << tick;
    }
    EXPECT_TRUE(seek_battle(reader, 60, simulate_worlds(counting_game())));
}

}  // namespace
}  // namespace maniple::battle_file
