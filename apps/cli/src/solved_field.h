#pragma once

#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/grid_substrate.h"

namespace maniple::cli {

/// The ground and goals of a stream file.
/// @return ground, or the file's or the stream's refusal.
[[nodiscard]] Result<nav::GridSubstrate> load_ground(const std::string& file);

/// The goals of a ground in world centimetres, in goal order.
[[nodiscard]] std::vector<Vec3d> world_goals(const nav::GridSubstrate& ground);

/// A field over the ground of a stream file, its default layer solved from the stream's goals.
/// @return field, or as load_ground.
[[nodiscard]] Result<nav::FlowField> load_solved_field(const std::string& file,
                                                       const nav::FieldConfig& config);

}  // namespace maniple::cli
