#pragma once

#include <optional>

#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/world_query.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/terrain/surface_masks.h"

namespace maniple::terrain {

/// A grid map as a world to be asked: every cell that is not empty is a column with its height as
/// flat top (kGroundSurface), every obstacle cell also a column without end (kObstacleSurface).
///
/// An obstacle stands a hundredth of a millimetre inside its cell, so that what only touches the
/// cell's side is free: a grid asked by a field on the same cells is that grid again.
class GridWorld final : public nav::WorldQuery {
  public:
    explicit GridWorld(const substrate::CheckedView& map);

    [[nodiscard]] WorldBounds bounds() const;
    /// The cost of the ground under a place; empty where the map has no ground.
    [[nodiscard]] std::optional<std::uint8_t> ground_cost(Vec2d place) const;

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
    /// A capsule whose core is `core_cm` long either way; a line has no radius.
    struct Body {
        double radius_cm;
        double core_cm;
    };
    struct Contact;
    [[nodiscard]] std::optional<nav::SurfaceHit> sweep(Vec3d from, Vec3d to, const Body& body,
                                                       nav::TraceMask mask) const;
    void meet_cell(nav::CellIndex cell, const Vec3d& from, const Vec3d& way, const Body& body,
                   nav::TraceMask mask, Contact& nearest) const;
    [[nodiscard]] nav::SurfaceHit surface_at(const Contact& contact, const Vec3d& centre,
                                             const Vec3d& way, const Body& body) const;
    [[nodiscard]] Vec3d to_local(Vec3d world) const;
    [[nodiscard]] Vec3d to_world(Vec3d local) const;

    nav::GridSubstrate ground_;
    double cos_yaw_;
    double sin_yaw_;
};

}  // namespace maniple::terrain
