#pragma once

#include <cstdint>

#include "tile_baker.h"

namespace maniple::tests {

/// A mesh that no baker made: tiles of jittered quads and triangles with holes, areas (0 and 1 … 5)
/// and heights of their own, so that portals between tiles overlap in parts; off-mesh connections
/// to and fro. A function of the seed.
[[nodiscard]] BakedMesh random_mesh(std::uint32_t seed, int tiles_x, int tiles_z);
/// The same of level squares of 2 m, all alike: many ways are equally long.
[[nodiscard]] BakedMesh square_mesh(int tiles_x, int tiles_z);
/// A tile of such squares. Off-mesh connections lead both ways between the polygons at (1, 0.2, 1)
/// and (5, 0.2, 5) m, all of them the same.
[[nodiscard]] BakedMesh hub_mesh(int connections);

}  // namespace maniple::tests
