#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/sim/ids.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/world_state.h"

namespace maniple::sim {

/// The parts of the tick hash in the order they are mixed (O-HASH-02).
enum class HashSection : std::uint8_t {
    kTick = 0,
    kIdentity,
    kFragments,
    kOccupiedCount,
    kUidCursor,
    kRandomStreams,
    kIdCounters,
    kDeferredSpawns,
    kTasks,
    kVariables,
    kModifiers,
    kFields,
    kCount
};
[[nodiscard]] const char* hash_section_name(HashSection section);

/// UIDs per block: block k holds the UIDs [256k, 256k + 255] of one group.
inline constexpr std::int32_t kBlockUids = 256;

struct BlockHash {
    std::int32_t block = 0;
    std::uint64_t hash = 0;
    friend bool operator==(const BlockHash&, const BlockHash&) = default;
};
/// One fragment (or the identity columns) of one group. Empty blocks are absent.
struct ColumnHash {
    std::uint64_t hash = 0;
    std::vector<BlockHash> blocks;
};
struct GroupHash {
    ColumnHash identity;
    /// The group's fragments in registry order, then its shared fragments in registry order.
    std::vector<ColumnHash> columns;
};

/// The hash of one tick down to the block.
struct HashTree {
    Tick tick = 0;
    std::uint64_t root = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(HashSection::kCount)> sections{};
    std::vector<GroupHash> groups;
};

/// Version and configuration of one navigation field as they enter the hash.
struct FieldFingerprint {
    std::string name;
    std::uint64_t config_digest = 0;
    bool synced = false;
    std::uint32_t substrate_version = 0;
};
BOOST_DESCRIBE_STRUCT(FieldFingerprint, (), (name, config_digest, synced, substrate_version))

/// The bytes of the sections from kOccupiedCount on. Ticks in which a section is the same share it.
using SectionBytes =
    std::array<std::shared_ptr<const core::Bytes>, static_cast<std::size_t>(HashSection::kCount)>;

/// The hashed bytes of one tick, for naming a difference: canonical wire rows per group and column,
/// and the sections outside the entities. Buffers are reused from tick to tick.
struct HashedColumns {
    /// A shared fragment is hashed by 8 bytes a row, the XXH3 of its value's canonical wire bytes.
    struct SharedValues {
        std::vector<std::uint64_t> hashes;
        core::Bytes values;  ///< layout.wire_bytes a hash.
        /// By block: the hash that all its rows have; 0 where they differ and stand in the column.
        std::vector<std::uint64_t> common;
    };
    struct Block {
        std::int32_t block = -1;
        bool is_plain = false;  ///< No tags and flags: its rows of `identity` are not written.
        std::size_t first_row = 0;
        std::uint64_t uid_hash = 0;
    };
    struct Group {
        EntityType type = EntityType::kAgent;
        std::vector<Block> blocks;  ///< Ascending.
        std::vector<Uid> uids;
        core::Bytes identity;              ///< kIdentityRowBytes a row.
        std::vector<core::Bytes> columns;  ///< layout.wire_bytes a row; shared: kSharedRowBytes.
        std::vector<SharedValues> shared;  ///< Of the last columns.
        /// By block: the hash of its rows of each column.
        std::vector<std::uint64_t> hashes;
    };
    std::vector<Group> groups;
    SectionBytes sections;
};
inline constexpr std::size_t kSharedRowBytes = sizeof(std::uint64_t);
/// entity type u8, tags u16, flags_low i64, flags_high i64.
inline constexpr std::size_t kIdentityRowBytes = 19;
/// All identity rows of a group, the plain ones among them.
[[nodiscard]] core::Bytes identity_rows(const HashedColumns::Group& group);

/// Computes the tree of `state` into `tree` and the hashed rows into `columns`, parallel over
/// blocks, the same for any thread count. What `columns` holds of the earlier tick that `tree` is
/// of saves writing the blocks and sections that are still the same. The one fold of ticks and of
/// restore validation (HASH-003).
void compute_hash_tree(const GameDefinition& definition, const WorldState& state,
                       const std::vector<FieldFingerprint>& fields, core::Executor& executor,
                       HashTree& tree, HashedColumns& columns);

/// Where two trees first differ. `column` −1 means the identity columns; `group` −1 means a section
/// outside the entities (then only `section` is set).
struct DifferenceAddress {
    HashSection section = HashSection::kTick;
    std::int32_t group = -1;
    std::int32_t column = -1;
    std::int32_t block = -1;
};
[[nodiscard]] std::optional<DifferenceAddress> first_difference(const HashTree& a,
                                                                const HashTree& b);

/// The rows of one block of one tick, as peers exchange them; for an address outside the entities,
/// the section's bytes.
struct BlockRows {
    DifferenceAddress address;
    std::vector<Uid> uids;
    core::Bytes rows;
};
/// Bytes of a row at an address; 0 for one that is not of a column of `definition`.
[[nodiscard]] std::size_t row_bytes_at(const GameDefinition& definition,
                                       const DifferenceAddress& at);
[[nodiscard]] BlockRows block_rows(const HashedColumns& columns, const DifferenceAddress& at,
                                   std::size_t row_bytes);

/// The same with the row size looked up in the registry.
[[nodiscard]] BlockRows block_rows(const GameDefinition& definition, const HashedColumns& columns,
                                   const DifferenceAddress& at);

/// The first differing field of a block, both values. An entity that only one side has is reported
/// with field "(entity)" and `true`/`false` as values, a registered tag as "tag NAME". Outside the
/// entities `fragment` is the section's name and `field` the path in it: "[0].goals[1].x".
struct FieldDifference {
    std::string fragment;
    Uid uid;
    std::string field;
    Value server_value;
    Value client_value;
};
[[nodiscard]] std::optional<FieldDifference> compare_block_rows(const GameDefinition& definition,
                                                                const BlockRows& server,
                                                                const BlockRows& client);

/// Finds and names the first difference of two states of one game.
[[nodiscard]] std::optional<FieldDifference> name_difference(const GameDefinition& definition,
                                                             const HashTree& server_tree,
                                                             const HashedColumns& server,
                                                             const HashTree& client_tree,
                                                             const HashedColumns& client);

/// Byte forms (docs/formats/desync.md). Decoders are bounded by what `definition` has.
void encode_hash_tree(const HashTree& tree, core::ByteWriter& out);
[[nodiscard]] HashTree decode_hash_tree(const GameDefinition& definition, core::ByteReader& in);
void encode_block_rows(const BlockRows& rows, core::ByteWriter& out);
[[nodiscard]] BlockRows decode_block_rows(const GameDefinition& definition, core::ByteReader& in);

}  // namespace maniple::sim
