#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/core/hash.h"
#include "maniple/snapshot/snapshot.h"

#include "frame.h"
#include "snapshot_generated.h"

/// Variable stores of other builds, of other orders and of hostile bytes.
namespace maniple::snapshot {

struct Tally {
    std::int32_t count = 7;
    std::string chant = "hé 𝄞";
};
BOOST_DESCRIBE_STRUCT(Tally, (), (count, chant))
struct TallyAndMore {
    std::int32_t count = 7;
    std::string chant = "hé 𝄞";
    std::int32_t more = 55;
};
BOOST_DESCRIBE_STRUCT(TallyAndMore, (), (count, chant, more))
struct FloatTally {
    float count = 7;
    std::string chant = "hé 𝄞";
};
BOOST_DESCRIBE_STRUCT(FloatTally, (), (count, chant))
struct Nothing {};
BOOST_DESCRIBE_STRUCT(Nothing, (), ())
struct Kin {
    sim::Name kin;
};
BOOST_DESCRIBE_STRUCT(Kin, (), (kin))

namespace {

using Game = std::shared_ptr<const sim::GameDefinition>;

Game make_game(const std::function<void(sim::GameDefinition&)>& add_stores) {
    auto game = std::make_shared<sim::GameDefinition>("stores");
    add_stores(*game);
    game->seal();
    return game;
}
template <typename T>
Game game_of() {
    return make_game([](sim::GameDefinition& game) { game.add_variables<T>("tally"); });
}

class VariableStoresTest : public testing::Test {
  protected:
    core::Bytes frame_of(const Game& game, const std::function<void(sim::World&)>& edit = {}) {
        sim::World world(game, {}, executor_);
        if (edit) edit(world);
        Snapshot snapshot;
        capture_at_rest(world, snapshot);
        return encode_snapshot(*game, snapshot);
    }
    static ErrorCode refusal(const Game& game, const core::Bytes& frame,
                             Policy policy = Policy::kLoad) {
        const auto decoded = decode_snapshot(*game, frame, policy);
        return decoded ? ErrorCode::kNone : decoded.error().code;
    }
    core::SerialExecutor executor_;
};

// proves: VAR-032, VAR-031
TEST_F(VariableStoresTest, TravelInKeyOrderOneEntryAnInstanceWhateverTheOrderOfRegistration) {
    const Game forth = make_game([](sim::GameDefinition& game) {
        game.add_variables<Tally>("alpha");
        game.add_variables<Tally>("beta", {8, "b"});
    });
    const Game back = make_game([](sim::GameDefinition& game) {
        game.add_variables<Tally>("beta", {8, "b"});
        game.add_variables<Tally>("alpha");
    });
    const core::Bytes frame = frame_of(forth);
    EXPECT_EQ(frame, frame_of(back));
    const core::Bytes raw = *unpack_frame(frame);
    std::vector<std::string> keys;
    std::vector<std::string> fields;
    for (const wire::VarStore* store : *wire::GetSnapshot(raw.data())->var_stores()) {
        keys.push_back(store->template_key()->str());
        for (const wire::Variable* v : *store->fields()) fields.push_back(v->name()->str());
    }
    EXPECT_THAT(keys, testing::ElementsAre("alpha", "beta"));
    EXPECT_THAT(fields, testing::ElementsAre("count", "chant", "count", "chant"));
}

// proves: VAR-033
TEST_F(VariableStoresTest, FindTheirInstanceByKey) {
    const auto add = [](sim::GameDefinition& game) {
        game.add_variables<Tally>("beta");
        game.add_variables<Tally>("alpha");
    };
    const Game game = make_game(add);
    const core::Bytes frame = frame_of(game, [](sim::World& world) {
        world.edit_variables<Tally>("alpha").count = 1;
        world.edit_variables<Tally>("beta").count = 2;
    });
    const auto decoded = decode_snapshot(*game, frame, Policy::kJoin);
    ASSERT_TRUE(decoded);
    const auto world = restore(game, *decoded, executor_);
    ASSERT_TRUE(world);
    EXPECT_EQ((*world)->variables<Tally>("alpha").count, 1);
    EXPECT_EQ((*world)->variables<Tally>("beta").count, 2);
}

// proves: O-VAR-09
TEST_F(VariableStoresTest, OfAnUnknownTemplateAreRefused) {
    const Game with = game_of<Tally>();
    const Game without = make_game([](sim::GameDefinition&) {});
    EXPECT_EQ(refusal(without, frame_of(with)), ErrorCode::kUnknownName);
}

// proves: O-VAR-10
TEST_F(VariableStoresTest, AnInstanceThePayloadLacksIsRefusedIfItHasVariables) {
    const core::Bytes frame = frame_of(make_game([](sim::GameDefinition&) {}));
    EXPECT_EQ(refusal(game_of<Tally>(), frame), ErrorCode::kRegistryMismatch);
    EXPECT_EQ(refusal(game_of<Nothing>(), frame), ErrorCode::kNone);
}

// proves: O-VAR-15, VAR-027
TEST_F(VariableStoresTest, AMissingVariableKeepsItsValueWithAWarningAndAnUnknownOneIsSkipped) {
    const Game small = game_of<Tally>();
    const Game large = game_of<TallyAndMore>();
    const core::Bytes from_small =
        frame_of(small, [](sim::World& world) { world.edit_variables<Tally>("tally").count = 9; });
    const auto decoded = decode_snapshot(*large, from_small, Policy::kLoad);
    ASSERT_TRUE(decoded);
    EXPECT_THAT(decoded->warnings, testing::Contains(testing::HasSubstr("more is missing")));
    const auto world = restore(large, *decoded, executor_);
    ASSERT_TRUE(world);
    EXPECT_EQ((*world)->variables<TallyAndMore>("tally").count, 9);
    EXPECT_EQ((*world)->variables<TallyAndMore>("tally").more, 55);

    const auto skipped = decode_snapshot(*small, frame_of(large), Policy::kLoad);
    ASSERT_TRUE(skipped);
    EXPECT_THAT(skipped->warnings, testing::Contains(testing::HasSubstr("no variable more")));
    EXPECT_EQ(refusal(large, from_small, Policy::kJoin), ErrorCode::kRegistryMismatch);
}

// proves: SNAP-044, VAR-028, O-VAR-13
TEST_F(VariableStoresTest, OneThatDoesNotDecodeRefusesTheWholeSnapshot) {
    const Game game = game_of<Tally>();
    EXPECT_EQ(refusal(game_of<FloatTally>(), frame_of(game)), ErrorCode::kRegistryMismatch);
    // The text's count of UTF-16 units: one more than there are, one fewer, and huge.
    core::Bytes raw = *unpack_frame(frame_of(game));
    const core::Bytes text{5, 0, 0, 0, 'h', 0, 0xE9, 0};
    const auto found = std::search(raw.begin(), raw.end(), text.begin(), text.end());
    ASSERT_NE(found, raw.end());
    const auto code_with = [&](std::int32_t units) {
        core::store_le(&*found, units);
        return refusal(game, pack_frame(raw));
    };
    EXPECT_EQ(code_with(5), ErrorCode::kNone);
    EXPECT_EQ(code_with(6), ErrorCode::kTruncated);
    EXPECT_EQ(code_with(3), ErrorCode::kTrailing);
    EXPECT_EQ(code_with(INT32_MAX), ErrorCode::kOverCap);
}

// proves: O-VAR-14
TEST_F(VariableStoresTest, AreReadIntoACopySoThatARefusedSnapshotLeavesNothingBehind) {
    const auto add = [](sim::GameDefinition& game) {
        game.add_variables<Kin>("a");
        game.add_variables<Tally>("b");
    };
    const Game server = make_game(add);
    const Game client = make_game(add);
    core::Bytes raw = *unpack_frame(frame_of(server, [&](sim::World& world) {
        world.edit_variables<Kin>("a").kin = *server->names().intern("cousin");
    }));
    const core::Bytes text{5, 0, 0, 0, 'h', 0, 0xE9, 0};
    const auto found = std::search(raw.begin(), raw.end(), text.begin(), text.end());
    ASSERT_NE(found, raw.end());
    *found = 6;
    sim::World standing(client, {}, executor_);
    const std::uint64_t hash = standing.compute_hash();
    EXPECT_EQ(refusal(client, pack_frame(raw)), ErrorCode::kTruncated) << "after a was read";
    EXPECT_EQ(standing.compute_hash(), hash);
    EXPECT_EQ(standing.variables<Kin>("a").kin, sim::Name{});
}

}  // namespace
}  // namespace maniple::snapshot
