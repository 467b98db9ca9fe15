#include "maniple/core/assert.h"
#include "maniple/nav/flow_field.h"

#include "grid_update.h"

namespace maniple::nav {

CellGround GridEdit::cell(CellIndex cell) const {
    return {static_cast<CellType>(ground_.type[cell]), ground_.cost[cell], ground_.z_cm[cell],
            ground_.normal[cell]};
}

void GridEdit::set(CellIndex cell, const CellGround& value) {
    set_cell(ground_, cell, value);
    modified_.push_back(cell);
}

void DirectionEdit::set(CellIndex cell, Vec3f direction) {
    modified_.push_back({cell, core::normalised(direction), solution_.direction[cell]});
}

void MeshDirectionEdit::set(std::size_t polygon, Vec3f direction) {
    if (covered_[polygon] != 0) directions_[polygon] = core::normalised(direction);
}

// implements: MOD-001, MOD-003, MOD-005, MOD-006
bool FlowField::register_modifier(const std::shared_ptr<Modifier>& modifier,
                                  ModifierOrigin origin) {
    MANIPLE_ASSERT(modifier != nullptr);
    if (!may_change_modifiers(synced_, origin)) return false;
    if (modifiers_.of(modifier->family()).add_runtime(modifier)) modifier->field = ref();
    return true;
}

// implements: MOD-010
bool FlowField::unregister_modifier(const Modifier& modifier, ModifierOrigin origin) {
    if (!may_change_modifiers(synced_, origin)) return false;
    modifiers_.of(modifier.family()).remove_runtime(modifier);
    return true;
}

void FlowField::rescan_modifiers() {
    const auto members = modifiers_.rescan(include_modifiers_, host_.attached_modifiers);
    for (const auto& member : members) member->field = ref();
}

void FlowField::apply_direction_modifiers() {
    const auto modifiers = modifiers_.direction.enabled_as<DirectionModifier>();
    const auto apply = [&](Layer& layer) {
        if (!layer.solved) return;
        if (layer.lazy != nullptr && !modifiers.empty()) {
            solve(layer);  // whole: modifiers may read every cell
            return;
        }
        layer.restore_base_directions();
        modify_directions(substrate_, modifiers, layer.solution, layer.modified);
    };
    apply(default_layer_);
    for_each_layer(apply);
}

std::vector<std::shared_ptr<Modifier>> FlowField::active_modifiers(ModifierFamily family) {
    return modifiers_.of(family).active();
}

}  // namespace maniple::nav
