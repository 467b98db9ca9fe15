#pragma once

#include <memory>
#include <vector>

#include "maniple/nav/mesh_field.h"

#include "tile_baker.h"

/// A world of 4,032 tiles that Recast bakes for the benchmarks: 512 m by 504 m with pillars.
namespace maniple::bench {

[[nodiscard]] nav::AreaCosts even_costs();

struct MeshWorld {
    tests::BakedMesh baked;
    std::shared_ptr<const nav::MeshReplica> mesh;
    const nav::MeshGraph& graph;
    nav::MeshWeights weights;
    Vec3d goal;  ///< Near the middle.
    std::vector<nav::MeshGoal> goals;

    MeshWorld();
};
/// Baked at the first call.
[[nodiscard]] MeshWorld& mesh_world();

/// Places on the mesh at most `reach_m` beside the goal along each axis.
[[nodiscard]] std::vector<Vec3d> places_on_mesh(std::size_t count, std::uint32_t reach_m);

}  // namespace maniple::bench
