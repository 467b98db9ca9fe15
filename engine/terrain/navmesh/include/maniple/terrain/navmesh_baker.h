#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/environment_query.h"
#include "maniple/nav/nav_provider.h"
#include "maniple/terrain/navmesh_config.h"
#include "maniple/terrain/triangle_mesh.h"

namespace maniple::terrain {

/// Bakes a triangle mesh into navmesh tiles with Recast. What it bakes is host state: it depends on
/// Recast and the C library. Const calls may run on any thread.
class NavMeshBaker {
  public:
    /// Lays the mesh out in tiles. The triangles are host data and not trusted.
    /// @return baker, the refusals of check_navmesh_config, kBadValue for a vertex that is not
    /// finite or too far away or for a triangle of no such vertex, kOverCap for more tiles or
    /// height than a mesh can have, or kNoGround for no triangle.
    [[nodiscard]] static Result<NavMeshBaker> make(const TriangleMesh& mesh, NavMeshConfig config);
    ~NavMeshBaker();
    NavMeshBaker(NavMeshBaker&&) noexcept;
    NavMeshBaker& operator=(NavMeshBaker&&) noexcept;

    /// Slots of the mesh, one for each tile: x + tiles_x · z.
    [[nodiscard]] std::int32_t tile_count() const;

    /// All tiles, in parallel; `progress` may be empty, gets tiles, and cancels by false.
    /// `obstacles` are boxes that nothing may stand in.
    /// @return mesh, kNoGround where there is nothing to stand on, kOverCap for a tile with more
    /// polygons than it may have, kBadTile as MeshReplica::build, or kCancelled.
    [[nodiscard]] Result<nav::NavMesh> bake(std::string name, core::Executor& executor,
                                            std::span<const NavBox> obstacles = {},
                                            const nav::Progress& progress = {}) const;

    /// Whether every link of the configuration joins ground to ground on a mesh that was baked
    /// without obstacles.
    /// @return nothing, or kBadValue naming the first link that joins nothing, and why.
    [[nodiscard]] Result<void> check_links(const nav::NavMesh& mesh) const;

    /// The same mesh when only what lies in `changed` differs from what `before` was baked with:
    /// bakes the tiles these boxes touch and takes the others over. Byte for byte what bake gives.
    [[nodiscard]] Result<nav::NavMesh> rebake(const nav::NavMesh& before, core::Executor& executor,
                                              std::span<const NavBox> obstacles,
                                              std::span<const NavBox> changed) const;

  private:
    struct Layout;
    explicit NavMeshBaker(std::unique_ptr<Layout> layout);
    [[nodiscard]] Result<nav::NavMesh> bake_tiles(nav::NavMesh mesh,
                                                  std::span<const std::int32_t> slots,
                                                  core::Executor& executor,
                                                  std::span<const NavBox> obstacles,
                                                  const nav::Progress& progress) const;

    std::unique_ptr<Layout> layout_;
};

/// Baked navmeshes by name as a world's provider.
class BakedNavProvider final : public nav::NavProvider {
  public:
    /// The first becomes the default; one of a known name takes that one's place.
    void set(nav::NavMesh mesh);
    [[nodiscard]] std::shared_ptr<const nav::NavMesh> find(std::string_view name) const override;
    [[nodiscard]] std::shared_ptr<const nav::NavMesh> default_mesh() const override;

  private:
    std::vector<std::shared_ptr<const nav::NavMesh>> meshes_;
};

}  // namespace maniple::terrain
