#include "maniple/terrain/navmesh_baker.h"

#include <DetourNavMesh.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "maniple/nav/mesh_coordinates.h"

#include "tile_baker.h"

namespace maniple::terrain {
namespace {

/// Tiles between two reports of progress; a fixed number, so that blocks never depend on threads.
constexpr std::size_t kBlock = 64;
/// Entries of all tiles' triangle lists together.
constexpr std::uint64_t kTileTrianglesMax = 64'000'000;
/// Metres; single precision holds millimetres there.
constexpr double kPlaceMax = 10'000;
/// Cells that Recast can count upwards.
constexpr double kHeightCellsMax = 8'000;
/// Bits of a polygon reference beside its salt.
constexpr int kIdBits = 32 - nav::kSaltBitsMin;

MeshBox to_mesh_box(const NavBox& box) {
    const nav::MeshPosition a = nav::to_mesh(box.low);
    const nav::MeshPosition b = nav::to_mesh(box.high);
    MeshBox out{};
    for (std::size_t i = 0; i < 3; ++i) {
        out.low[i] = std::min(a[i], b[i]);
        out.high[i] = std::max(a[i], b[i]);
    }
    return out;
}

TileRules rules_of(const NavMeshConfig& config) {
    TileRules rules;
    rules.cell = static_cast<float>(config.cell_cm / nav::kMeshUnitCm);
    rules.cell_height = static_cast<float>(config.cell_height_cm / nav::kMeshUnitCm);
    rules.slope_deg = static_cast<float>(config.slope_deg);
    rules.agent_height = static_cast<float>(config.agent_height_cm / nav::kMeshUnitCm);
    rules.agent_radius = static_cast<float>(config.agent_radius_cm / nav::kMeshUnitCm);
    rules.climb = static_cast<float>(config.climb_cm / nav::kMeshUnitCm);
    // Recast asks for three cells of height at least.
    rules.height_cells = std::max(
        3, static_cast<std::int32_t>(std::ceil(config.agent_height_cm / config.cell_height_cm)));
    rules.climb_cells =
        static_cast<std::int32_t>(std::floor(config.climb_cm / config.cell_height_cm));
    rules.radius_cells =
        static_cast<std::int32_t>(std::ceil(config.agent_radius_cm / config.cell_cm));
    rules.border_cells = rules.radius_cells + 3;
    rules.tile_cells = config.tile_cells;
    return rules;
}

}  // namespace

/// The mesh in Recast coordinates and in tiles.
struct NavMeshBaker::Layout {
    NavMeshConfig config;
    TileSurroundings around;  ///< Without obstacles.
    std::vector<float> vertices;
    std::vector<int> corners;
    MeshBox bounds;
    std::int32_t tiles_x = 0;
    std::int32_t tiles_z = 0;
    float tile_size = 0;
    std::vector<std::uint32_t> triangles_begin;  ///< By tile, and the end.
    std::vector<std::uint32_t> triangles;

