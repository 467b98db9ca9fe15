#include "maniple/nav/field_setup.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "maniple/core/quantise.h"

namespace maniple::nav {

// implements: GRID-013, O-GRID-04
Result<FieldSetup> clamped(FieldSetup setup) {
    const double values[] = {setup.location_cm.x, setup.location_cm.y, setup.location_cm.z,
                             setup.yaw_degrees,   setup.cell_size_cm,  setup.size_cm.x,
                             setup.size_cm.y,     setup.size_cm.z,     setup.refresh_interval_s};
    for (const double value : values) {
        if (!std::isfinite(value)) {
            return refuse(ErrorCode::kBadValue,
                          "a field's setup holds a number that is not finite");
        }
    }
    setup.cell_size_cm = std::max(setup.cell_size_cm, 1.0);
    setup.size_cm.x = std::max(setup.size_cm.x, setup.cell_size_cm);
    setup.size_cm.y = std::max(setup.size_cm.y, setup.cell_size_cm);
    setup.size_cm.z = std::max(setup.size_cm.z, 0.0);
    setup.initial_cost = std::clamp(setup.initial_cost, 0, 255);
    setup.refresh_interval_s = std::max(setup.refresh_interval_s, 0.0);
    return setup;
}

// implements: GRID-013, O-GRID-04, O-GRID-05, O-SYNC-11
Result<GridGeometry> grid_of(const FieldSetup& setup) {
    const double cell = setup.cell_size_cm;
    if (cell != std::floor(cell) || cell > 1e6) {
        return refuse(ErrorCode::kBadValue, "cell size " + std::to_string(cell) +
                                                " cm is no whole number in 1 … 1000000");
    }
    const double x_num = std::max(1.0, core::round_half_from_zero(setup.size_cm.x / cell));
    const double y_num = std::max(1.0, core::round_half_from_zero(setup.size_cm.y / cell));
    constexpr double kMax = static_cast<double>(kGridCellsMax);
    if (x_num > kMax || y_num > kMax || x_num * y_num > kMax) {
        return refuse(ErrorCode::kOverCap, "a grid of more than " + std::to_string(kGridCellsMax) +
                                               " cells was asked for");
    }
    const Vec3d at = setup.location_cm;
    return GridGeometry(core::quant_cm(at.x, 0), core::quant_cm(at.y, 0), core::quant_cm(at.z, 0),
                        core::yaw_to_centideg(setup.yaw_degrees), static_cast<std::int32_t>(x_num),
                        static_cast<std::int32_t>(y_num), static_cast<std::int32_t>(cell));
}

}  // namespace maniple::nav
