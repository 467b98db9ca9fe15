#pragma once

#include <memory>
#include <optional>

#include "maniple/nav/world_query.h"
#include "maniple/terrain/height_map.h"
#include "maniple/terrain/surface_masks.h"

namespace maniple::terrain {

/// A height map as a world to be asked: one surface, kGroundSurface. An upright line meets it in
/// closed form, exactly at the sample's height where there is one, and gets the normal of the
/// smooth ground (central differences, blended between samples). Other lines and the sweeps meet
/// its triangles through Bullet.
class HeightMapWorld final : public nav::WorldQuery {
  public:
    explicit HeightMapWorld(HeightMap map);
    ~HeightMapWorld() override;

    /// Half a cell wider than the samples, which stand in the middle of their cells.
    [[nodiscard]] WorldBounds bounds() const;

    [[nodiscard]] std::optional<nav::SurfaceHit> trace_line(Vec3d from, Vec3d to,
                                                            nav::TraceMask mask) const override;
    [[nodiscard]] std::optional<nav::SurfaceHit> sweep_sphere(Vec3d from, Vec3d to,
                                                              double radius_cm,
                                                              nav::TraceMask mask) const override;
    [[nodiscard]] std::optional<nav::SurfaceHit> sweep_capsule(Vec3d from, Vec3d to,
                                                               double radius_cm,
                                                               double half_height_cm,
                                                               nav::TraceMask mask) const override;

  private:
    struct Triangles;
    [[nodiscard]] std::optional<nav::SurfaceHit> surface_below(Vec2d place) const;

    HeightMap map_;
    std::unique_ptr<Triangles> triangles_;
};

}  // namespace maniple::terrain