    struct Range {
        std::int32_t low_x, high_x, low_z, high_z;
    };
    /// The tiles that a box and a border around it touch; none: low above high.
    [[nodiscard]] Range tiles_of(const MeshBox& box, float border) const {
        const auto tile = [&](float at, float low, std::int32_t count) {
            const double cell = std::floor((double{at} - double{low}) / double{tile_size});
            return core::clamp_to_i32(cell, -1, count);
        };
        const auto low_x = tile(box.low[0] - border, bounds.low[0], tiles_x);
        const auto high_x = tile(box.high[0] + border, bounds.low[0], tiles_x);
        const auto low_z = tile(box.low[2] - border, bounds.low[2], tiles_z);
        const auto high_z = tile(box.high[2] + border, bounds.low[2], tiles_z);
        return {std::max(low_x, 0), std::min(high_x, tiles_x - 1), std::max(low_z, 0),
                std::min(high_z, tiles_z - 1)};
    }
    [[nodiscard]] float border() const {
        return around.rules.cell * static_cast<float>(around.rules.border_cells);
    }
    template <class Visit>
    void for_tiles(const MeshBox& box, Visit visit) const {
        const Range range = tiles_of(box, border());
        for (std::int32_t z = range.low_z; z <= range.high_z; ++z) {
            for (std::int32_t x = range.low_x; x <= range.high_x; ++x) visit(x + tiles_x * z);
        }
    }
    [[nodiscard]] MeshBox triangle_box(std::size_t triangle) const;
    [[nodiscard]] Result<void> take_mesh(const TriangleMesh& mesh);
    [[nodiscard]] Result<void> lay_tiles();
    [[nodiscard]] Result<void> sort_triangles();
    [[nodiscard]] Result<void> take_links();
    [[nodiscard]] TileInput tile_input(std::int32_t slot) const;
};

Result<void> NavMeshBaker::Layout::take_mesh(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return refuse(ErrorCode::kNoGround, "the mesh has no triangle");
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    bounds = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Vec3d& vertex : mesh.vertices) {
        const nav::MeshPosition at = nav::to_mesh(vertex);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(std::abs(at[i]) <= kPlaceMax)) {
                return refuse(ErrorCode::kBadValue,
                              "a vertex is not finite, or over 10 km from the origin");
            }
            bounds.low[i] = std::min(bounds.low[i], at[i]);
            bounds.high[i] = std::max(bounds.high[i], at[i]);
        }
        vertices.insert(vertices.end(), at.begin(), at.end());
    }
    for (const auto& triangle : mesh.triangles) {
        if (std::ranges::max(triangle) >= mesh.vertices.size()) {
            return refuse(ErrorCode::kBadValue, "a triangle has a vertex that is not there");
        }
        // The axes change hands, so the corners go round the other way to face the same side.
        for (const std::size_t i : {0u, 2u, 1u}) corners.push_back(static_cast<int>(triangle[i]));
    }
    return {};
}

Result<void> NavMeshBaker::Layout::lay_tiles() {
    const double size = config.cell_cm / nav::kMeshUnitCm * config.tile_cells;
    tile_size = around.rules.cell * static_cast<float>(config.tile_cells);
    const auto tiles = [&](std::size_t axis) {
        const double extent = double{bounds.high[axis]} - double{bounds.low[axis]};
        return std::max(1.0, std::ceil(extent / size));
    };
    const double x = tiles(0);
    const double z = tiles(2);
    if (x * z > nav::kMeshTilesMax) {
        return refuse(ErrorCode::kOverCap,
                      "the mesh would take more than 65536 tiles: choose larger cells or tiles");
    }
    tiles_x = static_cast<std::int32_t>(x);
    tiles_z = static_cast<std::int32_t>(z);
    const double height = double{bounds.high[1]} - double{bounds.low[1]};
    if (height / double{around.rules.cell_height} > kHeightCellsMax) {
        return refuse(ErrorCode::kOverCap,
                      "the mesh is higher than 8000 cells: choose a larger cell_height_cm");
    }
    const int tile_bits = std::bit_width(static_cast<std::uint32_t>(tiles_x * tiles_z) - 1);
    around.rules.polygons_max = std::min(nav::kTilePolygonsMax, 1 << (kIdBits - tile_bits));
    return {};
}

MeshBox NavMeshBaker::Layout::triangle_box(std::size_t triangle) const {
    MeshBox box{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = [&](std::size_t corner) {
            return vertices[3 * static_cast<std::size_t>(corners[3 * triangle + corner]) + axis];
        };
        box.low[axis] = std::min({at(0), at(1), at(2)});
        box.high[axis] = std::max({at(0), at(1), at(2)});
    }
    return box;
}

Result<void> NavMeshBaker::Layout::sort_triangles() {
    triangles_begin.assign(static_cast<std::size_t>(tiles_x * tiles_z) + 1, 0);
    std::uint64_t entries = 0;
    for (std::size_t t = 0; t < corners.size() / 3; ++t) {
        const Range range = tiles_of(triangle_box(t), border());
        entries += static_cast<std::uint64_t>(range.high_x - range.low_x + 1) *
                   static_cast<std::uint64_t>(range.high_z - range.low_z + 1);
        if (entries > kTileTrianglesMax) {
            return refuse(ErrorCode::kOverCap, "too many triangles reach over too many tiles");
        }
        for_tiles(triangle_box(t), [&](std::int32_t slot) { ++triangles_begin[slot + 1U]; });
    }
    for (std::size_t i = 1; i < triangles_begin.size(); ++i) {
        triangles_begin[i] += triangles_begin[i - 1];
    }
    triangles.resize(triangles_begin.back());
    std::vector<std::uint32_t> place(triangles_begin.begin(), triangles_begin.end() - 1);
    for (std::size_t t = 0; t < corners.size() / 3; ++t) {
        for_tiles(triangle_box(t), [&](std::int32_t slot) {
            triangles[place[static_cast<std::size_t>(slot)]++] = static_cast<std::uint32_t>(t);
        });
    }
    return {};
}

