#include "squad_plan.h"

#include <string>

namespace maniple::skirmish {
namespace {

constexpr std::size_t kSquadsMax = 10;  ///< Of one team.
constexpr std::size_t kSquadUnitsMin = 25;
constexpr std::int64_t kRearBatches = 3;
constexpr sim::Tick kStanceTick = 120;       ///< Of the first stance, and from one to the next.
constexpr sim::Tick kStanceShiftTicks = 30;  ///< From team to team.

}  // namespace

std::size_t squad_units_of(std::size_t army) {
    return std::max((army + kSquadsMax - 1) / kSquadsMax, kSquadUnitsMin);
}

std::array<std::vector<std::uint32_t>, kTeamCount> deal_places(
    const std::array<std::vector<std::uint32_t>, kTeamCount>& wishes, std::size_t place_count,
    std::size_t units) {
    std::array<std::vector<std::uint32_t>, kTeamCount> dealt;
    std::vector<std::uint8_t> taken(place_count, 0);
    std::array<std::size_t, kTeamCount> heads{};
    for (std::size_t turn = 0; turn < units; ++turn) {
        const std::size_t team = turn % kTeamCount;
        while (taken[wishes[team][heads[team]]] != 0) ++heads[team];
        const std::uint32_t place = wishes[team][heads[team]];
        taken[place] = 1;
        dealt[team].push_back(place);
    }
    return dealt;
}

std::uint32_t squad_order_at(std::int32_t team, std::size_t squad, sim::Tick tick) {
    if (tick == kSpawnTick) return kCommandSpawnSquad;
    if (tick == kChaseTick) return kCommandChaseAttack;
    const auto turn = static_cast<sim::Tick>(squad) * kTeamCount + team;
    return tick == kMoveTick + turn ? kCommandMoveTo : 0;
}

void add_stance_at(std::int32_t team, sim::Tick tick, std::vector<sim::Command>& commands) {
    const sim::Tick since = tick - team * kStanceShiftTicks;
    if (since <= 0 || since % kStanceTick != 0) return;
    sim::Command& command = commands.emplace_back();
    command.type = kCommandSetStance;
    command.tick = tick;
    command.set("team", std::int64_t{team});
    command.set("stance", std::int64_t{since / kStanceTick % 2});
}

sim::Command squad_command(std::uint32_t type, std::int32_t team, std::size_t squad,
                           sim::Tick tick) {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.target = kFieldName;
    command.set("team", std::int64_t{team});
    command.set("squad", static_cast<std::int64_t>(squad));
    return command;
}

void set_spawn(sim::Command& command, std::string_view template_key, std::size_t squad,
               std::size_t squad_count) {
    command.set("template", std::string(template_key));
    if (squad > 0 && squad + 1 == squad_count) command.set("batches", kRearBatches);
}

}  // namespace maniple::skirmish
