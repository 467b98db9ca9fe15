#include "maniple/sim/hash_tree.h"

#include <algorithm>

#include "maniple/core/hash.h"

#include "hash_tree_fold.h"

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
        tree.groups[g].columns.resize(group.columns.size());
        for (ColumnHash& column : tree.groups[g].columns) column.blocks.resize(block_count);

        HashedColumns::Group& hashed = columns.groups[g];
        hashed.uids.resize(group.size());
        hashed.identity.resize(group.size() * kIdentityRowBytes);
        hashed.columns.resize(group.columns.size());
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            const FieldLayout& layout = definition.fragment(group.columns[c].fragment()).layout;
            hashed.columns[c].resize(group.size() * layout.wire_bytes);
        }
    }
    return jobs;
}

std::uint64_t hash_uids(const Uid* uids, std::size_t count) {
    std::array<std::uint8_t, kBlockUids * sizeof(std::int32_t)> raw;
    for (std::size_t i = 0; i < count; ++i) {
        core::store_le(raw.data() + i * sizeof(std::int32_t), uids[i].value);
    }
    return core::xxh3_64({raw.data(), count * sizeof(std::int32_t)});
}

void write_identity_rows(const EntityGroup& group, EntityType type, std::size_t begin,
                         std::size_t end, std::uint8_t* out) {
    for (std::size_t row = begin; row < end; ++row, out += kIdentityRowBytes) {
        out[0] = static_cast<std::uint8_t>(type);
        core::store_le(out + 1, group.tags[row]);
        core::store_le(out + 3, group.flags_low[row]);
        core::store_le(out + 11, group.flags_high[row]);
    }
}

void hash_block(const GameDefinition& definition, const WorldState& state, const BlockJob& job,
                HashTree& tree, HashedColumns& columns) {
    const EntityGroup& group = state.groups[job.group];
    GroupHash& hashes = tree.groups[job.group];
    HashedColumns::Group& hashed = columns.groups[job.group];
    const std::size_t rows = job.end - job.begin;
    const std::int32_t block = block_of(group.uids[job.begin]);

    std::copy_n(group.uids.data() + job.begin, rows, hashed.uids.data() + job.begin);
    const std::uint64_t uid_hash = hash_uids(group.uids.data() + job.begin, rows);

    std::uint8_t* identity = hashed.identity.data() + job.begin * kIdentityRowBytes;
    const EntityType type = definition.templates()[group.template_id.index].entity_type;
    write_identity_rows(group, type, job.begin, job.end, identity);
    hashes.identity.blocks[job.index] = {
        block, core::xxh3_64({identity, rows * kIdentityRowBytes}, uid_hash)};

    for (std::size_t c = 0; c < group.columns.size(); ++c) {
        const Column& column = group.columns[c];
        const FieldLayout& layout = definition.fragment(column.fragment()).layout;
        std::uint8_t* wire = hashed.columns[c].data() + job.begin * layout.wire_bytes;
        rows_to_canonical_wire(layout, column.row(job.begin), rows, wire);
        hashes.columns[c].blocks[job.index] = {
            block, core::xxh3_64({wire, rows * layout.wire_bytes}, uid_hash)};
    }
}

std::uint64_t mix_count(std::uint64_t hash, std::size_t count) {
    return core::mix(hash, static_cast<std::int32_t>(count));
}

std::uint64_t mix_stream(std::uint64_t hash, const core::RandomStream& stream) {
    return core::mix(core::mix(hash, stream.initial_seed), stream.seed);
}

std::uint64_t mix_canonical(std::uint64_t hash, const Vec3d& point) {
    static const FieldLayout kPointLayout{sizeof(Vec3d),
                                          alignof(Vec3d),
                                          sizeof(Vec3d),
                                          {{"x", ScalarType::kF64, 0, 0},
                                           {"y", ScalarType::kF64, 8, 8},
                                           {"z", ScalarType::kF64, 16, 16}},
                                          true};
    std::array<std::uint8_t, sizeof(Vec3d)> wire;
    rows_to_canonical_wire(kPointLayout, reinterpret_cast<const std::byte*>(&point), 1,
                           wire.data());
    return core::xxh3_64(wire, hash);
}

std::uint64_t hash_tasks(const std::vector<TaskRecord>& tasks) {
    std::uint64_t hash = mix_count(0, tasks.size());
    for (const TaskRecord& task : tasks) {
        hash = core::mix_text(hash, task.template_key);
        hash = core::mix(hash, static_cast<std::uint8_t>(task.kind));
        hash = core::mix(hash, task.id);
        hash = mix_count(hash, task.agent_uids.size());
        for (const std::int32_t uid : task.agent_uids) hash = core::mix(hash, uid);
        hash = mix_count(hash, task.goals.size());
        for (const Vec3d& goal : task.goals) hash = mix_canonical(hash, goal);
        hash = core::mix(hash, task.goal_hash);
        hash = core::mix(hash, task.start_tick);
        hash = core::mix(hash, static_cast<std::uint8_t>(task.state));
        hash = mix_count(hash, task.variables.size());
        hash = core::xxh3_64(task.variables, hash);
    }
    return hash;
}

// implements: O-HASH-05
std::uint64_t hash_fields(const std::vector<FieldFingerprint>& fields) {
    std::uint64_t hash = mix_count(0, fields.size());
    for (const FieldFingerprint& field : fields) {
        hash = core::mix_text(hash, field.name);
        hash = core::mix(hash, field.config_digest);
        hash = core::mix(hash, static_cast<std::uint8_t>(field.synced ? 1 : 0));
        hash = core::mix(hash, field.substrate_version);
    }
    return hash;
}

void fold_column(ColumnHash& column) {
    column.hash = 0;
    for (const BlockHash& block : column.blocks) {
        column.hash = core::mix(core::mix(column.hash, block.block), block.hash);
    }
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
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
        GroupHash& group = tree.groups[g];
        fold_column(group.identity);
        for (ColumnHash& column : group.columns) fold_column(column);
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

// implements: HASH-001, HASH-003, HASH-004, O-HASH-02, O-HASH-04
void compute_hash_tree(const GameDefinition& definition, const WorldState& state,
                       const std::vector<FieldFingerprint>& fields, core::Executor& executor,
                       HashTree& tree, HashedColumns& columns) {
    constexpr std::size_t kBlocksPerJob = 8;
    const std::vector<BlockJob> jobs = plan_blocks(definition, state, tree, columns);
    core::for_blocks(executor, jobs.size(), kBlocksPerJob, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            hash_block(definition, state, jobs[i], tree, columns);
        }
    });

    tree.tick = state.tick;
    const auto section = [&](HashSection which) -> std::uint64_t& {
        return tree.sections[section_index(which)];
    };
    section(HashSection::kOccupiedCount) = core::mix(0, state.occupied_count());
    section(HashSection::kUidCursor) = core::mix(0, state.uid_cursor);
    section(HashSection::kRandomStreams) =
        mix_stream(mix_stream(0, state.agent_stream), state.hash_grid_stream);
    section(HashSection::kIdCounters) = core::mix(
        core::mix(core::mix(0, state.next_move_to_task_id), state.next_chase_attack_task_id),
        state.next_other_task_id);
    section(HashSection::kDeferredSpawns) = mix_count(0, 0);
    section(HashSection::kTasks) = hash_tasks(state.tasks);
    section(HashSection::kVariables) = mix_count(0, 0);
    section(HashSection::kModifiers) = mix_count(0, 0);
    section(HashSection::kFields) = hash_fields(fields);
    fold_upward(definition, tree);
}

}  // namespace maniple::sim
