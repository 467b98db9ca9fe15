#include "maniple/terrain/navmesh_baker.h"

#include <DetourNavMesh.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_graph.h"
#include "maniple/nav/mesh_links.h"

#include "tile_baker.h"

namespace maniple::terrain {
namespace {

/// Tiles between two reports of progress; a fixed number, so that blocks never depend on threads.
constexpr std::size_t kBlock = 64;
/// Entries of all tiles' lists together.
constexpr std::uint64_t kTileEntriesMax = 64'000'000;
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

/// Things by the tiles that they reach into, in their own order.
struct TileLists {
    std::vector<std::uint32_t> begin;  ///< By tile, and the end.
    std::vector<std::uint32_t> things;

    [[nodiscard]] std::span<const std::uint32_t> of(std::int32_t slot) const {
        const auto tile = static_cast<std::size_t>(slot);
        return {things.data() + begin[tile], things.data() + begin[tile + 1]};
    }
};

/// A link in the direction that it is baked in.
struct BakedLink {
    nav::MeshPosition from;
    nav::MeshPosition to;
    bool both_ways;
};

/// Which ends of a mesh's links the ground has joined. Detour leaves the end of a link alone whose
/// start it cannot join.
class JoinedLinks {
  public:
    struct Ends {
        bool start = false;
        bool end = false;
    };
    explicit JoinedLinks(const nav::MeshReplica& mesh) {
        const nav::MeshGraph& graph = mesh.graph();
        std::map<nav::PolygonIndex, Ends> joined;
        for (const nav::MeshEdge& edge : graph.edges()) {
            const bool on = graph.off_mesh(edge.to) && edge.edge == nav::MeshEdge::kFirstEnd;
            if (on) joined[edge.to].start = true;
            if (graph.off_mesh(edge.from) && edge.edge == 1) joined[edge.from].end = true;
        }
        for (const nav::OffMeshConnection& connection : nav::off_mesh_connections(mesh)) {
            const Ends ends = joined[graph.index(connection.polygon)];
            ends_[{nav::to_mesh(connection.start), nav::to_mesh(connection.end)}] = ends;
        }
    }
    [[nodiscard]] Ends of(const BakedLink& link) const {
        const auto found = ends_.find({link.from, link.to});
        return found == ends_.end() ? Ends{} : found->second;
    }

