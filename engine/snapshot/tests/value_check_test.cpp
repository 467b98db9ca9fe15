#include "maniple/sim/value_check.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>

#include "maniple/snapshot/snapshot.h"

#include "forged_state.h"

namespace maniple::snapshot {

/// Its index leads into a table of four.
struct Pick {
    std::array<std::int16_t, 2> index{};
    bool on = true;
};
BOOST_DESCRIBE_STRUCT(Pick, (), (index, on))

struct Share {
    float part = 0.5F;
};
BOOST_DESCRIBE_STRUCT(Share, (), (part))

struct Rules {
    std::int32_t divisor = 1;
};
BOOST_DESCRIBE_STRUCT(Rules, (), (divisor))

namespace {

int checks = 0;

const char* check_pick(const Pick& pick) {
    ++checks;
    const auto is_index = [](std::int16_t i) { return i >= 0 && i < 4; };
    if (!is_index(pick.index[0])) return "index[0]";
    return is_index(pick.index[1]) ? nullptr : "index[1]";
}

std::shared_ptr<const sim::GameDefinition> make_game() {
    auto game = std::make_shared<sim::GameDefinition>("picks");
    game->add_fragment<Pick>("Pick", check_pick);
    game->add_shared_fragment<Share>("Share", [](const Share& share) -> const char* {
        return share.part >= 0 && share.part <= 1 ? nullptr : "part";
    });
    game->add_variables<Rules>("rules", {}, {}, [](const Rules& rules) -> const char* {
        return rules.divisor == 0 ? "divisor" : nullptr;
    });
    game->add_task_type(
        {"wait", sim::TaskKind::kOther, {}, {}, {}, {}, [](const sim::TaskRecord& task) {
             return task.goals.size() > 1 ? "goals.count" : nullptr;
         }});
    sim::TemplateBuilder(*game, "picker")
        .with(Pick{})
        .with(Share{})
        .check_spawn([](const sim::SpawnRequest& request) -> const char* {
            return request.team < 0 ? "team" : nullptr;
        })
        .add();
    game->seal();
    return game;
}

class ValueCheck : public testing::Test {
  protected:
    ValueCheck() : world_(game_, {}, executor_) {
        for (int i = 0; i < 3; ++i) world_.spawn({0});
        world_.create_task("wait", {0, 1}, {{1, 2, 3}});
        sim::SpawnRequest request;
        request.template_key = "picker";
        request.quantity = 4;
        request.locations = {{0, 0, 0}, {1, 0, 0}};
        request.substeps = 2;
        EXPECT_TRUE(world_.request_spawn(std::move(request)));
        EXPECT_TRUE(world_.step());
        checks = 0;
        capture(world_, sound_);
    }
    std::string refusal_of(const std::function<void(sim::WorldState&)>& forge) {
        Snapshot snapshot = sound_;
        forge(snapshot.state);
        const auto world = proof::restore_forged(game_, std::move(snapshot), executor_);
        if (world) return "restored";
        EXPECT_EQ(world.error().code, ErrorCode::kBadValue);
        return world.error().message;
    }
    static Pick& pick(sim::WorldState& state, std::size_t row) {
        return *reinterpret_cast<Pick*>(state.groups[0].columns[0].row(row));
    }

    core::SerialExecutor executor_;
    std::shared_ptr<const sim::GameDefinition> game_ = make_game();
    sim::World world_;
    Snapshot sound_;
};

// proves: SNAP-045
TEST_F(ValueCheck, ARefusalNamesFragmentFieldEntityAndValue) {
    EXPECT_EQ(refusal_of([](sim::WorldState&) {}), "restored");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) { pick(state, 2).index[1] = 4; }),
              "Pick.index[1] of entity 2 is 4");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) { pick(state, 0).index[0] = -1; }),
              "Pick.index[0] of entity 0 is -1");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) {
                  const Share share{1.5F};
                  state.groups[0].shared_columns[0].set(1,
                                                        reinterpret_cast<const std::byte*>(&share));
              }),
              "Share.part of entity 1 is 1.5");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) {
                  std::any_cast<Rules>(&state.variables[0])->divisor = 0;
              }),
              "variable rules.divisor is 0");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) { state.tasks[0].goals.emplace_back(); }),
              "task wait 1: goals.count is 2");
    EXPECT_EQ(refusal_of([](sim::WorldState& state) { state.deferred_spawns[0].team = -7; }),
              "deferred spawn 0 of picker: team is -7");
}

TEST_F(ValueCheck, NothingOfTheGameLooksAtAStateThatDoesNotHashAsItSays) {
    Snapshot spoilt = sound_;
    pick(spoilt.state, 2).index[1] = 4;
    const auto world = restore(game_, std::move(spoilt), executor_);
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().code, ErrorCode::kStateMismatch);
    EXPECT_EQ(checks, 0);
}

TEST_F(ValueCheck, ARestoreChecksEveryValueOnceAndATickNone) {
    const auto world = restore(game_, sound_, executor_);
    ASSERT_TRUE(world);
    EXPECT_EQ(checks, 5) << "three and the first batch";
    checks = 0;
    EXPECT_EQ(*(*world)->step(), *world_.step());
    EXPECT_EQ(checks, 0);
}

// A tool that loads by name checks what it fills in and what it skips no less.
TEST_F(ValueCheck, ALoadIsCheckedAsAJoinIs) {
    Snapshot snapshot = sound_;
    pick(snapshot.state, 1).index[0] = 9;
    Result<Snapshot> forged = proof::forge(game_, std::move(snapshot), executor_);
    ASSERT_TRUE(forged);
    forged->occupied_count = -1;
    const core::Bytes frame = encode_snapshot(*game_, *forged);
    Result<Snapshot> loaded = decode_snapshot(*game_, frame, Policy::kLoad);
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(loaded->warnings.empty());
    const auto world = restore(game_, std::move(*loaded), executor_);
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().message, "Pick.index[0] of entity 1 is 9");
}

}  // namespace
}  // namespace maniple::snapshot
