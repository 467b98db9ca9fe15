#include "maniple/nav/grid_geometry.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "maniple/core/random.h"

namespace maniple::nav {
namespace {

// proves: GRID-023, GRID-024
TEST(GridGeometry, LocatesManyPlacesAsItLocatesOne) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const std::int32_t yaw : {0, 9000, -18000, 1234, -4567}) {
        const GridGeometry grid(700, -30'000, 0, yaw, 61, 37, 75);
        std::vector<double> xs{kNaN, 0, kInfinity, 0, -kInfinity, 1e300, -1e300};
        std::vector<double> ys{0, kNaN, 0, kInfinity, 5, 1e300, 0};
        for (int i = 0; i < 4000; ++i) {
            const auto draw = [&](std::uint32_t site) {
                const std::uint64_t random = core::site_random(11, yaw, i, site);
                return static_cast<double>(random % 8'000'000) / 1024.0 - 4000;
            };
            xs.push_back(700 + draw(1));
            ys.push_back(-30'000 + draw(2));
        }
        // The borders between cells, where rounding decides.
        for (std::int32_t i = -1; i <= 61; ++i) {
            const Vec2d low = grid.cell_centre({i, i});
            xs.push_back(low.x - 37.5);
            ys.push_back(low.y + 37.5);
        }
        for (const std::size_t count : {xs.size(), std::size_t{1}, std::size_t{9}}) {
            std::vector<CellIndex> cells(count, 12345);
            grid.locate({xs.data(), count}, {ys.data(), count}, cells);
            for (std::size_t i = 0; i < count; ++i) {
                const GridGeometry::Located want = grid.world_to_grid({xs[i], ys[i]});
                EXPECT_EQ(cells[i], want.inside ? grid.index(want.coord) : kNoCell)
                    << xs[i] << ' ' << ys[i] << " yaw " << yaw;
            }
        }
    }
}

}  // namespace
}  // namespace maniple::nav
