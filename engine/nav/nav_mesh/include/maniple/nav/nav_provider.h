#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// A tile as dtCreateNavMeshData emitted it, and its slot.
struct BakedTile {
    std::int32_t slot = 0;
    core::Bytes blob;
};

/// A navmesh of the host: what a stream carries, and the mesh made of it.
struct NavMesh {
    std::string name;
    MeshParams params;
    std::vector<BakedTile> tiles;  ///< Pristine blobs, ascending by slot (O-SYNC-12).
    AreaCosts area_costs{};        ///< The areas' defaults (SYNC-022).
    std::array<std::string, kMeshAreaCount> area_names;
    std::shared_ptr<const MeshReplica> mesh;  ///< Of these tiles.

    /// Views of the tiles; they end with this.
    [[nodiscard]] std::vector<MeshTile> tile_views() const;
    /// Builds `mesh` from the tiles. @return nothing, or as MeshReplica::build.
    [[nodiscard]] Result<void> assemble();
};

/// Where a field's own ("engine") navmesh comes from (NAVM-002). Its tiles are host state: they may
/// differ between machines and reach lockstep state only through a substrate stream (O-GEN-09).
/// Asked on the simulation thread.
class NavProvider {
  public:
    virtual ~NavProvider() = default;
    /// Null when there is none of that name.
    [[nodiscard]] virtual std::shared_ptr<const NavMesh> find(std::string_view name) const = 0;
    /// Null in a world without a navmesh.
    [[nodiscard]] virtual std::shared_ptr<const NavMesh> default_mesh() const = 0;
};

}  // namespace maniple::nav
