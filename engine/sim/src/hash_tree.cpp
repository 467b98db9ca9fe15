#include "maniple/sim/hash_tree.h"

#include <algorithm>

#include "maniple/core/hash.h"

#include "hash_rows.h"
#include "hash_tree_fold.h"
#include "sections.h"

namespace maniple::sim {

namespace {

/// The rows [begin, end) of one group that lie in one block.
struct BlockJob {
    std::size_t group;
    std::size_t index;  ///< Among the group's blocks.
    std::size_t begin;
    std::size_t end;
};

std::int32_t block_of(Uid uid) { return uid.value / kBlockUids; }

void hash_shared_values(const GameDefinition& definition, const SharedColumn& column,
                        HashedColumns::SharedValues& out) {
    const FieldLayout& layout = definition.fragment(column.fragment()).layout;
    out.hashes.resize(column.slot_count());
    out.values.resize(column.slot_count() * layout.wire_bytes);
    for (std::size_t slot = 0; slot < column.slot_count(); ++slot) {
        std::uint8_t* wire = out.values.data() + slot * layout.wire_bytes;
        rows_to_canonical_wire(layout, column.slot_value(slot), 1, wire);
        out.hashes[slot] = core::xxh3_64({wire, layout.wire_bytes});
    }
}

/// Lists the blocks of every group and sizes the outputs for them.
std::vector<BlockJob> plan_blocks(const GameDefinition& definition, const WorldState& state,
                                  HashTree& tree, HashedColumns& columns) {
    std::vector<BlockJob> jobs;
    tree.groups.resize(state.groups.size());
    columns.groups.resize(state.groups.size());
    for (std::size_t g = 0; g < state.groups.size(); ++g) {
        const EntityGroup& group = state.groups[g];
        const std::size_t first_job = jobs.size();
        for (std::size_t begin = 0; begin < group.size();) {
            const std::int32_t block = block_of(group.uids[begin]);
            const std::size_t reach = std::min(group.size() - begin, std::size_t{kBlockUids});
            const auto from = group.uids.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto stop = std::partition_point(from, from + static_cast<std::ptrdiff_t>(reach),
                                                   [&](Uid uid) { return block_of(uid) == block; });
            const std::size_t end = begin + static_cast<std::size_t>(stop - from);
            jobs.push_back({g, jobs.size() - first_job, begin, end});
            begin = end;
        }
        const std::size_t block_count = jobs.size() - first_job;
        tree.groups[g].identity.blocks.resize(block_count);
        tree.groups[g].columns.resize(group.columns.size() + group.shared_columns.size());
        for (ColumnHash& column : tree.groups[g].columns) column.blocks.resize(block_count);

        HashedColumns::Group& hashed = columns.groups[g];
        hashed.type = definition.templates()[group.template_id.index].entity_type;
        hashed.blocks.resize(block_count);
        hashed.hashes.resize(block_count * tree.groups[g].columns.size());
        hashed.uids.resize(group.size());
        hashed.identity.resize(group.size() * kIdentityRowBytes);
        hashed.columns.resize(tree.groups[g].columns.size());
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            const FieldLayout& layout = definition.fragment(group.columns[c].fragment()).layout;
            hashed.columns[c].resize(group.size() * layout.wire_bytes);
        }
        hashed.shared.resize(group.shared_columns.size());
        for (auto& values : hashed.shared) values.common.resize(block_count);
        for (std::size_t c = 0; c < group.shared_columns.size(); ++c) {
            hashed.columns[group.columns.size() + c].resize(group.size() * kSharedRowBytes);
            hash_shared_values(definition, group.shared_columns[c], hashed.shared[c]);
        }
    }
    return jobs;
}

/// The hash that the values of all the rows have, for at most a block; 0 where they differ, and
/// then `rows` takes the hash of each. In most columns all entities have one value.
std::uint64_t common_value(const SharedColumn& column, const std::vector<std::uint64_t>& hashes,
                           std::size_t begin, std::size_t row_count, std::uint8_t* rows) {
    const std::uint64_t first = hashes[column.slot(begin)];
    if (column.has_one_value()) return first;
    // Not whether their slots differ: the values of two may be one to the hash, +0 and −0.
    std::uint64_t others = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        others |= hashes[column.slot(begin + row)] ^ first;
    }
    if (others == 0) return first;
    for (std::size_t row = 0; row < row_count; ++row) {
        core::store_le(rows + row * kSharedRowBytes, hashes[column.slot(begin + row)]);
    }
    return 0;
}

