#include "maniple/nav/move_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ranges>

#include "maniple/core/math.h"

#include "move_kernels.h"

namespace maniple::nav {
namespace {

/// Inclusive rectangle of cells inside the grid.
struct Rect {
    GridCoord low;
    GridCoord high;
    [[nodiscard]] Rect grown(const GridGeometry& g) const {
        return {{std::max(low.x - 1, 0), std::max(low.y - 1, 0)},
                {std::min(high.x + 1, g.x_num() - 1), std::min(high.y + 1, g.y_num() - 1)}};
    }
};

/// One column of cells (equal x) as StepBytes, shifted by one cell: entry 0 stands for y = low − 1.
/// Outside the grid is nothing.
struct Column {
    explicit Column(std::size_t cells) : open(cells), passed(cells) {}
    /// From y = low on.
    [[nodiscard]] StepBytes bytes() const { return {open.data() + 1, passed.data() + 1}; }
    std::vector<std::uint8_t> open;
    std::vector<std::uint8_t> passed;
    bool outside = true;
    bool level = true;  ///< All heights equal `z_cm`; so is a column outside the grid.
    std::int32_t z_cm = 0;
};

/// Computes masks column by column.
class MaskBuilder {
  public:
    /// `level`: all heights of the ground are equal.
    MaskBuilder(const GridSubstrate& ground, const FieldConfig& config,
                std::span<const CellIndex> opened, bool level, std::uint8_t* mask)
        : ground_(ground),
          geometry_(ground.geometry),
          ignore_obstacles_(config.ignore_internal_obstacles),
          opened_(opened),
          mask_(mask) {
        slope_tested_ = config.max_walkable_centideg < 9000;
        if (!slope_tested_) return;
        const double tangent = core::tan_centideg(config.max_walkable_centideg);
        rise_max_straight_ = whole(tangent * geometry_.cell_size_cm());
        rise_max_diagonal_ = whole(tangent * (geometry_.cell_size_cm() * core::kSqrt2));
        slope_tested_ = !level || rise_max_straight_ < 0 || rise_max_diagonal_ < 0;
    }

    // implements: GRID-037, GRID-038, GRID-039, O-GRID-09
    void build(Rect rect) {
        const auto cells = static_cast<std::size_t>(rect.high.y - rect.low.y + 3);
        Column west(cells);
        Column here(cells);
        Column east(cells);
        read_column(rect.low.x - 1, rect, west);
        read_column(rect.low.x, rect, here);
        for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
            read_column(x + 1, rect, east);
            write_moves(west.bytes(), here.bytes(), east.bytes(), cells - 2,
                        mask_ + geometry_.index({x, rect.low.y}));
            if (slope_tested_ && !is_level(west, here, east)) clear_steep_steps(x, rect);
            std::swap(west, here);
            std::swap(here, east);
        }
    }

  private:
    /// Heights are whole centimetres, so the limit is as well.
    static std::int64_t whole(double rise) {
        return static_cast<std::int64_t>(std::floor(std::clamp(rise, -1.0, 4294967296.0)));
    }

    void read_column(std::int32_t x, Rect rect, Column& column) const {
        column.outside = x < 0 || x >= geometry_.x_num();
        if (column.outside) {
            std::fill(column.open.begin(), column.open.end(), std::uint8_t{0});
            std::fill(column.passed.begin(), column.passed.end(), std::uint8_t{0});
            return;
        }
        const std::int32_t low = std::max(rect.low.y - 1, 0);
        const std::int32_t high = std::min(rect.high.y + 1, geometry_.y_num() - 1);
        const CellIndex first = geometry_.index({x, low});
        const auto cells = static_cast<std::size_t>(high - low + 1);
        const auto shift = static_cast<std::size_t>(low - (rect.low.y - 1));
        write_step_bytes(ground_.type.data() + first, ground_.cost.data() + first, cells,
                         ignore_obstacles_, column.open.data() + shift,
                         column.passed.data() + shift);
        open_goals(first, cells, column.open.data() + shift, column.passed.data() + shift);
        if (slope_tested_) read_heights(ground_.z_cm.data() + first, cells, column);
    }
    /// implements: O-GRID-13
    void open_goals(CellIndex first, std::size_t cells, std::uint8_t* open,
                    std::uint8_t* passed) const {
        for (auto goal = std::lower_bound(opened_.begin(), opened_.end(), first);
             goal != opened_.end() && *goal < first + cells; ++goal) {
            open[*goal - first] = 0xFF;
            const bool wall = static_cast<CellType>(ground_.type[*goal]) == CellType::kObstacle;
            passed[*goal - first] = wall ? 0 : 0xFF;
        }
    }
    static void read_heights(const std::int32_t* z, std::size_t cells, Column& column) {
        column.z_cm = z[0];
        column.level = are_level(z, cells, z[0]);
    }

