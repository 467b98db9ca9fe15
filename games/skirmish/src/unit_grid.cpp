#include "unit_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "resize_closely.h"

namespace maniple::skirmish {
namespace {

constexpr std::size_t kStartsPerPlace = 64;
constexpr std::size_t kStartsMin = std::size_t{1} << 22;
constexpr std::int64_t kTilesMax = std::int64_t{1} << 20;

}  // namespace

GridBounds GridBounds::around(float low_x, float low_y, float high_x, float high_y, float cell_cm) {
    GridBounds bounds{low_x, low_y, 1, 1, cell_cm};
    bounds.x_num += static_cast<std::int32_t>((high_x - low_x) / cell_cm);
    bounds.y_num += static_cast<std::int32_t>((high_y - low_y) / cell_cm);
    return bounds;
}

void UnitGrid::find_cells(std::span<const Place> places, std::size_t begin, std::size_t end) {
    for (std::size_t rank = begin; rank < end; ++rank) {
        const Place& place = places[rank];
        const auto row =
            static_cast<std::uint32_t>(place.team * bounds_.y_num + bounds_.row(place.y));
        const auto column = static_cast<std::uint32_t>(bounds_.column(place.x));
        const std::uint32_t cell = row * static_cast<std::uint32_t>(bounds_.x_num) + column;
        entries_[rank] = {row, place.team < 0 ? kNoCell : cell};
    }
}

void UnitGrid::count_rows() {
    row_starts_.assign(row_count() + 1, 0);
    for (const Entry& entry : entries_) {
        if (entry.cell != kNoCell) ++row_starts_[entry.row + 1];
    }
    for (std::size_t i = 1; i < row_starts_.size(); ++i) row_starts_[i] += row_starts_[i - 1];
}

/// As many cells of a row in one bucket as it takes to keep the starts few.
void UnitGrid::choose_buckets(std::size_t place_count) {
    const std::size_t starts_max = std::max(kStartsMin, kStartsPerPlace * place_count);
    const auto last = static_cast<std::size_t>(bounds_.x_num - 1);
    cells_log2_ = 0;
    width_ = last + 2;
    while (width_ > 2 && row_count() * width_ > starts_max) width_ = (last >> ++cells_log2_) + 2;
}

/// Leaves in starts_[row][bucket] where the bucket ends.
void UnitGrid::count_cells() {
    starts_.resize(row_count() * width_);
    const auto has_units = [&](std::size_t row) {
        return row_starts_[row] != row_starts_[row + 1];
    };
    for (std::size_t row = 0; row < row_count(); ++row) {
        if (has_units(row)) std::fill_n(starts_.data() + row * width_, width_, 0U);
    }
    for (const Entry& entry : entries_) {
        if (entry.cell != kNoCell) ++starts_[start_of(entry)];
    }
    for (std::size_t row = 0; row < row_count(); ++row) {
        if (!has_units(row)) continue;
        std::uint32_t end = row_starts_[row];
        std::uint32_t* line = starts_.data() + row * width_;
        for (std::size_t i = 0; i < width_; ++i) line[i] = end += line[i];
    }
}

/// Backwards, so that it is stable and starts_ ends as the cells' starts.
void UnitGrid::give_slots() {
    resize_closely(slots_, row_starts_.back());
    for (std::size_t rank = entries_.size(); rank-- > 0;) {
        const Entry& entry = entries_[rank];
        if (entry.cell == kNoCell) continue;
        slots_[--starts_[start_of(entry)]] = {entry.cell, static_cast<std::uint32_t>(rank)};
    }
    if (cells_log2_ != 0) sort_buckets();
}

/// What the count did not: by cell, those of one cell by rank.
void UnitGrid::sort_buckets() {
    for (std::size_t row = 0; row < row_count(); ++row) {
        if (row_starts_[row] == row_starts_[row + 1]) continue;
        const std::uint32_t* line = starts_.data() + row * width_;
        for (std::size_t i = 0; i + 1 < width_; ++i) {
            std::sort(slots_.begin() + line[i], slots_.begin() + line[i + 1],
                      [](const Slot& a, const Slot& b) {
                          return a.cell != b.cell ? a.cell < b.cell : a.rank < b.rank;
                      });
        }
    }
}

std::uint32_t UnitGrid::first_slot(std::size_t row, std::int32_t column) const {
    const std::uint32_t* line = starts_.data() + row * width_;
    const std::size_t bucket = static_cast<std::size_t>(column) >> cells_log2_;
    if (bucket + 1 >= width_) return line[width_ - 1];
    const std::uint32_t cell =
        static_cast<std::uint32_t>(row) * columns() + static_cast<std::uint32_t>(column);
    const auto first =
        std::partition_point(slots_.begin() + line[bucket], slots_.begin() + line[bucket + 1],
                             [&](const Slot& slot) { return slot.cell < cell; });
    return static_cast<std::uint32_t>(first - slots_.begin());
}

/// In the order of slots: one look at a distant place a unit, fetched ahead.
void UnitGrid::copy_columns(std::span<const Place> places, std::size_t begin, std::size_t end) {
    constexpr std::size_t kAhead = 16;
    for (std::size_t slot = begin; slot < end; ++slot) {
        if (slot + kAhead < slots_.size()) __builtin_prefetch(&places[slots_[slot + kAhead].rank]);
        const Place& place = places[slots_[slot].rank];
        x_[slot] = place.x;
        y_[slot] = place.y;
        uid_[slot] = place.uid;
        arrived_task_[slot] = place.arrived_task;
        if (!z_.empty()) z_[slot] = place.z;
    }
}

void UnitGrid::build(core::Executor& executor, const GridBounds& bounds,
                     std::span<const Place> places, Heights heights) {
    constexpr std::size_t kBlock = 4096;
    bounds_ = bounds;
    choose_buckets(places.size());
    resize_closely(entries_, places.size());
    core::for_blocks(executor, places.size(), kBlock,
                     [&](std::size_t begin, std::size_t end) { find_cells(places, begin, end); });
    count_rows();
    count_cells();
    give_slots();
    for (auto* column : {&x_, &y_}) resize_closely(*column, size());
    for (auto* column : {&uid_, &arrived_task_}) resize_closely(*column, size());
    resize_closely(z_, heights == Heights::kDiffer ? size() : 0);
    core::for_blocks(executor, size(), kBlock,
                     [&](std::size_t begin, std::size_t end) { copy_columns(places, begin, end); });
}

std::int32_t UnitGrid::nearest(std::int32_t team, float x, float y, float reach) const {
    constexpr std::uint64_t kNone = ~std::uint64_t{0};
    constexpr float kRounding = 1.0F;  // Of cell edges, in cm.
    if (size() == 0) return -1;
    std::uint64_t best = kNone;
    float square_max = reach * reach;
    const auto search_row = [&](std::int32_t row) {
        const float radius = std::sqrt(square_max);
        const Span span = slots(team, row, bounds_.column(x - radius), bounds_.column(x + radius));
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            const float off_x = x_[i] - x;
            const float off_y = y_[i] - y;
            const float square = off_x * off_x + off_y * off_y;
            if (square > square_max) continue;
            const std::uint64_t key = std::uint64_t{std::bit_cast<std::uint32_t>(square)} << 32 |
                                      static_cast<std::uint32_t>(uid_[i]);
            if (key >= best) continue;
            best = key;
            square_max = square;
        }
    };
    const std::int32_t centre = bounds_.row(y);
    for (std::int32_t step = 0;; ++step) {
        const float gap = static_cast<float>(step - 1) * bounds_.cell_cm - kRounding;
        if (gap > 0 && gap * gap > square_max) break;
        const std::int32_t below = centre - step;
        const std::int32_t above = centre + step;
        if (below < 0 && above >= bounds_.y_num) break;
        if (below >= 0) search_row(below);
        if (step > 0 && above < bounds_.y_num) search_row(above);
    }
    return best == kNone ? -1 : static_cast<std::int32_t>(best & 0x7FFFFFFF);
}

