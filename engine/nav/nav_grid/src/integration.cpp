#include "integration.h"

#include <algorithm>

#include "dial_flood.h"
#include "solver_scratch.h"

namespace maniple::nav {
namespace {

template <class Dist, Metric metric>
void flood_by_dial(const GridSubstrate& ground, const std::uint8_t* moves,
                   const FieldConfig& config, std::span<const CellIndex> goals,
                   SolverScratch::Parts& scratch, Dist* dist) {
    std::fill_n(dist, ground.geometry.cell_count(), static_cast<Dist>(config.distance_limit));
    DialFlood<Dist, metric> flood(ground, moves, config, scratch.buckets, dist);
    std::vector<std::uint64_t> seeds;
    for (const CellIndex goal : goals) {
        if (dist[goal] == 0) continue;
        dist[goal] = 0;
        seeds.push_back(goal);  // at distance 0
    }
    flood.run(seeds, [](CellIndex) { return true; });
}

template <class Dist>
void integrate_column(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
                      std::span<const CellIndex> goals, SolverScratch::Parts& scratch, Dist* dist,
                      FloodKernel kernel) {
    if (config.metric == Metric::kOctile) {
        flood_by_dial<Dist, Metric::kOctile>(ground, moves.data(), config, goals, scratch, dist);
        return;
    }
    const TileFloodTask<Dist> tiles{ground,
                                    moves.data(),
                                    flood_neighbours(config),
                                    config.distance_limit,
                                    kernel == FloodKernel::kTiles,
                                    goals,
                                    scratch.template tiles<Dist>(),
                                    dist};
    const bool sweep =
        kernel == FloodKernel::kFastest ? !moves.is_winding() : kernel == FloodKernel::kTiles;
    if (sweep && flood_tiles(tiles)) return;
    flood_by_dial<Dist, Metric::kCells>(ground, moves.data(), config, goals, scratch, dist);
}

}  // namespace

void integrate(const GridSubstrate& ground, const MoveMap& moves, const FieldConfig& config,
               std::span<const CellIndex> goals, SolverScratch::Parts& scratch, DistanceField& dist,
               FloodKernel kernel) {
    dist.resize(ground.geometry.cell_count(), config.distance_limit);
    if (dist.is_narrow()) {
        integrate_column(ground, moves, config, goals, scratch, dist.column<std::uint16_t>(),
                         kernel);
    } else {
        integrate_column(ground, moves, config, goals, scratch, dist.column<std::uint32_t>(),
                         kernel);
    }
}

}  // namespace maniple::nav
