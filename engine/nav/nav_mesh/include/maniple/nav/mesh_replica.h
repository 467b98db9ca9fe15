#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/mesh_tile.h"

namespace maniple::nav {

/// A polygon of a substrate version, the same on every peer. Detour's own references must not
/// outlive a substrate change (O-SYNC-13).
struct PolygonId {
    std::int32_t slot = 0;
    std::int32_t polygon = 0;
    friend bool operator==(const PolygonId&, const PolygonId&) = default;
};

/// A place in Recast coordinates: metres, Y up.
using MeshPosition = std::array<float, 3>;

/// A navmesh rebuilt from pristine tile blobs: a function of parameters and tiles alone, whatever
/// the field stood on before (O-SYNC-13).
class MeshReplica {
  public:
    /// Adds every tile to its slot in ascending order, with a salt that is a function of the blob.
    /// `params` and `tiles` passed check_mesh_params, check_tile and find_tile_conflict; slots
    /// ascend and are below params.tiles_max. The blobs are copied: Detour writes into its own.
    /// @return replica, or kBadTile for a tile with more links than it has room for.
    [[nodiscard]] static Result<MeshReplica> build(const MeshParams& params,
                                                   std::span<const MeshTile> tiles);
    ~MeshReplica();
    MeshReplica(MeshReplica&&) noexcept;
    MeshReplica& operator=(MeshReplica&&) noexcept;

    [[nodiscard]] std::size_t tile_count() const;
    [[nodiscard]] std::size_t polygon_count() const;
    /// Detour's reference of a polygon, 0 for none: equal on every peer with these tiles.
    [[nodiscard]] std::uint32_t polygon_ref(PolygonId id) const;

  private:
    friend class MeshQuery;
    struct Impl;
    explicit MeshReplica(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Looks things up in a replica, which outlives it. One object for each thread.
class MeshQuery {
  public:
    static constexpr std::size_t kAreaCount = 64;
    /// Polygons that a path search looks at, and those of a path.
    static constexpr int kSearchNodesMax = 65'535;
    static constexpr int kPathPolygonsMax = 2'048;

    /// `area_costs` are finite or FLT_MAX, at least 0.
    MeshQuery(const MeshReplica& replica, std::span<const float, kAreaCount> area_costs);
    ~MeshQuery();
    MeshQuery(const MeshQuery&) = delete;
    MeshQuery& operator=(const MeshQuery&) = delete;

    struct Nearest {
        PolygonId polygon;
        MeshPosition position{};
    };
    /// The polygon nearest to `position` among those that meet the box around it, each half extent
    /// at most 64 tiles; empty when there is none, or for a position that is not finite.
    [[nodiscard]] std::optional<Nearest> nearest(const MeshPosition& position,
                                                 const MeshPosition& half_extents) const;

    struct Path {
        bool complete = false;  ///< It ends on the target's polygon (O-PATH-12).
        std::vector<PolygonId> corridor;
        std::vector<MeshPosition> points;  ///< The string pulled straight.
    };
    [[nodiscard]] Path find_path(const Nearest& from, const Nearest& to) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::nav
