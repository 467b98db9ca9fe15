#include "maniple/snapshot/snapshot.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame.h"
#include "toy_game.h"

namespace maniple::snapshot {
namespace {

class SnapshotTest : public testing::Test {
  protected:
    Snapshot captured() const {
        Snapshot snapshot;
        capture(*world_, snapshot);
        return snapshot;
    }
    core::Bytes encoded(const std::function<void(Snapshot&)>& edit = {}) const {
        Snapshot snapshot = captured();
        if (edit) edit(snapshot);
        return encode_snapshot(*game_, snapshot);
    }
    ErrorCode refusal(const std::function<void(Snapshot&)>& edit,
                      Policy policy = Policy::kJoin) const {
        const Result<Snapshot> decoded = decode_snapshot(*game_, encoded(edit), policy);
        return decoded ? ErrorCode::kNone : decoded.error().code;
    }
    std::unique_ptr<sim::World> restored(const core::Bytes& frame, Policy policy = Policy::kJoin) {
        const Result<Snapshot> decoded = decode_snapshot(*game_, frame, policy);
        EXPECT_TRUE(decoded) << decoded.error().message;
        if (!decoded) return nullptr;
        Result<std::unique_ptr<sim::World>> world = restore(game_, *decoded, executor_);
        EXPECT_TRUE(world) << world.error().message;
        return world ? std::move(*world) : nullptr;
    }
    std::size_t group_of(const char* key) const { return game_->find_template(key)->index; }

    core::SerialExecutor executor_;
    std::shared_ptr<const sim::GameDefinition> game_ = toy::make_game();
    std::unique_ptr<sim::World> world_ = toy::make_world(game_, executor_);
};

// proves: O-LAY-05
TEST_F(SnapshotTest, LayerHandlesStayAtHome) {
    const core::Bytes before = encoded();
    world_->tasks()[0].layer_handle = 7;
    EXPECT_EQ(encoded(), before);
    world_->tasks()[0].goal_hash = 7;
    EXPECT_NE(encoded(), before);
}

// proves: O-SNAP-06, SNAP-022, SNAP-023, SNAP-024, SNAP-026, SNAP-029, SNAP-032, SNAP-033
// proves: O-SNAP-02, HASH-006
TEST_F(SnapshotTest, CarriesEveryPartOfTheState) {
    const Result<Snapshot> decoded = decode_snapshot(*game_, encoded(), Policy::kJoin);
    ASSERT_TRUE(decoded) << decoded.error().message;
    const sim::WorldState& was = world_->state();
    const sim::WorldState& is = decoded->state;
    EXPECT_EQ(is.tick, 5);
    EXPECT_EQ(decoded->hash_at_capture, world_->history().find(5)->tree.root);
    EXPECT_EQ(decoded->occupied_count, 10);
    EXPECT_EQ(decoded->config.seed, 42);
    EXPECT_EQ(decoded->config.tick_rate_hz, 20);
    EXPECT_EQ(is.agent_stream, was.agent_stream);
    EXPECT_NE(is.agent_stream.seed, 42U);
    EXPECT_EQ(is.hash_grid_stream, was.hash_grid_stream);
    EXPECT_EQ(is.next_move_to_task_id, 2);
    ASSERT_EQ(is.tasks.size(), 1U);
    EXPECT_EQ(is.tasks[0].agent_uids, (sim::Int32List{0, 1, 5}));
    EXPECT_EQ(is.tasks[0].goal_hash, -77);
    EXPECT_EQ(is.tasks[0].start_tick, 2);
    EXPECT_EQ(is.tasks[0].variables, (core::Bytes{1, 2, 3}));
    ASSERT_EQ(is.tasks[0].goals.size(), 1U);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(is.tasks[0].goals[0].y), 1ULL << 63);
    const sim::EntityGroup& statues = is.groups[group_of("toy.statue")];
    EXPECT_THAT(statues.tags, testing::Each(sim::kTagAppearing));
    EXPECT_EQ(statues.size(), 2U);
}

// proves: SNAP-009, SNAP-043, SNAP-045, O-SNAP-08, HASH-003, UID-004, UID-006
TEST_F(SnapshotTest, SavedLoadedAndSteppedEqualsStepped) {
    const std::unique_ptr<sim::World> copy = restored(encoded());
    ASSERT_NE(copy, nullptr);
    for (int i = 0; i < 20; ++i) {
        const sim::Tick next = world_->tick() + 1;
        for (sim::World* world : {world_.get(), copy.get()}) {
            ASSERT_TRUE(world->queue(toy::make_spawn(next, 100 + i, 1)));
        }
        ASSERT_EQ(*world_->step(), *copy->step()) << "tick " << next;
    }
}

// Trap 24: the hash canonicalises, the snapshot does not.
TEST_F(SnapshotTest, KeepsNegativeZeroBitForBit) {
    const std::unique_ptr<sim::World> copy = restored(encoded());
    ASSERT_NE(copy, nullptr);
    const auto bodies = copy->column<toy::Body>(*game_->find_template("toy.statue"));
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(bodies[0].heading), 1U << 31);
}

