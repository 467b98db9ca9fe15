#include "bench_maps.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "maniple/core/random.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/terrain/grid_map.h"

namespace maniple::bench {
namespace {

using nav::CellIndex;
using nav::GridCoord;

/// Fills in what follows from ground and configuration.
BenchMap prepared(BenchMap map) {
    map.moves.build(map.ground, map.config);
    const nav::Components components = nav::label_components(map.ground, map.config, map.moves);
    const std::uint32_t largest = components.largest();
    map.reached = components.cell_count[largest];
    std::size_t before = map.reached / 2;
    for (map.goal = 0; components.label[map.goal] != largest || before-- > 0;) ++map.goal;
    return map;
}

BenchMap plain(std::string name, std::int32_t size) {
    BenchMap map;
    map.name = std::move(name);
    map.ground.geometry = nav::GridGeometry(0, 0, 0, 0, size, size, 100);
    map.ground.cost.assign(map.cells(), 1);
    map.ground.type.assign(map.cells(), 1);
    map.ground.z_cm.assign(map.cells(), 0);
    map.ground.normal.assign(map.cells(), {0, 0, 127});
    return map;
}

void set_wall(BenchMap& map, CellIndex cell, bool wall) {
    map.ground.type[cell] = wall ? 2 : 1;
    map.ground.cost[cell] = wall ? nav::kImpassableCost : 1;
}

core::Bytes read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

BenchMap load_map(const std::string& name) {
    core::Bytes bytes;
    if (!terrain::is_builtin_map(name)) bytes = read_file(name);
    const Result<terrain::GridMap> read = terrain::read_map(name, std::move(bytes));
    if (!read) {
        std::fprintf(stderr, "%s: cannot be read as a map\n", name.c_str());
        std::exit(2);
    }
    BenchMap map;
    map.name = name.substr(name.find_last_of('/') + 1);
    map.ground = substrate::read_grid_stream(read->stream.view());
    return prepared(std::move(map));
}

BenchMap with_varied_costs(BenchMap map) {
    map.name += "/costs_1_21";
    const nav::GridGeometry& g = map.ground.geometry;
    for (CellIndex cell = 0; cell < map.cells(); ++cell) {
        if (map.ground.cost[cell] == nav::kImpassableCost) continue;
        const GridCoord at = g.coord(cell);
        map.ground.cost[cell] =
            static_cast<std::uint8_t>(1 + core::site_random(1, at.x / 6, at.y / 6, 0) % 21);
    }
    return prepared(std::move(map));
}

BenchMap open_map(std::int32_t size) {
    return prepared(plain("open:" + std::to_string(size), size));
}

BenchMap noise_map(std::int32_t size, std::uint32_t percent) {
    BenchMap map = plain("noise:" + std::to_string(size), size);
    core::RandomStream random(11);
    for (CellIndex cell = 0; cell < map.cells(); ++cell) {
        set_wall(map, cell, random.next_below(100) < percent);
    }
    return prepared(std::move(map));
}

BenchMap maze_map(std::int32_t size) {
    BenchMap map = plain("maze:" + std::to_string(size), size);
    const nav::GridGeometry& g = map.ground.geometry;
    for (CellIndex cell = 0; cell < map.cells(); ++cell) set_wall(map, cell, true);
    core::RandomStream random(5);
    std::vector<GridCoord> trail{{1, 1}};
    set_wall(map, g.index({1, 1}), false);
    while (!trail.empty()) {
        const GridCoord at = trail.back();
        std::vector<GridCoord> ways;
        for (int n = 0; n < 4; ++n) {
            const GridCoord d = nav::kNeighbours[static_cast<std::size_t>(n)];
            const GridCoord far{at.x + 2 * d.x, at.y + 2 * d.y};
            if (g.contains(far) && map.ground.type[g.index(far)] == 2) ways.push_back(d);
        }
        if (ways.empty()) {
            trail.pop_back();
            continue;
        }
        const GridCoord d = ways[random.next_below(static_cast<std::uint32_t>(ways.size()))];
        set_wall(map, g.index({at.x + d.x, at.y + d.y}), false);
        trail.push_back({at.x + 2 * d.x, at.y + 2 * d.y});
        set_wall(map, g.index(trail.back()), false);
    }
    return prepared(std::move(map));
}

}  // namespace maniple::bench
