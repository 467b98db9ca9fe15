#pragma once

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "maniple/substrate/delta.h"
#include "maniple/substrate/played_mesh.h"

#include "mesh_worlds.h"

namespace maniple::tests {

/// A plain of 3 × 3 tiles; `ridged` tiles are of another ground. Places are metres of the mesh.
struct Plain {
    std::vector<std::size_t> ridged = {};
    std::vector<substrate::GoalCm> goals = {{-2000, -2000, 0}};
    substrate::SubstrateIdentity identity = {};
    nav::AreaCosts costs = even_costs();

    [[nodiscard]] core::Bytes stream() const {
        static const BakedMesh plain = bake({.tiles_x = 3, .tiles_z = 3, .height = flat});
        static const BakedMesh ridges = bake({.tiles_x = 3, .tiles_z = 3, .height = pillars(1)});
        std::vector<nav::MeshTile> tiles = plain.tiles();
        for (const std::size_t tile : ridged) tiles[tile].blob = ridges.blobs[tile];
        Result<substrate::NavMeshStream> stream =
            substrate::NavMeshStream::write({identity, goals, plain.params, costs, tiles});
        EXPECT_TRUE(stream.has_value());
        return std::move(*stream).release();
    }
};

inline core::Bytes delta_between(const core::Bytes& base, const core::Bytes& next) {
    core::Bytes delta;
    bool any_change = false;
    EXPECT_TRUE(substrate::build_substrate_delta_bytes(base, next, delta, any_change));
    EXPECT_TRUE(any_change);
    return delta;
}

inline substrate::PlayedMesh played(core::ByteSpan stream) {
    substrate::PlayedMesh mesh("ground", {});
    EXPECT_TRUE(mesh.import(stream).has_value());
    return mesh;
}

}  // namespace maniple::tests
