#include "random_mesh.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <array>
#include <cstdlib>
#include <vector>

#include "maniple/core/random.h"

namespace maniple::tests {
namespace {

constexpr int kCells = 4;  ///< Along a tile's side.
constexpr int kUnitsPerCell = 200;
constexpr float kUnit = 0.01F;
constexpr float kTileSize = kUnit * kUnitsPerCell * kCells;
constexpr unsigned short kNone = 0xFFFF;
constexpr int kVertsMax = DT_VERTS_PER_POLYGON;

/// One tile as Recast would hand it to Detour.
struct Source {
    std::vector<unsigned short> verts;
    std::vector<unsigned short> polys;
    std::vector<unsigned char> areas;
    std::vector<float> link_ends;
    std::vector<unsigned char> link_directions;
};

class TileMaker {
  public:
    /// Without a random stream all squares are alike.
    explicit TileMaker(core::RandomStream* random) : random_(random) {}

    Source make(float low_x, float low_z) {
        for (int x = 0; x <= kCells; ++x) {
            for (int z = 0; z <= kCells; ++z) add_vertex(x, z);
        }
        for (int x = 0; x < kCells; ++x) {
            for (int z = 0; z < kCells; ++z) add_cell(x, z);
        }
        join_neighbours();
        for (std::uint32_t i = draw(3, 0); i > 0; --i) add_link(low_x, low_z);
        return std::move(out_);
    }

  private:
    /// Below `bound`, or `alike`.
    std::uint32_t draw(std::uint32_t bound, std::uint32_t alike) {
        return random_ == nullptr ? alike : random_->next_below(bound);
    }
    [[nodiscard]] static unsigned short vertex(int x, int z) {
        return static_cast<unsigned short>(x * (kCells + 1) + z);
    }

    void add_vertex(int x, int z) {
        const auto moved = [&](int at) {
            if (at == 0 || at == kCells) return at * kUnitsPerCell;
            return at * kUnitsPerCell + static_cast<int>(draw(80, 40)) - 40;
        };
        out_.verts.push_back(static_cast<unsigned short>(moved(x)));
        out_.verts.push_back(static_cast<unsigned short>(draw(40, 0)));
        out_.verts.push_back(static_cast<unsigned short>(moved(z)));
    }

    void add_cell(int x, int z) {
        if (draw(8, 1) == 0) return;
        const std::array<unsigned short, 4> corners{vertex(x, z), vertex(x, z + 1),
                                                    vertex(x + 1, z + 1), vertex(x + 1, z)};
        if (draw(2, 0) == 0) {
            add_polygon({corners[0], corners[1], corners[2], corners[3]});
        } else {
            add_polygon({corners[0], corners[1], corners[2]});
            add_polygon({corners[0], corners[2], corners[3]});
        }
    }

    void add_polygon(std::vector<unsigned short> corners) {
        corners.resize(kVertsMax, kNone);
        out_.polys.insert(out_.polys.end(), corners.begin(), corners.end());
        out_.polys.insert(out_.polys.end(), kVertsMax, kNone);
        const bool blocked = draw(16, 1) == 0;
        out_.areas.push_back(static_cast<unsigned char>(blocked ? 0 : 1 + draw(5, 0)));
    }

    void join_neighbours() {
        const auto count = out_.polys.size() / (2 * kVertsMax);
        for (std::size_t p = 0; p < count; ++p) {
            unsigned short* polygon = &out_.polys[2 * kVertsMax * p];
            for (int i = 0; i < kVertsMax && polygon[i] != kNone; ++i) {
                const int next = i + 1 < kVertsMax && polygon[i + 1] != kNone ? i + 1 : 0;
                polygon[kVertsMax + i] = beyond(polygon[i], polygon[next]);
            }
        }
    }

    /// The polygon with the same side the other way round, else a portal at the tile's border.
    [[nodiscard]] unsigned short beyond(unsigned short a, unsigned short b) const {
        const auto count = out_.polys.size() / (2 * kVertsMax);
        for (std::size_t p = 0; p < count; ++p) {
            const unsigned short* polygon = &out_.polys[2 * kVertsMax * p];
            for (int i = 0; i < kVertsMax && polygon[i] != kNone; ++i) {
                const int next = i + 1 < kVertsMax && polygon[i + 1] != kNone ? i + 1 : 0;
                if (polygon[i] == b && polygon[next] == a) return static_cast<unsigned short>(p);
            }
        }
        const auto both = [&](int axis, int at) {
            return out_.verts[3U * a + static_cast<unsigned>(axis)] == at &&
                   out_.verts[3U * b + static_cast<unsigned>(axis)] == at;
        };
        if (both(0, 0)) return 0x8000;
        if (both(2, kCells * kUnitsPerCell)) return 0x8001;
        if (both(0, kCells * kUnitsPerCell)) return 0x8002;
        if (both(2, 0)) return 0x8003;
        return kNone;
    }

