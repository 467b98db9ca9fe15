#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maniple/sim/world.h"

namespace maniple::sim {

struct Kept {
    std::int32_t value = 0;
};
BOOST_DESCRIBE_STRUCT(Kept, (), (value))
struct Gear {
    float weight = 1;
};
BOOST_DESCRIBE_STRUCT(Gear, (), (weight))
struct Wet {};

namespace {

using testing::ElementsAre;

/// A game whose command 64 calls `act` and whose only system calls `live`.
class StructureTest : public testing::Test {
  protected:
    void start() {
        auto game = std::make_shared<GameDefinition>("structure");
        game->add_fragment<Kept>("Kept");
        game->add_shared_fragment<Gear>("Gear");
        game->add_tag<Wet>("Wet");
        TemplateBuilder(*game, "unit")
            .with(Kept{5})
            .with(Gear{2})
            .place([this](World& world, Uid uid, const SpawnRequest& request, const Vec3d& at) {
                world.fragment<Kept>(uid)->value = static_cast<std::int32_t>(at.x);
                teams_.push_back(request.team);
            })
            .add();
        game->add_command({kFirstGameCommand, "act", [this](World& world, const Command&) {
                               return act_ ? act_(world) : Result<void>{};
                           }});
        game->add_system({"live", [this](SystemContext& context) {
                              if (live_) live_(context.world);
                          }});
        game->add_task_type({"chore",
                             TaskKind::kOther,
                             [this](World& world, TaskRecord&) {
                                 if (chore_) chore_(world);
                             },
                             {},
                             {}});
        game->seal();
        world_ = std::make_unique<World>(game, MatchConfig{}, executor_,
                                         [this](const core::LogEntry& e) { log_.push_back(e); });
    }
    /// Runs the next tick, in whose command step `act` is called.
    void tick(std::function<Result<void>(World&)> act = {}) {
        act_ = std::move(act);
        Command command;
        command.type = kFirstGameCommand;
        command.tick = world_->tick() + 1;
        command.server_exec_sequence = command.tick;
        ASSERT_TRUE(world_->queue(command));
        ASSERT_TRUE(world_->step());
    }
    SpawnRequest request(int locations, std::int32_t quantity, std::int32_t substeps) {
        SpawnRequest r;
        r.template_key = "unit";
        for (int i = 0; i < locations; ++i) r.locations.push_back({double(i), 0, 0});
        r.quantity = quantity;
        r.substeps = substeps;
        r.team = 3;
        return r;
    }
    std::vector<std::int32_t> values() {
        std::vector<std::int32_t> all;
        for (const Kept& kept : world_->column<Kept>({0})) all.push_back(kept.value);
        return all;
    }

