#include "maniple/nav/move_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "maniple/core/math.h"

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

/// One column of cells (equal x) as bytes 0 or 1, shifted by one cell: entry 0 stands for
/// y = low − 1. Eight bytes behind the end may be read.
struct Column {
    std::vector<std::uint8_t> open;  ///< A flood may enter.
    std::vector<std::uint8_t> wall;  ///< No diagonal step squeezes past. Outside the grid: 1.
};

/// Computes masks eight cells at a time: bytes of a word are lanes, every lane is 0 or 1 before it
/// is shifted to its bit, so no lane reaches the next.
class MaskBuilder {
  public:
    MaskBuilder(const GridSubstrate& ground, const FieldConfig& config,
                std::span<const CellIndex> opened, std::uint8_t* mask)
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
    }

    // implements: GRID-037, GRID-038, GRID-039, O-GRID-09
    void build(Rect rect) {
        Column west = read_column(rect.low.x - 1, rect);
        Column here = read_column(rect.low.x, rect);
        for (std::int32_t x = rect.low.x; x <= rect.high.x; ++x) {
            Column east = read_column(x + 1, rect);
            write_column(west, here, east, x, rect);
            if (slope_tested_) clear_steep_steps(x, rect);
            std::swap(west, here);
            std::swap(here, east);
        }
    }

  private:
    /// Heights are whole centimetres, so the limit is as well.
    static std::int64_t whole(double rise) {
        return static_cast<std::int64_t>(std::floor(std::clamp(rise, -1.0, 4294967296.0)));
    }

    /// implements: O-GRID-13, O-GRID-25, O-GRID-26
    Column read_column(std::int32_t x, Rect rect) const {
        const auto cells = static_cast<std::size_t>(rect.high.y - rect.low.y + 3);
        Column column{std::vector<std::uint8_t>(cells + 8, 0),
                      std::vector<std::uint8_t>(cells + 8, 1)};
        if (x < 0 || x >= geometry_.x_num()) return column;
        const std::int32_t low = std::max(rect.low.y - 1, 0);
        const std::int32_t high = std::min(rect.high.y + 1, geometry_.y_num() - 1);
        const CellIndex first = geometry_.index({x, low});
        const auto shift = static_cast<std::size_t>(low - (rect.low.y - 1));
        for (std::int32_t i = 0; i <= high - low; ++i) {
            const CellIndex cell = first + static_cast<CellIndex>(i);
            const auto type = static_cast<CellType>(ground_.type[cell]);
            const bool wall =
                (type == CellType::kObstacle) | (ground_.cost[cell] == kImpassableCost);
            const bool open = (type != CellType::kEmpty) & !(ignore_obstacles_ & wall);
            column.wall[shift + static_cast<std::size_t>(i)] = wall ? 1 : 0;
            column.open[shift + static_cast<std::size_t>(i)] = open ? 1 : 0;
        }
        const CellIndex last = geometry_.index({x, high});
        for (auto goal = std::lower_bound(opened_.begin(), opened_.end(), first);
             goal != opened_.end() && *goal <= last; ++goal) {
            const std::size_t at = shift + (*goal - first);
            const bool obstacle = static_cast<CellType>(ground_.type[*goal]) == CellType::kObstacle;
            column.open[at] = 1;
            column.wall[at] = obstacle ? 1 : 0;
        }
        return column;
    }

    void write_column(const Column& west, const Column& here, const Column& east, std::int32_t x,
                      Rect rect) {
        const auto cells = static_cast<std::size_t>(rect.high.y - rect.low.y + 1);
        std::uint8_t* out = mask_ + geometry_.index({x, rect.low.y});
        for (std::size_t y = 0; y < cells; y += 8) {
            const std::uint64_t word = masks_of_eight(west, here, east, y + 1);
            std::memcpy(out + y, &word, std::min<std::size_t>(8, cells - y));
        }
    }
    static std::uint64_t masks_of_eight(const Column& west, const Column& here, const Column& east,
                                        std::size_t y) {
        const auto load = [](const std::vector<std::uint8_t>& bytes, std::size_t at) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, sizeof word);
            return word;
        };
        const std::uint64_t past_east = ~load(east.wall, y);
        const std::uint64_t past_west = ~load(west.wall, y);
        const std::uint64_t past_north = ~load(here.wall, y + 1);
        const std::uint64_t past_south = ~load(here.wall, y - 1);
        const std::uint64_t steps = load(east.open, y) << 0 | load(here.open, y + 1) << 1 |
                                    load(west.open, y) << 2 | load(here.open, y - 1) << 3 |
                                    (load(east.open, y + 1) & past_east & past_north) << 4 |
                                    (load(west.open, y + 1) & past_west & past_north) << 5 |
                                    (load(west.open, y - 1) & past_west & past_south) << 6 |
                                    (load(east.open, y - 1) & past_east & past_south) << 7;
        return steps & (load(here.open, y) * 0xFF);
    }

    // implements: O-GRID-10
    void clear_steep_steps(std::int32_t x, Rect rect) {
        if (is_level(x, rect)) return;
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
    /// No step from or to this column changes height (and a level step is allowed).
    [[nodiscard]] bool is_level(std::int32_t x, Rect rect) const {
        if (rise_max_straight_ < 0) return false;
        const Rect around = Rect{{x, rect.low.y}, {x, rect.high.y}}.grown(geometry_);
        const std::int32_t height = ground_.z_cm[geometry_.index({x, rect.low.y})];
        std::int32_t differing = 0;
        for (std::int32_t column = around.low.x; column <= around.high.x; ++column) {
            const std::int32_t* z = ground_.z_cm.data() + geometry_.index({column, 0});
            for (std::int32_t y = around.low.y; y <= around.high.y; ++y) differing |= z[y] ^ height;
            if (differing != 0) return false;
        }
        return true;
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
    mask_.resize(g.cell_count());
    MaskBuilder(ground, config, {}, mask_.data()).build({{0, 0}, {g.x_num() - 1, g.y_num() - 1}});
}

void MoveMap::update(const GridSubstrate& ground, const FieldConfig& config, GridCoord low,
                     GridCoord high) {
    MaskBuilder(ground, config, {}, mask_.data()).build(Rect{low, high}.grown(ground.geometry));
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
    MaskBuilder builder(ground, config, opened, mask_.data());
    for (const CellIndex goal : opened) {
        const GridCoord at = ground.geometry.coord(goal);
        builder.build(Rect{at, at}.grown(ground.geometry));
    }
}

}  // namespace maniple::nav
