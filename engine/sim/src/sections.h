#pragma once

#include <array>
#include <optional>

#include "maniple/sim/hash_tree.h"

/// The parts of the tick hash outside the entities: their bytes (docs/formats/desync.md §1), their
/// hashes, and the name of the first value in which two of them differ.
namespace maniple::sim {

/// Writes the bytes of every section from kOccupiedCount on and hashes them. `kept` may hold those
/// of an earlier tick, whose hashes are in `tree`: what is the same stays.
void hash_sections(const GameDefinition& definition, const WorldState& state,
                   const std::vector<FieldFingerprint>& fields, HashTree& tree, SectionBytes& kept);

/// The first differing value of two sections' bytes, which are untrusted; nullopt when they are
/// equal or unreadable.
[[nodiscard]] std::optional<FieldDifference> compare_sections(const GameDefinition& definition,
                                                              HashSection section,
                                                              core::ByteSpan server,
                                                              core::ByteSpan client);

}  // namespace maniple::sim
