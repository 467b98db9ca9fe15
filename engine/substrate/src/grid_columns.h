#pragma once

#include <span>
#include <vector>

#include "maniple/nav/grid_substrate.h"
#include "maniple/substrate/grid_records.h"
#include "maniple/substrate/stream_format.h"

/// nav's ground in the terms of the stream.
namespace maniple::substrate::detail {

[[nodiscard]] inline GridColumns columns_of(nav::GridSubstrate& ground) {
    return {ground.cost, ground.type, ground.z_cm, ground.normal};
}
[[nodiscard]] inline ConstGridColumns columns_of(const nav::GridSubstrate& ground) {
    return {ground.cost, ground.type, ground.z_cm, ground.normal};
}

/// A geometry's origin is whole centimetres by construction.
[[nodiscard]] inline SubstrateIdentity identity_of(const nav::GridGeometry& geometry) {
    const Vec3d origin = geometry.origin();
    return {static_cast<std::int32_t>(origin.x), static_cast<std::int32_t>(origin.y),
            static_cast<std::int32_t>(origin.z), geometry.yaw_centideg()};
}

[[nodiscard]] inline GridShape shape_of(const nav::GridGeometry& geometry) {
    return {geometry.x_num(), geometry.y_num(), geometry.cell_size_cm()};
}

[[nodiscard]] inline std::vector<GoalCm> goals_of(const nav::GridSubstrate& ground) {
    std::vector<GoalCm> goals;
    goals.reserve(ground.goals_cm.size());
    for (const auto& [x, y, z] : ground.goals_cm) goals.push_back({x, y, z});
    return goals;
}

inline void set_goals(nav::GridSubstrate& ground, std::span<const GoalCm> goals) {
    ground.goals_cm.clear();
    ground.goals_cm.reserve(goals.size());
    for (const GoalCm& goal : goals) ground.goals_cm.push_back({goal.x, goal.y, goal.z});
}

}  // namespace maniple::substrate::detail
