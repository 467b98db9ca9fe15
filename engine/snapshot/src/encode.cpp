#include <string>
#include <vector>

#include "maniple/snapshot/snapshot.h"

#include "frame.h"
#include "planes.h"
#include "snapshot_generated.h"

namespace maniple::snapshot {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using ByteVector = Offset<flatbuffers::Vector<std::uint8_t>>;

ByteVector plane_vector(FlatBufferBuilder& fbb, const std::uint8_t* rows, std::size_t row_count,
                        std::size_t row_bytes) {
    std::uint8_t* planes = nullptr;
    const ByteVector vector = fbb.CreateUninitializedVector(row_count * row_bytes, &planes);
    rows_to_planes(rows, row_bytes, row_count, row_bytes, planes);
    return vector;
}

template <core::WireScalar T>
ByteVector scalar_planes(FlatBufferBuilder& fbb, const std::vector<T>& values,
                         core::Bytes& scratch) {
    scratch.resize(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        core::store_le(scratch.data() + i * sizeof(T), values[i]);
    }
    return plane_vector(fbb, scratch.data(), values.size(), sizeof(T));
}

// implements: SNAP-003, SNAP-004
Offset<wire::Column> encode_column(FlatBufferBuilder& fbb, const sim::FragmentType& fragment,
                                   const sim::Column& column, std::size_t row_count,
                                   core::Bytes& scratch) {
    std::vector<Offset<wire::Leaf>> leaves;
    leaves.reserve(fragment.layout.leaves.size());
    for (const sim::FieldLeaf& leaf : fragment.layout.leaves) {
        const auto name = fbb.CreateString(leaf.name);
        leaves.push_back(wire::CreateLeaf(fbb, name, static_cast<std::uint8_t>(leaf.type)));
    }
    const std::size_t row_bytes = fragment.layout.wire_bytes;
    scratch.resize(row_count * row_bytes);
    sim::rows_to_wire(fragment.layout, column.data(), row_count, scratch.data());
    const ByteVector planes = plane_vector(fbb, scratch.data(), row_count, row_bytes);
    const auto name = fbb.CreateString(fragment.name);
    const auto leaf_vector = fbb.CreateVector(leaves);
    return wire::CreateColumn(fbb, name, leaf_vector, static_cast<std::uint32_t>(row_bytes),
                              planes);
}

// implements: O-SNAP-07, SNAP-008, SNAP-010, SNAP-011, SNAP-012
Offset<wire::Group> encode_group(FlatBufferBuilder& fbb, const sim::GameDefinition& definition,
                                 const sim::EntityGroup& group, core::Bytes& scratch) {
    const sim::EntityTemplate& entity_template = definition.templates()[group.template_id.index];
    std::vector<Offset<wire::Column>> columns;
    for (const sim::Column& column : group.columns) {
        columns.push_back(encode_column(fbb, definition.fragment(column.fragment()), column,
                                        group.size(), scratch));
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
                             flags_high, column_vector);
}

// implements: SNAP-032, O-SNAP-02
Offset<wire::Task> encode_task(FlatBufferBuilder& fbb, const sim::TaskRecord& task) {
    std::vector<wire::Goal> goals;
    goals.reserve(task.goals.size());
    for (const Vec3d& goal : task.goals) goals.emplace_back(goal.x, goal.y, goal.z);
    const auto key = fbb.CreateString(task.template_key);
    const auto agents = fbb.CreateVector(task.agent_uids);
    const auto goal_vector = fbb.CreateVectorOfStructs(goals);
    const auto variables = fbb.CreateVector(task.variables);
    return wire::CreateTask(fbb, key, static_cast<std::uint8_t>(task.kind), task.id, agents,
                            goal_vector, task.goal_hash, task.start_tick,
                            static_cast<std::uint8_t>(task.state), variables);
}

ByteVector encode_commands(FlatBufferBuilder& fbb, const std::vector<sim::Command>& commands) {
    MANIPLE_ASSERT(commands.size() <= kCommandsMax);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.u32(static_cast<std::uint32_t>(commands.size()));
    for (const sim::Command& command : commands) sim::encode_command(command, out);
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

// implements: O-SNAP-06, SNAP-002, SNAP-005
core::Bytes encode_snapshot(const sim::GameDefinition& definition, const Snapshot& snapshot) {
    const sim::WorldState& state = snapshot.state;
    MANIPLE_ASSERT(state.groups.size() == definition.templates().size());
    MANIPLE_ASSERT(state.tasks.size() <= kTasksMax);
    FlatBufferBuilder fbb(expected_bytes(definition, snapshot));
    core::Bytes scratch;
    std::vector<Offset<wire::Group>> groups;
    for (const sim::EntityGroup& group : state.groups) {
        if (group.size() != 0) groups.push_back(encode_group(fbb, definition, group, scratch));
    }
    std::vector<Offset<wire::Task>> tasks;
    for (const sim::TaskRecord& task : state.tasks) tasks.push_back(encode_task(fbb, task));
    std::vector<Offset<wire::Substrate>> substrates;
    for (const SubstrateEntry& entry : snapshot.substrates) {
        const auto name = fbb.CreateString(entry.field_name);
        const ByteVector bytes = fbb.CreateVector(entry.bytes);
        substrates.push_back(wire::CreateSubstrate(fbb, name, bytes));
    }
    const auto group_vector = fbb.CreateVector(groups);
    const auto task_vector = fbb.CreateVector(tasks);
    const auto pending = encode_commands(fbb, state.pending);
    const auto gap = encode_commands(fbb, snapshot.gap_commands);
    const auto substrate_vector = fbb.CreateVector(substrates);
    const wire::RandomStream agent_stream = stream_of(state.agent_stream);
    const wire::RandomStream hash_grid_stream = stream_of(state.hash_grid_stream);
    fbb.Finish(wire::CreateSnapshot(
        fbb, snapshot.registry_digest, snapshot.hash_at_capture, state.tick, state.uid_cursor,
        snapshot.occupied_count, snapshot.config.seed, snapshot.config.tick_rate_hz, &agent_stream,
        &hash_grid_stream, state.next_move_to_task_id, state.next_chase_attack_task_id,
        state.next_other_task_id, group_vector, task_vector, pending, gap, substrate_vector));
    return pack_frame({fbb.GetBufferPointer(), fbb.GetSize()});
}

}  // namespace maniple::snapshot
