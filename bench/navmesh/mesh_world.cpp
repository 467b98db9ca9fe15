#include "mesh_world.h"

#include "maniple/core/random.h"

namespace maniple::bench {
namespace {

constexpr float kMiddleM = 250;

}  // namespace

nav::AreaCosts even_costs() {
    nav::AreaCosts costs;
    costs.fill(1);
    return costs;
}

MeshWorld::MeshWorld()
    : baked(tests::bake({.tiles_x = 64, .tiles_z = 63, .height = tests::pillars(1)})),
      mesh(std::make_shared<const nav::MeshReplica>(
          std::move(*nav::MeshReplica::build(baked.params, baked.tiles(), even_costs())))),
      graph(mesh->graph()),
      weights(nav::weigh_edges(graph, nav::area_cost_context({}, mesh->area_costs()))),
      goal(nav::to_world({kMiddleM, 1, kMiddleM})) {
    const auto place = nav::project_to_mesh(*mesh, goal, {500, 500, 500});
    goals.push_back({graph.index(place->polygon), goal, place->location});
}

MeshWorld& mesh_world() {
    static MeshWorld world;
    return world;
}

std::vector<Vec3d> places_on_mesh(std::size_t count, std::uint32_t reach_m) {
    std::vector<Vec3d> all;
    core::RandomStream random(1);
    while (all.size() < count) {
        const auto metres = [&] {
            return kMiddleM - static_cast<float>(reach_m) +
                   static_cast<float>(random.next_below(200 * reach_m)) / 100;
        };
        const float x = metres();
        const float z = metres();
        const auto place =
            nav::project_to_mesh(*mesh_world().mesh, nav::to_world({x, 1, z}), {100, 100, 500});
        if (place) all.push_back(place->location);
    }
    return all;
}

}  // namespace maniple::bench
