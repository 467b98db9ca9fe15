#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/sim/world.h"

namespace maniple::sim {

struct Thing {
    std::int32_t value = 0;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (value))

namespace {

using testing::ElementsAre;

class UidTest : public testing::Test {
  protected:
    UidTest() {
        auto game = std::make_shared<GameDefinition>("uids");
        game->add_fragment<Thing>("Thing");
        TemplateBuilder(*game, "agent").with(Thing{}).add();
        TemplateBuilder(*game, "wall", EntityType::kObstacle).with(Thing{}).add();
        game->seal();
        game_ = game;
        world_ = std::make_unique<World>(game_, MatchConfig{}, executor_,
                                         [this](const core::LogEntry& e) { log_.push_back(e); });
    }
    std::int32_t spawn(std::uint16_t id) { return world_->spawn({id}).value; }

    core::SerialExecutor executor_;
    std::shared_ptr<const GameDefinition> game_;
    std::vector<core::LogEntry> log_;
    std::unique_ptr<World> world_;
};

// proves: O-UID-01, O-UID-03, UID-001, UID-005
TEST_F(UidTest, BeginAtZeroAndRiseWhateverDies) {
    EXPECT_EQ(spawn(0), 0);
    EXPECT_EQ(spawn(0), 1);
    EXPECT_EQ(spawn(0), 2);
    world_->queue_destroy({1});
    world_->queue_destroy({2});
    ASSERT_TRUE(world_->step());
    EXPECT_EQ(world_->state().occupied_count(), 1);
    EXPECT_EQ(world_->state().uid_cursor, 3);
    EXPECT_EQ(spawn(0), 3);
    EXPECT_FALSE(world_->find({1}));
}

// proves: O-UID-06
TEST_F(UidTest, OneCursorServesEveryTemplate) {
    EXPECT_EQ(spawn(0), 0);
    EXPECT_EQ(spawn(1), 1);
    EXPECT_EQ(spawn(0), 2);
    EXPECT_EQ(spawn(1), 3);
    EXPECT_THAT(world_->group({1}).uids, ElementsAre(Uid{1}, Uid{3}));
}

// proves: O-UID-04
TEST_F(UidTest, RunOutWithAnErrorInsteadOfWrapping) {
    WorldState state = empty_state(*game_);
    state.uid_cursor = INT32_MAX - 1;
    world_->adopt_state(std::move(state));
    EXPECT_EQ(spawn(0), INT32_MAX - 1);
    EXPECT_TRUE(log_.empty());
    EXPECT_FALSE(world_->spawn({0}).valid());
    EXPECT_FALSE(world_->spawn({1}).valid());
    ASSERT_EQ(log_.size(), 2U);
    EXPECT_EQ(log_[0].severity, core::Severity::kError);
    EXPECT_EQ(log_[0].code, 1203);
    EXPECT_EQ(world_->state().occupied_count(), 1);
    EXPECT_EQ(world_->state().uid_cursor, INT32_MAX);
}

}  // namespace
}  // namespace maniple::sim
