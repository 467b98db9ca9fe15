#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "maniple/core/math.h"
#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_graph.h"

namespace maniple::cli {

/// A navmesh from above, world X to the right and world Y down, with a margin: where in a picture
/// its places lie.
class MeshView {
  public:
    MeshView(const nav::MeshGraph& graph, double cm_per_pixel) : cm_(cm_per_pixel) {
        for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
            for (const nav::MeshPosition& corner : graph.vertices(p)) {
                const Vec3d at = nav::to_world(corner);
                low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y)};
                high_ = {std::max(high_.x, at.x), std::max(high_.y, at.y)};
            }
        }
    }
    /// Infinite without polygons.
    [[nodiscard]] double width() const { return (high_.x - low_.x) / cm_ + 2 * kMarginPixels; }
    [[nodiscard]] double height() const { return (high_.y - low_.y) / cm_ + 2 * kMarginPixels; }
    [[nodiscard]] int width_pixels() const { return whole(width()) + 1; }
    [[nodiscard]] int height_pixels() const { return whole(height()) + 1; }
    [[nodiscard]] Vec2d pixel(Vec3d at) const {
        return {(at.x - low_.x) / cm_ + kMarginPixels, (at.y - low_.y) / cm_ + kMarginPixels};
    }
    [[nodiscard]] static int whole(double v) { return static_cast<int>(std::floor(v)); }
    /// A scale that fits the whole mesh into a square of so many pixels.
    [[nodiscard]] static double cm_per_pixel(const nav::MeshGraph& graph, int pixels) {
        const MeshView view(graph, 1);
        const double longest = std::max(view.width(), view.height()) - 2 * kMarginPixels;
        return std::max(1.0, longest / (pixels - 2 * kMarginPixels - 1));
    }

  private:
    static constexpr double kFar = std::numeric_limits<double>::infinity();
    static constexpr double kMarginPixels = 8;
    double cm_;
    Vec2d low_{kFar, kFar};
    Vec2d high_{-kFar, -kFar};
};

}  // namespace maniple::cli
