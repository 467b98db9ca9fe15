#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/sim/registry.h"
#include "maniple/skirmish/statistics.h"
#include "maniple/substrate/stream_dispatcher.h"

namespace maniple::skirmish {

struct BattleOptions {
    std::int32_t units = 10'000;  ///< Over both teams, ≥ 1.
    std::int32_t seed = 1;
    std::int32_t edit_map_every = 200;  ///< Ticks; 0 = never.
    std::int32_t modify_every = 0;      ///< Ticks between changes of modifiers; 0 = none. Grids.
    /// What an edit travels as; the battle never depends on it.
    substrate::DispatchMode dispatch = substrate::DispatchMode::kAuto;
};

/// Everything that will be commanded in a battle, tick by tick, on whatever ground: the server's
/// map edits and both teams' plans. A server stamps from it, a single process plays it.
class CommandScript {
  public:
    CommandScript() = default;
    CommandScript(CommandScript&&) = default;
    CommandScript& operator=(CommandScript&&) = default;
    virtual ~CommandScript() = default;

    /// The game that the commands are of.
    [[nodiscard]] virtual std::shared_ptr<const sim::GameDefinition> definition() const = 0;
    /// What a team orders in a tick, in index order, unstamped: a pure function (O-NET-14).
    [[nodiscard]] virtual std::vector<sim::Command> plan_commands_at(std::int32_t team,
                                                                     sim::Tick tick) const = 0;
    /// The server's own part: FF.RebuildFlowField and the wall on an edit tick, and what comes or
    /// goes of modifiers. Once for every tick, in order.
    [[nodiscard]] virtual std::vector<sim::Command> server_commands_at(sim::Tick tick) = 0;
    /// Begins to compute on `background` what the next change of the ground after `tick` will need,
    /// where that takes long; does nothing while it is under way, and for a change that would come
    /// after `last_tick`. The other calls may go on meanwhile.
    virtual void prepare_change(sim::Tick tick, sim::Tick last_tick, core::Background& background) {
        static_cast<void>(tick);
        static_cast<void>(last_tick);
        static_cast<void>(background);
    }
    /// False while server_commands_at(tick) needs what is under way: it may not be called then.
    [[nodiscard]] virtual bool is_ready(sim::Tick tick) const {
        static_cast<void>(tick);
        return true;
    }
    /// What the next change of the ground will be sent as, while that is known and not sent yet.
    [[nodiscard]] virtual core::ByteSpan next_change() const { return {}; }
    /// The full stream that the played field stands on once `tick` has been executed.
    /// @return stream, or kUnknownName, or kNotFound for a tick that is not known any more.
    [[nodiscard]] virtual Result<core::Bytes> stream_at(std::string_view field,
                                                        sim::Tick tick) const = 0;
    /// Measures the ways of this ground for the statistics.
    [[nodiscard]] virtual std::unique_ptr<WayMeter> make_way_meter() const = 0;

    /// All commands of `tick` stamped with tick and sequence: the server's edit first, then the
    /// teams in (team, index) order. Called for every tick from 1 on, in order.
    [[nodiscard]] std::vector<sim::Command> commands_for_tick(sim::Tick tick);
    [[nodiscard]] std::int64_t next_sequence() const { return next_sequence_; }

  private:
    std::int64_t next_sequence_ = 1;
};

}  // namespace maniple::skirmish
