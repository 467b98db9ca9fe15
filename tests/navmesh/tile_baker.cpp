#include "tile_baker.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "src/tile_baker.h"

namespace maniple::tests {
namespace {

constexpr float kCellHeight = 0.2F;
constexpr float kAgentHeight = 2.0F;
constexpr float kAgentRadius = 0.5F;
constexpr float kClimb = 0.9F;
constexpr float kLowest = -1;
constexpr float kHighest = 20;
constexpr int kBorderCells = 4;
constexpr int kPolygonsMax = 256;
constexpr std::uint8_t kLinkArea = 5;

struct Triangles {
    std::vector<float> verts;
    std::vector<int> indices;
};

terrain::TileRules rules_of(const BakeSettings& s) {
    terrain::TileRules rules;
    rules.cell = s.cell_size;
    rules.cell_height = kCellHeight;
    rules.slope_deg = 50;
    rules.agent_height = kAgentHeight;
    rules.agent_radius = kAgentRadius;
    rules.climb = kClimb;
    rules.height_cells = static_cast<int>(std::ceil(kAgentHeight / kCellHeight));
    rules.climb_cells = static_cast<int>(kClimb / kCellHeight);
    rules.radius_cells = static_cast<int>(std::ceil(kAgentRadius / s.cell_size));
    rules.border_cells = kBorderCells;
    rules.tile_cells = s.tile_cells;
    rules.polygons_max = kPolygonsMax;
    // Tiles are small and their pillars close: no ground between them is too little.
    rules.region_cells_min = 4;
    rules.region_cells_merged = 20;
    return rules;
}

/// Two triangles a cell of one height function, where all four corners are at or above `lowest`.
void add_sheet(const BakeSettings& s, const std::function<float(int, int)>& height, float lowest,
               int tile_x, int tile_z, Triangles& out) {
    const int x_begin = std::max(0, tile_x * s.tile_cells - kBorderCells);
    const int z_begin = std::max(0, tile_z * s.tile_cells - kBorderCells);
    const int x_end =
        std::min(s.tiles_x * s.tile_cells, (tile_x + 1) * s.tile_cells + kBorderCells);
    const int z_end =
        std::min(s.tiles_z * s.tile_cells, (tile_z + 1) * s.tile_cells + kBorderCells);
    const int row = z_end - z_begin + 1;
    const int first = static_cast<int>(out.verts.size() / 3);
    for (int x = x_begin; x <= x_end; ++x) {
        for (int z = z_begin; z <= z_end; ++z) {
            out.verts.insert(out.verts.end(), {static_cast<float>(x) * s.cell_size, height(x, z),
                                               static_cast<float>(z) * s.cell_size});
            if (x == x_end || z == z_end) continue;
            const float low = std::min(std::min(height(x, z), height(x + 1, z)),
                                       std::min(height(x, z + 1), height(x + 1, z + 1)));
            if (low < lowest) continue;
            const int corner = first + (x - x_begin) * row + (z - z_begin);
            out.indices.insert(out.indices.end(), {corner, corner + 1, corner + row + 1, corner,
                                                   corner + row + 1, corner + row});
        }
    }
}

/// The ground around a tile, and the floor over it; nothing outside the world.
Triangles ground_of(const BakeSettings& s, int tile_x, int tile_z) {
    Triangles out;
    add_sheet(s, s.height, std::numeric_limits<float>::lowest(), tile_x, tile_z, out);
    if (s.floor) add_sheet(s, s.floor, 0, tile_x, tile_z, out);
    return out;
}

/// The areas of the cells in and around a tile; the null area stands in the way.
void add_areas(const BakeSettings& s, int tile_x, int tile_z, terrain::TileInput& out) {
    const auto inside = [&](int cell, float share) {
        return (static_cast<float>(cell) + share) * s.cell_size;
    };
    const auto begin_of = [&](int tile) { return tile * s.tile_cells - kBorderCells; };
    const auto end_of = [&](int tile) { return (tile + 1) * s.tile_cells + kBorderCells; };
    for (int x = std::max(0, begin_of(tile_x));
         x < std::min(s.tiles_x * s.tile_cells, end_of(tile_x)); ++x) {
        for (int z = std::max(0, begin_of(tile_z));
             z < std::min(s.tiles_z * s.tile_cells, end_of(tile_z)); ++z) {
            const auto area = static_cast<std::uint8_t>(s.area(x, z));
            auto& boxes = area == 0 ? out.obstacles : out.areas;
            boxes.push_back({{{inside(x, 0.25F), kLowest, inside(z, 0.25F)},
                              {inside(x, 0.75F), kHighest, inside(z, 0.75F)}},
                             area});
        }
    }
}

void add_link(const BakedLink& link, terrain::ConnectionColumns& out) {
    out.ends.insert(out.ends.end(), link.from.begin(), link.from.end());
    out.ends.insert(out.ends.end(), link.to.begin(), link.to.end());
    out.radius.push_back(1);
    out.both_ways.push_back(link.both_ways ? 1 : 0);
    out.area.push_back(kLinkArea);
}

terrain::ConnectionColumns connections_of(const BakeSettings& s, int tile_x, int tile_z) {
    terrain::ConnectionColumns out;
    const float edge = s.cell_size * static_cast<float>(s.tile_cells);
    const float low_x = edge * static_cast<float>(tile_x) + edge / 4;
    const float low_z = edge * static_cast<float>(tile_z) + edge / 4;
    if (s.off_mesh) {
        const float height = s.height(0, 0);
        add_link({{low_x, height, low_z}, {low_x + edge / 2, height, low_z + edge / 2}, true}, out);
    }
    for (const BakedLink& link : s.links) {
        const auto tile = [&](float at) { return static_cast<int>(std::floor(at / edge)); };
        if (tile(link.from[0]) == tile_x && tile(link.from[2]) == tile_z) add_link(link, out);
    }
    return out;
}

core::Bytes bake_tile(const BakeSettings& s, int tile_x, int tile_z) {
    const float edge = s.cell_size * static_cast<float>(s.tile_cells);
    Triangles ground = ground_of(s, tile_x, tile_z);
    terrain::TileInput input;
    input.x = tile_x;
    input.z = tile_z;
    input.bounds = {
        {edge * static_cast<float>(tile_x), kLowest, edge * static_cast<float>(tile_z)},
        {edge * static_cast<float>(tile_x + 1), kHighest, edge * static_cast<float>(tile_z + 1)}};
    input.vertices = ground.verts;
    input.corners = std::move(ground.indices);
    input.connections = connections_of(s, tile_x, tile_z);
    if (s.area) add_areas(s, tile_x, tile_z, input);
    Result<core::Bytes> blob = terrain::bake_tile(input, rules_of(s));
    if (!blob) std::abort();
    return *std::move(blob);
}

}  // namespace

std::vector<nav::MeshTile> BakedMesh::tiles() const {
    std::vector<nav::MeshTile> all;
    for (std::size_t i = 0; i < blobs.size(); ++i) all.push_back({slots[i], blobs[i]});
    return all;
}

std::function<float(int, int)> pillars(std::uint32_t seed) {
    return [seed](int x, int z) {
        std::uint32_t h = seed ^ (static_cast<std::uint32_t>(x / 3) * 0x9E3779B1U) ^
                          (static_cast<std::uint32_t>(z / 3) * 0x85EBCA77U);
        h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
        h ^= h >> 12;
        const int ridge = std::abs(x % 16 - 8) + std::abs(z % 12 - 6);
        return static_cast<float>(ridge) * 0.15F + (h % 7 == 0 ? 5.0F : 0.0F);
    };
}

BakedMesh bake(const BakeSettings& settings) {
    BakedMesh baked;
    const float edge = settings.cell_size * static_cast<float>(settings.tile_cells);
    baked.params.tile_width = edge;
    baked.params.tile_height = edge;
    baked.params.tiles_max = settings.tiles_x * settings.tiles_z;
    baked.params.polygons_max = kPolygonsMax;
    for (int z = 0; z < settings.tiles_z; ++z) {
        for (int x = 0; x < settings.tiles_x; ++x) {
            core::Bytes blob = bake_tile(settings, x, z);
            if (blob.empty()) continue;
            baked.slots.push_back(x + settings.tiles_x * z);
            baked.blobs.push_back(std::move(blob));
        }
    }
    return baked;
}

}  // namespace maniple::tests
