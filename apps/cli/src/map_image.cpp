#include "map_image.h"

#include <algorithm>
#include <limits>

#include "maniple/nav/grid_types.h"

namespace maniple::cli {
namespace {

constexpr Rgb kLowGround{150, 170, 120};
constexpr Rgb kFlatGround{214, 206, 180};
constexpr Rgb kHighGround{240, 232, 214};
constexpr Rgb kSlowGround{124, 146, 92};
constexpr Rgb kDearGround{136, 62, 40};

/// One cell record of a stream.
struct Cell {
    explicit Cell(const std::uint8_t* record)
        : cost(record[0]),
          type(static_cast<nav::CellType>(record[1])),
          z_cm(core::load_le<std::int32_t>(record + 2)),
          normal{core::load_le<std::int8_t>(record + 6) / 127.0,
                 core::load_le<std::int8_t>(record + 7) / 127.0,
                 core::load_le<std::int8_t>(record + 8) / 127.0} {}

    [[nodiscard]] bool is_obstacle() const {
        return type == nav::CellType::kObstacle || cost == nav::kImpassableCost;
    }

    std::uint8_t cost;
    nav::CellType type;
    std::int32_t z_cm;
    Vec3d normal;
};

Cell cell_of(const substrate::CheckedView& ground, std::size_t cell) {
    return Cell(ground.records().data() + cell * substrate::kCellRecordBytes);
}

/// Light from the picture's upper left corner, half way up; 1 on flat ground.
double hillshade(const Vec3d& normal) {
    constexpr double kAcross = 0.5;
    constexpr double kUp = 0.7071;
    const double lit = (normal.z * kUp - (normal.x + normal.y) * kAcross) / kUp;
    return 0.35 + 0.65 * std::clamp(lit, 0.0, 1.6);
}

/// Cost 3 is plainly another colour than 1; what is dearer goes on towards brown.
Rgb tinted_by_cost(Rgb ground, std::uint8_t cost) {
    constexpr double kSlowest = 21;
    if (cost <= 1) return ground;
    const double slow = std::min(1.0, 0.5 + cost / 20.0);
    const double dear = std::clamp((cost - 3) / (kSlowest - 3), 0.0, 1.0);
    return blend(blend(ground, kSlowGround, slow), kDearGround, dear);
}

}  // namespace

GroundShading::GroundShading(const substrate::CheckedView& ground) : ground_(ground) {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    for (std::size_t i = 0; i < ground.grid().cell_count(); ++i) {
        const Cell cell = cell_of(ground, i);
        if (cell.type != nav::CellType::kGround) continue;
        low = std::min(low, double(cell.z_cm));
        high = std::max(high, double(cell.z_cm));
    }
    if (low >= high) return;
    z_low_ = low;
    z_span_ = high - low;
}

Rgb GroundShading::colour(std::size_t index) const {
    const Cell cell = cell_of(ground_, index);
    if (cell.type == nav::CellType::kEmpty) return kEmptyColour;
    const double shade = hillshade(cell.normal);
    if (cell.is_obstacle()) return scaled(kObstacleColour, shade);
    Rgb ground = kFlatGround;
    if (z_span_ > 0) ground = blend(kLowGround, kHighGround, (cell.z_cm - z_low_) / z_span_);
    return scaled(tinted_by_cost(ground, cell.cost), shade);
}

Picture map_picture(const substrate::CheckedView& ground, int max_pixels) {
    const GroundShading shading(ground);
    const substrate::GridShape& grid = ground.grid();
    const int block = (std::max(grid.x_num, grid.y_num) - 1) / max_pixels + 1;
    Picture picture((grid.x_num - 1) / block + 1, (grid.y_num - 1) / block + 1);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            double r = 0, g = 0, b = 0, count = 0;
            for (int i = x * block; i < std::min((x + 1) * block, grid.x_num); ++i) {
                for (int j = y * block; j < std::min((y + 1) * block, grid.y_num); ++j) {
                    const auto row = static_cast<std::size_t>(i) * grid.y_num;
                    const Rgb colour = shading.colour(row + static_cast<std::size_t>(j));
                    r += colour.r;
                    g += colour.g;
                    b += colour.b;
                    ++count;
                }
            }
            const auto mean = [&](double sum) { return static_cast<std::uint8_t>(sum / count); };
            picture.set(x, y, {mean(r), mean(g), mean(b)});
        }
    }
    return picture;
}

core::Bytes map_png(const terrain::GridMap& map, int max_pixels) {
    return map_picture(map.stream.view(), max_pixels).encode_png();
}

}  // namespace maniple::cli
