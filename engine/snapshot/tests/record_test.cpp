#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/snapshot/snapshot.h"

#include "frame.h"
#include "snapshot_generated.h"
#include "toy_game.h"

/// What one record carries, value by value.
namespace maniple::snapshot {
namespace {

class RecordTest : public testing::Test {
  protected:
    /// What arrives of a capture that was edited.
    Result<Snapshot> sent(const std::function<void(Snapshot&)>& edit,
                          Policy policy = Policy::kJoin) const {
        Snapshot snapshot;
        capture(*world_, snapshot);
        edit(snapshot);
        return decode_snapshot(*game_, encode_snapshot(*game_, snapshot), policy);
    }
    static core::Bytes le(double value) {
        core::Bytes bytes(sizeof value);
        core::store_le(bytes.data(), value);
        return bytes;
    }

    core::SerialExecutor executor_;
    std::shared_ptr<const sim::GameDefinition> game_ = toy::make_game();
    std::unique_ptr<sim::World> world_ = toy::make_world(game_, executor_);
};

// proves: SNAP-003
TEST_F(RecordTest, AFragmentIsItsRegisteredValuesInLayoutOrderWithoutPadding) {
    sim::World world(game_, {}, executor_);
    const sim::Uid uid = world.spawn(*game_->find_template("toy.runner"));
    *world.fragment<toy::Body>(uid) = {{1.5, -2.0}, 0.25F, true, {7, -8, 9}};
    Snapshot snapshot;
    capture_at_rest(world, snapshot);
    const core::Bytes raw = *unpack_frame(encode_snapshot(*game_, snapshot));
    // at.x, at.y, heading, moving, slots; of one entity the byte planes are its row.
    core::Bytes row = le(1.5);
    const core::Bytes y = le(-2.0);
    row.insert(row.end(), y.begin(), y.end());
    const core::Bytes rest{0x00, 0x00, 0x80, 0x3E, 0x01, 7, 0, 0xF8, 0xFF, 9, 0};
    row.insert(row.end(), rest.begin(), rest.end());
    EXPECT_NE(std::search(raw.begin(), raw.end(), row.begin(), row.end()), raw.end());
}

// proves: SNAP-010, O-SNAP-05
TEST_F(RecordTest, TheMainCategoryTravelsAndAnotherOneIsRefused) {
    const auto game_with = [](sim::EntityType type) {
        auto game = std::make_shared<sim::GameDefinition>("typed");
        game->add_fragment<toy::Health>("Health");
        sim::TemplateBuilder(*game, "thing", type).with(toy::Health{}).add();
        game->seal();
        return game;
    };
    EXPECT_EQ(sim::EntityTemplate{}.entity_type, sim::EntityType::kAgent);
    for (const int type : {0, 1, 2, 3}) {
        const auto game = game_with(static_cast<sim::EntityType>(type));
        const auto other = game_with(static_cast<sim::EntityType>((type + 1) % 4));
        sim::World world(game, {}, executor_);
        static_cast<void>(world.spawn({0}));
        Snapshot snapshot;
        capture_at_rest(world, snapshot);
        const core::Bytes frame = encode_snapshot(*game, snapshot);
        EXPECT_TRUE(decode_snapshot(*game, frame, Policy::kLoad));
        const auto refused = decode_snapshot(*other, frame, Policy::kLoad);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::kRegistryMismatch);
        const core::Bytes raw = *unpack_frame(frame);
        const auto* group = wire::GetSnapshot(raw.data())->groups()->Get(0);
        EXPECT_EQ(group->entity_type(), type);
    }
}

// proves: SNAP-012
TEST_F(RecordTest, AllOfTheHundredAndTwentyEightFlagsTravel) {
    const auto sent_flags = sent([](Snapshot& s) {
        s.state.groups[0].flags_low.set(0, std::numeric_limits<std::int64_t>::min() + 5);
        s.state.groups[0].flags_high.set(0, -2);
    });
    ASSERT_TRUE(sent_flags) << sent_flags.error().message;
    EXPECT_EQ(sent_flags->state.groups[0].flags_low[0],
              std::numeric_limits<std::int64_t>::min() + 5);
    EXPECT_EQ(sent_flags->state.groups[0].flags_high[0], -2);
    EXPECT_EQ(sent_flags->state.groups[0].flags_low[1], 0);
}

// proves: O-SNAP-17
TEST_F(RecordTest, TheThreeTagsAreSetAndClearedAgainstTheTemplate) {
    const std::size_t runner = game_->find_template("toy.runner")->index;
    const std::size_t statue = game_->find_template("toy.statue")->index;
    ASSERT_EQ(world_->state().groups[statue].tags[0], sim::kTagAppearing);
    const auto arrived = sent([&](Snapshot& s) {
        s.state.groups[statue].tags[0] = 0;
        s.state.groups[runner].tags[0] = sim::kTagDying | sim::kTagDestroying;
    });
    ASSERT_TRUE(arrived);
    EXPECT_EQ(arrived->state.groups[statue].tags[0], 0);
    EXPECT_EQ(arrived->state.groups[statue].tags[1], sim::kTagAppearing);
    EXPECT_EQ(arrived->state.groups[runner].tags[0], sim::kTagDying | sim::kTagDestroying);
    EXPECT_FALSE(sent([&](Snapshot& s) { s.state.groups[runner].tags[0] = 8; }));
}

// proves: SNAP-015, O-SNAP-04, O-SNAP-05
TEST(SpawnRequest, HasItsDefaults) {
    const sim::SpawnRequest request;
    EXPECT_EQ(request.template_key, "");
    EXPECT_TRUE(request.locations.empty());
    EXPECT_EQ(request.quantity, 0);
    EXPECT_EQ(request.team, 0);
    EXPECT_EQ(request.launch_velocity, (sim::SpawnVelocity{0, 0}));
    EXPECT_EQ(request.initial_rotation, sim::InitialRotation::kFacePlayer);
    EXPECT_EQ(request.custom_rotation, (sim::Rotator{0, 0, 0}));
    EXPECT_EQ(request.multipliers, (sim::SpawnMultipliers{1, 1, 1, 1, 1}));
    EXPECT_EQ(request.ground_trace_channel, 0);
    EXPECT_EQ(request.ground_trace_height_range, (sim::SpawnVelocity{1000, -1000}));
    EXPECT_TRUE(request.ground_object_types.empty());
    EXPECT_TRUE(request.obstacle_object_types.empty());
    EXPECT_EQ(request.max_slope_cosine, 0);
    EXPECT_TRUE(request.auto_activated);
    EXPECT_EQ(request.substeps, 0);
    EXPECT_FALSE(request.first_tick_pending);
    EXPECT_EQ(request.current_substep_index, 0);
    EXPECT_EQ(request.next_location_index, 0);
    EXPECT_TRUE(request.accumulated_uids.empty());
    EXPECT_EQ(static_cast<int>(sim::InitialRotation::kFacePlayer), 0);
    EXPECT_EQ(static_cast<int>(sim::InitialRotation::kFaceForward), 1);
    EXPECT_EQ(static_cast<int>(sim::InitialRotation::kCustom), 2);
}

// proves: SNAP-015, O-SNAP-18
TEST_F(RecordTest, ADeferredSpawnTravelsWithEveryFieldAndItsDoublesBitForBit) {
    const double odd_nan = std::bit_cast<double>(0x7FF8'0000'0000'1234ULL);
    sim::SpawnRequest request;
    request.template_key = "toy.runner";
    request.locations = {{-0.0, 0.1, 1e300}, {odd_nan, 5e-324, -7}};
    request.quantity = 9;
    request.team = -3;
    request.launch_velocity = {1.5F, -2.5F};
    request.initial_rotation = sim::InitialRotation::kCustom;
    request.custom_rotation = {1, 2, 3};
    request.multipliers = {2, 3, 4, 5, 6};
    request.ground_trace_channel = 4;
    request.ground_trace_height_range = {7, 8};
    request.ground_object_types = {1, 2};
    request.obstacle_object_types = {3};
    request.max_slope_cosine = 0.5F;
    request.auto_activated = false;
    request.substeps = 5;
    request.first_tick_pending = true;
    request.current_substep_index = 2;
    request.next_location_index = 1;
    request.accumulated_uids = {3, 11};
    request.issuer_slot = 6;
    const auto arrived =
        sent([&](Snapshot& s) { s.state.deferred_spawns = {request, sim::SpawnRequest(request)}; });
    ASSERT_TRUE(arrived) << arrived.error().message;
    ASSERT_EQ(arrived->state.deferred_spawns.size(), 2U);
    sim::SpawnRequest got = arrived->state.deferred_spawns[0];
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3d& a = got.locations[i];
        const Vec3d& b = request.locations[i];
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.x), std::bit_cast<std::uint64_t>(b.x));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.y), std::bit_cast<std::uint64_t>(b.y));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.z), std::bit_cast<std::uint64_t>(b.z));
    }
    got.locations = request.locations = {{0, 0, 0}, {0, 0, 0}};
    EXPECT_EQ(got, request);
}

