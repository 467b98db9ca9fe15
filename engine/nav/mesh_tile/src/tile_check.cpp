#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "maniple/nav/mesh_tile.h"

#include "tile_layout.h"

namespace maniple::nav {
namespace {

using namespace tile;

constexpr std::int32_t kTileCoordEnd = 1 << 20;
/// Quantised coordinates of the BV tree take 16 bits, and Detour adds 1 before it narrows.
constexpr float kQuantisedMax = 65'533.0F;

/// The checks of one blob. Each returns whether it passed; the first failure is kept.
class TileChecker {
  public:
    TileChecker(core::ByteSpan blob, const MeshParams& params) : blob_(blob), params_(params) {}

    bool check() {
        return check_header() && check_counts() && check_extents() && check_vertices() &&
               check_polygons() && check_details() && check_bv_tree() && check_connections();
    }
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] TileSummary summary() const {
        return {get<std::int32_t>(kX), get<std::int32_t>(kY), get<std::int32_t>(kLayer), l_.polys};
    }

  private:
    template <typename T>
    [[nodiscard]] T get(std::uint64_t at) const {
        return core::load_le<T>(blob_.data() + at);
    }

    bool fail(std::uint64_t at, std::string message) {
        error_ = {ErrorCode::kBadTile, at, std::move(message)};
        return false;
    }

    /// `count` floats from `at` on are finite and of bounded size.
    bool check_floats(std::uint64_t at, std::uint64_t count, const char* what) {
        for (std::uint64_t i = 0; i < count; ++i, at += 4) {
            if (!(std::abs(get<float>(at)) <= kMeshValueMax)) {
                return fail(at, std::string(what) + " is not finite, or over 1e7");
            }
        }
        return true;
    }

    bool check_header() {
        if (blob_.size() < kHeaderBytes) {
            return fail(0, std::to_string(blob_.size()) + " bytes are no tile header");
        }
        if (get<std::int32_t>(0) != kMagic) return fail(0, "not a navmesh tile");
        if (get<std::int32_t>(4) != kVersion) {
            return fail(4, "tile version " + std::to_string(get<std::int32_t>(4)) + ", 7 is read");
        }
        for (const std::size_t at : {kX, kY}) {
            const auto place = get<std::int32_t>(at);
            if (place <= -kTileCoordEnd || place >= kTileCoordEnd) {
                return fail(at, "tile place " + std::to_string(place) + " is out of range");
            }
        }
        return true;
    }

    bool check_counts() {
        for (std::size_t at = kPolyCount; at <= kOffMeshBase; at += 4) {
            if (get<std::int32_t>(at) < 0) return fail(at, "a count below 0");
        }
        l_ = layout_of(blob_);
        if (l_.polys < 1 || l_.polys > params_.polygons_max) {
            return fail(kPolyCount, std::to_string(l_.polys) + " polygons, expected 1 to " +
                                        std::to_string(params_.polygons_max));
        }
        if (l_.links < 1) return fail(kLinkCountMax, "no room for a link");
        if (l_.end != blob_.size()) {
            return fail(kPolyCount, "the sections declared take " + std::to_string(l_.end) +
                                        " bytes, the tile has " + std::to_string(blob_.size()));
        }
        ground_ = get<std::int32_t>(kOffMeshBase);
        if (std::int64_t{ground_} + l_.off_mesh != l_.polys) {
            return fail(kOffMeshBase,
                        "polygons are not those of the ground, then one for each "
                        "off-mesh connection");
        }
        if (l_.detail_meshes < ground_) {
            return fail(kDetailMeshCount, "fewer detail meshes than polygons of the ground");
        }
        return true;
    }

    bool check_extents() {
        if (!check_floats(kWalkable, 10, "a header value")) return false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float low = get<float>(kBoundsMin + 4 * axis);
            const float high = get<float>(kBoundsMax + 4 * axis);
            if (!(low <= high)) return fail(kBoundsMax + 4 * axis, "bounds are reversed");
            const float steps = get<float>(kBvQuantFactor) * (high - low);
            if (l_.bv_nodes > 0 && !(steps >= 0 && steps <= kQuantisedMax)) {
                return fail(kBvQuantFactor, "the bounds do not fit 16 bits quantised");
            }
        }
        return true;
    }

    bool check_vertices() {
        return check_floats(l_.verts_at, 3 * std::uint64_t(l_.verts), "a vertex") &&
               check_floats(l_.detail_verts_at, 3 * std::uint64_t(l_.detail_verts),
                            "a detail vertex");
    }

    bool check_polygons() {
        for (std::int32_t i = 0; i < l_.polys; ++i) {
            const std::uint64_t at = l_.polys_at + kPolyBytes * std::uint64_t(i);
            const bool off_mesh = i >= ground_;
            const std::size_t verts = get<std::uint8_t>(at + kPolyVertCount);
            if (off_mesh ? verts != 2 : verts < 3 || verts > kVertsPerPolyMax) {
                return fail(at + kPolyVertCount, "polygon " + std::to_string(i) + " has " +
                                                     std::to_string(verts) + " vertices");
            }
            if (get<std::uint8_t>(at + kPolyAreaAndType) >> 6 != (off_mesh ? kOffMesh : kGround)) {
                return fail(at + kPolyAreaAndType, "polygon " + std::to_string(i) +
                                                       " is of another type than its place says");
            }
            for (std::size_t v = 0; v < verts; ++v) {
                if (get<std::uint16_t>(at + kPolyVerts + 2 * v) >= l_.verts) {
                    return fail(at + kPolyVerts + 2 * v, "no such vertex");
                }
            }
            if (!off_mesh && !check_edges(at, verts)) return false;
        }
        return true;
    }