// proves: SNAP-009, SNAP-025, UID-001, UID-002, UID-005, UID-006
// Trap 27: 10 to 12 died before the capture; their UIDs are not minted again.
TEST_F(SnapshotTest, KeepsTheUidCursorInsteadOfCountingEntities) {
    const std::unique_ptr<sim::World> copy = restored(encoded());
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->state().uid_cursor, 13);
    ASSERT_TRUE(copy->queue(toy::make_spawn(6, 50, 1)));
    ASSERT_TRUE(copy->step());
    EXPECT_TRUE(copy->find({13}));
    EXPECT_FALSE(copy->find({10}));
}

// proves: SNAP-025, UID-007, O-UID-02, HASH-007, O-SNAP-22
TEST_F(SnapshotTest, UnknownCursorOrCountIsForToolsOnly) {
    const auto no_cursor = [](Snapshot& s) {
        s.state.uid_cursor = -1;
        s.state.tasks.clear();
        s.part_hashes.sections.fill(0);  // of the state before the edit
    };
    const auto no_count = [](Snapshot& s) { s.occupied_count = -1; };
    EXPECT_EQ(refusal(no_cursor), ErrorCode::kBadValue);
    EXPECT_EQ(refusal(no_count), ErrorCode::kBadValue);
    const Result<Snapshot> decoded = decode_snapshot(*game_, encoded(no_cursor), Policy::kLoad);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->state.uid_cursor, 10);
    EXPECT_EQ(decoded->warnings.size(), 1U);
    EXPECT_EQ(refusal(no_count, Policy::kLoad), ErrorCode::kNone);
    int warnings = 0;
    const auto log = [&](const core::LogEntry& entry) {
        warnings += entry.code == kLogNotValidated;
    };
    EXPECT_TRUE(restore(game_, *decoded, executor_, log));
    EXPECT_EQ(warnings, 1);
}

// proves: O-UID-05
TEST_F(SnapshotTest, RefusesUidsThatCannotBe) {
    const std::size_t runners = group_of("toy.runner");
    const std::size_t statues = group_of("toy.statue");
    EXPECT_EQ(refusal([&](Snapshot& s) {
                  s.state.groups[statues].uids[0] = s.state.groups[runners].uids[0];
              }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([&](Snapshot& s) {
                  std::swap(s.state.groups[runners].uids[0], s.state.groups[runners].uids[1]);
              }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.uid_cursor = 9; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.uid_cursor = 12; }), ErrorCode::kNone);
}

// proves: UID-003
TEST_F(SnapshotTest, RefusesAnotherCountOfEntities) {
    EXPECT_EQ(refusal([](Snapshot& s) { s.occupied_count = 11; }), ErrorCode::kBadValue);
}

TEST_F(SnapshotTest, RefusesTasksThatCannotBe) {
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.tasks[0].id = 2; }), ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.tasks[0].agent_uids = {5, 1}; }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.tasks.push_back(s.state.tasks[0]); }),
              ErrorCode::kBadValue);
    EXPECT_EQ(refusal([](Snapshot& s) { s.state.tasks[0].template_key = "toy.pull"; }),
              ErrorCode::kUnknownName);
}

// proves: O-SNAP-11, SNAP-001
TEST_F(SnapshotTest, AnotherRegistryIsRefusedForJoinAndNamedForLoad) {
    const auto renamed = toy::make_game("Vitality");
    const core::Bytes frame = encoded();
    const Result<Snapshot> joined = decode_snapshot(*renamed, frame, Policy::kJoin);
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().code, ErrorCode::kRegistryMismatch);
    const Result<Snapshot> loaded = decode_snapshot(*renamed, frame, Policy::kLoad);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_THAT(loaded->warnings,
                testing::ElementsAre(testing::HasSubstr("registry"), testing::HasSubstr("Health"),
                                     testing::HasSubstr("Vitality")));
    const Result<std::unique_ptr<sim::World>> world = restore(renamed, *loaded, executor_);
    ASSERT_TRUE(world);
    EXPECT_EQ((*world)->fragment<toy::Health>({0})->points, 100) << "the template's value";
    EXPECT_EQ((*world)->fragment<toy::Body>({0})->at.x, world_->fragment<toy::Body>({0})->at.x);
}

