#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hash_tree_compare.h"
#include "odd_game.h"
#include "state_proof.h"

/// A world hashes into what it kept of its own past; a world that is restored from it has none.
namespace maniple::snapshot {
namespace {

constexpr sim::Tick kTicks = 160;

/// Walkers that come in batches and die, and kits that the hash takes for the same, and others.
std::unique_ptr<sim::World> random_world(std::shared_ptr<const sim::GameDefinition> game,
                                         core::Executor& executor, std::int32_t seed) {
    auto world =
        std::make_unique<sim::World>(std::move(game), sim::MatchConfig{seed, 20}, executor);
    core::RandomStream random(seed);
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::int32_t>(random.next_below(bound));
    };
    const double ranges[] = {0.0, -0.0, 1.5, std::numeric_limits<double>::quiet_NaN()};
    for (std::int64_t sequence = 1; sequence <= 120; ++sequence) {
        const std::uint32_t kinds[] = {odd::kMuster, odd::kSpeak, odd::kHaul, odd::kRefit};
        sim::Command command = odd::make_command(kinds[below(4)], 1 + below(kTicks), sequence,
                                                 below(3) == 0 ? "odd.post" : "odd.walker");
        command.set("count", std::int64_t{1 + below(40)});
        command.set("text", std::string(static_cast<std::size_t>(below(3)), 'x'));
        sim::Int32List agents;
        for (int i = below(60); i > 0; --i) agents.push_back(below(300));
        command.set("agents", agents);
        command.set("range", ranges[below(4)]);
        EXPECT_TRUE(world->queue(std::move(command)));
    }
    return world;
}

// proves: HASH-001, HASH-003, O-HASH-02
TEST(WarmWorld, KeepsOfEveryTickWhatARestoredWorldComputes) {
    const auto game = odd::make_game();
    const auto executor = core::make_executor(1);
    for (std::int32_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto world = random_world(game, *executor, seed);
        std::unique_ptr<sim::World> other;  // Restored some ticks ago.
        std::size_t entities = 0;
        while (world->tick() < kTicks) {
            ASSERT_TRUE(world->step());
            SCOPED_TRACE("tick " + std::to_string(world->tick()));
            const auto decoded = decode_snapshot(*game, proof::frame_of(*world), Policy::kJoin);
            ASSERT_TRUE(decoded) << decoded.error().message;
            auto fresh = restore(game, *decoded, *executor);
            ASSERT_TRUE(fresh) << fresh.error().message;
            const tests::Hashed& warm = *world->history().find(world->tick());
            const tests::Hashed& cold = *(*fresh)->history().find(world->tick());
            tests::expect_same_hashed(*game, warm, cold);
            if (other != nullptr) {
                ASSERT_TRUE(other->step());
                const tests::Hashed& warm_too = *other->history().find(world->tick());
                tests::expect_same_hashed(*game, warm_too, cold);
            }
            if (testing::Test::HasFailure()) return;
            if (world->tick() % 40 == 1) other = std::move(*fresh);
            entities =
                std::max(entities, static_cast<std::size_t>(world->state().occupied_count()));
        }
        EXPECT_GT(entities, 100U) << "the history is worth its while";
    }
}

}  // namespace
}  // namespace maniple::snapshot
