#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "maniple/core/math.h"

namespace maniple::nav {

/// Which kinds of surfaces a trace may hit. The bits mean what the host's world says they mean;
/// navigation only hands them through.
using TraceMask = std::uint32_t;

/// The first surface on the way of a trace.
struct SurfaceHit {
    Vec3d point;            ///< Where the surface was touched, world cm.
    Vec3f normal{0, 0, 1};  ///< Unit normal of the surface there.
};

/// What a field asks of the world it stands in: a height map, a mesh, a physics engine. Its answers
/// are host state: they may differ between machines and reach lockstep state only through a
/// substrate stream (O-GEN-09). All lengths are centimetres, Z up.
///
/// Every trace runs from `from` to `to`, both ends included, and gives the hit nearest to `from`.
/// A trace that begins inside or on a surface hits it at once; `from` == `to` asks for overlap
/// only. Const calls run on as many threads as the caller's executor has: a world that cannot bear
/// that says so in its own documentation and is asked through a serial executor.
class WorldQuery {
  public:
    virtual ~WorldQuery() = default;

    /// A line of no thickness (GRID-030). With triangles the normal faces `from`.
    [[nodiscard]] virtual std::optional<SurfaceHit> trace_line(Vec3d from, Vec3d to,
                                                               TraceMask mask) const = 0;
    /// A sphere whose centre runs along the segment (GRID-032). `radius_cm` > 0.
    [[nodiscard]] virtual std::optional<SurfaceHit> sweep_sphere(Vec3d from, Vec3d to,
                                                                 double radius_cm,
                                                                 TraceMask mask) const = 0;
    /// An upright capsule whose centre runs along the segment, against every single triangle
    /// (GRID-057). `half_height_cm` ≥ `radius_cm` > 0 and counts the caps: half the whole capsule.
    [[nodiscard]] virtual std::optional<SurfaceHit> sweep_capsule(Vec3d from, Vec3d to,
                                                                  double radius_cm,
                                                                  double half_height_cm,
                                                                  TraceMask mask) const = 0;
};

/// A world that answers later, as physics engines do: `answer` is called once for each trace, on
/// the simulation thread, in any order, during the call or after it. Traces as WorldQuery's.
class AsyncWorldQuery {
  public:
    using Answer = std::function<void(const std::optional<SurfaceHit>&)>;
    virtual ~AsyncWorldQuery() = default;
    virtual void trace_line(Vec3d from, Vec3d to, TraceMask mask, Answer answer) = 0;
    virtual void sweep_sphere(Vec3d from, Vec3d to, double radius_cm, TraceMask mask,
                              Answer answer) = 0;
};

}  // namespace maniple::nav
