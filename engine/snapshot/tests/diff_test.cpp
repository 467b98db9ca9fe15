#include "maniple/snapshot/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "odd_game.h"

namespace maniple::snapshot {
namespace {

class DiffTest : public testing::Test {
  protected:
    void SetUp() override {
        capture(*odd::make_world(game_, executor_, 30), a_);
        b_ = a_;
        walkers_ = game_->find_template("odd.walker")->index;
        posts_ = game_->find_template("odd.post")->index;
    }
    SnapshotDifference compared() { return diff(*game_, a_, b_, executor_); }
    odd::Limbs& limbs(std::size_t group, std::size_t row) {
        return *reinterpret_cast<odd::Limbs*>(b_.state.groups[group].columns[0].row(row));
    }

    core::SerialExecutor executor_;
    std::shared_ptr<const sim::GameDefinition> game_ = odd::make_game();
    Snapshot a_;
    Snapshot b_;
    std::size_t walkers_ = 0;
    std::size_t posts_ = 0;
};

TEST_F(DiffTest, EqualSnapshotsDifferInNothing) { EXPECT_TRUE(compared().equal()); }

TEST_F(DiffTest, CountsTheEntitiesOfAFragmentOverAllTemplatesAndShowsTheFirst) {
    limbs(walkers_, 1).joints[1].pins[2] = 9;
    limbs(walkers_, 4).strain += 1;
    limbs(posts_, 0).strain += 1;
    const SnapshotDifference found = compared();
    ASSERT_EQ(found.fragments.size(), 1U);
    const FragmentDifference& one = found.fragments[0];
    EXPECT_EQ(one.fragment, "Limbs");
    EXPECT_EQ(one.entities, 3U);
    EXPECT_EQ(one.first.uid, b_.state.groups[posts_].uids[0]) << "templates in key order";
    EXPECT_EQ(one.first.field, "strain");
    EXPECT_NE(one.first.server_value, one.first.client_value);
}

TEST_F(DiffTest, EntitiesOfOneSideAreCountedAndTheOthersStillCompared) {
    sim::EntityGroup& group = b_.state.groups[walkers_];
    const sim::Uid last = group.uids.back();
    group.uids.back() = sim::Uid{last.value + 1};
    limbs(walkers_, 0).reach += 1;
    const SnapshotDifference found = compared();
    EXPECT_EQ(found.only_in_a, 1U);
    EXPECT_EQ(found.only_in_b, 1U);
    ASSERT_FALSE(found.fragments.empty());
    EXPECT_EQ(found.fragments[0].first.field, "reach");
    EXPECT_EQ(found.fragments[0].entities, 1U);
}

TEST_F(DiffTest, SectionsOutsideTheEntitiesAreNamedWithBothValues) {
    b_.state.agent_stream.seed = 5;
    b_.state.tasks[0].start_tick = 9;
    const SnapshotDifference found = compared();
    ASSERT_EQ(found.fragments.size(), 2U);
    EXPECT_EQ(found.fragments[0].fragment, "random streams");
    EXPECT_EQ(found.fragments[0].first.field, "agent.seed");
    EXPECT_EQ(found.fragments[0].first.client_value, sim::Value(std::int64_t{5}));
    EXPECT_EQ(found.fragments[1].first.field, "[0].start_tick");
}

}  // namespace
}  // namespace maniple::snapshot
