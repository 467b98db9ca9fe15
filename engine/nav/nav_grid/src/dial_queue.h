#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// Dial's bucket queue: a ring with one bucket for each distance within reach of a step. Seeds may
/// lie any distance apart; what is pushed while draining lies less than the ring ahead.
template <std::uint32_t ring>
class DialQueue {
  public:
    /// A seed orders by distance, then by cell.
    static std::uint64_t seed(std::uint32_t dist, CellIndex cell) {
        return std::uint64_t{dist} << 32 | cell;
    }

    explicit DialQueue(std::vector<std::vector<CellIndex>>& buckets) : buckets_(buckets) {
        buckets_.resize(std::max<std::size_t>(buckets_.size(), ring));
        for (auto& bucket : buckets_) bucket.clear();
    }

    void push(CellIndex cell, std::uint32_t dist) {
        buckets_[dist % ring].push_back(cell);
        ++open_;
    }

    /// Calls visit(cell, dist) in ascending distance until nothing is queued, or it returns false.
    /// `seeds` are ascending. Visits push at larger distances only. @return whether all was
    /// visited.
    template <class Visit>
    bool drain(const std::vector<std::uint64_t>& seeds, Visit visit) {
        std::size_t next_seed = 0;
        for (std::uint64_t dist = 0; open_ > 0 || next_seed < seeds.size(); ++dist) {
            if (open_ == 0) dist = seeds[next_seed] >> 32;
            for (; next_seed < seeds.size() && seeds[next_seed] >> 32 == dist; ++next_seed) {
                push(static_cast<CellIndex>(seeds[next_seed]), static_cast<std::uint32_t>(dist));
            }
            auto& bucket = buckets_[dist % ring];
            for (const CellIndex cell : bucket) {
                if (!visit(cell, static_cast<std::uint32_t>(dist))) return false;
            }
            open_ -= bucket.size();
            bucket.clear();
        }
        return true;
    }

  private:
    std::vector<std::vector<CellIndex>>& buckets_;
    std::size_t open_ = 0;
};

}  // namespace maniple::nav
