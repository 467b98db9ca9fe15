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
#include "maniple/skirmish/command_script.h"
#include "maniple/skirmish/map_edits.h"
#include "maniple/skirmish/statistics.h"
#include "maniple/substrate/authoring_field.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::skirmish {

/// The script of a battle on a grid map.
class BattleScript final : public CommandScript {
  public:
    /// @return script, or kNoGround, kTooManyUnits.
    [[nodiscard]] static Result<BattleScript> make(const terrain::GridMap& map,
                                                   const BattleOptions& options);

    [[nodiscard]] std::shared_ptr<const sim::GameDefinition> definition() const override;
    [[nodiscard]] std::vector<sim::Command> plan_commands_at(std::int32_t team,
                                                             sim::Tick tick) const override {
        return plan_.commands_at(team, tick);
    }
    [[nodiscard]] std::vector<sim::Command> server_commands_at(sim::Tick tick) override;
    [[nodiscard]] Result<core::Bytes> stream_at(std::string_view field,
                                                sim::Tick tick) const override;
    [[nodiscard]] std::unique_ptr<WayMeter> make_way_meter() const override;
    [[nodiscard]] const CommandPlan& plan() const { return plan_; }

  private:
    BattleScript(const terrain::GridMap& map, const MapFacts& facts, CommandPlan plan,
                 const BattleOptions& options);

    CommandPlan plan_;
    MapEdits edits_;
    substrate::AuthoringField authoring_;
    std::int32_t seed_;
    std::int32_t edit_map_every_;
    std::int32_t modify_every_;
};

/// A whole battle in one process.
class LocalBattle {
  public:
    /// `executor` outlives the battle.
    /// @return battle at tick 0, or kNoGround, kTooManyUnits.
    [[nodiscard]] static Result<std::unique_ptr<LocalBattle>> make(const terrain::GridMap& map,
                                                                   const BattleOptions& options,
                                                                   core::Executor& executor);
    /// The same by any script; `start` is the stream that the field stands on before tick 1,
    /// `background` the world's.
    /// @return battle, or as World::import_substrate.
    [[nodiscard]] static Result<std::unique_ptr<LocalBattle>> make(
        std::unique_ptr<CommandScript> script, core::ByteSpan start, std::int32_t seed,
        core::Executor& executor, core::Background* background = nullptr);
    /// Executes the next tick. @return its root hash.
    Result<std::uint64_t> step();

    [[nodiscard]] sim::World& world() { return world_; }
    [[nodiscard]] const sim::World& world() const { return world_; }
    [[nodiscard]] const CommandScript& script() const { return *script_; }
    [[nodiscard]] const BattleFigures& figures() const { return statistics_.figures(); }
    /// The commands of the last step, as a recorder wants them.
    [[nodiscard]] const std::vector<sim::Command>& last_commands() const { return last_commands_; }

  private:
    LocalBattle(std::unique_ptr<CommandScript> script, std::int32_t seed, core::Executor& executor,
                core::Background* background);

    std::unique_ptr<CommandScript> script_;
    sim::World world_;
    BattleStatistics statistics_;
    std::vector<sim::Command> last_commands_;
};

}  // namespace maniple::skirmish