    core::SerialExecutor executor_;
    std::function<Result<void>(World&)> act_;
    std::function<void(World&)> live_;
    std::function<void(World&)> chore_;
    std::vector<std::int32_t> teams_;
    std::vector<core::LogEntry> log_;
    std::unique_ptr<World> world_;
};

// proves: SNAP-014, SNAP-017, SNAP-019, SNAP-053, O-SNAP-19, O-SNAP-24
TEST_F(StructureTest, ABatchedSpawnEmitsEvenBatchesFromTheCommandStepOn) {
    start();
    const auto count = [&] { return world_->group({0}).size(); };
    tick([&](World& w) { return w.request_spawn(request(10, 10, 4)); });
    EXPECT_EQ(count(), 3U) << "ceil(10 / 4)";
    EXPECT_THAT(world_->state().deferred_spawns[0].accumulated_uids, ElementsAre(0, 1, 2));
    tick();
    EXPECT_EQ(count(), 6U) << "ceil(7 / 3)";
    tick();
    EXPECT_EQ(count(), 8U) << "ceil(4 / 2)";
    tick();
    EXPECT_EQ(count(), 10U);
    EXPECT_TRUE(world_->state().deferred_spawns.empty());
    EXPECT_THAT(values(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_THAT(teams_, testing::Each(3));
}

// proves: SNAP-018
TEST_F(StructureTest, APendingFirstTickIsSkippedOnce) {
    start();
    tick([&](World& w) {
        SpawnRequest late = request(2, 2, 2);
        late.first_tick_pending = true;
        return w.request_spawn(late);
    });
    EXPECT_TRUE(values().empty());
    tick();
    EXPECT_EQ(values().size(), 1U);
    tick();
    EXPECT_EQ(values().size(), 2U);
}

// proves: O-SNAP-19, O-SNAP-20
TEST_F(StructureTest, QuantityIsTheTotalOverTheLocationsAndTheDeadKeepTheirPlace) {
    start();
    tick([&](World& w) { return w.request_spawn(request(4, 6, 0)); });
    EXPECT_THAT(values(), ElementsAre(0, 1, 1, 2, 3, 3));
    tick([&](World& w) { return w.request_spawn(request(2, 2, 2)); });
    tick([&](World& w) {
        w.queue_destroy(Uid{6});
        return w.request_spawn(request(3, 3, 3));
    });
    tick();
    ASSERT_EQ(world_->state().deferred_spawns.size(), 1U);
    EXPECT_EQ(world_->state().deferred_spawns[0].accumulated_uids.size(), 2U);
    EXPECT_FALSE(world_->find(Uid{6}));
}

// proves: SNAP-016, O-GEN-09
TEST_F(StructureTest, ASpawnRequestIsRefusedForWhatCannotBe) {
    start();
    const auto code = [&](SpawnRequest r) {
        const Result<void> done = world_->request_spawn(std::move(r));
        return done ? ErrorCode::kNone : done.error().code;
    };
    SpawnRequest unknown = request(1, 1, 0);
    unknown.template_key = "nobody";
    EXPECT_EQ(code(unknown), ErrorCode::kUnknownName);
    EXPECT_EQ(code(request(0, 1, 0)), ErrorCode::kBadValue);
    EXPECT_EQ(code(request(1, -1, 0)), ErrorCode::kBadValue);
    EXPECT_EQ(code(request(1, 1, -1)), ErrorCode::kBadValue);
    EXPECT_EQ(code(request(1, kSpawnQuantityMax, 0)), ErrorCode::kNone);
    EXPECT_EQ(code(request(1, kSpawnQuantityMax + 1, 0)), ErrorCode::kBadValue);
    EXPECT_EQ(code(request(1, 1, 0)), ErrorCode::kOverCap);
    SpawnRequest traced = request(1, 0, 0);
    traced.ground_object_types = {4};
    EXPECT_EQ(code(traced), ErrorCode::kNone);
    ASSERT_EQ(log_.size(), 1U);
    EXPECT_EQ(log_[0].severity, core::Severity::kWarning);
}

// proves: O-SNAP-24
TEST_F(StructureTest, ChangesAreCarriedOutByUidThenByCallAndSpawnsMintInThatOrder) {
    start();
    tick([&](World& w) { return w.request_spawn(request(3, 3, 0)); });
    live_ = [](World& w) {
        for (const std::int32_t source : {2, 0, 1}) {
            w.queue_spawn({0}, Uid{source}, [source](World& world, Uid uid) {
                world.fragment<Kept>(uid)->value = 100 + source;
            });
        }
        w.queue_destroy(Uid{1});
        w.queue_tag<Wet>(Uid{2}, true);
        w.queue_tag<Wet>(Uid{2}, false);
        w.queue_tag<Wet>(Uid{0}, false);
        w.queue_tag<Wet>(Uid{0}, true);
    };
    tick();
    live_ = {};
    EXPECT_THAT(values(), ElementsAre(0, 2, 100, 101, 102));
    EXPECT_TRUE(world_->has_tag<Wet>(Uid{0}));
    EXPECT_FALSE(world_->has_tag<Wet>(Uid{2}));
    EXPECT_FALSE(world_->has_tag<Wet>(Uid{1})) << "gone";
}

// proves: O-SNAP-24
TEST_F(StructureTest, WhatATaskSpawnsWaitsForTheNextCommandStepAsState) {
    start();
    tick([&](World& w) {
        w.create_task("chore", {}, {});
        return w.request_spawn(request(2, 2, 0));
    });
    chore_ = [&](World& w) {
        EXPECT_TRUE(w.request_spawn(request(1, 1, 0)));
        w.queue_destroy(Uid{0});
        chore_ = {};
    };
    tick();
    EXPECT_EQ(world_->state().deferred_spawns.size(), 1U);
    EXPECT_EQ(world_->state().uid_cursor, 2);
    EXPECT_FALSE(world_->find(Uid{0})) << "a task's destroy is not left over at the tick's end";
    tick();
    EXPECT_EQ(world_->state().uid_cursor, 3);
}

// proves: SNAP-052
TEST_F(StructureTest, ATaskHasTheAgentsThatEverLivedInOrder) {
    start();
    tick([&](World& w) {
        EXPECT_TRUE(w.request_spawn(request(3, 3, 0)));
        w.queue_destroy(Uid{1});
        return Result<void>{};
    });
    tick([&](World& w) {
        EXPECT_THAT(w.create_task("chore", {3, 2, -1, 1, 0x7FFFFFFF, 0}, {}).agent_uids,
                    ElementsAre(0, 1, 2));
        return Result<void>{};
    });
}

// proves: SNAP-042, O-SNAP-21
TEST_F(StructureTest, ASharedValueIsCopiedOnWriteAndInternedByValue) {
    start();
    tick([&](World& w) { return w.request_spawn(request(4, 4, 0)); });
    const SharedColumn& gear = world_->state().groups[0].shared_columns[0];
    EXPECT_EQ(gear.slot_count(), 1U);
    EXPECT_TRUE(world_->set_shared(Uid{1}, Gear{7}));
    EXPECT_TRUE(world_->set_shared(Uid{2}, Gear{7}));
    EXPECT_FALSE(world_->set_shared(Uid{9}, Gear{7}));
    EXPECT_EQ(gear.slot_count(), 2U);
    const auto view = world_->shared<Gear>({0});
    EXPECT_EQ(view[0].weight, 2);
    EXPECT_EQ(view[1].weight, 7);
    EXPECT_EQ(view[3].weight, 2);
    tick([](World& w) {
        w.queue_destroy(Uid{1});
        w.queue_destroy(Uid{2});
        return Result<void>{};
    });
    EXPECT_EQ(view[1].weight, 2);
    EXPECT_TRUE(world_->set_shared(Uid{3}, Gear{9}));
    EXPECT_EQ(gear.slot_count(), 2U) << "a value nobody holds makes room";
    EXPECT_EQ(view[1].weight, 9);
    tick([&](World& w) { return w.request_spawn(request(1, 1, 0)); });
    EXPECT_EQ(view[2].weight, 2) << "the template's own value never changes";
}

// proves: UID-001
TEST_F(StructureTest, WhoeverGoesTheOthersKeepTheirOrderAndAreFound) {
    constexpr std::int32_t kUnits = 60;
    const std::vector<std::vector<std::int32_t>> going{
        {0}, {59}, {1, 2, 3}, {58, 7, 7, 30, 9, 8}, {4, 57, 56}, {31, 33, 35, 37, 39}};
    start();
    tick([&](World& w) { return w.request_spawn(request(kUnits, kUnits, 0)); });
    std::vector<std::int32_t> staying;
    for (std::int32_t uid = 0; uid < kUnits; ++uid) {
        world_->fragment<Kept>(Uid{uid})->value = 100 + uid;
        world_->set_shared(Uid{uid}, Gear{static_cast<float>(uid % 7)});
        staying.push_back(uid);
    }
    for (const std::vector<std::int32_t>& uids : going) {
        tick([&](World& w) {
            for (const std::int32_t uid : uids) w.queue_destroy(Uid{uid});
            return Result<void>{};
        });
        for (const std::int32_t uid : uids) {
            std::erase(staying, uid);
            EXPECT_FALSE(world_->find(Uid{uid}));
        }
        const EntityGroup& group = world_->state().groups[0];
        ASSERT_EQ(group.size(), staying.size());
        for (std::size_t row = 0; row < staying.size(); ++row) {
            const Uid uid{staying[row]};
            EXPECT_EQ(group.uids[row], uid);
            ASSERT_TRUE(world_->find(uid));
            EXPECT_EQ(world_->find(uid)->row, row);
            EXPECT_EQ(world_->fragment<Kept>(uid)->value, 100 + uid.value);
            EXPECT_EQ(world_->shared<Gear>({0})[row].weight, static_cast<float>(uid.value % 7));
        }
    }
}

// proves: O-HASH-02, O-SNAP-21
TEST_F(StructureTest, TheOrderInWhichSharedValuesCameDoesNotEnterTheHash) {
    std::vector<std::uint64_t> hashes;
    for (const bool turned : {false, true}) {
        start();
        tick([&](World& w) { return w.request_spawn(request(3, 3, 0)); });
        if (turned) world_->set_shared(Uid{2}, Gear{9});
        world_->set_shared(Uid{1}, Gear{7});
        world_->set_shared(Uid{2}, Gear{9});
        hashes.push_back(world_->compute_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    world_->set_shared(Uid{2}, Gear{7});
    EXPECT_NE(world_->compute_hash(), hashes[1]);
}

}  // namespace
}  // namespace maniple::sim