// proves: O-SNAP-07
TEST_F(RecordTest, EntitiesAscendByUidWithinTheirTemplateAndFragmentsByRegistration) {
    const core::Bytes raw = [&] {
        Snapshot snapshot;
        capture(*world_, snapshot);
        return *unpack_frame(encode_snapshot(*game_, snapshot));
    }();
    const auto* groups = wire::GetSnapshot(raw.data())->groups();
    std::vector<std::string> keys;
    for (const wire::Group* group : *groups) keys.push_back(group->template_key()->str());
    EXPECT_THAT(keys, testing::ElementsAre("toy.runner", "toy.statue"));
    std::vector<std::string> fragments;
    for (const wire::Column* column : *groups->Get(0)->columns()) {
        fragments.push_back(column->fragment()->str());
    }
    EXPECT_THAT(fragments, testing::ElementsAre("Body", "Health", "Marked"));
    // Spawned 0 to 4, then statues 5 and 6, then 7 to 12, of which 10 to 12 died.
    std::vector<std::int32_t> uids;
    for (const sim::Uid uid : world_->state().groups[0].uids) uids.push_back(uid.value);
    EXPECT_THAT(uids, testing::ElementsAre(0, 1, 2, 3, 4, 7, 8, 9));
}

// proves: O-HASH-06, HASH-006
TEST_F(RecordTest, TheHashKeepsItsSixtyFourBits) {
    for (const std::uint64_t hash : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{0}}) {
        const auto arrived = sent([&](Snapshot& s) { s.hash_at_capture = hash; });
        ASSERT_TRUE(arrived);
        EXPECT_EQ(arrived->hash_at_capture, hash);
    }
}

