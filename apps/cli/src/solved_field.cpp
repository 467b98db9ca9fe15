#include "solved_field.h"

#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/substrate/grid_export.h"

#include "file_io.h"

namespace maniple::cli {

Result<nav::GridSubstrate> load_ground(const std::string& file) {
    Result<core::Bytes> bytes = read_file(file);
    if (!bytes) return refuse(std::move(bytes.error()));
    const Result<substrate::CheckedView> stream = substrate::CheckedView::check(*bytes);
    if (!stream) return refuse(stream.error());
    return substrate::read_grid_stream(*stream);
}

std::vector<Vec3d> world_goals(const nav::GridSubstrate& ground) {
    const Vec3d origin = ground.geometry.origin();
    std::vector<Vec3d> goals;
    for (const auto& goal : ground.goals_cm) {
        goals.push_back({core::dequant_cm(goal[0], origin.x), core::dequant_cm(goal[1], origin.y),
                         core::dequant_cm(goal[2], origin.z)});
    }
    return goals;
}

Result<nav::FlowField> load_solved_field(const std::string& file, const nav::FieldConfig& config) {
    Result<nav::GridSubstrate> ground = load_ground(file);
    if (!ground) return refuse(std::move(ground.error()));
    nav::FlowField field("field", config);
    field.set_substrate(std::move(*ground));
    return field;
}

}  // namespace maniple::cli