// proves: O-SNAP-06, O-SNAP-11
TEST_F(SnapshotTest, AFieldOfAnotherTypeIsRefusedEvenForLoad) {
    const auto game_with = [](auto health) {
        auto game = std::make_shared<sim::GameDefinition>("toy");
        game->add_fragment<decltype(health)>("Health");
        sim::TemplateBuilder(*game, "toy.runner").with(health).add();
        game->seal();
        return game;
    };
    const auto narrow = game_with(toy::Health{});
    const auto wide = game_with(toy::WideHealth{});
    sim::World world(narrow, {}, executor_);
    static_cast<void>(world.spawn({0}));
    Snapshot snapshot;
    capture_at_rest(world, snapshot);
    const core::Bytes frame = encode_snapshot(*narrow, snapshot);
    EXPECT_TRUE(decode_snapshot(*narrow, frame, Policy::kJoin));
    const Result<Snapshot> loaded = decode_snapshot(*wide, frame, Policy::kLoad);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::kRegistryMismatch);
}

// proves: O-SNAP-12, SNAP-008
TEST_F(SnapshotTest, RefusesATemplateNobodyRegistered) {
    const auto without_statue = toy::make_game("Health", false);
    const Result<Snapshot> loaded = decode_snapshot(*without_statue, encoded(), Policy::kLoad);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::kUnknownName);
}

// proves: SNAP-027, SNAP-031, O-SNAP-15, NET-013, NET-014, NET-015
// Trap 28: pending and gap overlap, stand on the boundary ticks and share ticks.
TEST_F(SnapshotTest, PendingAndGapCommandsRunOnceAtTheirTick) {
    const core::Bytes frame = encoded([](Snapshot& s) {
        s.state.pending = {toy::make_spawn(6, 11, 1), toy::make_spawn(8, 14, 1)};
        s.gap_commands = {toy::make_spawn(5, 9, 1), toy::make_spawn(6, 10, 1),
                          toy::make_spawn(6, 11, 1), toy::make_spawn(7, 12, 1)};
    });
    const std::unique_ptr<sim::World> copy = restored(frame);
    ASSERT_NE(copy, nullptr);
    std::vector<std::int32_t> cursors;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(copy->step());
        cursors.push_back(copy->state().uid_cursor);
    }
    EXPECT_THAT(cursors, testing::ElementsAre(15, 16, 17));
}

// proves: O-SNAP-09, HASH-003
TEST_F(SnapshotTest, AStateThatHashesOtherwiseIsRefusedLoudly) {
    Snapshot snapshot = captured();
    sim::Column& column = snapshot.state.groups[group_of("toy.runner")].columns[0];
    column.data()[0] ^= std::byte{1};
    int errors = 0;
    const auto log = [&](const core::LogEntry& e) { errors += e.code == kLogRestoreRefused; };
    const Result<std::unique_ptr<sim::World>> world = restore(game_, snapshot, executor_, log);
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().code, ErrorCode::kStateMismatch);
    EXPECT_EQ(errors, 1);
}

TEST_F(SnapshotTest, ACommandWithoutASequenceIsRefused) {
    Snapshot snapshot = captured();
    snapshot.gap_commands = {toy::make_spawn(6, 0, 1)};
    const Result<std::unique_ptr<sim::World>> world = restore(game_, snapshot, executor_);
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().code, ErrorCode::kBadValue);
}

// proves: SNAP-020
TEST_F(SnapshotTest, RefusesASubstrateOfAnUnknownField) {
    EXPECT_EQ(refusal([](Snapshot& s) { s.substrates = {{"nowhere", {1, 2, 3}}}; }),
              ErrorCode::kUnknownName);
}

TEST_F(SnapshotTest, AWorldBeforeItsFirstTickTravels) {
    sim::World fresh(game_, {7, 30}, executor_);
    Snapshot snapshot;
    capture_at_rest(fresh, snapshot);
    const std::unique_ptr<sim::World> copy = restored(encode_snapshot(*game_, snapshot));
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->tick(), 0);
    EXPECT_EQ(*copy->step(), *fresh.step());
}

// proves: O-SNAP-06
TEST_F(SnapshotTest, EveryTruncationIsRefused) {
    const core::Bytes frame = encoded();
    for (std::size_t size = 0; size < frame.size(); size += 37) {
        const Result<Snapshot> decoded =
            decode_snapshot(*game_, core::ByteSpan(frame).first(size), Policy::kLoad);
        ASSERT_FALSE(decoded) << size;
        EXPECT_EQ(decoded.error().code, ErrorCode::kTruncated) << size;
    }
    core::Bytes longer = frame;
    longer.push_back(0);
    EXPECT_EQ(decode_snapshot(*game_, longer, Policy::kLoad).error().code, ErrorCode::kTrailing);
}

