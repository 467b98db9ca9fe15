#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/skirmish/battle.h"

#include "arena.h"
#include "forged_state.h"
#include "value_checks.h"
#include "way_meter.h"

/// Snapshots that are whole and hash as they say, with values that the battle cannot bear.
namespace maniple::skirmish {
namespace {

constexpr sim::Tick kMarch = 60;  ///< MoveTo tasks and walls.
constexpr sim::Tick kTick = 125;  ///< ChaseAttack tasks, walls and a stance.

class HostileState : public testing::Test {
  protected:
    /// A battle after `ticks`, as a server would send it.
    snapshot::Snapshot captured(sim::Tick ticks = kTick) {
        const terrain::GridMap map = *terrain::make_builtin_map("builtin:valley:128");
        auto script = BattleScript::make(map, {.units = 160, .edit_map_every = 30});
        sim::World world(game_, sim::MatchConfig{}, *executor_);
        EXPECT_TRUE(world.import_substrate(kFieldName, map.stream.bytes()));
        while (world.tick() < ticks) {
            for (sim::Command& command : script->commands_for_tick(world.tick() + 1)) {
                EXPECT_TRUE(world.queue(std::move(command)));
            }
            EXPECT_TRUE(world.step());
        }
        snapshot::Snapshot out;
        snapshot::capture(world, out);
        snapshot::add_substrates(world, out);
        return out;
    }
    Result<std::unique_ptr<sim::World>> restored(snapshot::Snapshot snapshot) {
        return proof::restore_forged(game_, std::move(snapshot), *executor_);
    }
    /// What is said of a state that `forge` has changed.
    std::string refusal_of(const std::function<void(sim::WorldState&)>& forge,
                           sim::Tick ticks = kTick) {
        snapshot::Snapshot snapshot = captured(ticks);
        forge(snapshot.state);
        const auto world = restored(std::move(snapshot));
        if (world) return "restored";
        EXPECT_EQ(world.error().code, ErrorCode::kBadValue);
        return world.error().message;
    }
    /// Restores the state that `forge` has changed and plays on.
    void expect_borne(const std::function<void(sim::WorldState&)>& forge, sim::Tick ticks = kTick) {
        snapshot::Snapshot snapshot = captured(ticks);
        forge(snapshot.state);
        const auto world = restored(std::move(snapshot));
        ASSERT_TRUE(world) << world.error().message;
        BattleStatistics statistics(grid_way_meter());
        for (int i = 0; i < 24; ++i) {
            ASSERT_TRUE((*world)->step());
            statistics.observe(**world);
        }
    }

    template <typename T>
    T& row(sim::WorldState& state, std::size_t group, std::size_t row) {
        sim::Column* column = state.groups[group].find_column(game_->fragment_id<T>());
        return *reinterpret_cast<T*>(column->row(row));
    }
    static std::string name_of(const sim::WorldState& state, std::size_t group, std::size_t row) {
        return " of entity " + std::to_string(state.groups[group].uids[row].value);
    }

