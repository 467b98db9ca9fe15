#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maniple/sim/world.h"
#include "maniple/skirmish/skirmish.h"

namespace maniple::skirmish {

/// Figures of a battle. `stuck`: stayed within 100 cm of one point for 200 ticks with an unfinished
/// task and no enemy within 30 m. `judged`: MoveTo units that met no enemy within 30 m;
/// `half_way_in_time`: those that covered half their way within twice the ideal time.
struct BattleFigures {
    std::array<std::int32_t, kTeamCount> spawned{};
    std::array<std::int32_t, kTeamCount> alive{};
    std::int32_t units_stuck = 0;
    std::int32_t moves_judged = 0;
    std::int32_t half_way_in_time = 0;
};

/// Watches a world after each tick; reads only, so that it can run or not without a trace.
class BattleStatistics {
  public:
    /// Called after every step, in tick order.
    void observe(const sim::World& world);
    [[nodiscard]] const BattleFigures& figures() const { return figures_; }

  private:
    struct Watch {
        double anchor_x = 0, anchor_y = 0;
        sim::Tick anchor_tick = 0;
        sim::Tick deadline = 0;  ///< Of the first half of the way; 0 = no move is watched.
        std::uint32_t half_dist = 0;
        std::int32_t task_id = 0;
        bool known = false;
        bool stuck = false;
    };
    struct Enemies;
    void watch_move(const sim::World& world, Watch& watch, std::size_t group, std::size_t row,
                    const Enemies& enemies);
    void watch_standing(Watch& watch, const sim::World& world, std::size_t group, std::size_t row,
                        const Enemies& enemies);

    BattleFigures figures_;
    std::vector<Watch> watches_;  ///< By UID.
};

}  // namespace maniple::skirmish