  private:
    /// By where a link begins and ends, which a bake copies.
    std::map<std::pair<nav::MeshPosition, nav::MeshPosition>, Ends> ends_;
};

BakedLink baked(const NavLink& link) {
    const bool reversed = link.direction == NavLink::Direction::kRightToLeft;
    return {nav::to_mesh(reversed ? link.right : link.left),
            nav::to_mesh(reversed ? link.left : link.right),
            link.direction == NavLink::Direction::kBoth};
}

}  // namespace

/// The mesh in Recast coordinates and in tiles.
struct NavMeshBaker::Layout {
    NavMeshConfig config;
    TileRules rules;
    std::vector<float> vertices;
    std::vector<int> corners;
    std::vector<AreaBox> areas;
    std::vector<BakedLink> links;
    MeshBox bounds;
    std::int32_t tiles_x = 0;
    std::int32_t tiles_z = 0;
    float tile_size = 0;
    TileLists tile_triangles;
    TileLists tile_areas;
    TileLists tile_links;  ///< By where they begin.

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
        return rules.cell * static_cast<float>(rules.border_cells);
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
    /// `count` things, of which box_of(i) holds the i-th; kOverCap for too many entries.
    template <class BoxOf>
    [[nodiscard]] Result<TileLists> sort(const char* things, std::size_t count, BoxOf box_of) const;
    [[nodiscard]] Result<void> sort_all();
    [[nodiscard]] bool inside(const nav::MeshPosition& at) const {
        return at[0] >= bounds.low[0] && at[0] <= bounds.high[0] && at[2] >= bounds.low[2] &&
               at[2] <= bounds.high[2];
    }
    /// Detour joins neighbours only.
    [[nodiscard]] bool spans_neighbours(const BakedLink& link) const {
        const Range a = tiles_of({link.from, link.from}, 0);
        const Range b = tiles_of({link.to, link.to}, 0);
        return std::abs(a.low_x - b.low_x) <= 1 && std::abs(a.low_z - b.low_z) <= 1;
    }
    [[nodiscard]] TileInput tile_input(std::int32_t slot) const;
};

Result<void> NavMeshBaker::Layout::take_mesh(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return refuse(ErrorCode::kNoGround, "the mesh has no triangle");
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    bounds = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Vec3d& vertex : mesh.vertices) {
        const nav::MeshPosition at = nav::to_mesh(vertex);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(std::abs(at[i]) <= kNavPlaceMaxCm / nav::kMeshUnitCm)) {
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
    tile_size = rules.cell * static_cast<float>(config.tile_cells);
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
    if (height / double{rules.cell_height} > kHeightCellsMax) {
        return refuse(ErrorCode::kOverCap,
                      "the mesh is higher than 8000 cells: choose a larger cell_height_cm");
    }
    const int tile_bits = std::bit_width(static_cast<std::uint32_t>(tiles_x * tiles_z) - 1);
    rules.polygons_max = std::min(nav::kTilePolygonsMax, 1 << (kIdBits - tile_bits));
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

template <class BoxOf>
Result<TileLists> NavMeshBaker::Layout::sort(const char* things, std::size_t count,
                                             BoxOf box_of) const {
    TileLists lists;
    lists.begin.assign(static_cast<std::size_t>(tiles_x * tiles_z) + 1, 0);
    std::uint64_t entries = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Range range = tiles_of(box_of(i), border());
        const std::int64_t x = std::max(0, range.high_x - range.low_x + 1);
        const std::int64_t z = std::max(0, range.high_z - range.low_z + 1);
        entries += static_cast<std::uint64_t>(x * z);
        if (entries > kTileEntriesMax) {
            return refuse(ErrorCode::kOverCap,
                          std::string("too many ") + things + " reach over too many tiles");
        }
        for_tiles(box_of(i), [&](std::int32_t slot) { ++lists.begin[slot + 1U]; });
    }
    for (std::size_t i = 1; i < lists.begin.size(); ++i) lists.begin[i] += lists.begin[i - 1];
    lists.things.resize(lists.begin.back());
    std::vector<std::uint32_t> place(lists.begin.begin(), lists.begin.end() - 1);
    for (std::size_t i = 0; i < count; ++i) {
        for_tiles(box_of(i), [&](std::int32_t slot) {
            lists.things[place[static_cast<std::size_t>(slot)]++] = static_cast<std::uint32_t>(i);
        });
    }
    return lists;
}

Result<void> NavMeshBaker::Layout::sort_all() {
    auto triangles =
        sort("triangles", corners.size() / 3, [&](std::size_t i) { return triangle_box(i); });
    if (!triangles) return refuse(triangles.error());
    auto boxes = sort("areas", areas.size(), [&](std::size_t i) { return areas[i].box; });
    if (!boxes) return refuse(boxes.error());
    auto starts = sort("links", links.size(),
                       [&](std::size_t i) { return MeshBox{links[i].from, links[i].from}; });
    if (!starts) return refuse(starts.error());
    tile_triangles = std::move(*triangles);
    tile_areas = std::move(*boxes);
    tile_links = std::move(*starts);
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
    for (const std::uint32_t triangle : tile_triangles.of(slot)) {
        const int* corner = &corners[3 * std::size_t{triangle}];
        input.corners.insert(input.corners.end(), corner, corner + 3);
    }
    for (const std::uint32_t area : tile_areas.of(slot)) input.areas.push_back(areas[area]);
    ConnectionColumns& columns = input.connections;
    for (const std::uint32_t i : tile_links.of(slot)) {
        const BakedLink& link = links[i];
        columns.ends.insert(columns.ends.end(), link.from.begin(), link.from.end());
        columns.ends.insert(columns.ends.end(), link.to.begin(), link.to.end());
        columns.radius.push_back(std::max(rules.agent_radius, 2 * rules.cell));
        columns.area.push_back(kDefaultArea);
        columns.both_ways.push_back(link.both_ways ? DT_OFFMESH_CON_BIDIR : 0);
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
    layout->rules = rules_of(layout->config);
    const std::vector<std::uint8_t> ids = area_ids(layout->config);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        layout->areas.push_back({to_mesh_box(layout->config.areas[i].box), ids[i]});
    }
    for (const NavLink& link : layout->config.links) layout->links.push_back(baked(link));
    if (auto done = layout->take_mesh(mesh); !done) return refuse(done.error());
    if (auto done = layout->lay_tiles(); !done) return refuse(done.error());
    if (auto done = layout->sort_all(); !done) return refuse(done.error());
    return NavMeshBaker(std::move(layout));
}

std::int32_t NavMeshBaker::tile_count() const { return layout_->tiles_x * layout_->tiles_z; }

Result<nav::NavMesh> NavMeshBaker::bake_tiles(nav::NavMesh mesh,
                                              std::span<const std::int32_t> slots,
                                              core::Executor& executor,
                                              std::span<const NavBox> obstacles,
                                              const nav::Progress& progress) const {
    const auto box_of = [&](std::size_t i) { return to_mesh_box(obstacles[i]); };
    const auto standing = layout_->sort("obstacles", obstacles.size(), box_of);
    if (!standing) return refuse(standing.error());
    const auto bake_slot = [&](std::int32_t slot) {
        TileInput input = layout_->tile_input(slot);
        for (const std::uint32_t i : standing->of(slot)) input.obstacles.push_back({box_of(i), 0});
        return bake_tile(input, layout_->rules);
    };
    std::vector<Result<core::Bytes>> blobs(slots.size());
    for (std::size_t first = 0; first < slots.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, slots.size() - first);
        executor.run(count, [&](std::size_t i) { blobs[first + i] = bake_slot(slots[first + i]); });
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
    mesh.params.polygons_max = layout_->rules.polygons_max;
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

Result<void> NavMeshBaker::check_links(const nav::NavMesh& mesh) const {
    const JoinedLinks joined(*mesh.mesh);
    for (std::size_t i = 0; i < layout_->links.size(); ++i) {
        const BakedLink& link = layout_->links[i];
        const bool reversed =
            layout_->config.links[i].direction == NavLink::Direction::kRightToLeft;
        const auto refuse_end = [&](bool start, const char* why) {
            return refuse(ErrorCode::kBadValue, link_name(layout_->config, i) + ": its " +
                                                    (start != reversed ? "left" : "right") +
                                                    " end " + why);
        };
        for (const bool start : {true, false}) {
            if (layout_->inside(start ? link.from : link.to)) continue;
            return refuse_end(start, "lies outside the mesh");
        }
        if (!layout_->spans_neighbours(link)) {
            return refuse(ErrorCode::kBadValue, link_name(layout_->config, i) +
                                                    " reaches farther than the next tile: choose "
                                                    "larger tiles or split it");
        }
        const JoinedLinks::Ends ends = joined.of(link);
        if (!ends.start) return refuse_end(true, "has no ground to stand on");
        if (!ends.end) return refuse_end(false, "has no ground to stand on");
    }
    return {};
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
