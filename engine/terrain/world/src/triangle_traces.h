#pragma once

#include <btBulletCollisionCommon.h>
#include <optional>

#include "maniple/nav/world_query.h"
#include "maniple/terrain/surface_masks.h"

namespace maniple::terrain {

/// Where Bullet's traces get their triangles from.
class TriangleSource {
  public:
    virtual ~TriangleSource() = default;
    /// Hands over every triangle whose box meets [low, high], and maybe others.
    virtual void visit(btTriangleCallback& callback, const btVector3& low,
                       const btVector3& high) const = 0;
    [[nodiscard]] virtual WorldBounds bounds() const = 0;
};

/// The three traces of nav::WorldQuery over triangles, both sides of each. Ends that are not finite
/// meet nothing. The way is cut into pieces, so that a long one looks at the triangles near it
/// only.
[[nodiscard]] std::optional<nav::SurfaceHit> trace_line(const TriangleSource& source, Vec3d from,
                                                        Vec3d to);
[[nodiscard]] std::optional<nav::SurfaceHit> sweep_sphere(const TriangleSource& source, Vec3d from,
                                                          Vec3d to, double radius_cm);
[[nodiscard]] std::optional<nav::SurfaceHit> sweep_capsule(const TriangleSource& source, Vec3d from,
                                                           Vec3d to, double radius_cm,
                                                           double half_height_cm);

}  // namespace maniple::terrain