/// A snapshot of a game without anything, written by hand.
core::Bytes bare_snapshot(const sim::GameDefinition& game, bool with_fixup) {
    flatbuffers::FlatBufferBuilder fbb;
    std::vector<flatbuffers::Offset<wire::HandleFixup>> fixups;
    if (with_fixup) {
        const auto name = fbb.CreateString("Body");
        fixups.push_back(wire::CreateHandleFixup(fbb, 1, name, name, 2));
    }
    const wire::RandomStream stream(1, 1);
    const std::vector<std::uint8_t> no_commands(4, 0);
    const std::vector<std::uint8_t> sections(8 *
                                             static_cast<std::size_t>(sim::HashSection::kCount));
    const auto empty = [&]<typename T>(T*) {
        return fbb.CreateVector(std::vector<flatbuffers::Offset<T>>());
    };
    constexpr flatbuffers::String* kText = nullptr;
    constexpr wire::Group* kGroup = nullptr;
    constexpr wire::Task* kTask = nullptr;
    constexpr wire::Substrate* kSubstrate = nullptr;
    constexpr wire::TaskType* kTaskType = nullptr;
    constexpr wire::SpawnRequest* kSpawn = nullptr;
    constexpr wire::VarStore* kStore = nullptr;
    const auto groups = empty(kGroup);
    fbb.Finish(wire::CreateSnapshot(
        fbb, game.registry_digest(), 0, 0, 0, 0, 1, 20, &stream, &stream, 1, 1, 1, groups,
        empty(kTask), fbb.CreateVector(no_commands), fbb.CreateVector(no_commands),
        empty(kSubstrate), empty(kText), empty(kText), fbb.CreateVector(sections), empty(kTaskType),
        empty(kSpawn), empty(kStore), fbb.CreateVector(fixups)));
    return pack_frame({fbb.GetBufferPointer(), fbb.GetSize()});
}

// proves: SNAP-030, O-SNAP-03
TEST(HandleFixups, AreReservedAndMustBeEmpty) {
    sim::GameDefinition game("bare");
    game.seal();
    const auto without = decode_snapshot(game, bare_snapshot(game, false), Policy::kJoin);
    EXPECT_TRUE(without) << without.error().message;
    for (const Policy policy : {Policy::kJoin, Policy::kLoad}) {
        const auto with = decode_snapshot(game, bare_snapshot(game, true), policy);
        ASSERT_FALSE(with);
        EXPECT_EQ(with.error().code, ErrorCode::kBadValue);
        EXPECT_THAT(with.error().message, testing::HasSubstr("fix-ups"));
    }
}

}  // namespace
}  // namespace maniple::snapshot
