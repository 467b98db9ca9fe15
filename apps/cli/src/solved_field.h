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

/// Refuses (kOverCap) a ground with more goals than a field can tell apart.
[[nodiscard]] Result<void> check_goal_count(const nav::GridSubstrate& ground);

/// The goals of a ground in world centimetres, in goal order.
[[nodiscard]] std::vector<Vec3d> world_goals(const nav::GridSubstrate& ground);

/// A field over the ground of a stream file, its default layer solved from the stream's goals.
/// @return field, as load_ground, or kOverCap for more goals than a field can tell apart.
[[nodiscard]] Result<nav::FlowField> load_solved_field(const std::string& file,
                                                       const nav::FieldConfig& config);

}  // namespace maniple::cli
