#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Cells in ascending order, each once.
class CellSet {
  public:
    void clear(std::size_t cells) { words_.assign(cells / 64 + 1, 0); }
    void insert(CellIndex cell) { words_[cell / 64] |= std::uint64_t{1} << cell % 64; }
    /// Calls body(begin, end) for every run of following cells, split at multiples of 64.
    template <class Body>
    void for_each_run(Body body) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t left = words_[w]; left != 0;) {
                const int begin = std::countr_zero(left);
                const int length = std::countr_one(left >> begin);
                const auto first = static_cast<CellIndex>(w * 64 + static_cast<std::size_t>(begin));
                body(first, first + static_cast<CellIndex>(length));
                if (begin + length == 64) break;
                left &= ~std::uint64_t{0} << (begin + length);
            }
        }
    }

  private:
    std::vector<std::uint64_t> words_;
};

/// Makes distances that were right before the `touched` cells changed (their cost, their moves or
/// whether they are goals) right again; `stale` then holds every cell whose direction may have
/// changed. False if so much changed that a new flood is faster; `dist` is of no use then.
[[nodiscard]] bool repair_distances(const GridSubstrate& ground, const MoveMap& moves,
                                    const FieldConfig& config, std::span<const CellIndex> goals,
                                    std::span<const CellIndex> touched,
                                    SolverScratch::Parts& scratch, DistanceField& dist,
                                    CellSet& stale);

}  // namespace maniple::nav
