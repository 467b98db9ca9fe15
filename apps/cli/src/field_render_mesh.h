#pragma once

#include <cstdint>
#include <string>

#include "maniple/core/result.h"
#include "maniple/nav/mesh_field.h"

#include "picture.h"

namespace maniple::cli {

/// A navmesh from above, world X to the right and world Y down, upper floors over lower ones:
/// polygons by `layer` (cost: their area; dist; dir; type: ground and connections), their outlines,
/// off-mesh connections as lines, goals and, with `arrows`, where each polygon leads. A pixel is
/// `cm_per_pixel` wide.
/// @return picture, or kOverCap for one that would be too large.
[[nodiscard]] Result<Picture> mesh_picture(const nav::MeshField& field, const std::string& layer,
                                           double cm_per_pixel, bool arrows);

}  // namespace maniple::cli
