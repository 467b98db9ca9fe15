#include "repair.h"

#include <algorithm>
#include <bit>

#include "dial_flood.h"
#include "solver_scratch.h"

namespace maniple::nav {
namespace {

/// Two passes: unsupported distances are taken back by ascending value, then what lies around them
/// floods in again.
template <class Dist, Metric metric>
class Repair {
  public:
    Repair(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
           std::span<const CellIndex> goals, SolverScratch::Parts& scratch, Dist* dist)
        : ground_(ground),
          config_(config),
          moves_(moves.data()),
          neighbours_(flood_neighbours(config)),
          offsets_(ground.geometry.y_num()),
          goals_(goals.begin(), goals.end()),
          scratch_(scratch),
          dist_(dist),
          changes_max_(ground.geometry.cell_count() / kChangedShareMax + 64) {
        std::sort(goals_.begin(), goals_.end());
    }

    bool run(std::span<const CellIndex> touched) { return take_back(touched) && flood_in(touched); }
    /// Cells whose distance was taken back or lowered, some more than once.
    [[nodiscard]] const std::vector<CellIndex>& changed() const { return changed_; }

  private:
    /// Where more than one cell in so many changes, a new flood is faster.
    static constexpr std::size_t kChangedShareMax = 16;

    [[nodiscard]] bool is_goal(CellIndex cell) const {
        return std::binary_search(goals_.begin(), goals_.end(), cell);
    }
    /// The least distance a cell can have by its neighbours'.
    [[nodiscard]] std::uint32_t offered(CellIndex cell) const {
        std::uint32_t best = config_.distance_limit;
        const std::uint32_t cost = ground_.cost[cell] == 0 ? 1 : ground_.cost[cell];
        for (std::uint32_t left = moves_[cell] & neighbours_; left != 0; left &= left - 1) {
            const auto n = static_cast<std::size_t>(std::countr_zero(left));
            const std::uint32_t from = dist_[cell + offsets_[n]];
            best = std::min(best, from + cost * step_factor(metric, n));
        }
        return best;
    }

    bool take_back(std::span<const CellIndex> touched) {
        std::vector<std::uint64_t> seeds;
        for (const CellIndex cell : touched) {
            if (dist_[cell] == config_.distance_limit) continue;
            seeds.push_back(DialQueue<kDialRing<metric>>::seed(dist_[cell], cell));
        }
        std::sort(seeds.begin(), seeds.end());
        DialQueue<kDialRing<metric>> queue(scratch_.buckets);
        return queue.drain(seeds, [&](CellIndex cell, std::uint32_t dist) {
            if (dist_[cell] != dist) return true;  // taken back already
            if (dist == 0 ? is_goal(cell) : offered(cell) <= dist) return true;
            dist_[cell] = static_cast<Dist>(config_.distance_limit);
            changed_.push_back(cell);
            for (std::uint32_t left = moves_[cell] & neighbours_; left != 0; left &= left - 1) {
                const auto n = static_cast<std::size_t>(std::countr_zero(left));
                const CellIndex to = cell + offsets_[n];
                const std::uint32_t cost = ground_.cost[to] == 0 ? 1 : ground_.cost[to];
                const std::uint32_t leaned = dist + cost * step_factor(metric, n);
                if (dist_[to] == leaned && leaned != config_.distance_limit) {
                    queue.push(to, leaned);
                }
            }
            return changed_.size() <= changes_max_;
        });
    }

    bool flood_in(std::span<const CellIndex> touched) {
        std::vector<std::uint64_t> seeds;
        const auto lower = [&](CellIndex cell, std::uint32_t dist) {
            if (dist >= dist_[cell]) return;
            dist_[cell] = static_cast<Dist>(dist);
            changed_.push_back(cell);
            seeds.push_back(DialQueue<kDialRing<metric>>::seed(dist, cell));
        };
        const std::size_t taken_back = changed_.size();
        for (std::size_t i = 0; i < taken_back; ++i) lower(changed_[i], offered(changed_[i]));
        for (const CellIndex cell : touched) lower(cell, is_goal(cell) ? 0 : offered(cell));
        std::sort(seeds.begin(), seeds.end());
        return DialFlood<Dist, metric>(ground_, moves_, config_, scratch_.buckets, dist_)
            .run(seeds, [&](CellIndex cell) {
                changed_.push_back(cell);
                return changed_.size() <= 3 * changes_max_;
            });
    }

    const GridSubstrate& ground_;
    const FieldConfig& config_;
    const std::uint8_t* moves_;
    std::uint8_t neighbours_;
    NeighbourOffsets offsets_;
    std::vector<CellIndex> goals_;  ///< Ascending.
    SolverScratch::Parts& scratch_;
    Dist* dist_;
    std::size_t changes_max_;
    std::vector<CellIndex> changed_;
};

/// Adds a cell and its neighbours inside the grid.
void insert_around(const GridGeometry& g, CellIndex cell, CellSet& set) {
    const auto y_num = static_cast<CellIndex>(g.y_num());
    const CellIndex y = cell % y_num;
    const CellIndex low = y == 0 ? cell : cell - 1;
    const CellIndex high = y + 1 == y_num ? cell : cell + 1;
    for (CellIndex at = low; at <= high; ++at) {
        set.insert(at);
        if (at >= y_num) set.insert(at - y_num);
        if (at + y_num < g.cell_count()) set.insert(at + y_num);
    }
}

template <class Dist, Metric metric>
bool repair(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
            std::span<const CellIndex> goals, std::span<const CellIndex> touched,
            SolverScratch::Parts& scratch, Dist* dist, CellSet& stale) {
    Repair<Dist, metric> repair(ground, moves, config, goals, scratch, dist);
    if (!repair.run(touched)) return false;
    stale.clear(ground.geometry.cell_count());
    for (const CellIndex cell : repair.changed()) insert_around(ground.geometry, cell, stale);
    for (const CellIndex cell : touched) stale.insert(cell);
    return true;
}

}  // namespace

bool repair_distances(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
                      std::span<const CellIndex> goals, std::span<const CellIndex> touched,
                      SolverScratch::Parts& scratch, DistanceField& dist, CellSet& stale) {
    const auto run = [&]<class Dist>(Dist* column) {
        return config.metric == Metric::kCells
                   ? repair<Dist, Metric::kCells>(ground, moves, config, goals, touched, scratch,
                                                  column, stale)
                   : repair<Dist, Metric::kOctile>(ground, moves, config, goals, touched, scratch,
                                                   column, stale);
    };
    return dist.is_narrow() ? run(dist.column<std::uint16_t>()) : run(dist.column<std::uint32_t>());
}

}  // namespace maniple::nav
