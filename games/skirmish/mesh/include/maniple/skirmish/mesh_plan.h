#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maniple/sim/command.h"
#include "maniple/skirmish/command_plan.h"
#include "maniple/skirmish/mesh_facts.h"

namespace maniple::skirmish {

/// What both teams will order on a navmesh: CommandPlan's battle, with ways over the mesh instead
/// of steps over cells. A pure function of (mesh, units, seed, team, tick).
class MeshPlan {
  public:
    /// `units` ≥ 1 over both teams, for which the facts have spots.
    MeshPlan(const MeshFacts& facts, std::int32_t units, std::int32_t seed);

    /// The team's commands of a tick in index order, unstamped.
    [[nodiscard]] std::vector<sim::Command> commands_at(std::int32_t team, sim::Tick tick) const;

    /// Where a team spawns.
    [[nodiscard]] const std::vector<Spot>& spawn_zone(std::int32_t team) const {
        return armies_[static_cast<std::size_t>(team)].zone;
    }
    [[nodiscard]] const Spot& anchor(std::int32_t team) const {
        return armies_[static_cast<std::size_t>(team)].anchor;
    }

  private:
    struct Squad {
        std::string template_key;
        std::vector<Spot> spots;
        std::array<std::int32_t, 3> waypoint_cm{};
    };
    struct Army {
        Spot anchor{};
        std::vector<Spot> zone;
        std::vector<Squad> squads;
    };
    void place_armies(const MeshFacts& facts, std::int32_t units, std::int32_t seed);
    void form_squads(const MeshFacts& facts, std::size_t team);

    std::array<Army, kTeamCount> armies_;
};

}  // namespace maniple::skirmish
