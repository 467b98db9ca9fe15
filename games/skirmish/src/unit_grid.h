#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/skirmish/skirmish.h"

namespace maniple::skirmish {

/// One unit as neighbours see it: the values from before the tick.
struct Place {
    float x = 0, y = 0;
    float z = 0;  ///< 0 where heights are the same.
    std::int32_t uid = 0;
    std::int32_t arrived_task = 0;  ///< MoveTo task at whose goal it stands; 0 = none.
    std::int8_t team = -1;          ///< −1 = takes no part: it is dying or gone.
    bool on_ground = true;          ///< False inside a wall that rose around it.
};
static_assert(sizeof(Place) == 24);

enum class Heights : std::uint8_t { kSame, kDiffer };

/// The cells of a uniform grid over all living units.
struct GridBounds {
    float low_x = 0, low_y = 0;
    std::int32_t x_num = 1, y_num = 1;
    float cell_cm = 100;

    /// The smallest grid over the box, one cell at least.
    [[nodiscard]] static GridBounds around(float low_x, float low_y, float high_x, float high_y,
                                           float cell_cm);
    [[nodiscard]] static std::int32_t clamped(float cells, std::int32_t count) {
        if (!(cells > 0)) return 0;
        const float last = static_cast<float>(count - 1);
        return cells < last ? static_cast<std::int32_t>(cells) : count - 1;
    }
    [[nodiscard]] std::int32_t column(float x) const {
        return clamped((x - low_x) / cell_cm, x_num);
    }
    [[nodiscard]] std::int32_t row(float y) const { return clamped((y - low_y) / cell_cm, y_num); }
};

/// A sorted copy of the units by team, then by cell, as columns: a run of neighbouring cells of a
/// row is one run of memory. A two-level counting sort, rows without units cost nothing; the order
/// inside a cell is the order of the places. Where few units are spread so wide that a number a
/// cell would not pay, there is one for several cells of a row, which are searched: the order is
/// the same.
class UnitGrid {
  public:
    /// Takes in all that take part. A unit's rank is its index in `places`.
    void build(core::Executor& executor, const GridBounds& bounds, std::span<const Place> places,
               Heights heights = Heights::kSame);

    [[nodiscard]] const GridBounds& bounds() const { return bounds_; }
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    /// Columns by slot.
    [[nodiscard]] const std::vector<float>& x() const { return x_; }
    [[nodiscard]] const std::vector<float>& y() const { return y_; }
    /// Empty where heights are the same.
    [[nodiscard]] const std::vector<float>& z() const { return z_; }
    [[nodiscard]] const std::vector<std::int32_t>& uid() const { return uid_; }
    [[nodiscard]] const std::vector<std::int32_t>& arrived_task() const { return arrived_task_; }
    struct Slot {
        std::uint32_t cell = 0;  ///< (team · y_num + row) · x_num + column.
        std::uint32_t rank = 0;
    };
    [[nodiscard]] const Slot& at(std::size_t slot) const { return slots_[slot]; }

    struct Span {
        std::uint32_t begin = 0, end = 0;
    };
    /// The team's slots of the columns [low, high] of a row; all within the bounds.
    [[nodiscard]] Span slots(std::int32_t team, std::int32_t row, std::int32_t low,
                             std::int32_t high) const {
        const auto r = static_cast<std::size_t>(team * bounds_.y_num + row);
        if (row_starts_[r] == row_starts_[r + 1]) return {};
        if (cells_log2_ != 0) [[unlikely]]
            return {first_slot(r, low), first_slot(r, high + 1)};
        const std::uint32_t* line = starts_.data() + r * width_;
        return {line[low], line[high + 1]};
    }
    /// The numbers kept to find cells by: one a row, and as many as the number of places allows.
    [[nodiscard]] std::size_t starts_count() const { return starts_.size() + row_starts_.size(); }
    /// Calls visit(slot) for every unit of the team in the cells that a square around (x, y)
    /// touches, rows ascending, then columns, until visit returns false.
    template <typename Visit>
    void for_near(std::int32_t team, float x, float y, float reach, Visit&& visit) const {
        if (size() == 0) return;
        const std::int32_t low = bounds_.column(x - reach);
        const std::int32_t high = bounds_.column(x + reach);
        const std::int32_t last = bounds_.row(y + reach);
        for (std::int32_t row = bounds_.row(y - reach); row <= last; ++row) {
            const Span span = slots(team, row, low, high);
            for (std::uint32_t i = span.begin; i < span.end; ++i) {
                if (!visit(i)) return;
            }
        }
    }
    /// The team's nearest unit within `reach` of a place inside the bounds, of equals the lowest
    /// UID; −1 for none. A minimum: no order of visits can change it.
    [[nodiscard]] std::int32_t nearest(std::int32_t team, float x, float y, float reach) const;

  private:
    /// Where a rank belongs; kNoCell for a unit that takes no part.
    struct Entry {
        std::uint32_t row;  ///< team · y_num + row.
        std::uint32_t cell;
    };
    static constexpr std::uint32_t kNoCell = ~std::uint32_t{0};
    [[nodiscard]] std::size_t start_of(const Entry& entry) const {
        if (cells_log2_ == 0) [[likely]]
            return entry.cell + std::size_t{entry.row};
        const std::uint32_t column = entry.cell - entry.row * columns();
        return entry.row * width_ + (column >> cells_log2_);
    }
    [[nodiscard]] std::uint32_t columns() const {
        return static_cast<std::uint32_t>(bounds_.x_num);
    }
    /// The first slot of a row of a team at `column` or behind it, by search.
    [[nodiscard]] std::uint32_t first_slot(std::size_t row, std::int32_t column) const;
    void choose_buckets(std::size_t place_count);
    [[nodiscard]] std::size_t row_count() const {
        return kTeamCount * static_cast<std::size_t>(bounds_.y_num);
    }
    void find_cells(std::span<const Place> places, std::size_t begin, std::size_t end);
    void count_rows();
    void count_cells();
    void give_slots();
    void sort_buckets();
    void copy_columns(std::span<const Place> places, std::size_t begin, std::size_t end);

    GridBounds bounds_;
    std::size_t cells_log2_ = 0;             ///< Cells of a bucket.
    std::size_t width_ = 0;                  ///< The starts of a row's buckets and, last, its end.
    std::vector<Entry> entries_;             ///< By rank.
    std::vector<std::uint32_t> row_starts_;  ///< row_count() + 1.
    std::vector<std::uint32_t> starts_;      ///< width_ a row; only of rows with units.
    std::vector<Slot> slots_;
    std::vector<float> x_, y_, z_;
    std::vector<std::int32_t> uid_, arrived_task_;
};

/// Which tiles have a unit of a team within reach: a bit test in place of most searches.
class NearMap {
  public:
    /// Marks the tiles of `tile_cells` grid cells, or more on wide ground, from which a unit of the
    /// team may lie within `reach`.
    void build(const UnitGrid& grid, std::int32_t team, std::int32_t tile_cells, float reach);
    [[nodiscard]] bool may_reach(float x, float y) const {
        const std::int32_t column = bounds_.column(x) / tile_cells_;
        const std::int32_t row = bounds_.row(y) / tile_cells_;
        return near_[static_cast<std::size_t>(row) * static_cast<std::size_t>(x_tiles_) +
                     static_cast<std::size_t>(column)] != 0;
    }

  private:
    GridBounds bounds_;
    std::int32_t tile_cells_ = 1;
    std::int32_t x_tiles_ = 1;
    std::vector<std::uint8_t> occupied_, near_;
};

}  // namespace maniple::skirmish
