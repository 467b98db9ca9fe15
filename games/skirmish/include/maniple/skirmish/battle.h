#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/command_plan.h"
#include "maniple/skirmish/map_edits.h"
#include "maniple/skirmish/statistics.h"
#include "maniple/substrate/authoring_field.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::skirmish {

struct BattleOptions {
    std::int32_t units = 10'000;  ///< Over both teams, ≥ 1.
    std::int32_t seed = 1;
    std::int32_t edit_map_every = 200;  ///< Ticks; 0 = never.
    /// What an edit travels as; the battle never depends on it.
    substrate::DispatchMode dispatch = substrate::DispatchMode::kAuto;
};

/// Everything that will be commanded in a battle, tick by tick: the server's map edits and both
/// teams' plans. A server stamps from it, a single process plays it.
class BattleScript {
  public:
    /// @return script, or kNoGround, kTooManyUnits.
    [[nodiscard]] static Result<BattleScript> make(const terrain::GridMap& map,
                                                   const BattleOptions& options);

    /// All commands of `tick` stamped with tick and sequence: the server's edit first, then the
    /// teams in (team, index) order. Called for every tick from 1 on, in order.
    [[nodiscard]] std::vector<sim::Command> commands_for_tick(sim::Tick tick);
    /// The server's own part: FF.RebuildFlowField and the wall on an edit tick. Once for every
    /// tick, in order.
    [[nodiscard]] std::vector<sim::Command> server_commands_at(sim::Tick tick);
    /// The full stream that the played field stands on once `tick` has been executed.
    /// @return stream, or kUnknownName, or kNotFound for a tick that is not known any more.
    [[nodiscard]] Result<substrate::CheckedStream> stream_at(std::string_view field,
                                                             sim::Tick tick) const;
    [[nodiscard]] const CommandPlan& plan() const { return plan_; }
    [[nodiscard]] std::int64_t next_sequence() const { return next_sequence_; }

  private:
    BattleScript(const terrain::GridMap& map, const MapFacts& facts, CommandPlan plan,
                 const BattleOptions& options);

    CommandPlan plan_;
    MapEdits edits_;
    substrate::AuthoringField authoring_;
    std::int32_t edit_map_every_;
    std::int64_t next_sequence_ = 1;
};

/// A whole battle in one process.
class LocalBattle {
  public:
    /// `executor` outlives the battle.
    /// @return battle at tick 0, or kNoGround, kTooManyUnits.
    [[nodiscard]] static Result<std::unique_ptr<LocalBattle>> make(const terrain::GridMap& map,
                                                                   const BattleOptions& options,
                                                                   core::Executor& executor);
    /// Executes the next tick. @return its root hash.
    Result<std::uint64_t> step();

    [[nodiscard]] sim::World& world() { return world_; }
    [[nodiscard]] const sim::World& world() const { return world_; }
    [[nodiscard]] const BattleScript& script() const { return script_; }
    [[nodiscard]] const BattleFigures& figures() const { return statistics_.figures(); }
    /// The commands of the last step, as a recorder wants them.
    [[nodiscard]] const std::vector<sim::Command>& last_commands() const { return last_commands_; }

  private:
    LocalBattle(BattleScript script, const BattleOptions& options, core::Executor& executor);

    BattleScript script_;
    sim::World world_;
    BattleStatistics statistics_;
    std::vector<sim::Command> last_commands_;
};

}  // namespace maniple::skirmish
