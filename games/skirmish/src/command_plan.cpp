#include "maniple/skirmish/command_plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "maniple/core/random.h"

namespace maniple::skirmish {
namespace {

constexpr std::uint32_t kGapSteps = 65;      ///< Between the near edges of the armies.
constexpr std::uint32_t kAdvanceSteps = 18;  ///< Of the opening MoveTo.
constexpr int kAnchorCandidates = 24;
constexpr std::uint32_t kSiteFirstAnchor = 1;
constexpr std::uint32_t kSiteSecondAnchor = 2;
constexpr std::size_t kSquadsMax = 10;  ///< Of one team.
constexpr std::size_t kSquadUnitsMin = 25;
constexpr std::int64_t kRearBatches = 3;     ///< In which a team's last squad of several arrives.
constexpr sim::Tick kStanceTick = 120;       ///< Of the first stance, and from one to the next.
constexpr sim::Tick kStanceShiftTicks = 30;  ///< From team to team.
/// The templates of a team's squads, over and over.
constexpr std::array<std::string_view, 4> kSquadTemplates{"melee", "melee", "ranged", "cavalry"};

nav::CellIndex draw(const std::vector<nav::CellIndex>& cells, std::int32_t seed, std::int32_t i,
                    std::uint32_t site) {
    const std::uint64_t random =
        core::site_random(static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)), 0, i, site);
    return cells[static_cast<std::size_t>(random % cells.size())];
}

/// The most open of a few drawn places: the one whose `units` nearest cells lie closest.
nav::CellIndex open_place(const MapFacts& facts, const std::vector<nav::CellIndex>& cells,
                          std::size_t units, std::int32_t seed, std::uint32_t site) {
    nav::CellIndex best = nav::kNoCell;
    std::uint64_t best_key = ~std::uint64_t{0};
    for (int i = 0; i < kAnchorCandidates; ++i) {
        const nav::CellIndex cell = draw(cells, seed, i, site);
        const StepMap around(facts, cell, units);
        const std::uint64_t key = std::uint64_t{around.steps_max()} << 32 | cell;
        if (key < best_key) {
            best_key = key;
            best = cell;
        }
    }
    return best;
}

/// Cells at the wanted distance, or at the largest there is.
std::vector<nav::CellIndex> cells_at(const StepMap& map, std::uint32_t steps) {
    const std::uint32_t wanted = std::min(steps, map.steps_max());
    std::vector<nav::CellIndex> cells;
    for (const nav::CellIndex cell : map.visited()) {
        if (map.steps(cell) == wanted) cells.push_back(cell);
    }
    std::sort(cells.begin(), cells.end());
    return cells;
}

}  // namespace

Result<CommandPlan> CommandPlan::make(const MapFacts& facts, std::int32_t units,
                                      std::int32_t seed) {
    MANIPLE_ASSERT(units >= 1);
    if (static_cast<std::size_t>(units) > facts.field_cells.size()) {
        return refuse(ErrorCode::kTooManyUnits,
                      std::to_string(units) + " units, but the largest connected ground has " +
                          std::to_string(facts.field_cells.size()) + " cells");
    }
    CommandPlan plan;
    plan.place_armies(facts, units, seed);
    for (std::size_t team = 0; team < kTeamCount; ++team) plan.form_squads(facts, team);
    return plan;
}

void CommandPlan::place_armies(const MapFacts& facts, std::int32_t units, std::int32_t seed) {
    const std::array<std::size_t, kTeamCount> sizes{static_cast<std::size_t>((units + 1) / 2),
                                                    static_cast<std::size_t>(units / 2)};
    const std::size_t everything = facts.field_cells.size();
    armies_[0].anchor = open_place(facts, facts.field_cells, sizes[0], seed, kSiteFirstAnchor);
    const StepMap from_first(facts, armies_[0].anchor, everything);
    const std::uint32_t radius = StepMap(facts, armies_[0].anchor, sizes[0]).steps_max();
    armies_[1].anchor = open_place(facts, cells_at(from_first, 2 * radius + kGapSteps), sizes[0],
                                   seed, kSiteSecondAnchor);
    const StepMap from_second(facts, armies_[1].anchor, everything);

    // A cell goes to the nearer army; on a crowded map an army takes what the other leaves.
    std::array<std::vector<std::tuple<std::uint32_t, nav::CellIndex>>, kTeamCount> wishes;
    for (const nav::CellIndex cell : facts.field_cells) {
        wishes[0].emplace_back(from_first.steps(cell), cell);
        wishes[1].emplace_back(from_second.steps(cell), cell);
    }
    for (auto& wish : wishes) std::sort(wish.begin(), wish.end());
    std::vector<std::uint8_t> taken(facts.components.label.size(), 0);
    std::array<std::size_t, kTeamCount> heads{};
    for (std::size_t turn = 0; turn < static_cast<std::size_t>(units); ++turn) {
        const std::size_t team = turn % kTeamCount;
        while (taken[std::get<1>(wishes[team][heads[team]])] != 0) ++heads[team];
        const nav::CellIndex cell = std::get<1>(wishes[team][heads[team]]);
        taken[cell] = 1;
        armies_[team].zone.push_back(cell);
    }
    for (Army& army : armies_) std::sort(army.zone.begin(), army.zone.end());
}

