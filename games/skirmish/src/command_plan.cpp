#include "maniple/skirmish/command_plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "maniple/core/random.h"

#include "squad_plan.h"

namespace maniple::skirmish {
namespace {

constexpr std::uint32_t kGapSteps = 65;      ///< Between the near edges of the armies.
constexpr std::uint32_t kAdvanceSteps = 18;  ///< Of the opening MoveTo.
constexpr int kAnchorCandidates = 24;

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

    const auto by_steps = [&](const StepMap& from) {
        std::vector<std::tuple<std::uint32_t, nav::CellIndex>> keys;
        for (const nav::CellIndex cell : facts.field_cells) {
            keys.emplace_back(from.steps(cell), cell);
        }
        std::sort(keys.begin(), keys.end());
        std::vector<nav::CellIndex> cells;
        for (const auto& [steps, cell] : keys) cells.push_back(cell);
        return cells;
    };
    auto zones = deal_places({by_steps(from_first), by_steps(from_second)},
                             facts.components.label.size(), static_cast<std::size_t>(units));
    for (std::size_t team = 0; team < kTeamCount; ++team) armies_[team].zone = zones[team];
    for (Army& army : armies_) std::sort(army.zone.begin(), army.zone.end());
}

void CommandPlan::form_squads(const MapFacts& facts, std::size_t team) {
    Army& army = armies_[team];
    if (army.zone.empty()) return;
    const std::size_t squad_units = squad_units_of(army.zone.size());
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

std::vector<sim::Command> CommandPlan::commands_at(std::int32_t team, sim::Tick tick) const {
    return team_commands_at(
        team, tick, armies_[static_cast<std::size_t>(team)].squads,
        [](sim::Command& command, const Squad& squad) {
            command.set("cells", sim::Int32List(squad.cells.begin(), squad.cells.end()));
        },
        [](sim::Command& command, const Squad& squad) {
            command.set("goal", std::int64_t{squad.waypoint});
        });
}

}  // namespace maniple::skirmish
