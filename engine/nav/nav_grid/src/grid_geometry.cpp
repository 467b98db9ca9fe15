#include "maniple/nav/grid_geometry.h"

#include <cmath>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "locate_kernel.h"

namespace maniple::nav {

// implements: O-SYNC-39, SYNC-022
std::uint64_t FieldConfig::digest() const {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.i32(max_walkable_centideg);
    out.u8(static_cast<std::uint8_t>(style));
    out.u8(straight_first ? 1 : 0);
    out.u8(ignore_internal_obstacles ? 1 : 0);
    out.u32(distance_limit);
    out.u8(static_cast<std::uint8_t>(metric));
    out.u8(use_area_costs ? 1 : 0);
    out.f64(max_area_cost_multiplier);
    out.f64(path_stop_search_cm.x);
    out.f64(path_stop_search_cm.y);
    out.f64(path_stop_search_cm.z);
    for (const AreaCostOverride& entry : area_cost_overrides) {
        out.u8(entry.area);
        out.f32(entry.cost);
    }
    return core::xxh3_64(bytes);
}

GridGeometry::GridGeometry(std::int32_t origin_x_cm, std::int32_t origin_y_cm,
                           std::int32_t origin_z_cm, std::int32_t yaw_centideg, std::int32_t x_num,
                           std::int32_t y_num, std::int32_t cell_size_cm)
    : origin_{static_cast<double>(origin_x_cm), static_cast<double>(origin_y_cm),
              static_cast<double>(origin_z_cm)},
      yaw_centideg_(yaw_centideg),
      x_num_(x_num),
      y_num_(y_num),
      cell_size_cm_(cell_size_cm),
      cell_cm_(cell_size_cm),
      cos_yaw_(core::cos_centideg(yaw_centideg)),
      sin_yaw_(core::sin_centideg(yaw_centideg)),
      middle_{(x_num - 1) / 2.0, (y_num - 1) / 2.0},
      size_{static_cast<double>(x_num), static_cast<double>(y_num)} {
    MANIPLE_ASSERT(x_num >= 1);
    MANIPLE_ASSERT(y_num >= 1);
    MANIPLE_ASSERT(cell_size_cm >= 1);
    for (std::size_t n = 0; n < steps_.size(); ++n) {
        const Vec2d way = offset(kNeighbours[n]);
        const double squared = dot(way, way);
        const double length = std::sqrt(squared);
        const Vec3f unit{static_cast<float>(way.x / length), static_cast<float>(way.y / length)};
        steps_[n] = {way, squared, unit};
    }
}

// implements: GRID-023, GRID-024, O-GRID-06, O-GRID-31, O-GEN-08
std::int32_t GridGeometry::clamped(double at, std::int32_t count) {
    return core::clamp_to_i32(core::round_half_up(at), 0, count - 1);
}

void GridGeometry::locate(std::span<const double> xs, std::span<const double> ys,
                          std::span<CellIndex> cells) const {
    MANIPLE_ASSERT(xs.size() == ys.size());
    MANIPLE_ASSERT(xs.size() == cells.size());
    const GridFrame frame(*this);
    std::size_t i = locate_simd(frame, xs.data(), ys.data(), cells.size(), cells.data());
    for (; i < cells.size(); ++i) {
        const Located at = world_to_grid({xs[i], ys[i]});
        cells[i] = at.inside ? index(at.coord) : kNoCell;
    }
}

// implements: GRID-029, O-GRID-05
Vec2d GridGeometry::cell_centre(GridCoord c) const {
    const double lx = (c.x - middle_.x) * cell_cm_;
    const double ly = (c.y - middle_.y) * cell_cm_;
    return {lx * cos_yaw_ - ly * sin_yaw_ + origin_.x, lx * sin_yaw_ + ly * cos_yaw_ + origin_.y};
}

// implements: O-GRID-31
Vec2d GridGeometry::offset(GridCoord step) const {
    const double lx = static_cast<double>(step.x) * cell_cm_;
    const double ly = static_cast<double>(step.y) * cell_cm_;
    return {lx * cos_yaw_ - ly * sin_yaw_, lx * sin_yaw_ + ly * cos_yaw_};
}

}  // namespace maniple::nav
