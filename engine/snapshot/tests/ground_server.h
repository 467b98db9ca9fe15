#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "maniple/substrate/authoring_field.h"

#include "ground_game.h"

namespace maniple::ground {

/// A server's world, its ground and what it executed.
class Server {
  public:
    explicit Server(std::shared_ptr<const sim::GameDefinition> game)
        : world(std::move(game), {}, executor_),
          authoring(kField, {}, start_stream(), {substrate::DispatchMode::kIncremental, 0.5}) {
        EXPECT_TRUE(world.import_substrate(kField, start_stream().bytes()));
    }
    /// Executes ticks up to `last`: a march on every fourth, a wall on every tenth, an edit of the
    /// ground on every sixteenth tick.
    void run_to(sim::Tick last, const std::function<void(const Server&)>& after_tick = {}) {
        while (world.tick() < last) {
            commands = commands_of(world.tick() + 1);
            for (const sim::Command& command : commands) EXPECT_TRUE(world.queue(command));
            const auto hash = world.step();
            ASSERT_TRUE(hash);
            hashes.push_back(*hash);
            if (after_tick) after_tick(*this);
        }
    }
    [[nodiscard]] Result<core::Bytes> stream_at(sim::Tick tick) const {
        auto stream = authoring.history().at(tick);
        if (!stream) return refuse(std::move(stream.error()));
        return std::move(*stream).release();
    }

    sim::World world;
    substrate::AuthoringField authoring;
    std::vector<sim::Command> commands;  ///< Of the tick executed last.
    std::vector<std::uint64_t> hashes;   ///< By tick, from 1 on.

  private:
    std::vector<sim::Command> commands_of(sim::Tick tick) {
        std::vector<sim::Command> out;
        const auto add = [&](std::uint32_t type) -> sim::Command& {
            sim::Command& command = out.emplace_back();
            command.type = type;
            command.tick = tick;
            command.server_exec_sequence = ++sequence_;
            return command;
        };
        if (tick % 16 == 0) {
            const std::int32_t x = tick / 16 * 2;
            authoring.field().set_cells({x, 3}, {x, kSide - 1}, nav::CellType::kObstacle,
                                        nav::kImpassableCost);
            authoring.field().commit_edits();
            const auto dispatch = authoring.rebuild(tick);
            sim::Command& command = add(sim::kCommandRebuildFlowField);
            command.target = kField;
            command.set(std::string(sim::kParamVersion), std::int64_t{dispatch->version});
            command.byte_payload = dispatch->payload;
        }
        if (tick % 4 == 1) add(kMarch).set("x", std::int64_t{tick % kSide});
        if (tick % 10 == 3) add(kBuild);
        return out;
    }

    core::SerialExecutor executor_;
    std::int64_t sequence_ = 0;
};

}  // namespace maniple::ground
