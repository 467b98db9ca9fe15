#pragma once

#include "maniple/sim/spawn_request.h"
#include "maniple/sim/world_state.h"
#include "maniple/skirmish/fragments.h"

/// What the systems rely on of restored values. What is not here they bear whatever it is: places,
/// motions, health, timers, walls, and UIDs of entities that are gone or no units.
namespace maniple::skirmish {

/// Of each kind. A table of the tick has an item for each id.
inline constexpr sim::TaskId kTaskIdsMax = 1 << 20;
inline constexpr std::int32_t kSquadsMax = 1 << 15;
inline constexpr std::int32_t kArmourMax = 1000;
inline constexpr std::int32_t kCallsMax = 1 << 30;
/// Above every ground: a grid's origin and its cells' heights are i32 each.
inline constexpr double kHeightCmMax = 4294967296.0;

/// On the lattice of positions, at a height that ground may have.
[[nodiscard]] bool is_place(const Vec3d& cm);

[[nodiscard]] const char* check_unit(const Unit& unit);
[[nodiscard]] const char* check_order(const Order& order);
[[nodiscard]] const char* check_kit(const Kit& kit);
[[nodiscard]] const char* check_tactics(const Tactics& tactics);
[[nodiscard]] const char* check_move_to(const sim::TaskRecord& task);
[[nodiscard]] const char* check_chase(const sim::TaskRecord& task);
[[nodiscard]] const char* check_spawn(const sim::SpawnRequest& request);

}  // namespace maniple::skirmish