Result<void> NavMeshBaker::Layout::take_links() {
    for (const NavLink& link : config.links) {
        const bool reversed = link.direction == NavLink::Direction::kRightToLeft;
        const nav::MeshPosition from = nav::to_mesh(reversed ? link.right : link.left);
        const nav::MeshPosition to = nav::to_mesh(reversed ? link.left : link.right);
        const Range a = tiles_of({from, from}, 0);
        const Range b = tiles_of({to, to}, 0);
        if (std::abs(a.low_x - b.low_x) > 1 || std::abs(a.low_z - b.low_z) > 1) {
            return refuse(ErrorCode::kBadValue, "link " + link.name +
                                                    " reaches farther than the next tile: choose "
                                                    "larger tiles or split it");
        }
        ConnectionColumns& columns = around.connections;
        columns.ends.insert(columns.ends.end(), from.begin(), from.end());
        columns.ends.insert(columns.ends.end(), to.begin(), to.end());
        columns.radius.push_back(std::max(around.rules.agent_radius, 2 * around.rules.cell));
        columns.area.push_back(kDefaultArea);
        columns.both_ways.push_back(
            link.direction == NavLink::Direction::kBoth ? DT_OFFMESH_CON_BIDIR : 0);
    }
    return {};
}

TileInput NavMeshBaker::Layout::tile_input(std::int32_t slot) const {
    TileInput input;
    input.x = slot % tiles_x;
    input.z = slot / tiles_x;
    input.bounds = bounds;
    const auto edge = [&](std::size_t axis, std::int32_t tile) {
        return bounds.low[axis] + tile_size * static_cast<float>(tile);
    };
    input.bounds.low[0] = edge(0, input.x);
    input.bounds.high[0] = edge(0, input.x + 1);
    input.bounds.low[2] = edge(2, input.z);
    input.bounds.high[2] = edge(2, input.z + 1);
    input.vertices = vertices;
    const auto tile = static_cast<std::size_t>(slot);
    for (std::uint32_t i = triangles_begin[tile]; i < triangles_begin[tile + 1]; ++i) {
        const int* corner = &corners[3 * std::size_t{triangles[i]}];
        input.corners.insert(input.corners.end(), corner, corner + 3);
    }
    return input;
}

NavMeshBaker::NavMeshBaker(std::unique_ptr<Layout> layout) : layout_(std::move(layout)) {}
NavMeshBaker::~NavMeshBaker() = default;
NavMeshBaker::NavMeshBaker(NavMeshBaker&&) noexcept = default;
NavMeshBaker& NavMeshBaker::operator=(NavMeshBaker&&) noexcept = default;

Result<NavMeshBaker> NavMeshBaker::make(const TriangleMesh& mesh, NavMeshConfig config) {
    if (auto checked = check_navmesh_config(config); !checked) return refuse(checked.error());
    auto layout = std::make_unique<Layout>();
    layout->config = std::move(config);
    layout->around.rules = rules_of(layout->config);
    const std::vector<std::uint8_t> ids = area_ids(layout->config);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        layout->around.areas.push_back({to_mesh_box(layout->config.areas[i].box), ids[i]});
    }
    if (auto done = layout->take_mesh(mesh); !done) return refuse(done.error());
    if (auto done = layout->lay_tiles(); !done) return refuse(done.error());
    if (auto done = layout->sort_triangles(); !done) return refuse(done.error());
    if (auto done = layout->take_links(); !done) return refuse(done.error());
    return NavMeshBaker(std::move(layout));
}

