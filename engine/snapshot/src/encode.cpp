#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "maniple/sim/record.h"
#include "maniple/snapshot/snapshot.h"

#include "encode_parts.h"
#include "frame.h"
#include "planes.h"

namespace maniple::snapshot {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

ByteVector plane_vector(FlatBufferBuilder& fbb, const std::uint8_t* rows, std::size_t row_count,
                        std::size_t row_bytes) {
    std::uint8_t* planes = nullptr;
    const ByteVector vector = fbb.CreateUninitializedVector(row_count * row_bytes, &planes);
    rows_to_planes(rows, row_bytes, row_count, row_bytes, planes);
    return vector;
}

template <class Scalars>
ByteVector scalar_planes(FlatBufferBuilder& fbb, const Scalars& values, core::Bytes& scratch) {
    constexpr std::size_t kScalarBytes = sizeof(values[0]);
    scratch.resize(values.size() * kScalarBytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
        core::store_le(scratch.data() + i * kScalarBytes, values[i]);
    }
    return plane_vector(fbb, scratch.data(), values.size(), kScalarBytes);
}

// implements: SNAP-003, SNAP-004
Offset<wire::Column> encode_column(FlatBufferBuilder& fbb, const sim::FragmentType& fragment,
                                   const sim::Column& column, std::size_t row_count,
                                   std::uint64_t hash, core::Bytes& scratch) {
    const std::size_t row_bytes = fragment.layout.wire_bytes;
    scratch.resize(row_count * row_bytes);
    sim::rows_to_wire(fragment.layout, column.data(), row_count, scratch.data());
    const ByteVector planes = plane_vector(fbb, scratch.data(), row_count, row_bytes);
    const auto name = fbb.CreateString(fragment.name);
    const LeafVector leaves = encode_leaves(fbb, fragment.layout);
    return wire::CreateColumn(fbb, name, leaves, static_cast<std::uint32_t>(row_bytes), planes,
                              hash);
}

/// Each value once, in the order in which the rows first show it, whatever its slot was.
// implements: SNAP-006, SNAP-007
Offset<wire::Column> encode_shared_column(FlatBufferBuilder& fbb, const sim::FragmentType& fragment,
                                          const sim::SharedColumn& column, std::uint64_t hash,
                                          core::Bytes& scratch) {
    constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
    const std::size_t row_bytes = fragment.layout.wire_bytes;
    std::vector<std::uint32_t> ranks(column.slot_count(), kUnseen);
    std::vector<std::uint32_t> slots(column.size());
    std::uint32_t value_count = 0;
    core::Bytes values;
    for (std::size_t row = 0; row < column.size(); ++row) {
        std::uint32_t& rank = ranks[column.slot(row)];
        if (rank == kUnseen) {
            rank = value_count++;
            values.resize(value_count * row_bytes);
            sim::rows_to_wire(fragment.layout, column.row(row), 1,
                              values.data() + rank * row_bytes);
        }
        slots[row] = rank;
    }
    const ByteVector planes = plane_vector(fbb, values.data(), value_count, row_bytes);
    const ByteVector slot_planes = scalar_planes(fbb, slots, scratch);
    const auto name = fbb.CreateString(fragment.name);
    const LeafVector leaves = encode_leaves(fbb, fragment.layout);
    return wire::CreateColumn(fbb, name, leaves, static_cast<std::uint32_t>(row_bytes), planes,
                              hash, true, value_count, slot_planes);
}

// implements: O-SNAP-07, SNAP-008, SNAP-009, SNAP-010, SNAP-011, SNAP-012, SNAP-013, SNAP-029
Offset<wire::Group> encode_group(FlatBufferBuilder& fbb, const sim::GameDefinition& definition,
                                 const sim::EntityGroup& group, const PartHashes::Group& hashes,
                                 core::Bytes& scratch) {
    const sim::EntityTemplate& entity_template = definition.templates()[group.template_id.index];
    std::vector<Offset<wire::Column>> columns;
    for (const sim::Column& column : group.columns) {
        columns.push_back(encode_column(fbb, definition.fragment(column.fragment()), column,
                                        group.size(), hashes.columns[columns.size()], scratch));
    }
    for (const sim::SharedColumn& column : group.shared_columns) {
        columns.push_back(encode_shared_column(fbb, definition.fragment(column.fragment()), column,
                                               hashes.columns[columns.size()], scratch));
    }
    std::vector<std::int32_t> uids;
    uids.reserve(group.size());
    for (const sim::Uid uid : group.uids) uids.push_back(uid.value);
    const ByteVector uid_planes = scalar_planes(fbb, uids, scratch);
    const ByteVector tags = scalar_planes(fbb, group.tags, scratch);
    const ByteVector flags_low = scalar_planes(fbb, group.flags_low, scratch);
    const ByteVector flags_high = scalar_planes(fbb, group.flags_high, scratch);
    const auto key = fbb.CreateString(entity_template.key);
    const auto column_vector = fbb.CreateVector(columns);
    return wire::CreateGroup(fbb, key, static_cast<std::uint8_t>(entity_template.entity_type),
                             static_cast<std::uint32_t>(group.size()), uid_planes, tags, flags_low,
                             flags_high, column_vector, hashes.identity);
}

/// The texts of all names that fragments hold, each once, in ascending order.
// implements: VAR-016
std::vector<std::string> used_names(const sim::GameDefinition& definition,
                                    const sim::WorldState& state) {
    std::set<sim::Name> names;
    const auto collect = [&](const sim::FragmentType& fragment, const std::byte* row) {
        for (const sim::FieldLeaf& leaf : fragment.layout.leaves) {
            if (leaf.type != sim::ScalarType::kName) continue;
            sim::Name name;
            std::memcpy(&name, row + leaf.memory_offset, sizeof(name));
            names.insert(name);
        }
    };
    const auto has_name = [](const sim::FragmentType& fragment) {
        return std::ranges::any_of(fragment.layout.leaves, [](const sim::FieldLeaf& leaf) {
            return leaf.type == sim::ScalarType::kName;
        });
    };
    for (const sim::EntityGroup& group : state.groups) {
        for (const sim::Column& column : group.columns) {
            const sim::FragmentType& fragment = definition.fragment(column.fragment());
            if (!has_name(fragment)) continue;
            for (std::size_t row = 0; row < group.size(); ++row) collect(fragment, column.row(row));
        }
        for (const sim::SharedColumn& column : group.shared_columns) {
            const sim::FragmentType& fragment = definition.fragment(column.fragment());
            if (!has_name(fragment)) continue;
            for (std::size_t row = 0; row < group.size(); ++row) collect(fragment, column.row(row));
        }
    }
    std::vector<std::string> texts;
    for (const sim::Name name : names) {
        const std::optional<std::string> text = definition.names().text(name);
        MANIPLE_ASSERT(text.has_value());
        if (text && !text->empty()) texts.push_back(*text);
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

ByteVector encode_commands(FlatBufferBuilder& fbb, const std::vector<sim::Command>& commands) {
    MANIPLE_ASSERT(commands.size() <= kCommandsMax);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.u32(static_cast<std::uint32_t>(commands.size()));
    for (const sim::Command& command : commands) sim::encode_command(command, out);
    return fbb.CreateVector(bytes);
}

// implements: SNAP-049
/// Nothing without modifiers.
ByteVector encode_modifiers(FlatBufferBuilder& fbb,
                            const std::vector<sim::ModifierRecord>& modifiers) {
    MANIPLE_ASSERT(modifiers.size() <= sim::kModifiersMax);
    if (modifiers.empty()) return {};
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    sim::write_record(modifiers, out);
    return fbb.CreateVector(bytes);
}

/// Room for the whole content, so that the builder does not grow by copying.
std::size_t expected_bytes(const sim::GameDefinition& definition, const Snapshot& snapshot) {
    std::size_t bytes = 64 * 1024;
    for (const sim::EntityGroup& group : snapshot.state.groups) {
        std::size_t row_bytes = sizeof(std::int32_t) + sizeof(std::uint16_t) + 16;
        for (const sim::Column& column : group.columns) {
            row_bytes += definition.fragment(column.fragment()).layout.wire_bytes;
        }
        bytes += group.size() * row_bytes;
    }
    for (const SubstrateEntry& entry : snapshot.substrates) bytes += entry.bytes.size();
    return bytes;
}

wire::RandomStream stream_of(const core::RandomStream& stream) {
    return wire::RandomStream(stream.initial_seed, stream.seed);
}

}  // namespace

// implements: O-SNAP-06, SNAP-002
core::Bytes encode_snapshot(const sim::GameDefinition& definition, const Snapshot& snapshot) {
    const sim::WorldState& state = snapshot.state;
    MANIPLE_ASSERT(state.groups.size() == definition.templates().size());
    MANIPLE_ASSERT(state.tasks.size() <= kTasksMax);
    MANIPLE_ASSERT(state.deferred_spawns.size() <= sim::kSpawnRequestsMax);
    MANIPLE_ASSERT(snapshot.part_hashes.groups.size() == state.groups.size());
    FlatBufferBuilder fbb(expected_bytes(definition, snapshot));
    core::Bytes scratch;
    std::vector<Offset<wire::Group>> groups;
    for (std::size_t g = 0; g < state.groups.size(); ++g) {
        if (state.groups[g].size() == 0) continue;
        groups.push_back(encode_group(fbb, definition, state.groups[g],
                                      snapshot.part_hashes.groups[g], scratch));
    }
    std::vector<Offset<wire::Task>> tasks;
    for (const sim::TaskRecord& task : state.tasks) tasks.push_back(encode_task(fbb, task));
    std::vector<Offset<wire::TaskType>> task_types;
    for (const sim::TaskType& type : definition.task_types()) {
        const auto key = fbb.CreateString(type.key);
        task_types.push_back(wire::CreateTaskType(fbb, key, encode_leaves(fbb, type.variables)));
    }
    std::vector<Offset<wire::SpawnRequest>> spawns;
    for (const sim::SpawnRequest& request : state.deferred_spawns) {
        spawns.push_back(encode_spawn_request(fbb, request));
    }
    std::vector<Offset<wire::Substrate>> substrates;
    for (const SubstrateEntry& entry : snapshot.substrates) {
        const auto name = fbb.CreateString(entry.field_name);
        const ByteVector bytes = fbb.CreateVector(entry.bytes);
        substrates.push_back(wire::CreateSubstrate(fbb, name, bytes));
    }
    core::Bytes section_hashes;
    core::ByteWriter section_writer(section_hashes);
    for (const std::uint64_t hash : snapshot.part_hashes.sections) section_writer.u64(hash);

    const auto group_vector = fbb.CreateVector(groups);
    const auto task_vector = fbb.CreateVector(tasks);
    const auto pending = encode_commands(fbb, state.pending);
    const auto gap = encode_commands(fbb, snapshot.gap_commands);
    const auto substrate_vector = fbb.CreateVector(substrates);
    const auto tags = fbb.CreateVectorOfStrings(definition.tags());
    const auto names = fbb.CreateVectorOfStrings(used_names(definition, state));
    const auto sections = fbb.CreateVector(section_hashes);
    const auto type_vector = fbb.CreateVector(task_types);
    const auto spawn_vector = fbb.CreateVector(spawns);
    const auto stores = fbb.CreateVector(encode_var_stores(fbb, definition, state));
    const auto modifiers = encode_modifiers(fbb, state.modifiers);
    const wire::RandomStream agent_stream = stream_of(state.agent_stream);
    const wire::RandomStream hash_grid_stream = stream_of(state.hash_grid_stream);
    fbb.Finish(wire::CreateSnapshot(
        fbb, snapshot.registry_digest, snapshot.hash_at_capture, state.tick, state.uid_cursor,
        snapshot.occupied_count, snapshot.config.seed, snapshot.config.tick_rate_hz, &agent_stream,
        &hash_grid_stream, state.next_move_to_task_id, state.next_chase_attack_task_id,
        state.next_other_task_id, group_vector, task_vector, pending, gap, substrate_vector, tags,
        names, sections, type_vector, spawn_vector, stores, 0, modifiers));
    return pack_frame({fbb.GetBufferPointer(), fbb.GetSize()});
}

}  // namespace maniple::snapshot
