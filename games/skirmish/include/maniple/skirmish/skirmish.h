#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "maniple/sim/registry.h"

/// The built-in battle: two teams of foot, archers and cavalry on one grid field.
namespace maniple::skirmish {

inline constexpr std::string_view kGameId = "skirmish";
inline constexpr std::string_view kFieldName = "ground";
inline constexpr std::int32_t kTeamCount = 2;

/// The unit templates in key order, so that a position here is the TemplateId.
inline constexpr std::array<std::string_view, 3> kTemplateKeys{"cavalry", "melee", "ranged"};
/// The template of walls, after the units'.
inline constexpr std::string_view kWallKey = "wall";
/// The key of the Tactics variables.
inline constexpr std::string_view kTacticsKey = "tactics";
inline constexpr std::string_view kMoveToTask = "MoveTo";
inline constexpr std::string_view kChaseAttackTask = "ChaseAttack";

/// Commands of the game. The first three name `team` and `squad` (integers ≥ 0).
/// SpawnSquad: `template` (text) and `cells` (list of passable cell indices, one unit each), which
/// come in `batches` (integer ≥ 1; may be absent) from this tick on.
inline constexpr std::uint32_t kCommandSpawnSquad = sim::kFirstGameCommand;
/// MoveTo: `goal` (a cell index). The squad walks there and stands; fails where no way leads.
inline constexpr std::uint32_t kCommandMoveTo = sim::kFirstGameCommand + 1;
/// ChaseAttack: the squad hunts the enemy until none is left.
inline constexpr std::uint32_t kCommandChaseAttack = sim::kFirstGameCommand + 2;

/// RaiseWall, RazeWall: `low_x`, `low_y`, `high_x`, `high_y` (inclusive cells). The entity that
/// stands for a wall; the ground itself changes by FF.RebuildFlowField.
inline constexpr std::uint32_t kCommandRaiseWall = sim::kFirstGameCommand + 3;
inline constexpr std::uint32_t kCommandRazeWall = sim::kFirstGameCommand + 4;
/// SetStance: `team`, `stance` (integer, see Stance).
inline constexpr std::uint32_t kCommandSetStance = sim::kFirstGameCommand + 5;

/// PlaceModifier, on grids: `id` (integer, each once), the cells as of RaiseWall, `neighbour`
/// (integer 0 … 7, as of nav::kNeighbours). A direction modifier that sends every unit on the cells
/// that way, whatever its goal. RemoveModifier: `id`.
inline constexpr std::uint32_t kCommandPlaceModifier = sim::kFirstGameCommand + 6;
inline constexpr std::uint32_t kCommandRemoveModifier = sim::kFirstGameCommand + 7;

inline constexpr double kUnitSpeedCm = 20.0;    ///< A tick, on foot.
inline constexpr double kEnemyNearCm = 3000.0;  ///< "In reach" of the statistics.

/// The sealed definition; shared by every world of the process.
[[nodiscard]] std::shared_ptr<const sim::GameDefinition> make_skirmish();

}  // namespace maniple::skirmish
