#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/skirmish/map_facts.h"
#include "maniple/skirmish/skirmish.h"

namespace maniple::skirmish {

inline constexpr sim::Tick kSpawnTick = 1;
inline constexpr sim::Tick kMoveTick = 2;  ///< Of the first squad; each other squad's a tick later.
inline constexpr sim::Tick kChaseTick = 100;

// implements: O-NET-14
/// What both teams will order: a pure function of (map, units, seed, team, tick) that reads no
/// simulation state. The armies spawn in the largest component some 65 m of way apart, advance
/// 18 m, and then hunt each other, all out by turns.
class CommandPlan {
  public:
    /// `units` ≥ 1 over both teams.
    /// @return plan, or kTooManyUnits (more than the largest component has cells).
    [[nodiscard]] static Result<CommandPlan> make(const MapFacts& facts, std::int32_t units,
                                                  std::int32_t seed);

    /// The team's commands of a tick in index order, unstamped (sequence 0, no issuer).
    [[nodiscard]] std::vector<sim::Command> commands_at(std::int32_t team, sim::Tick tick) const;

    /// The cells a team spawns on, ascending.
    [[nodiscard]] const std::vector<nav::CellIndex>& spawn_zone(std::int32_t team) const {
        return armies_[static_cast<std::size_t>(team)].zone;
    }
    /// The cell in whose surroundings a team spawns.
    [[nodiscard]] nav::CellIndex anchor(std::int32_t team) const {
        return armies_[static_cast<std::size_t>(team)].anchor;
    }

  private:
    struct Squad {
        std::string template_key;
        std::vector<nav::CellIndex> cells;
        nav::CellIndex waypoint = 0;
    };
    struct Army {
        nav::CellIndex anchor = 0;
        std::vector<nav::CellIndex> zone;
        std::vector<Squad> squads;
    };
    void place_armies(const MapFacts& facts, std::int32_t units, std::int32_t seed);
    void form_squads(const MapFacts& facts, std::size_t team);

    std::array<Army, kTeamCount> armies_;
};

}  // namespace maniple::skirmish
