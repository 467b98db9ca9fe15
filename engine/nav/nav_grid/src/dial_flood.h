#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/grid_types.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Index offsets of the eight neighbours in a grid of `y_num` rows.
class NeighbourOffsets {
  public:
    explicit NeighbourOffsets(std::int32_t y_num) {
        for (std::size_t n = 0; n < 8; ++n) {
            difference_[n] = std::ptrdiff_t{kNeighbours[n].x} * y_num + kNeighbours[n].y;
        }
    }
    /// Added to an index, modulo 2^32.
    [[nodiscard]] CellIndex operator[](std::size_t n) const {
        return static_cast<CellIndex>(difference_[n]);
    }
    /// Added to a pointer.
    [[nodiscard]] std::ptrdiff_t difference(std::size_t n) const { return difference_[n]; }

  private:
    std::array<std::ptrdiff_t, 8> difference_{};
};

/// The neighbours phase 1 takes. implements: GRID-036
[[nodiscard]] inline std::uint8_t flood_neighbours(const FieldConfig& config) {
    return config.style == Style::kAdjacentFirst ? 0xFF : 0x0F;
}

/// What entering a cell adds: its cost (at least 1) times this. implements: O-GRID-28, O-GRID-29
[[nodiscard]] constexpr std::uint32_t step_factor(Metric metric, std::size_t n) {
    if (metric == Metric::kCells) return 1;
    return n >= 4 ? 7 : 5;
}

/// Dial's bucket queue over a whole grid: a ring with one bucket for each distance within reach.
/// Under the documented metric a cell's first distance is its last, so each is queued once.
template <class Dist, Metric metric>
class DialFlood {
  public:
    DialFlood(const GridSubstrate& ground, const std::uint8_t* moves, const FieldConfig& config,
              std::vector<std::vector<CellIndex>>& buckets, Dist* dist)
        : offsets_(ground.geometry.y_num()),
          cost_(ground.cost.data()),
          moves_(moves),
          neighbours_(flood_neighbours(config)),
          buckets_(buckets),
          dist_(dist) {
        buckets_.resize(kRing);
        for (auto& bucket : buckets_) bucket.clear();
    }

    /// Queues a cell whose distance has been lowered to `dist`, at most the ring ahead of `run`.
    void push(CellIndex cell, std::uint32_t dist) {
        dist_[cell] = static_cast<Dist>(dist);
        buckets_[dist % kRing].push_back(cell);
        ++open_;
    }

    // implements: GRID-035, GRID-036, GRID-040, O-GRID-02
    void run() {
        for (std::uint32_t dist = 0; open_ > 0; ++dist) {
            auto& bucket = buckets_[dist % kRing];
            // A step adds at least 1 and less than the ring: this bucket does not grow meanwhile.
            for (const CellIndex cell : bucket) {
                if (dist_[cell] == dist) relax_neighbours(cell, dist);
            }
            open_ -= bucket.size();
            bucket.clear();
        }
    }

  private:
    static constexpr std::uint32_t kRing = metric == Metric::kCells ? 256 : 2048;

    void relax_neighbours(CellIndex cell, std::uint32_t dist) {
        for (std::uint32_t moves = moves_[cell] & neighbours_; moves != 0; moves &= moves - 1) {
            const auto n = static_cast<std::size_t>(std::countr_zero(moves));
            const CellIndex to = cell + offsets_[n];
            const std::uint32_t cost = cost_[to] == 0 ? 1 : cost_[to];
            const std::uint32_t next = dist + cost * step_factor(metric, n);
            // An unreached cell holds the limit, so the limit is tested as well.
            if (next < dist_[to]) push(to, next);
        }
    }

    NeighbourOffsets offsets_;
    const std::uint8_t* cost_;
    const std::uint8_t* moves_;
    std::uint8_t neighbours_;
    std::vector<std::vector<CellIndex>>& buckets_;
    Dist* dist_;
    std::size_t open_ = 0;
};

}  // namespace maniple::nav
