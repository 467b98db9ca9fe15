#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// One byte a cell: bit n is set when the solver may step between the cell and its neighbour n,
/// in either direction. Bounds, Empty and obstacle cells, the corner rule and the slope limit are
/// in it, so that floods and passes look at nothing else. Built once for a ground, updated around
/// its edits.
class MoveMap {
  public:
    /// Computes all cells.
    void build(const GridSubstrate& ground, const FieldConfig& config);
    /// Computes what an edit of the cells from `low` to `high` (inclusive, inside the grid) can
    /// have changed: that rectangle and the cells around it. @return whether a byte changed.
    bool update(const GridSubstrate& ground, const FieldConfig& config, GridCoord low,
                GridCoord high);
    /// Lets the flood start from goals that cannot be entered: they become enterable, and their
    /// cost counts as 0 in the corner rule. Does nothing for other goals. O-GRID-13
    void open_goals(const GridSubstrate& ground, const FieldConfig& config,
                    std::span<const CellIndex> goals);
    /// Whether `open_goals` would change anything for this goal.
    [[nodiscard]] static bool needs_opening(const GridSubstrate& ground, CellIndex goal);

    /// True where more than half of the cells with a move have a closed one: mazes and noise, over
    /// which a queue floods faster than sweeps.
    [[nodiscard]] bool is_winding() const { return 2 * counts_.narrow > counts_.with_move; }
    /// True only where all cells have one height; ground that edits made level may count as hilly.
    [[nodiscard]] bool is_level() const { return level_; }

    [[nodiscard]] std::uint8_t operator[](CellIndex cell) const { return mask_[cell]; }
    [[nodiscard]] const std::uint8_t* data() const { return mask_.data(); }
    [[nodiscard]] std::size_t size() const { return mask_.size(); }
    friend bool operator==(const MoveMap& a, const MoveMap& b) { return a.mask_ == b.mask_; }

  private:
    struct Counts {
        std::size_t with_move = 0;
        std::size_t narrow = 0;  ///< With some, but not all moves.
    };
    [[nodiscard]] Counts count(const GridGeometry& geometry, GridCoord low, GridCoord high) const;
    bool rebuild(const GridSubstrate& ground, const FieldConfig& config,
                 std::span<const CellIndex> opened, GridCoord low, GridCoord high);

    std::vector<std::uint8_t> mask_;
    Counts counts_;  ///< Of the whole mask.
    bool level_ = false;
    std::int32_t level_cm_ = 0;
};

}  // namespace maniple::nav
