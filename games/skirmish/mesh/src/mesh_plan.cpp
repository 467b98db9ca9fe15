#include "maniple/skirmish/mesh_plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/random.h"

#include "squad_plan.h"

namespace maniple::skirmish {
namespace {

constexpr std::uint32_t kGapCm = 6'500;      ///< Between the near edges of the armies.
constexpr std::uint32_t kAdvanceCm = 1'800;  ///< Of the opening MoveTo.
constexpr int kAnchorCandidates = 12;
constexpr std::int32_t kSquadTileCm = 400;

const Spot& draw(const std::vector<Spot>& spots, std::int32_t seed, std::int32_t i,
                 std::uint32_t site) {
    const std::uint64_t random =
        core::site_random(static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)), 0, i, site);
    return spots[static_cast<std::size_t>(random % spots.size())];
}

/// Indices of all spots, those with the shortest way to the goal of `ways` first.
std::vector<std::uint32_t> by_way(const MeshFacts& facts, const nav::MeshSolution& ways) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
    for (std::uint32_t i = 0; i < facts.spots.size(); ++i) {
        keys.emplace_back(ways.dist[facts.spots[i].polygon], i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    for (const auto& [dist, i] : keys) order.push_back(i);
    return order;
}

/// The way from the goal to the edge of the ground that its `units` nearest spots take.
std::uint32_t radius_of(const MeshFacts& facts, const nav::MeshSolution& ways, std::size_t units) {
    const std::vector<std::uint32_t> order = by_way(facts, ways);
    return ways.dist[facts.spots[order[std::min(units, order.size()) - 1]].polygon];
}

/// The most open of a few drawn spots: the one whose army lies closest around it.
Spot open_spot(const MeshFacts& facts, const std::vector<Spot>& among, std::size_t units,
               std::int32_t seed, std::uint32_t site) {
    Spot best = among.front();
    std::uint32_t best_radius = nav::kUncovered;
    for (int i = 0; i < kAnchorCandidates; ++i) {
        const Spot& spot = draw(among, seed, i, site);
        const std::uint32_t radius = radius_of(facts, facts.ways_to(spot.polygon), units);
        if (radius >= best_radius) continue;
        best = spot;
        best_radius = radius;
    }
    return best;
}

/// Spots at least the wanted way off, or the farthest ones where none is.
std::vector<Spot> spots_at(const MeshFacts& facts, const nav::MeshSolution& ways,
                           std::uint32_t wanted) {
    const auto way = [&](const Spot& spot) { return ways.dist[spot.polygon]; };
    std::uint32_t farthest = 0;
    for (const Spot& spot : facts.spots) {
        if (way(spot) != nav::kUncovered) farthest = std::max(farthest, way(spot));
    }
    const std::uint32_t least = std::min(wanted, farthest);
    const std::uint32_t most = least + least / 4;
    std::vector<Spot> found;
    for (const Spot& spot : facts.spots) {
        if (way(spot) >= least && way(spot) <= most) found.push_back(spot);
    }
    return found;
}

}  // namespace

MeshPlan::MeshPlan(const MeshFacts& facts, std::int32_t units, std::int32_t seed) {
    MANIPLE_ASSERT(units >= 1);
    MANIPLE_ASSERT(static_cast<std::size_t>(units) <= facts.spots.size());
    place_armies(facts, units, seed);
    for (std::size_t team = 0; team < kTeamCount; ++team) form_squads(facts, team);
}

void MeshPlan::place_armies(const MeshFacts& facts, std::int32_t units, std::int32_t seed) {
    const auto half = static_cast<std::size_t>((units + 1) / 2);
    armies_[0].anchor = open_spot(facts, facts.spots, half, seed, kSiteFirstAnchor);
    const nav::MeshSolution to_first = facts.ways_to(armies_[0].anchor.polygon);
    const std::uint32_t apart =
        2 * radius_of(facts, to_first, half) + kGapCm * nav::kMeshDistUnitsPerCm;
    armies_[1].anchor =
        open_spot(facts, spots_at(facts, to_first, apart), half, seed, kSiteSecondAnchor);
    const nav::MeshSolution to_second = facts.ways_to(armies_[1].anchor.polygon);

    const auto zones = deal_places({by_way(facts, to_first), by_way(facts, to_second)},
                                   facts.spots.size(), static_cast<std::size_t>(units));
    for (std::size_t team = 0; team < kTeamCount; ++team) {
        for (const std::uint32_t spot : zones[team]) {
            armies_[team].zone.push_back(facts.spots[spot]);
        }
    }
}

void MeshPlan::form_squads(const MeshFacts& facts, std::size_t team) {
    Army& army = armies_[team];
    if (army.zone.empty()) return;
    // Tile by tile, so that a squad is a block of ground and not a thin line of it.
    std::vector<Spot> spots = army.zone;
    const auto place = [](const Spot& spot) {
        const auto tile = [](std::int32_t cm) {
            return cm >= 0 ? cm / kSquadTileCm : -1 - (-1 - cm) / kSquadTileCm;
        };
        return std::tuple(tile(spot.at_cm[0]), tile(spot.at_cm[1]), spot.at_cm);
    };
    std::sort(spots.begin(), spots.end(),
              [&](const Spot& a, const Spot& b) { return place(a) < place(b); });
    const nav::MeshSolution to_enemy = facts.ways_to(armies_[1 - team].anchor.polygon);
    const std::size_t squad_units = squad_units_of(spots.size());
    for (std::size_t begin = 0; begin < spots.size(); begin += squad_units) {
        const std::size_t end = std::min(begin + squad_units, spots.size());
        Squad squad;
        squad.template_key = kSquadTemplates[army.squads.size() % kSquadTemplates.size()];
        squad.spots.assign(spots.begin() + static_cast<std::ptrdiff_t>(begin),
                           spots.begin() + static_cast<std::ptrdiff_t>(end));
        // The polygon that far along the way to the enemy.
        nav::PolygonIndex polygon = squad.spots[squad.spots.size() / 2].polygon;
        const std::uint32_t start = to_enemy.dist[polygon];
        const std::uint32_t advance = kAdvanceCm * nav::kMeshDistUnitsPerCm;
        const nav::MeshGraph& graph = facts.mesh->graph();
        while (to_enemy.next[polygon] != nav::kNoPolygon &&
               (start - to_enemy.dist[polygon] < advance || graph.off_mesh(polygon))) {
            polygon = to_enemy.next[polygon];
        }
        const Vec3d centre = graph.centre(polygon);
        squad.waypoint_cm = {static_cast<std::int32_t>(centre.x),
                             static_cast<std::int32_t>(centre.y),
                             static_cast<std::int32_t>(centre.z)};
        army.squads.push_back(std::move(squad));
    }
}

std::vector<sim::Command> MeshPlan::commands_at(std::int32_t team, sim::Tick tick) const {
    return team_commands_at(
        team, tick, armies_[static_cast<std::size_t>(team)].squads,
        [](sim::Command& command, const Squad& squad) {
            sim::Int32List places;
            for (const Spot& spot : squad.spots) {
                places.insert(places.end(), spot.at_cm.begin(), spot.at_cm.end());
            }
            command.set("places", std::move(places));
        },
        [](sim::Command& command, const Squad& squad) {
            command.set("goal", sim::Int32List(squad.waypoint_cm.begin(), squad.waypoint_cm.end()));
        });
}

}  // namespace maniple::skirmish
