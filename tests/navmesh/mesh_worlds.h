#pragma once

#include <gtest/gtest.h>
#include <utility>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_replica.h"

#include "tile_baker.h"

/// Small baked worlds that the navmesh tests share. All places are metres of the mesh.
namespace maniple::tests {

inline nav::AreaCosts even_costs() {
    nav::AreaCosts costs;
    costs.fill(1);
    return costs;
}

inline nav::MeshReplica replica_of(const BakedMesh& mesh,
                                   const nav::AreaCosts& costs = even_costs()) {
    Result<nav::MeshReplica> replica = nav::MeshReplica::build(mesh.params, mesh.tiles(), costs);
    EXPECT_TRUE(replica.has_value());
    return std::move(*replica);
}

/// World cm of a place on a mesh.
inline Vec3d at(float x, float y, float z) { return nav::to_world({x, y, z}); }

inline float flat(int, int) { return 0; }

/// Two plains, 40 m by 8 m, with a chasm from x = 17 m to x = 21 m. A link may lead over it, from
/// the second tile to the third: Detour joins neighbours only.
inline BakeSettings islands() {
    return {.tiles_x = 5, .tiles_z = 1, .height = [](int x, int) {
                return x > 34 && x < 42 ? 30.0F : 0.0F;
            }};
}
inline BakedLink over_the_chasm(bool both_ways) { return {{14, 0, 4}, {23, 0, 4}, both_ways}; }

/// A plain of 32 m by 16 m. A ramp 4 m wide climbs along z = 2 to 6 m from x = 2 m to x = 18 m, to
/// a floor 4 m up that reaches back over the plain: at (12, 12) there are two floors.
inline BakeSettings two_floors() {
    const auto floor = [](int x, int z) {
        const float climbed = (static_cast<float>(x) - 4) / 8;  // Half-metre cells.
        const bool ramp = z >= 4 && z <= 12 && x >= 4 && x <= 36;
        const bool top = x >= 36 && x <= 60 && z >= 4 && z <= 28;
        const bool back = x >= 16 && x <= 36 && z >= 20 && z <= 28;
        if (ramp) return climbed;
        return top || back ? 4.0F : -1.0F;
    };
    return {.tiles_x = 4, .tiles_z = 2, .height = flat, .floor = floor};
}

}  // namespace maniple::tests