void NearMap::build(const UnitGrid& grid, std::int32_t team, std::int32_t tile_cells, float reach) {
    bounds_ = grid.bounds();
    const auto tiles = [&](std::int32_t cells) { return (cells + tile_cells - 1) / tile_cells; };
    while (std::int64_t{tiles(bounds_.x_num)} * tiles(bounds_.y_num) > kTilesMax) tile_cells *= 2;
    tile_cells_ = tile_cells;
    x_tiles_ = tiles(bounds_.x_num);
    const std::int32_t y_tiles = tiles(bounds_.y_num);
    const auto width = static_cast<std::size_t>(x_tiles_);
    occupied_.assign(width * static_cast<std::size_t>(y_tiles), 0);
    near_.assign(occupied_.size(), 0);
    const float tile_cm = static_cast<float>(tile_cells) * bounds_.cell_cm;
    const std::int32_t spread = static_cast<std::int32_t>(reach / tile_cm) + 1;
    for (std::int32_t row = 0; row < bounds_.y_num; ++row) {
        const UnitGrid::Span span = grid.slots(team, row, 0, bounds_.x_num - 1);
        const std::int32_t line = row / tile_cells * x_tiles_;
        const std::uint32_t first_cell = static_cast<std::uint32_t>(team * bounds_.y_num + row) *
                                         static_cast<std::uint32_t>(bounds_.x_num);
        std::int32_t next_tile_column = 0;
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            const auto column = static_cast<std::int32_t>(grid.at(i).cell - first_cell);
            if (column < next_tile_column) continue;
            const std::int32_t tile = column / tile_cells;
            next_tile_column = (tile + 1) * tile_cells;
            const std::int32_t low = std::max(tile - spread, 0);
            const std::int32_t high = std::min(tile + spread, x_tiles_ - 1);
            std::fill(occupied_.begin() + line + low, occupied_.begin() + line + high + 1, 1);
        }
    }
    for (std::int32_t row = 0; row < y_tiles; ++row) {
        const std::uint8_t* from = occupied_.data() + static_cast<std::size_t>(row) * width;
        const std::int32_t last = std::min(row + spread, y_tiles - 1);
        for (std::int32_t to = std::max(row - spread, 0); to <= last; ++to) {
            std::uint8_t* near = near_.data() + static_cast<std::size_t>(to) * width;
            for (std::size_t i = 0; i < width; ++i) near[i] |= from[i];
        }
    }
}

}  // namespace maniple::skirmish