    std::shared_ptr<const sim::GameDefinition> game_ = make_skirmish();
    std::unique_ptr<core::Executor> executor_ = core::make_executor(1);
};

TEST_F(HostileState, WhatIsNotForgedIsRestored) {
    expect_borne([](sim::WorldState&) {});
    expect_borne([](sim::WorldState&) {}, 1);
}

// proves: SNAP-045
TEST_F(HostileState, AValueOfAFragmentIsRefusedByFragmentFieldEntityAndValue) {
    const snapshot::Snapshot sample = captured();
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const std::string who = name_of(sample.state, group, 3);
        for (const int team : {-128, -1, 2, 127}) {
            EXPECT_EQ(refusal_of([&](sim::WorldState& state) {
                          row<Unit>(state, group, 3).team = static_cast<std::int8_t>(team);
                      }),
                      "Unit.team" + who + " is " + std::to_string(team));
        }
        EXPECT_EQ(
            refusal_of([&](sim::WorldState& state) { row<Unit>(state, group, 3).squad = -1; }),
            "Unit.squad" + who + " is -1");
        for (const int kind : {-1, 3, 32767}) {
            EXPECT_EQ(refusal_of([&](sim::WorldState& state) {
                          row<Order>(state, group, 3).kind = static_cast<OrderKind>(kind);
                      }),
                      "Order.kind" + who + " is " + std::to_string(kind));
        }
        for (const int order_state : {-1, 4}) {
            EXPECT_EQ(refusal_of([&](sim::WorldState& state) {
                          row<Order>(state, group, 3).state = static_cast<OrderState>(order_state);
                      }),
                      "Order.state" + who + " is " + std::to_string(order_state));
        }
        EXPECT_EQ(
            refusal_of([&](sim::WorldState& state) { row<Order>(state, group, 3).task_id = -1; }),
            "Order.task_id" + who + " is -1");
    }
}

TEST_F(HostileState, AValueOfASharedFragmentIsRefusedByItsFirstEntity) {
    for (const std::int32_t armour : {std::numeric_limits<std::int32_t>::min(), -1, kArmourMax + 1,
                                      std::numeric_limits<std::int32_t>::max()}) {
        std::string who;
        const std::string said = refusal_of([&](sim::WorldState& state) {
            who = name_of(state, 1, 2);
            const Kit kit{armour};
            state.groups[1].shared_columns[0].set(2, reinterpret_cast<const std::byte*>(&kit));
        });
        EXPECT_EQ(said, "Kit.armour" + who + " is " + std::to_string(armour));
    }
    expect_borne([](sim::WorldState& state) {
        const Kit kit{kArmourMax};
        state.groups[1].shared_columns[0].set(2, reinterpret_cast<const std::byte*>(&kit));
    });
}

TEST_F(HostileState, AVariableIsRefusedByName) {
    const auto with = [&](const std::function<void(Tactics&)>& forge) {
        return refusal_of(
            [&](sim::WorldState& state) { forge(*std::any_cast<Tactics>(&state.variables[0])); });
    };
    EXPECT_EQ(with([](Tactics& t) { t.stances.clear(); }), "variable tactics.stances.count is 0");
    EXPECT_EQ(with([](Tactics& t) { t.stances.resize(3); }), "variable tactics.stances.count is 3");
    EXPECT_EQ(with([](Tactics& t) { t.stances[0] = Stance{2}; }),
              "variable tactics.stances[0] is 2");
    EXPECT_EQ(with([](Tactics& t) { t.stances[1] = Stance{-1}; }),
              "variable tactics.stances[1] is -1");
    EXPECT_EQ(with([](Tactics& t) { t.calls = -1; }), "variable tactics.calls is -1");
    EXPECT_EQ(with([](Tactics& t) { t.calls = std::numeric_limits<std::int32_t>::max(); }),
              "variable tactics.calls is 2147483647");
}

/// The last task, which is of `kind`.
sim::TaskRecord& task_of(sim::WorldState& state, sim::TaskKind kind) {
    EXPECT_EQ(state.tasks.at(state.tasks.size() - 1).kind, kind);
    return state.tasks.back();
}

TEST_F(HostileState, ATaskIsRefusedByItsKindAndNumber) {
    for (const std::int32_t team : {-1, 2, std::numeric_limits<std::int32_t>::min()}) {
        const std::string said = refusal_of([&](sim::WorldState& state) {
            sim::set_task_variables(task_of(state, sim::TaskKind::kChaseAttack), Hunt{team});
        });
        EXPECT_TRUE(said.starts_with("task ChaseAttack ")) << said;
        EXPECT_TRUE(said.ends_with(": team is " + std::to_string(team))) << said;
    }
    const std::string id = refusal_of(
        [](sim::WorldState& state) {
            state.next_move_to_task_id = snapshot::kCounterMax;
            task_of(state, sim::TaskKind::kMoveTo).id = snapshot::kCounterMax - 1;
        },
        kMarch);
    EXPECT_EQ(id, "task MoveTo 1073741823: id is 1073741823");
    for (const double cm : {std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(), 1e300, -3e6}) {
        const std::string said = refusal_of(
            [&](sim::WorldState& state) { task_of(state, sim::TaskKind::kMoveTo).goals[0].y = cm; },
            kMarch);
        EXPECT_TRUE(said.ends_with(": goals")) << said;
    }
}

TEST_F(HostileState, ADeferredSpawnIsRefusedByItsPlaceInTheRow) {
    ASSERT_FALSE(captured(1).state.deferred_spawns.empty());
    for (const std::int32_t team : {-1, kSquadsMax * kTeamCount}) {
        const std::string said =
            refusal_of([&](sim::WorldState& state) { state.deferred_spawns[0].team = team; }, 1);
        EXPECT_TRUE(said.starts_with("deferred spawn 0 of ")) << said;
        EXPECT_TRUE(said.ends_with(": team is " + std::to_string(team))) << said;
    }
    const std::string said = refusal_of(
        [](sim::WorldState& state) {
            state.deferred_spawns[0].locations[1].x = std::numeric_limits<double>::quiet_NaN();
        },
        1);
    EXPECT_TRUE(said.ends_with(": locations")) << said;
}

TEST_F(HostileState, WhatACheckRefusesBeginsOneStepBehindWhatTheGameReaches) {
    const auto calls = [](std::int32_t value) {
        return [=](sim::WorldState& state) {
            std::any_cast<Tactics>(&state.variables[0])->calls = value;
        };
    };
    expect_borne(calls(kCallsMax));
    EXPECT_NE(refusal_of(calls(kCallsMax + 1)), "restored");
    const auto task_id = [](sim::TaskId id) {
        return [=](sim::WorldState& state) {
            state.next_move_to_task_id = id + 1;
            task_of(state, sim::TaskKind::kMoveTo).id = id;
        };
    };
    expect_borne(task_id(kTaskIdsMax), kMarch);
    EXPECT_NE(refusal_of(task_id(kTaskIdsMax + 1), kMarch), "restored");
    const auto goal = [](Vec3d cm) {
        return
            [=](sim::WorldState& state) { task_of(state, sim::TaskKind::kMoveTo).goals[0] = cm; };
    };
    expect_borne(goal({Position::kEdgeCm, -Position::kEdgeCm, kHeightCmMax}), kMarch);
    expect_borne(goal({0, 0, -kHeightCmMax}), kMarch);
    EXPECT_NE(refusal_of(goal({Position::kEdgeCm + 1, 0, 0}), kMarch), "restored");
    EXPECT_NE(refusal_of(goal({0, 0, kHeightCmMax + 1}), kMarch), "restored");
    const auto spawn = [](std::int32_t team, Vec3d cm) {
        return [=](sim::WorldState& state) {
            state.deferred_spawns[0].team = team;
            state.deferred_spawns[0].locations[1] = cm;
        };
    };
    const std::int32_t last_team = kSquadsMax * kTeamCount - 1;
    expect_borne(spawn(last_team, {-Position::kEdgeCm, Position::kEdgeCm, 0}), 1);
    EXPECT_NE(refusal_of(spawn(0, {-Position::kEdgeCm - 1, 0, 0}), 1), "restored");
}

TEST_F(HostileState, TimersPlacesAndHealthOfAnyValueAreBorne) {
    for (const bool least : {true, false}) {
        const auto extreme = [&]<typename T>(T& value) {
            value = least ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
        };
        expect_borne([&](sim::WorldState& state) {
            for (std::size_t group = 0; group < kGroupCount; ++group) {
                for (std::size_t i = 0; i < state.groups[group].size(); i += 2) {
                    Unit& unit = row<Unit>(state, group, i);
                    extreme(unit.health);
                    extreme(unit.cooldown_ticks);
                    extreme(unit.phase_ticks);
                    extreme(row<Motion>(state, group, i).x);
                    extreme(row<Position>(state, group, i).x);
                    extreme(row<Position>(state, group, i).y);
                    extreme(row<Target>(state, group, i).uid);
                    row<Order>(state, group, i).task_id = std::numeric_limits<std::int32_t>::max();
                }
            }
        });
    }
}

TEST_F(HostileState, TargetsAndAgentsThatAreWallsAreBorne) {
    for (const sim::Tick tick : {kMarch, kTick})
        expect_borne(
            [&](sim::WorldState& state) {
                ASSERT_FALSE(state.groups[kGroupCount].uids.empty());
                const std::int32_t wall = state.groups[kGroupCount].uids[0].value;
                for (std::size_t i = 0; i < state.groups[1].size(); ++i) {
                    row<Target>(state, 1, i).uid = wall;
                }
                for (sim::TaskRecord& task : state.tasks) task.agent_uids.assign(1, wall);
            },
            tick);
}

TEST_F(HostileState, TasksWhoseAgentsWereNeverThereEnd) {
    expect_borne([](sim::WorldState& state) {
        state.uid_cursor = 2'000'000'000;
        for (sim::TaskRecord& task : state.tasks) task.agent_uids = {1'999'999'999};
    });
}

TEST_F(HostileState, AChaseWithoutAgentsOrGoalsEnds) {
    expect_borne([](sim::WorldState& state) {
        sim::TaskRecord& task = task_of(state, sim::TaskKind::kChaseAttack);
        task.goals.clear();
        task.agent_uids.clear();
        task.variables.clear();
    });
}

TEST_F(HostileState, TheLastUidAndTheLastTickAreBorne) {
    expect_borne([](sim::WorldState& state) {
        state.uid_cursor = std::numeric_limits<std::int32_t>::max();
        state.groups[0].uids.back().value = std::numeric_limits<std::int32_t>::max() - 1;
        state.tick = snapshot::kCounterMax;
    });
    expect_borne(
        [](sim::WorldState& state) { state.uid_cursor = std::numeric_limits<std::int32_t>::max(); },
        1);
}

TEST_F(HostileState, RandomStreamsOfZeroAndSpawnsOfHugeNumbersAreBorne) {
    expect_borne(
        [](sim::WorldState& state) {
            state.agent_stream = core::RandomStream(0);
            state.hash_grid_stream = core::RandomStream(0);
            sim::SpawnRequest& request = state.deferred_spawns[0];
            request.substeps = std::numeric_limits<std::int32_t>::max();
            request.multipliers.count = std::numeric_limits<float>::infinity();
            request.custom_rotation.yaw = std::numeric_limits<float>::quiet_NaN();
            request.initial_rotation = sim::InitialRotation::kCustom;
        },
        1);
}

}  // namespace
}  // namespace maniple::skirmish
