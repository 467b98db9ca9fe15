#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/nav/modifier_shapes.h"
#include "maniple/sim/world.h"

namespace maniple::sim {
namespace {

bool is_finite(const Vec3d& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

nav::Shape shape_of(const ModifierRecord& record) {
    if (record.shape == ModifierShape::kCorridor) {
        return nav::CorridorShape{record.points, record.half_width_cm};
    }
    return nav::BoxShape{record.centre_cm, record.half_extent_cm, record.yaw_centideg};
}

std::shared_ptr<nav::Modifier> make_kind(const ModifierRecord& record) {
    switch (record.family) {
        case nav::ModifierFamily::kGrid: {
            auto modifier = std::make_shared<nav::ShapeGridModifier>();
            modifier->shape = shape_of(record);
            modifier->type = record.cell_type;
            modifier->cost = record.cell_cost;
            return modifier;
        }
        case nav::ModifierFamily::kCost: {
            using Rule = nav::ShapeCostModifier::Rule;
            auto modifier = std::make_shared<nav::ShapeCostModifier>();
            modifier->shape = shape_of(record);
            modifier->rule = record.sets_cost ? Rule::kSet : Rule::kAdd;
            modifier->amount = record.cost;
            return modifier;
        }
        default: {
            auto modifier = std::make_shared<nav::ShapeDirectionModifier>();
            modifier->shape = shape_of(record);
            modifier->direction = record.direction;
            return modifier;
        }
    }
}

}  // namespace

Result<void> check_modifier(const ModifierRecord& record) {
    const bool known = record.family <= nav::ModifierFamily::kDirection &&
                       record.shape <= ModifierShape::kCorridor &&
                       record.cell_type <= nav::CellType::kObstacle;
    if (!known) return refuse(ErrorCode::kBadValue, "a modifier of no known kind");
    if (record.points.size() > kModifierPointsMax) {
        return refuse(ErrorCode::kOverCap, "a modifier's corridor has too many points");
    }
    const Vec3f& d = record.direction;
    const bool finite = is_finite(record.centre_cm) && is_finite(record.half_extent_cm) &&
                        std::isfinite(record.half_width_cm) && is_finite({d.x, d.y, d.z}) &&
                        std::all_of(record.points.begin(), record.points.end(), is_finite);
    if (!finite) return refuse(ErrorCode::kBadValue, "a modifier's number is not finite");
    return {};
}

std::shared_ptr<nav::Modifier> make_modifier(const ModifierRecord& record) {
    std::shared_ptr<nav::Modifier> modifier = make_kind(record);
    modifier->priority = record.priority;
    modifier->enabled = record.enabled;
    modifier->id = static_cast<std::uint64_t>(record.id);
    return modifier;
}

// implements: O-SNAP-23
Result<void> World::register_modifier(ModifierRecord record) {
    if (auto checked = check_modifier(record); !checked) return checked;
    nav::FlowField* field = find_field(record.field_name);
    if (field == nullptr) {
        return refuse(ErrorCode::kUnknownName, "no field is named '" + record.field_name + "'");
    }
    if (state_.modifiers.size() >= kModifiersMax) {
        return refuse(ErrorCode::kOverCap, "too many modifiers");
    }
    if (find_modifier(record.id) < state_.modifiers.size()) {
        return refuse(ErrorCode::kBadValue,
                      "modifier " + std::to_string(record.id) + " is registered already");
    }
    modifiers_.push_back(make_modifier(record));
    field->register_modifier(modifiers_.back(), nav::ModifierOrigin::kCommand);
    state_.modifiers.push_back(std::move(record));
    field->apply_direction_modifiers();
    return {};
}

std::size_t World::find_modifier(std::int64_t id) const {
    const auto found = std::ranges::find(state_.modifiers, id, &ModifierRecord::id);
    return static_cast<std::size_t>(found - state_.modifiers.begin());
}

bool World::unregister_modifier(std::int64_t id) {
    const std::size_t at = find_modifier(id);
    if (at == state_.modifiers.size()) return false;
    nav::FlowField& field = *find_field(state_.modifiers[at].field_name);
    field.unregister_modifier(*modifiers_[at], nav::ModifierOrigin::kCommand);
    modifiers_.erase(modifiers_.begin() + static_cast<std::ptrdiff_t>(at));
    state_.modifiers.erase(state_.modifiers.begin() + static_cast<std::ptrdiff_t>(at));
    field.apply_direction_modifiers();
    return true;
}

bool World::enable_modifier(std::int64_t id, bool enabled) {
    const std::size_t at = find_modifier(id);
    if (at == state_.modifiers.size()) return false;
    state_.modifiers[at].enabled = modifiers_[at]->enabled = enabled;
    find_field(state_.modifiers[at].field_name)->apply_direction_modifiers();
    return true;
}

// implements: SNAP-049
Result<void> World::restore_modifiers(const std::vector<ModifierRecord>& records) {
    MANIPLE_ASSERT(state_.modifiers.empty());
    for (const ModifierRecord& record : records) {
        if (auto registered = register_modifier(record); !registered) return registered;
    }
    return {};
}

}  // namespace maniple::sim