/// One block on its way into the tree and into what is kept of it, which may be there already from
/// an earlier tick.
struct BlockHasher {
    const EntityGroup& group;
    GroupHash& hashes;
    HashedColumns::Group& hashed;
    const BlockJob& job;
    std::int32_t block;
    std::uint64_t uid_hash;
    bool same_rows;  ///< Of the same UIDs as in the earlier tick.

    [[nodiscard]] std::size_t row_count() const { return job.end - job.begin; }
    [[nodiscard]] std::uint64_t& kept_hash(std::size_t column) const {
        return hashed.hashes[job.index * hashed.columns.size() + column];
    }
    /// XXH3 with a seed begins by making a secret of it, which takes as long as a kilobyte of rows.
    [[nodiscard]] std::uint64_t leaf(std::uint64_t row_hash) const {
        return core::mix(uid_hash, row_hash);
    }
    void begin(const GameDefinition& definition) const;
    /// Rows whose hash is that of the kept ones are the kept ones. @return whether they are others.
    bool note(std::size_t column, std::uint64_t row_hash) const;
    void keep(std::size_t column, core::ByteSpan rows) const;
    void take(std::size_t column, core::ByteSpan rows) const {
        if (note(column, core::xxh3_64(rows))) keep(column, rows);
    }
    void take_shared(std::size_t shared) const;
};

/// UIDs and identity.
void BlockHasher::begin(const GameDefinition& definition) const {
    HashedColumns::Block& record = hashed.blocks[job.index];
    record = {block, is_plain(group, job.begin, job.end), job.begin, uid_hash};
    if (!same_rows) {
        std::copy_n(group.uids.data() + job.begin, row_count(), hashed.uids.data() + job.begin);
    }
    const EntityType type = definition.templates()[group.template_id.index].entity_type;
    std::uint64_t& hash = hashes.identity.blocks[job.index].hash;
    hashes.identity.blocks[job.index].block = block;
    if (record.is_plain) {
        hash = leaf(hash_plain_identity(type, row_count()));
    } else {
        std::uint8_t* kept = hashed.identity.data() + job.begin * kIdentityRowBytes;
        write_identity_rows(group, type, job.begin, job.end, kept);
        hash = leaf(core::xxh3_64({kept, row_count() * kIdentityRowBytes}));
    }
}

bool BlockHasher::note(std::size_t column, std::uint64_t row_hash) const {
    const std::uint64_t hash = leaf(row_hash);
    hashes.columns[column].blocks[job.index] = {block, hash};
    if (same_rows && kept_hash(column) == hash) return false;
    kept_hash(column) = hash;
    return true;
}

void BlockHasher::keep(std::size_t column, core::ByteSpan rows) const {
    const std::size_t row_bytes = rows.size() / row_count();
    std::copy(rows.begin(), rows.end(), hashed.columns[column].data() + job.begin * row_bytes);
}

void BlockHasher::take_shared(std::size_t shared) const {
    const std::size_t column = group.columns.size() + shared;
    std::array<std::uint8_t, kBlockUids * kSharedRowBytes> rows;
    const std::uint64_t common =
        common_value(group.shared_columns[shared], hashed.shared[shared].hashes, job.begin,
                     row_count(), rows.data());
    hashed.shared[shared].common[job.index] = common;
    if (common != 0) {
        note(column, common);
    } else {
        take(column, {rows.data(), row_count() * kSharedRowBytes});
    }
}

BlockHasher hasher_of(const BlockJob& job, const WorldState& state, HashTree& tree,
                      HashedColumns& columns) {
    const EntityGroup& group = state.groups[job.group];
    HashedColumns::Group& hashed = columns.groups[job.group];
    const std::int32_t block = block_of(group.uids[job.begin]);
    const std::uint64_t uid_hash = hash_uids(group.uids.data() + job.begin, job.end - job.begin);
    const HashedColumns::Block& before = hashed.blocks[job.index];
    const bool same_rows =
        before.block == block && before.uid_hash == uid_hash && before.first_row == job.begin;
    return {group, tree.groups[job.group], hashed, job, block, uid_hash, same_rows};
}

