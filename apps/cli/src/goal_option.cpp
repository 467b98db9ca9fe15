#include "goal_option.h"

#include <array>
#include <cstdint>
#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::cli {
namespace {

constexpr const char* kGoal = "--goal";

}  // namespace

void add_goal_option(CLI::App& sub, std::vector<std::string>& goals) {
    sub.add_option(kGoal, goals,
                   "X,Y[,Z] in world cm (Z: the ground's); one or more replace all goals")
        ->allow_extra_args(false);
}

GoalPlaces parse_goals(const std::vector<std::string>& texts) {
    if (texts.size() > static_cast<std::size_t>(substrate::kGoalsMax)) {
        throw CLI::ValidationError(kGoal, "more than " + std::to_string(substrate::kGoalsMax));
    }
    GoalPlaces goals;
    for (const std::string& text : texts) goals.push_back(parse_place(kGoal, text));
    return goals;
}

void replace_goals(nav::GridSubstrate& ground, const GoalPlaces& goals) {
    if (goals.empty()) return;
    const nav::GridGeometry& grid = ground.geometry;
    const Vec3d origin = grid.origin();
    std::vector<std::array<std::int32_t, 3>> relative;
    for (const auto& [at, has_z] : goals) {
        const nav::CellIndex cell = grid.index(grid.world_to_grid({at.x, at.y}).coord);
        relative.push_back({core::quant_cm(at.x, origin.x), core::quant_cm(at.y, origin.y),
                            has_z ? core::quant_cm(at.z, origin.z) : ground.z_cm[cell]});
    }
    ground.goals_cm = std::move(relative);
}

}  // namespace maniple::cli
