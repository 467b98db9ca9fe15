#include <cmath>
#include <string>

#include "maniple/core/hash.h"
#include "maniple/core/quantise.h"
#include "maniple/nav/layer_head.h"

namespace maniple::nav {

// implements: GRID-015, O-SYNC-04
std::vector<Vec3d> GoalSet::collect() const {
    std::vector<Vec3d> goals;
    for (const GoalSource& source : sources) {
        if (const std::optional<Vec3d> at = source()) goals.push_back(*at);
    }
    goals.insert(goals.end(), locations.begin(), locations.end());
    return goals;
}

// implements: O-GEN-08, O-SYNC-29
Result<void> check_goals(const std::vector<Vec3d>& goals) {
    if (goals.size() > kGoalsMax) {
        return refuse(ErrorCode::kOverCap, std::to_string(goals.size()) + " goals, a field tells " +
                                               std::to_string(kGoalsMax) + " apart");
    }
    for (const Vec3d& goal : goals) {
        if (!std::isfinite(goal.x) || !std::isfinite(goal.y) || !std::isfinite(goal.z)) {
            return refuse(ErrorCode::kBadValue, "a goal is not finite");
        }
    }
    return {};
}

// implements: O-LAY-03
std::uint32_t managed_goal_hash(const std::vector<Vec3d>& goals, const std::string& field_name) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    for (const Vec3d& goal : goals) {
        out.i32(core::quant_cm(goal.x, 0));
        out.i32(core::quant_cm(goal.y, 0));
        out.i32(core::quant_cm(goal.z, 0));
    }
    out.text(field_name);
    const std::uint32_t hash = core::crc32(bytes);
    return hash == 0 ? 1 : hash;
}

}  // namespace maniple::nav
