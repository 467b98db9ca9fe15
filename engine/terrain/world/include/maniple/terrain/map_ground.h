#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "maniple/core/bytes.h"
#include "maniple/core/executor.h"
#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/environment_query.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/terrain/height_map.h"

namespace maniple::terrain {

/// How a map file becomes a grid. What is left out is the map's own.
struct GridRequest {
    HeightScale height;    ///< Of a `.png`; its spacing is cell_size_cm, or 100.
    double unit_cm = 100;  ///< Of an `.obj`: centimetres a unit.
    /// Side of a cell; a grid map has its own, a mesh 100.
    std::optional<std::int32_t> cell_size_cm;
    std::optional<double> yaw_degrees;
    /// The grid's pivot: its middle in XY, its volume's bottom in Z. Without it the middle and the
    /// lowest point of the map. The grid is as large as it must be to cover the map from there.
    std::optional<Vec3d> origin_cm;
    std::optional<std::int32_t> max_walkable_centideg;  ///< 4500 without it.
};

/// The ground of a map of any format (docs/formats/maps.md): `.map`, `.ffs` and `builtin:` as they
/// are, or asked as terrain::GridWorld when the request poses the grid anew; `.png` asked as
/// HeightMapWorld, `.obj` as MeshWorld. Goals of an `.ffs` stay where they are in the world.
/// The result does not depend on the executor; `progress` may be empty.
/// @return ground, or the loader's refusal, or that of nav::build_ground.
[[nodiscard]] Result<nav::GridSubstrate> read_map_ground(std::string_view name, core::Bytes bytes,
                                                         const GridRequest& request,
                                                         core::Executor& executor,
                                                         const nav::Progress& progress);

}  // namespace maniple::terrain
