#pragma once

#include <cstdint>
#include <optional>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/grid_geometry.h"
#include "maniple/sim/world.h"

#include "mesh_view.h"
#include "picture.h"

namespace maniple::cli {

/// The ground of a battle seen from above in cells: those of the grid, or a metre wide on a
/// navmesh.
class Battlefield {
  public:
    /// Looks at the ground as it is; look again when it has changed. `max_pixels` is of picture().
    Battlefield(const sim::World& world, int max_pixels);

    [[nodiscard]] double x_num() const { return x_num_; }
    [[nodiscard]] double y_num() const { return y_num_; }
    /// In cells from the ground's corner.
    [[nodiscard]] Vec2d place(Vec2d world_cm) const;
    /// The ground alone, neither side over the pixels allowed. `world` is the one it looked at.
    /// @return picture, or the refusal of a ground that is none.
    [[nodiscard]] Result<Picture> picture(const sim::World& world) const;

  private:
    int max_pixels_;
    nav::GridGeometry grid_;  ///< In grid mode.
    std::optional<MeshView> mesh_;
    double cells_per_pixel_ = 1;  ///< Of a navmesh's picture.
    double x_num_ = 0;
    double y_num_ = 0;
};

}  // namespace maniple::cli
