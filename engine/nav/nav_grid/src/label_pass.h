#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maniple/nav/grid_geometry.h"
#include "maniple/nav/solver.h"

#include "flood_rules.h"

namespace maniple::nav {

/// Hands the goals' labels on along the predecessors.
class LabelPass {
  public:
    LabelPass(const GridGeometry& geometry, const std::uint8_t* predecessor, std::size_t goal_count,
              std::uint16_t* goal)
        : x_num_(geometry.x_num()),
          y_num_(geometry.y_num()),
          followed_(goal_count > FieldSolution::kNoGoal ? geometry.cell_count() : 0),
          predecessor_(predecessor),
          goal_(goal) {
        const NeighbourOffsets offsets(geometry.y_num());
        for (std::size_t n = 0; n < 8; ++n) step_[n] = offsets.difference(n);
    }

    /// Ways that keep to one quadrant are done by a sweep in its order, without a branch a cell;
    /// those that wind are followed one by one.
    void run() {
        for (std::ptrdiff_t x = 0; x < x_num_; ++x) sweep_line(x);
        for (std::ptrdiff_t x = x_num_; x-- > 0;) sweep_line(x);
        const std::ptrdiff_t cells = x_num_ * y_num_;
        for (std::ptrdiff_t cell = 0; cell < cells; ++cell) {
            if (!is_settled(cell)) follow(cell);
        }
    }

  private:
    void sweep_line(std::ptrdiff_t x) const {
        const std::ptrdiff_t begin = x * y_num_;
        const std::ptrdiff_t end = begin + y_num_;
        for (std::ptrdiff_t cell = begin; cell < end; ++cell) take(cell);
        for (std::ptrdiff_t cell = end; cell-- > begin;) take(cell);
    }
    void take(std::ptrdiff_t cell) const { goal_[cell] = goal_[cell + step(cell)]; }
    void follow(std::ptrdiff_t cell) {
        std::ptrdiff_t end = cell;
        while (!is_settled(end)) end += step(end);
        const std::uint16_t label = goal_[end];
        while (cell != end) {
            goal_[cell] = label;
            if (!followed_.empty()) followed_[static_cast<std::size_t>(cell)] = true;
            cell += step(cell);
        }
    }
    [[nodiscard]] bool is_settled(std::ptrdiff_t cell) const {
        if (goal_[cell] != FieldSolution::kNoGoal || step(cell) == 0) return true;
        return !followed_.empty() && followed_[static_cast<std::size_t>(cell)];
    }
    [[nodiscard]] std::ptrdiff_t step(std::ptrdiff_t cell) const {
        return step_[predecessor_[cell]];
    }

    std::ptrdiff_t x_num_;
    std::ptrdiff_t y_num_;
    std::vector<bool> followed_;  ///< Cells, where kNoGoal is a goal's label as well.
    const std::uint8_t* predecessor_;
    std::uint16_t* goal_;
    std::array<std::ptrdiff_t, kNoDirection + 1> step_{};  ///< 0 without a direction.
};

}  // namespace maniple::nav
