#pragma once

#include <cstdint>

#include "maniple/skirmish/battle.h"

/// Modifiers of the played field that come and go by command.
namespace maniple::skirmish {

/// PlaceModifier on a place of the battlefield at every odd turn, RemoveModifier of it at the next;
/// nothing where there is no such place. A pure function of (map, units, seed, turn).
[[nodiscard]] std::vector<sim::Command> modifier_commands_at(sim::Tick tick, std::int32_t turn,
                                                             const MapEdits& edits,
                                                             const nav::GridGeometry& geometry,
                                                             std::int32_t seed);

void add_modifier_commands(sim::GameDefinition& definition);

}  // namespace maniple::skirmish
