#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maniple/core/assert.h"

namespace maniple::terrain {

/// What a unit finds under its feet in one cell of a flat map.
enum class Surface : std::uint8_t {
    kObstacle,  ///< Cost 255, type Obstacle.
    kGround,    ///< Cost 1.
    kSlow,      ///< Cost 3: swamp, woods, fords.
};

inline constexpr std::uint8_t kGroundCost = 1;
inline constexpr std::uint8_t kSlowCost = 3;

/// A flat map: one surface a cell, in the order of the substrate (index x · height + y).
class SurfaceGrid {
  public:
    SurfaceGrid(std::int32_t width, std::int32_t height, Surface fill)
        : width_(width),
          height_(height),
          cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill) {
        MANIPLE_ASSERT(width >= 1);
        MANIPLE_ASSERT(height >= 1);
    }

    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] Surface at(std::int32_t x, std::int32_t y) const { return cells_[index(x, y)]; }
    void set(std::int32_t x, std::int32_t y, Surface surface) { cells_[index(x, y)] = surface; }
    [[nodiscard]] bool contains(std::int32_t x, std::int32_t y) const {
        return x >= 0 && x < width_ && y >= 0 && y < height_;
    }
    [[nodiscard]] std::vector<Surface>& cells() { return cells_; }
    [[nodiscard]] const std::vector<Surface>& cells() const { return cells_; }
    [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(x) * static_cast<std::size_t>(height_) +
               static_cast<std::size_t>(y);
    }

  private:
    std::int32_t width_;
    std::int32_t height_;
    std::vector<Surface> cells_;
};

/// Turns every passable cell outside the largest connected component into an obstacle; of equal
/// ones the component of the lowest cell index stays. Connected as units walk: a diagonal step
/// needs both cells beside it, so four neighbours decide.
void keep_largest_component(SurfaceGrid& grid);

}  // namespace maniple::terrain