std::int32_t NavMeshBaker::tile_count() const { return layout_->tiles_x * layout_->tiles_z; }

Result<nav::NavMesh> NavMeshBaker::bake_tiles(nav::NavMesh mesh,
                                              std::span<const std::int32_t> slots,
                                              core::Executor& executor,
                                              std::span<const NavBox> obstacles,
                                              const nav::Progress& progress) const {
    TileSurroundings around = layout_->around;
    for (const NavBox& box : obstacles) around.obstacles.push_back({to_mesh_box(box), 0});
    std::vector<Result<core::Bytes>> blobs(slots.size());
    for (std::size_t first = 0; first < slots.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, slots.size() - first);
        executor.run(count, [&](std::size_t i) {
            blobs[first + i] = bake_tile(layout_->tile_input(slots[first + i]), around);
        });
        if (progress && !progress(first + count, slots.size())) {
            return refuse(ErrorCode::kCancelled, "the navmesh build was cancelled");
        }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!blobs[i]) return refuse(blobs[i].error());
        if (!blobs[i]->empty()) mesh.tiles.push_back({slots[i], std::move(*blobs[i])});
    }
    if (mesh.tiles.empty()) {
        return refuse(ErrorCode::kNoGround, "the mesh has no ground to stand on");
    }
    std::ranges::sort(mesh.tiles, {}, &nav::BakedTile::slot);
    if (auto done = mesh.assemble(); !done) return refuse(done.error());
    return mesh;
}

Result<nav::NavMesh> NavMeshBaker::bake(std::string name, core::Executor& executor,
                                        std::span<const NavBox> obstacles,
                                        const nav::Progress& progress) const {
    nav::NavMesh mesh;
    mesh.name = std::move(name);
    mesh.params.origin = layout_->bounds.low;
    mesh.params.tile_width = layout_->tile_size;
    mesh.params.tile_height = layout_->tile_size;
    mesh.params.tiles_max = tile_count();
    mesh.params.polygons_max = layout_->around.rules.polygons_max;
    mesh.area_costs.fill(1);
    mesh.area_names[0] = "null";
    mesh.area_names[kDefaultArea] = "default";
    const std::vector<std::uint8_t> ids = area_ids(layout_->config);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        mesh.area_costs[ids[i]] = layout_->config.areas[i].cost;
        mesh.area_names[ids[i]] = layout_->config.areas[i].name;
    }
    std::vector<std::int32_t> slots(static_cast<std::size_t>(tile_count()));
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<std::int32_t>(i);
    return bake_tiles(std::move(mesh), slots, executor, obstacles, progress);
}

Result<nav::NavMesh> NavMeshBaker::rebake(const nav::NavMesh& before, core::Executor& executor,
                                          std::span<const NavBox> obstacles,
                                          std::span<const NavBox> changed) const {
    std::vector<std::int32_t> slots;
    for (const NavBox& box : changed) {
        layout_->for_tiles(to_mesh_box(box), [&](std::int32_t slot) { slots.push_back(slot); });
    }
    std::ranges::sort(slots);
    const auto repeated = std::ranges::unique(slots);
    slots.erase(repeated.begin(), repeated.end());
    nav::NavMesh mesh = before;
    std::erase_if(mesh.tiles, [&](const nav::BakedTile& tile) {
        return std::ranges::binary_search(slots, tile.slot);
    });
    return bake_tiles(std::move(mesh), slots, executor, obstacles, {});
}

void BakedNavProvider::set(nav::NavMesh mesh) {
    auto shared = std::make_shared<const nav::NavMesh>(std::move(mesh));
    for (auto& known : meshes_) {
        if (known->name != shared->name) continue;
        known = std::move(shared);
        return;
    }
    meshes_.push_back(std::move(shared));
}

std::shared_ptr<const nav::NavMesh> BakedNavProvider::find(std::string_view name) const {
    for (const auto& mesh : meshes_) {
        if (mesh->name == name) return mesh;
    }
    return nullptr;
}

std::shared_ptr<const nav::NavMesh> BakedNavProvider::default_mesh() const {
    return meshes_.empty() ? nullptr : meshes_.front();
}

}  // namespace maniple::terrain
