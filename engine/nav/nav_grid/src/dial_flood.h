#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "maniple/nav/solver.h"

#include "dial_queue.h"
#include "flood_rules.h"

namespace maniple::nav {

/// Dijkstra over a whole grid by Dial's queue. Under the documented metric a cell's first distance
/// is its last, so each is queued once.
template <class Dist, Metric metric>
class DialFlood {
  public:
    DialFlood(const GridSubstrate& ground, const std::uint8_t* moves, const FieldConfig& config,
              std::vector<std::vector<CellIndex>>& buckets, Dist* dist)
        : offsets_(ground.geometry.y_num()),
          cost_(ground.cost.data()),
          moves_(moves),
          neighbours_(flood_neighbours(config)),
          queue_(buckets),
          dist_(dist) {}

    /// Settles everything from cells whose distances have been lowered; ascending seeds. `lowered`
    /// is called with each cell that follows and ends the flood by returning false.
    // implements: GRID-035, GRID-036, GRID-040, O-GRID-02
    template <class Lowered>
    bool run(const std::vector<std::uint64_t>& seeds, Lowered lowered) {
        return queue_.drain(seeds, [&](CellIndex cell, std::uint32_t dist) {
            return dist_[cell] != dist || relax_neighbours(cell, dist, lowered);
        });
    }

  private:
    template <class Lowered>
    bool relax_neighbours(CellIndex cell, std::uint32_t dist, Lowered lowered) {
        for (std::uint32_t moves = moves_[cell] & neighbours_; moves != 0; moves &= moves - 1) {
            const auto n = static_cast<std::size_t>(std::countr_zero(moves));
            const CellIndex to = cell + offsets_[n];
            const std::uint32_t cost = cost_[to] == 0 ? 1 : cost_[to];
            const std::uint32_t next = dist + cost * step_factor(metric, n);
            // An unreached cell holds the limit, so the limit is tested as well.
            if (next >= dist_[to]) continue;
            dist_[to] = static_cast<Dist>(next);
            queue_.push(to, next);
            if (!lowered(to)) return false;
        }
        return true;
    }

    NeighbourOffsets offsets_;
    const std::uint8_t* cost_;
    const std::uint8_t* moves_;
    std::uint8_t neighbours_;
    DialQueue<kDialRing<metric>> queue_;
    Dist* dist_;
};

}  // namespace maniple::nav
