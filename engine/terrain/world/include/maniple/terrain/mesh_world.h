#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "maniple/nav/world_query.h"
#include "maniple/terrain/surface_masks.h"
#include "maniple/terrain/triangle_mesh.h"

namespace maniple::terrain {

/// A triangle mesh as a world to be asked through Bullet's collision trees. Every triangle is
/// kGroundSurface; one steeper than the walkable slope, whichever side faces up, is
/// kObstacleSurface as well: a wall stops the obstacle sphere, a floor does not. Both sides of a
/// triangle count.
class MeshWorld final : public nav::WorldQuery {
  public:
    /// 0 ≤ `max_walkable_centideg`; from 9000 on nothing is an obstacle.
    MeshWorld(TriangleMesh mesh, std::int32_t max_walkable_centideg);
    ~MeshWorld() override;

    [[nodiscard]] WorldBounds bounds() const { return bounds_; }

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
    class Tree;
    [[nodiscard]] const Tree* tree_of(nav::TraceMask mask) const;

    TriangleMesh mesh_;
    WorldBounds bounds_;
    std::unique_ptr<Tree> ground_;
    std::unique_ptr<Tree> steep_;
};

}  // namespace maniple::terrain