/// Blocks of one group, column after column: the memory of a column is read and kept in one go.
void hash_blocks(const GameDefinition& definition, const std::vector<BlockHasher>& blocks) {
    const EntityGroup& group = blocks.front().group;
    core::Bytes scratch;
    for (const BlockHasher& block : blocks) block.begin(definition);
    for (std::size_t c = 0; c < group.columns.size(); ++c) {
        const FieldLayout& layout = definition.fragment(group.columns[c].fragment()).layout;
        for (const BlockHasher& block : blocks) {
            const std::byte* rows = group.columns[c].row(block.job.begin);
            block.take(c, canonical_rows(layout, rows, block.row_count(), scratch));
        }
    }
    for (std::size_t c = 0; c < group.shared_columns.size(); ++c) {
        for (const BlockHasher& block : blocks) block.take_shared(c);
    }
}

/// XXH3 of its blocks and their hashes.
void fold_column(ColumnHash& column, core::Bytes& scratch) {
    constexpr std::size_t kBlockBytes = sizeof(std::int32_t) + sizeof(std::uint64_t);
    scratch.resize(column.blocks.size() * kBlockBytes);
    std::uint8_t* to = scratch.data();
    for (const BlockHash& block : column.blocks) {
        core::store_le(to, block.block);
        core::store_le(to + sizeof(std::int32_t), block.hash);
        to += kBlockBytes;
    }
    column.hash = core::xxh3_64(scratch);
}

}  // namespace

const char* hash_section_name(HashSection section) {
    constexpr std::array<const char*, section_index(HashSection::kCount)> kNames{
        "tick",       "identity",       "fragments",   "occupied count",
        "UID cursor", "random streams", "id counters", "deferred spawns",
        "tasks",      "variables",      "modifiers",   "fields"};
    return section < HashSection::kCount ? kNames[section_index(section)] : "unknown";
}

const FieldLayout& identity_layout() {
    static const FieldLayout kLayout{kIdentityRowBytes,
                                     1,
                                     kIdentityRowBytes,
                                     {{"type", ScalarType::kU8, 0, 0},
                                      {"tags", ScalarType::kU16, 1, 1},
                                      {"flags_low", ScalarType::kI64, 3, 3},
                                      {"flags_high", ScalarType::kI64, 11, 11}},
                                     true};
    return kLayout;
}

void fold_upward(const GameDefinition& definition, HashTree& tree) {
    std::uint64_t identity = 0;
    std::uint64_t fragments = 0;
    core::Bytes scratch;
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
        GroupHash& group = tree.groups[g];
        fold_column(group.identity, scratch);
        for (ColumnHash& column : group.columns) fold_column(column, scratch);
        if (group.identity.blocks.empty()) continue;  // an empty group mixes nothing, as O-HASH-03
        const std::string& key = definition.templates()[g].key;
        identity = core::mix(core::mix_text(identity, key), group.identity.hash);
        fragments = core::mix_text(fragments, key);
        for (const ColumnHash& column : group.columns)
            fragments = core::mix(fragments, column.hash);
    }
    tree.sections[section_index(HashSection::kTick)] = core::mix(0, tree.tick);
    tree.sections[section_index(HashSection::kIdentity)] = identity;
    tree.sections[section_index(HashSection::kFragments)] = fragments;
    tree.root = 0;
    for (const std::uint64_t section : tree.sections) tree.root = core::mix(tree.root, section);
}

// implements: HASH-001, HASH-003, O-HASH-02
void compute_hash_tree(const GameDefinition& definition, const WorldState& state,
                       const std::vector<FieldFingerprint>& fields, core::Executor& executor,
                       HashTree& tree, HashedColumns& columns) {
    constexpr std::size_t kBlocksPerJob = 16;
    const std::vector<BlockJob> jobs = plan_blocks(definition, state, tree, columns);
    core::for_blocks(executor, jobs.size(), kBlocksPerJob, [&](std::size_t begin, std::size_t end) {
        std::vector<BlockHasher> blocks;
        for (std::size_t i = begin; i < end; ++i) {
            blocks.push_back(hasher_of(jobs[i], state, tree, columns));
            if (i + 1 < end && jobs[i + 1].group == jobs[i].group) continue;
            hash_blocks(definition, blocks);
            blocks.clear();
        }
    });

    tree.tick = state.tick;
    hash_sections(definition, state, fields, tree, columns.sections);
    fold_upward(definition, tree);
}

}  // namespace maniple::sim