    void add_link(float low_x, float low_z) {
        const auto place = [&](float low) {
            return low + kTileSize * static_cast<float>(draw(1000, 0)) / 1000;
        };
        for (int end = 0; end < 2; ++end) {
            // The far end may lie in a tile beside this one.
            const float aside = end == 0 ? 0 : kTileSize * static_cast<float>(draw(2, 0));
            const float x = place(low_x) + aside;
            const float z = place(low_z);
            out_.link_ends.insert(out_.link_ends.end(), {x, 0.2F, z});
        }
        out_.link_directions.push_back(
            static_cast<unsigned char>(draw(2, 0) == 0 ? DT_OFFMESH_CON_BIDIR : 0));
    }

    core::RandomStream* random_;
    Source out_;
};

core::Bytes emit(const Source& source, int tile_x, int tile_z, float low_x, float low_z) {
    const std::size_t polygons = source.areas.size();
    const std::size_t links = source.link_directions.size();
    const std::vector<unsigned short> flags(polygons, 1);
    const std::vector<float> radii(links, 1.0F);
    const std::vector<unsigned short> link_flags(links, 1);
    const std::vector<unsigned char> link_areas(links, 5);
    const std::vector<unsigned int> link_ids(links, 0);
    dtNavMeshCreateParams p{};
    p.verts = source.verts.data();
    p.vertCount = static_cast<int>(source.verts.size() / 3);
    p.polys = source.polys.data();
    p.polyAreas = source.areas.data();
    p.polyFlags = flags.data();
    p.polyCount = static_cast<int>(polygons);
    p.nvp = kVertsMax;
    p.offMeshConVerts = source.link_ends.data();
    p.offMeshConRad = radii.data();
    p.offMeshConFlags = link_flags.data();
    p.offMeshConAreas = link_areas.data();
    p.offMeshConDir = source.link_directions.data();
    p.offMeshConUserID = link_ids.data();
    p.offMeshConCount = static_cast<int>(links);
    p.walkableHeight = 2;
    p.walkableRadius = 0.5F;
    p.walkableClimb = 0.9F;
    p.tileX = tile_x;
    p.tileY = tile_z;
    p.bmin[0] = low_x;
    p.bmin[2] = low_z;
    p.bmax[0] = low_x + kTileSize;
    p.bmax[1] = 1;
    p.bmax[2] = low_z + kTileSize;
    p.cs = kUnit;
    p.ch = kUnit;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&p, &data, &size)) std::abort();
    core::Bytes blob(data, data + size);
    dtFree(data);
    return blob;
}

/// Tile (x, z) is `make(low_x, low_z)`.
template <class Make>
BakedMesh make_mesh(int tiles_x, int tiles_z, int polygons_max, Make make) {
    BakedMesh mesh;
    mesh.params.tile_width = kTileSize;
    mesh.params.tile_height = kTileSize;
    mesh.params.tiles_max = tiles_x * tiles_z;
    mesh.params.polygons_max = polygons_max;
    for (int z = 0; z < tiles_z; ++z) {
        for (int x = 0; x < tiles_x; ++x) {
            const float low_x = kTileSize * static_cast<float>(x);
            const float low_z = kTileSize * static_cast<float>(z);
            const Source source = make(low_x, low_z);
            if (source.areas.empty()) continue;
            mesh.slots.push_back(x + tiles_x * z);
            mesh.blobs.push_back(emit(source, x, z, low_x, low_z));
        }
    }
    return mesh;
}

BakedMesh make_mesh(core::RandomStream* random, int tiles_x, int tiles_z) {
    return make_mesh(tiles_x, tiles_z, 64, [&](float low_x, float low_z) {
        return TileMaker(random).make(low_x, low_z);
    });
}

}  // namespace

BakedMesh random_mesh(std::uint32_t seed, int tiles_x, int tiles_z) {
    core::RandomStream random(static_cast<std::int32_t>(seed));
    return make_mesh(&random, tiles_x, tiles_z);
}

BakedMesh square_mesh(int tiles_x, int tiles_z) { return make_mesh(nullptr, tiles_x, tiles_z); }

BakedMesh hub_mesh(int connections) {
    return make_mesh(1, 1, 1 << 15, [&](float low_x, float low_z) {
        Source source = TileMaker(nullptr).make(low_x, low_z);
        for (int i = 0; i < connections; ++i) {
            source.link_ends.insert(source.link_ends.end(), {1, 0.2F, 1, 5, 0.2F, 5});
            source.link_directions.push_back(DT_OFFMESH_CON_BIDIR);
        }
        return source;
    });
}

}  // namespace maniple::tests
