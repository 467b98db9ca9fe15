#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace maniple::skirmish {

/// One unit as neighbours see it: the values from before the tick.
struct GridUnit {
    float x = 0, y = 0;
    std::int32_t uid = 0;
    std::int32_t arrived_task = 0;  ///< MoveTo task at whose goal it stands; 0 = none.
};

/// The cells of a uniform grid over all living units.
struct GridBounds {
    static constexpr float kCellCm = 100.0F;
    float low_x = 0, low_y = 0;
    std::int32_t x_num = 0, y_num = 0;

    [[nodiscard]] static std::int32_t clamped(float cells, std::int32_t count) {
        if (!(cells > 0)) return 0;
        const float last = static_cast<float>(count - 1);
        return cells < last ? static_cast<std::int32_t>(cells) : count - 1;
    }
    [[nodiscard]] std::int32_t column(float x) const {
        return clamped((x - low_x) / kCellCm, x_num);
    }
    [[nodiscard]] std::int32_t row(float y) const { return clamped((y - low_y) / kCellCm, y_num); }
};

/// A sorted copy of one team by cell (counting sort): a run of neighbouring cells of a row is one
/// run of memory. Order inside a cell is the order of insertion.
class UnitGrid {
  public:
    void build(const GridBounds& bounds, const std::vector<GridUnit>& units) {
        bounds_ = bounds;
        const std::size_t cells =
            static_cast<std::size_t>(bounds.x_num) * static_cast<std::size_t>(bounds.y_num);
        starts_.assign(cells + 1, 0);
        for (const GridUnit& unit : units) ++starts_[cell_of(unit) + 1];
        for (std::size_t i = 1; i <= cells; ++i) starts_[i] += starts_[i - 1];
        heads_.assign(starts_.begin(), starts_.end());
        sorted_.resize(units.size());
        for (const GridUnit& unit : units) sorted_[heads_[cell_of(unit)]++] = unit;
    }

    /// Calls visit(unit) for every unit in the cells that a square around (x, y) touches, rows
    /// ascending, then columns.
    template <typename Visit>
    void for_near(float x, float y, float reach, Visit&& visit) const {
        if (sorted_.empty()) return;
        const std::int32_t low = bounds_.column(x - reach);
        const std::int32_t high = bounds_.column(x + reach);
        const std::int32_t last = bounds_.row(y + reach);
        for (std::int32_t row = bounds_.row(y - reach); row <= last; ++row) {
            const std::size_t line =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(bounds_.x_num);
            const std::uint32_t end = starts_[line + static_cast<std::size_t>(high) + 1];
            for (std::uint32_t i = starts_[line + static_cast<std::size_t>(low)]; i < end; ++i) {
                visit(sorted_[i]);
            }
        }
    }

  private:
    [[nodiscard]] std::size_t cell_of(const GridUnit& unit) const {
        return static_cast<std::size_t>(bounds_.row(unit.y)) *
                   static_cast<std::size_t>(bounds_.x_num) +
               static_cast<std::size_t>(bounds_.column(unit.x));
    }

    GridBounds bounds_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> heads_;
    std::vector<GridUnit> sorted_;
};

}  // namespace maniple::skirmish