    /// The edges of a polygon of the ground: border, portal to a neighbour tile, or polygon + 1.
    bool check_edges(std::uint64_t polygon_at, std::size_t edges) {
        for (std::size_t e = 0; e < edges; ++e) {
            const std::uint64_t at = polygon_at + kPolyNeighbours + 2 * e;
            const auto neighbour = get<std::uint16_t>(at);
            if ((neighbour & kExternal) != 0) {
                const int side = neighbour & ~kExternal;
                if (side > 6 || side % 2 != 0) return fail(at, "a portal without a side");
            } else if (neighbour > ground_) {
                return fail(at, "no such neighbour polygon");
            }
        }
        return true;
    }

    bool check_details() {
        for (std::int32_t i = 0; i < l_.detail_meshes; ++i) {
            const std::uint64_t at = l_.detail_meshes_at + kDetailMeshBytes * std::uint64_t(i);
            const std::uint64_t verts = get<std::uint8_t>(at + kDetailVerts);
            const std::uint64_t tris = get<std::uint8_t>(at + kDetailTris);
            const std::uint64_t first_vert = get<std::uint32_t>(at + kDetailVertBase);
            const std::uint64_t first_tri = get<std::uint32_t>(at + kDetailTriBase);
            if (verts > 0 && first_vert + verts > std::uint64_t(l_.detail_verts)) {
                return fail(at + kDetailVertBase, "no such detail vertices");
            }
            if (first_tri + tris > std::uint64_t(l_.detail_tris)) {
                return fail(at + kDetailTriBase, "no such detail triangles");
            }
            if (i < ground_ && !check_triangles(i, at, first_tri, tris, verts)) return false;
        }
        return true;
    }

    bool check_triangles(std::int32_t polygon, std::uint64_t mesh_at, std::uint64_t first,
                         std::uint64_t count, std::uint64_t detail_verts) {
        const std::uint64_t polygon_at = l_.polys_at + kPolyBytes * std::uint64_t(polygon);
        const std::uint64_t verts = get<std::uint8_t>(polygon_at + kPolyVertCount) + detail_verts;
        bool has_boundary = false;
        for (std::uint64_t t = first; t < first + count; ++t) {
            const std::uint64_t at = l_.detail_tris_at + kDetailTriBytes * t;
            for (std::size_t v = 0; v < 3; ++v) {
                if (get<std::uint8_t>(at + v) >= verts) return fail(at + v, "no such vertex");
            }
            // Two bits an edge, the lower one: on the polygon's boundary.
            has_boundary = has_boundary || (get<std::uint8_t>(at + 3) & 0b010101) != 0;
        }
        // Detour takes the nearest boundary edge without asking whether there is one.
        if (!has_boundary) return fail(mesh_at + kDetailTris, "a detail mesh without a boundary");
        return true;
    }

    bool check_bv_tree() {
        for (std::int32_t i = 0; i < l_.bv_nodes; ++i) {
            const std::uint64_t at = l_.bv_nodes_at + kBvNodeBytes * std::uint64_t(i);
            const std::int64_t index = get<std::int32_t>(at + kBvNodeIndex);
            if (index >= 0 ? index >= ground_ : i - index > l_.bv_nodes) {
                return fail(at + kBvNodeIndex,
                            "BV node " + std::to_string(i) + " leads out of the tree");
            }
        }
        return true;
    }

    bool check_connections() {
        for (std::int32_t i = 0; i < l_.off_mesh; ++i) {
            const std::uint64_t at = l_.off_mesh_at + kOffMeshBytes * std::uint64_t(i);
            if (!check_floats(at, kOffMeshFloats, "an off-mesh connection")) return false;
            if (get<std::uint16_t>(at + kOffMeshPoly) != ground_ + i) {
                return fail(at + kOffMeshPoly, "an off-mesh connection of another polygon");
            }
            const auto side = get<std::uint8_t>(at + kOffMeshSide);
            if (side > 7 && side != kNoSide) return fail(at + kOffMeshSide, "no such side");
        }
        return true;
    }

    core::ByteSpan blob_;
    const MeshParams& params_;
    Layout l_{};
    std::int32_t ground_ = 0;  ///< Polygons of the ground; they come first.
    Error error_;
};

}  // namespace

// implements: O-SYNC-24
Result<TileSummary> check_tile(core::ByteSpan blob, const MeshParams& params) {
    TileChecker checker(blob, params);
    if (!checker.check()) return refuse(checker.error());
    return checker.summary();
}

// implements: O-SYNC-24
std::optional<TileConflict> find_tile_conflict(std::span<const TileSummary> tiles) {
    std::vector<std::uint32_t> order(tiles.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::uint32_t i) {
        return std::tuple(tiles[i].x, tiles[i].y, tiles[i].layer, i);
    };
    std::ranges::sort(order, {}, key);

    std::optional<TileConflict> first;
    const auto report = [&](std::uint32_t tile, std::string message) {
        if (!first || tile < first->tile_index) first = {tile, std::move(message)};
    };
    std::size_t column_begin = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const TileSummary& before = tiles[order[i - 1]];
        const TileSummary& tile = tiles[order[i]];
        if (std::tie(before.x, before.y) != std::tie(tile.x, tile.y)) column_begin = i;
        if (column_begin != i && before.layer == tile.layer) {
            report(order[i], "another tile lies at the same place and layer");
        }
        if (i - column_begin >= kTileLayersMax) {
            report(order[i],
                   "more than " + std::to_string(kTileLayersMax) + " tiles lie at the same place");
        }
    }
    return first;
}

}  // namespace maniple::nav
