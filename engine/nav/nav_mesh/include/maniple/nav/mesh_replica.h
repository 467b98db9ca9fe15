#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "maniple/core/result.h"
#include "maniple/nav/mesh_tile.h"

namespace maniple::nav {

/// A polygon of a substrate version, the same on every peer. Detour's own references must not
/// outlive a substrate change (O-SYNC-13).
struct PolygonId {
    std::int32_t slot = 0;
    std::int32_t polygon = 0;
    friend auto operator<=>(const PolygonId&, const PolygonId&) = default;
};

class MeshGraph;

/// A navmesh rebuilt from pristine tile blobs, with its area costs: a function of this content
/// alone, whatever the field stood on before (O-SYNC-13). Every const call may run on many threads.
class MeshReplica {
  public:
    /// Adds every tile to its slot in ascending order, with a salt that is a function of the blob.
    /// `params` and `tiles` passed check_mesh_params, check_tile and find_tile_conflict; slots
    /// ascend and are below params.tiles_max. The blobs are copied: Detour writes into its own.
    /// @return replica, or kBadTile for a tile with more links than it has room for.
    [[nodiscard]] static Result<MeshReplica> build(const MeshParams& params,
                                                   std::span<const MeshTile> tiles,
                                                   const AreaCosts& area_costs);
    ~MeshReplica();
    MeshReplica(MeshReplica&&) noexcept;
    MeshReplica& operator=(MeshReplica&&) noexcept;

    [[nodiscard]] std::size_t tile_count() const;
    [[nodiscard]] std::size_t polygon_count() const;
    [[nodiscard]] const AreaCosts& area_costs() const;
    /// Detour's reference of a polygon, 0 for none: equal on every peer with these tiles.
    [[nodiscard]] std::uint32_t polygon_ref(PolygonId id) const;
    /// A number that no other mesh of this process has or had. Tells whether what was prepared for
    /// a mesh is of this one; an address would not, it is used again (O-NAVM-14).
    [[nodiscard]] std::uint64_t generation() const;
    /// The same mesh as flat arrays, made with it.
    [[nodiscard]] const MeshGraph& graph() const;

    struct Impl;  ///< Detour's side; private to the layer.
    [[nodiscard]] const Impl& impl() const { return *impl_; }

  private:
    explicit MeshReplica(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::nav
