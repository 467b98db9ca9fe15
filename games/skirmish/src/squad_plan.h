#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "maniple/skirmish/command_plan.h"

/// What the plans of both grounds share.
namespace maniple::skirmish {

inline constexpr std::uint32_t kSiteFirstAnchor = 1;
inline constexpr std::uint32_t kSiteSecondAnchor = 2;
/// The templates of a team's squads, over and over.
inline constexpr std::array<std::string_view, 4> kSquadTemplates{"melee", "melee", "ranged",
                                                                 "cavalry"};

/// How many units of an army make a squad.
[[nodiscard]] std::size_t squad_units_of(std::size_t army);

/// Deals out `units` places by turns, each time the wish of the army that is next which is not
/// taken; so a place goes to the nearer army, and on a crowded map an army takes what the other
/// leaves. `wishes` are places below `place_count`, dearest first.
[[nodiscard]] std::array<std::vector<std::uint32_t>, kTeamCount> deal_places(
    const std::array<std::vector<std::uint32_t>, kTeamCount>& wishes, std::size_t place_count,
    std::size_t units);

/// What a squad is told at a tick; 0 = nothing. The opening moves are spread, one squad of one team
/// a tick, because each floods a layer of its own.
[[nodiscard]] std::uint32_t squad_order_at(std::int32_t team, std::size_t squad, sim::Tick tick);
/// Adds the team's stance at the ticks that have one.
void add_stance_at(std::int32_t team, sim::Tick tick, std::vector<sim::Command>& commands);
/// A squad's command of a tick without its places.
[[nodiscard]] sim::Command squad_command(std::uint32_t type, std::int32_t team, std::size_t squad,
                                         sim::Tick tick);
/// SpawnSquad's template and batches: a team's last squad of several arrives in batches.
void set_spawn(sim::Command& command, std::string_view template_key, std::size_t squad,
               std::size_t squad_count);

/// The team's commands of a tick in index order, unstamped. A `Squad` has a template_key;
/// set_places(command, squad) and set_goal(command, squad) say where on the ground.
template <class Squad, class SetPlaces, class SetGoal>
[[nodiscard]] std::vector<sim::Command> team_commands_at(std::int32_t team, sim::Tick tick,
                                                         const std::vector<Squad>& squads,
                                                         const SetPlaces& set_places,
                                                         const SetGoal& set_goal) {
    std::vector<sim::Command> commands;
    for (std::size_t i = 0; i < squads.size(); ++i) {
        const std::uint32_t type = squad_order_at(team, i, tick);
        if (type == 0) continue;
        sim::Command command = squad_command(type, team, i, tick);
        if (type == kCommandSpawnSquad) {
            set_spawn(command, squads[i].template_key, i, squads.size());
            set_places(command, squads[i]);
        } else if (type == kCommandMoveTo) {
            set_goal(command, squads[i]);
        }
        commands.push_back(std::move(command));
    }
    if (!squads.empty()) add_stance_at(team, tick, commands);
    return commands;
}

}  // namespace maniple::skirmish
