#include "maniple/sim/desync.h"

#include <gtest/gtest.h>
#include <memory>

#include "maniple/sim/world.h"

namespace maniple::sim {

struct Purse {
    std::int32_t coins = 0;
};
BOOST_DESCRIBE_STRUCT(Purse, (), (coins))

namespace {

constexpr std::uint32_t kCommandSpawn = kFirstGameCommand;

std::shared_ptr<const GameDefinition> market() {
    auto game = std::make_shared<GameDefinition>("market");
    game->add_fragment<Purse>("Purse");
    TemplateBuilder(*game, "trader").with(Purse{7}).add();
    game->add_command({kCommandSpawn, "Spawn", [](World& world, const Command&) -> Result<void> {
                           for (int i = 0; i < 600; ++i) world.spawn({0});
                           return {};
                       }});
    game->seal();
    return game;
}

/// Two peers of one match; the second one is wrong from tick 2 on.
class DesyncTest : public testing::Test {
  protected:
    void play(const std::function<void(World&)>& wrong) {
        for (World* world : {&server_, &client_}) {
            Command spawn;
            spawn.type = kCommandSpawn;
            spawn.tick = 1;
            spawn.server_exec_sequence = 1;
            ASSERT_TRUE(world->queue(spawn));
            ASSERT_TRUE(world->step());
        }
        ASSERT_TRUE(server_.step());
        ASSERT_TRUE(client_.step({.before_hash = wrong}));
    }
    [[nodiscard]] const TickHistory::Entry& own() const { return *server_.history().find(2); }
    [[nodiscard]] core::Bytes answer(Tick tick, core::ByteSpan question) const {
        return answer_desync(*game_, client_.history(), tick, question);
    }
    [[nodiscard]] Result<FieldDifference> exchange() const {
        return name_desync(*game_, own(), answer(2, encode_desync_question(own())));
    }

    std::shared_ptr<const GameDefinition> game_ = market();
    core::SerialExecutor executor_;
    World server_{game_, {}, executor_};
    World client_{game_, {}, executor_};
};

// proves: NET-020
TEST_F(DesyncTest, AFieldIsNamedWithBothValues) {
    play([](World& world) { world.column<Purse>({0})[399].coins = 8; });
    const auto named = exchange();
    ASSERT_TRUE(named) << named.error().message;
    EXPECT_EQ(named->fragment, "Purse");
    EXPECT_EQ(named->uid.value, 399);
    EXPECT_EQ(named->field, "coins");
    EXPECT_EQ(named->server_value, Value(std::int64_t{7}));
    EXPECT_EQ(named->client_value, Value(std::int64_t{8}));
}

TEST_F(DesyncTest, ADifferenceOutsideTheEntitiesIsNamedByItsSection) {
    play([](World& world) { world.agent_stream().seed ^= 1; });
    const auto named = exchange();
    ASSERT_TRUE(named) << named.error().message;
    EXPECT_EQ(named->fragment, hash_section_name(HashSection::kRandomStreams));
    EXPECT_FALSE(named->uid.valid());
}

TEST_F(DesyncTest, NothingIsNamedForATickThatIsGoneOrStatesThatAreEqual) {
    play([](World&) {});
    EXPECT_EQ(exchange().error().code, ErrorCode::kNotFound);
    const auto gone = name_desync(*game_, own(), answer(77, encode_desync_question(own())));
    EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
}

TEST_F(DesyncTest, HostileQuestionsAndAnswersAreRefused) {
    play([](World& world) { world.column<Purse>({0})[3].coins = 8; });
    const core::Bytes question = encode_desync_question(own());
    for (std::size_t size = 0; size < question.size(); ++size) {
        EXPECT_EQ(answer(2, {question.data(), size}), core::Bytes{0}) << size;
    }
    const core::Bytes good = answer(2, question);
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_FALSE(name_desync(*game_, own(), {good.data(), size})) << size;
    }
    EXPECT_EQ(name_desync(*game_, own(), core::Bytes{9}).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(name_desync(*game_, own(), core::Bytes{2, 200}).error().at_byte, 1U);
}

}  // namespace
}  // namespace maniple::sim
