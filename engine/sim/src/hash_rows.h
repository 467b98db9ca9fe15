#pragma once

#include <cstddef>
#include <cstdint>

#include "maniple/sim/hash_tree.h"

/// The rows of one block on their way into the hash and into the columns that are kept.
namespace maniple::sim {

/// The rows' canonical wire bytes: where they live, or in `scratch` if they had to be changed.
[[nodiscard]] core::ByteSpan canonical_rows(const FieldLayout& layout, const std::byte* rows,
                                            std::size_t count, core::Bytes& scratch);

/// XXH3 of UIDs as i32, little-endian; at most kBlockUids.
[[nodiscard]] std::uint64_t hash_uids(const Uid* uids, std::size_t count);

/// True if no entity of the rows has a tag or flag. Nearly every block of nearly every tick: their
/// identity rows are plain_identity_rows() and are not kept.
[[nodiscard]] bool is_plain(const EntityGroup& group, std::size_t begin, std::size_t end);
/// The identity rows of kBlockUids entities of a type without tags and flags.
[[nodiscard]] const std::uint8_t* plain_identity_rows(EntityType type);
/// XXH3 of the first `count` of them, at most kBlockUids.
[[nodiscard]] std::uint64_t hash_plain_identity(EntityType type, std::size_t count);
void write_identity_rows(const EntityGroup& group, EntityType type, std::size_t begin,
                         std::size_t end, std::uint8_t* out);

}  // namespace maniple::sim
