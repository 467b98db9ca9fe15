#pragma once

#include "maniple/sim/hash_tree.h"

/// The chains of the hash tree above its blocks (docs/formats/desync.md §1), shared by the hash of
/// a tick and by the reader of a peer's tree.
namespace maniple::sim {

/// Folds the column hashes of every group from their blocks, then the tick, identity and fragment
/// sections, then the root. Blocks, tick and the other sections are given.
void fold_upward(const GameDefinition& definition, HashTree& tree);

/// entity type, tags, flags_low, flags_high as a wire layout of kIdentityRowBytes.
[[nodiscard]] const FieldLayout& identity_layout();

/// The fragment of a template's column as the tree counts them, shared ones behind the others;
/// nullptr when there is none.
[[nodiscard]] const FragmentType* column_fragment(const GameDefinition& definition,
                                                  const EntityTemplate& entity_template,
                                                  std::size_t column);
/// One scalar of a wire row as a value for people; a Name is shown as its text, if known.
[[nodiscard]] Value scalar_value(const GameDefinition& definition, ScalarType type,
                                 const std::uint8_t* at);

inline constexpr std::int32_t kBlockMax = 0x7FFFFFFF / kBlockUids;
[[nodiscard]] constexpr std::size_t section_index(HashSection section) {
    return static_cast<std::size_t>(section);
}

}  // namespace maniple::sim
