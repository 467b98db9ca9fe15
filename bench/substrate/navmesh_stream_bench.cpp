#include <benchmark/benchmark.h>

#include "maniple/substrate/navmesh_delta.h"

#include "tile_baker.h"

// Navmesh streams of 4,032 tiles that Recast bakes here.
namespace {
using namespace maniple;

substrate::NavMeshStream write(const tests::BakedMesh& mesh) {
    substrate::AreaCosts costs;
    costs.fill(1);
    const std::vector<nav::MeshTile> tiles = mesh.tiles();
    return *substrate::NavMeshStream::write({{}, {}, mesh.params, costs, tiles});
}

struct Streams {
    substrate::NavMeshStream base;
    substrate::NavMeshStream next;  ///< One tile is another.

    static Streams make() {
        tests::BakedMesh mesh =
            tests::bake({.tiles_x = 64, .tiles_z = 63, .height = tests::pillars(1)});
        substrate::NavMeshStream base = write(mesh);
        const std::size_t middle = mesh.blobs.size() / 2;
        core::store_le(mesh.blobs[middle].data() + 20, std::uint32_t{1});  // The user id.
        return {std::move(base), write(mesh)};
    }
};

Streams& streams() {
    static Streams all = Streams::make();
    return all;
}

void report(benchmark::State& state) {
    state.counters["tiles"] = static_cast<double>(streams().base.view().tiles().size());
    state.counters["bytes"] = static_cast<double>(streams().base.bytes().size());
}

void BuildNavMeshDelta(benchmark::State& state) {
    static_cast<void>(streams());  // Baked outside the time taken.
    for (auto _ : state) {
        const auto build =
            substrate::build_substrate_delta(streams().base.view(), streams().next.view());
        if (!build || build->changed_tiles != 1) state.SkipWithError("another delta");
    }
    report(state);
}

void CheckNavMeshStream(benchmark::State& state) {
    for (auto _ : state) {
        const auto view = substrate::NavMeshView::check(streams().base.bytes());
        if (!view) state.SkipWithError("refused");
    }
    report(state);
}

BENCHMARK(BuildNavMeshDelta)->Unit(benchmark::kMillisecond);
BENCHMARK(CheckNavMeshStream)->Unit(benchmark::kMillisecond);

}  // namespace