void CommandPlan::form_squads(const MapFacts& facts, std::size_t team) {
    Army& army = armies_[team];
    if (army.zone.empty()) return;
    const std::size_t squad_units =
        std::max((army.zone.size() + kSquadsMax - 1) / kSquadsMax, kSquadUnitsMin);
    std::int32_t tile = 1;
    while (static_cast<std::size_t>(tile) * static_cast<std::size_t>(tile) < squad_units) ++tile;
    // Tile by tile, so that a squad is a block of ground and not a thin line of it.
    std::vector<nav::CellIndex> cells = army.zone;
    const nav::GridGeometry& geometry = facts.ground.geometry;
    const auto place = [&](nav::CellIndex cell) {
        const nav::GridCoord c = geometry.coord(cell);
        return std::tuple(c.x / tile, c.y / tile, cell);
    };
    std::sort(cells.begin(), cells.end(),
              [&](nav::CellIndex a, nav::CellIndex b) { return place(a) < place(b); });

    const StepMap to_enemy(facts, armies_[1 - team].anchor, facts.field_cells.size());
    for (std::size_t begin = 0; begin < cells.size(); begin += squad_units) {
        const std::size_t end = std::min(begin + squad_units, cells.size());
        Squad squad;
        squad.template_key = kSquadTemplates[army.squads.size() % kSquadTemplates.size()];
        squad.cells.assign(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                           cells.begin() + static_cast<std::ptrdiff_t>(end));
        squad.waypoint =
            to_enemy.descend(facts, squad.cells[squad.cells.size() / 2], kAdvanceSteps);
        std::sort(squad.cells.begin(), squad.cells.end());
        army.squads.push_back(std::move(squad));
    }
}

namespace {

/// What a squad is told at a tick; 0 = nothing. The opening moves are spread, one squad of one team
/// a tick, because each floods a layer of its own.
std::uint32_t order_at(std::int32_t team, std::size_t squad, sim::Tick tick) {
    if (tick == kSpawnTick) return kCommandSpawnSquad;
    if (tick == kChaseTick) return kCommandChaseAttack;
    const auto turn = static_cast<sim::Tick>(squad) * kTeamCount + team;
    return tick == kMoveTick + turn ? kCommandMoveTo : 0;
}

}  // namespace

std::vector<sim::Command> CommandPlan::commands_at(std::int32_t team, sim::Tick tick) const {
    std::vector<sim::Command> commands;
    const std::vector<Squad>& squads = armies_[static_cast<std::size_t>(team)].squads;
    for (std::size_t i = 0; i < squads.size(); ++i) {
        sim::Command command;
        command.type = order_at(team, i, tick);
        if (command.type == 0) continue;
        command.tick = tick;
        command.target = kFieldName;
        command.set("team", std::int64_t{team});
        command.set("squad", static_cast<std::int64_t>(i));
        if (command.type == kCommandSpawnSquad) {
            command.set("template", squads[i].template_key);
            command.set("cells", sim::Int32List(squads[i].cells.begin(), squads[i].cells.end()));
            if (i > 0 && i + 1 == squads.size()) command.set("batches", kRearBatches);
        } else if (command.type == kCommandMoveTo) {
            command.set("goal", std::int64_t{squads[i].waypoint});
        }
        commands.push_back(std::move(command));
    }
    const sim::Tick since = tick - team * kStanceShiftTicks;
    if (!squads.empty() && since > 0 && since % kStanceTick == 0) {
        sim::Command& command = commands.emplace_back();
        command.type = kCommandSetStance;
        command.tick = tick;
        command.set("team", std::int64_t{team});
        command.set("stance", std::int64_t{since / kStanceTick % 2});
    }
    return commands;
}

}  // namespace maniple::skirmish
