#pragma once

#include <memory>
#include <optional>

#include "maniple/core/math.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// Reusable memory of mesh queries; one for each thread. It is set up again when it meets another
/// mesh, also one at the address of an earlier one, so it never changes an answer (NAVM-027).
class MeshContext {
  public:
    MeshContext();
    ~MeshContext();
    MeshContext(MeshContext&&) noexcept;
    MeshContext& operator=(MeshContext&&) noexcept;

    struct Impl;  ///< Detour's side; private to the layer.
    [[nodiscard]] Impl& impl() { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

/// A place on the surface of a mesh.
struct MeshPlace {
    PolygonId polygon;
    Vec3d location;  ///< World cm.
};

/// The extents with 500 cm for every component that is not above 0 (O-NAVM-12).
[[nodiscard]] Vec3d search_extents(Vec3d half_extents_cm);

/// The polygon of the ground nearest to `location` among those that meet the box around it, and the
/// point of it nearest to there (NAVM-025). Areas of the null area are blocked, off-mesh
/// connections no ground. Half extents in cm along the world's axes; of each at most 64 tiles
/// count. Any number of threads, each with its own context or without one.
/// @return place, or nothing for an empty box and for numbers that are not finite.
[[nodiscard]] std::optional<MeshPlace> project_to_mesh(const MeshReplica& mesh, Vec3d location,
                                                       Vec3d half_extents_cm,
                                                       MeshContext* context = nullptr);

}  // namespace maniple::nav