TEST_F(SnapshotTest, EveryHeaderFieldIsChecked) {
    const auto code_with = [&](std::size_t at, std::uint8_t value) {
        core::Bytes frame = encoded();
        frame[at] = value;
        const Result<Snapshot> decoded = decode_snapshot(*game_, frame, Policy::kLoad);
        return decoded ? ErrorCode::kNone : decoded.error().code;
    };
    EXPECT_EQ(code_with(0, 'X'), ErrorCode::kBadMagic);
    EXPECT_EQ(code_with(4, 2), ErrorCode::kBadVersion);
    EXPECT_EQ(code_with(4, 4), ErrorCode::kBadVersion);
    EXPECT_EQ(code_with(15, 1), ErrorCode::kOverCap);
    EXPECT_EQ(code_with(11, 1), ErrorCode::kBadValue) << "16 MiB promised, less comes out";
    EXPECT_EQ(code_with(23, 1), ErrorCode::kTruncated);
    EXPECT_EQ(code_with(24, static_cast<std::uint8_t>(encoded()[24] ^ 1U)), ErrorCode::kBadHash);
    EXPECT_EQ(code_with(32, 2), ErrorCode::kBadMode);
}

TEST_F(SnapshotTest, AFrameOfAnotherVersionIsRefusedByBothVersions) {
    core::Bytes frame = encoded();
    frame[4] = 2;
    const Result<Snapshot> decoded = decode_snapshot(*game_, frame, Policy::kJoin);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().message, "snapshot version 2, this build reads 3");
}

// The verifier of FlatBuffers checks where a vector's length stands, not where its elements do.
TEST_F(SnapshotTest, GoalsOffTheirAlignmentAreRefusedWithTheirByte) {
    // The low half of x reads as a count of 1 when the vector is entered four bytes late.
    const double x = std::bit_cast<double>(0x3FF8'0000'0000'0001ULL);
    core::Bytes raw = *unpack_frame(encoded([&](Snapshot& s) { s.state.tasks[0].goals[0].x = x; }));
    core::Bytes x_bytes(sizeof(x));
    core::store_le(x_bytes.data(), x);
    const auto found = std::search(raw.begin(), raw.end(), x_bytes.begin(), x_bytes.end());
    ASSERT_NE(found, raw.end());
    const auto vector_at = static_cast<std::size_t>(found - raw.begin()) - sizeof(std::uint32_t);
    int moved = 0;
    for (std::size_t at = 0; at < vector_at; at += sizeof(std::uint32_t)) {
        const auto offset = core::load_le<std::uint32_t>(raw.data() + at);
        if (at + offset != vector_at) continue;
        core::store_le(raw.data() + at, static_cast<std::uint32_t>(offset + 4));
        ++moved;
    }
    ASSERT_EQ(moved, 1);
    const Result<Snapshot> decoded = decode_snapshot(*game_, pack_frame(raw), Policy::kLoad);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().code, ErrorCode::kBadValue);
    EXPECT_EQ(decoded.error().at_byte, kFrameHeaderBytes + vector_at + 8);
    EXPECT_THAT(decoded.error().message, testing::HasSubstr("aligned to 8"));
}

// An empty vector is written without alignment, and nothing is read of it.
TEST_F(SnapshotTest, ATaskWithoutGoalsTravelsWhereverItsVectorStands) {
    for (std::size_t shift = 0; shift < 8; ++shift) {
        const auto edit = [&](Snapshot& s) {
            s.state.tasks[0].goals.clear();
            s.state.tasks[0].variables.assign(shift, 0);
        };
        EXPECT_EQ(refusal(edit), ErrorCode::kNone) << shift;
    }
}

/// Flips behind a mended checksum reach the verifier and every check behind it.
TEST_F(SnapshotTest, FlippedContentIsRefusedOrRestoredAndStepped) {
    const core::Bytes raw = *unpack_frame(encoded());
    int refused = 0;
    int ran = 0;
    for (std::size_t at = 0; at < raw.size(); ++at) {
        core::Bytes flipped = raw;
        flipped[at] ^= static_cast<std::uint8_t>(1U << (at % 8));
        const Result<Snapshot> decoded =
            decode_snapshot(*game_, pack_frame(flipped), Policy::kLoad);
        if (!decoded) {
            ++refused;
            continue;
        }
        const Result<std::unique_ptr<sim::World>> world = restore(game_, *decoded, executor_);
        if (world) static_cast<void>((*world)->step());
        ++(world ? ran : refused);
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(ran, 0) << "some bytes are padding";
}

TEST(SnapshotFrame, IncompressibleBytesAreStoredAsTheyAre) {
    core::Bytes raw;
    for (std::int32_t i = 0; i < 1000; ++i) {
        raw.push_back(static_cast<std::uint8_t>(core::site_random(1, i, 0, 0)));
    }
    const core::Bytes frame = pack_frame(raw);
    EXPECT_EQ(frame.size(), kFrameHeaderBytes + raw.size());
    EXPECT_EQ(frame[32], 0);
    EXPECT_EQ(*unpack_frame(frame), raw);
}

}  // namespace
}  // namespace maniple::snapshot