    // implements: O-GRID-10
    void clear_steep_steps(std::int32_t x, Rect rect) {
        for (std::int32_t y = rect.low.y; y <= rect.high.y; ++y) {
            const CellIndex cell = geometry_.index({x, y});
            std::uint8_t& mask = mask_[cell];
            for (std::size_t n = 0; n < 8; ++n) {
                if ((mask >> n & 1) == 0) continue;
                const GridCoord d = kNeighbours[n];
                const CellIndex to = cell + static_cast<CellIndex>(d.x * geometry_.y_num() + d.y);
                const std::int64_t rise = std::int64_t{ground_.z_cm[to]} - ground_.z_cm[cell];
                const std::int64_t limit = n >= 4 ? rise_max_diagonal_ : rise_max_straight_;
                if ((rise < 0 ? -rise : rise) > limit)
                    mask &= static_cast<std::uint8_t>(~(1U << n));
            }
        }
    }
    /// No step from or to the middle column changes height, and a level step is allowed.
    [[nodiscard]] bool is_level(const Column& west, const Column& here, const Column& east) const {
        const auto joins = [&](const Column& side) {
            return side.outside || (side.level && side.z_cm == here.z_cm);
        };
        return rise_max_straight_ >= 0 && here.level && joins(west) && joins(east);
    }

    const GridSubstrate& ground_;
    const GridGeometry& geometry_;
    bool ignore_obstacles_;
    std::span<const CellIndex> opened_;  ///< Ascending.
    std::uint8_t* mask_;
    bool slope_tested_ = false;
    std::int64_t rise_max_straight_ = 0;
    std::int64_t rise_max_diagonal_ = 0;
};

}  // namespace

void MoveMap::build(const GridSubstrate& ground, const FieldConfig& config) {
    const GridGeometry& g = ground.geometry;
    const Rect all{{0, 0}, {g.x_num() - 1, g.y_num() - 1}};
    mask_.resize(g.cell_count());
    level_cm_ = ground.z_cm[0];
    level_ = are_level(ground.z_cm.data(), g.cell_count(), level_cm_);
    MaskBuilder(ground, config, {}, level_, mask_.data()).build(all);
    counts_ = count(g, all.low, all.high);
}

bool MoveMap::update(const GridSubstrate& ground, const FieldConfig& config, GridCoord low,
                     GridCoord high) {
    return rebuild(ground, config, {}, low, high);
}

bool MoveMap::needs_opening(const GridSubstrate& ground, CellIndex goal) {
    return static_cast<CellType>(ground.type[goal]) != CellType::kGround ||
           ground.cost[goal] == kImpassableCost;
}

void MoveMap::open_goals(const GridSubstrate& ground, const FieldConfig& config,
                         std::span<const CellIndex> goals) {
    std::vector<CellIndex> opened;
    for (const CellIndex goal : goals) {
        if (needs_opening(ground, goal)) opened.push_back(goal);
    }
    std::sort(opened.begin(), opened.end());
    for (const CellIndex goal : opened) {
        const GridCoord at = ground.geometry.coord(goal);
        rebuild(ground, config, opened, at, at);
    }
}

bool MoveMap::rebuild(const GridSubstrate& ground, const FieldConfig& config,
                      std::span<const CellIndex> opened, GridCoord low, GridCoord high) {
    const Rect rect = Rect{low, high}.grown(ground.geometry);
    const Counts before = count(ground.geometry, rect.low, rect.high);
    const auto column = [&](std::int32_t x) {
        const auto first = mask_.begin() + ground.geometry.index({x, rect.low.y});
        return std::ranges::subrange(first, first + (rect.high.y - rect.low.y + 1));
    };
    std::vector<std::uint8_t> old;
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        old.insert(old.end(), column(x).begin(), column(x).end());
        const std::int32_t* z = ground.z_cm.data() + ground.geometry.index({x, rect.low.y});
        level_ = level_ && are_level(z, column(x).size(), level_cm_);
    }
    MaskBuilder(ground, config, opened, level_, mask_.data()).build(rect);
    const Counts after = count(ground.geometry, rect.low, rect.high);
    counts_.with_move += after.with_move - before.with_move;
    counts_.narrow += after.narrow - before.narrow;
    auto was = old.cbegin();
    bool changed = false;
    for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
        changed |= !std::equal(column(x).begin(), column(x).end(), was);
        was += rect.high.y - rect.low.y + 1;
    }
    return changed;
}

MoveMap::Counts MoveMap::count(const GridGeometry& geometry, GridCoord low, GridCoord high) const {
    Counts counts;
    for (std::int32_t x = low.x; x <= high.x; ++x) {
        const auto cells = static_cast<std::size_t>(high.y - low.y + 1);
        const MoveCounts column = count_moves(mask_.data() + geometry.index({x, low.y}), cells);
        counts.with_move += column.with_move;
        counts.narrow += column.narrow;
    }
    return counts;
}

}  // namespace maniple::nav
