#include "encode_parts.h"

namespace maniple::snapshot {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

auto encode_points(FlatBufferBuilder& fbb, const std::vector<Vec3d>& points) {
    std::vector<wire::Goal> stored;
    stored.reserve(points.size());
    for (const Vec3d& point : points) stored.emplace_back(point.x, point.y, point.z);
    return fbb.CreateVectorOfStructs(stored);
}

}  // namespace

LeafVector encode_leaves(FlatBufferBuilder& fbb, const sim::FieldLayout& layout) {
    std::vector<Offset<wire::Leaf>> leaves;
    leaves.reserve(layout.leaves.size());
    for (const sim::FieldLeaf& leaf : layout.leaves) {
        const auto name = fbb.CreateString(leaf.name);
        leaves.push_back(wire::CreateLeaf(fbb, name, static_cast<std::uint8_t>(leaf.type)));
    }
    return fbb.CreateVector(leaves);
}

// implements: SNAP-032, O-SNAP-02
Offset<wire::Task> encode_task(FlatBufferBuilder& fbb, const sim::TaskRecord& task) {
    const auto key = fbb.CreateString(task.template_key);
    const auto agents = fbb.CreateVector(task.agent_uids);
    const auto goals = encode_points(fbb, task.goals);
    const auto variables = fbb.CreateVector(task.variables);
    return wire::CreateTask(fbb, key, static_cast<std::uint8_t>(task.kind), task.id, agents, goals,
                            task.goal_hash, task.start_tick, static_cast<std::uint8_t>(task.state),
                            variables);
}

// implements: SNAP-014, SNAP-015, SNAP-019, SNAP-028, O-SNAP-18
Offset<wire::SpawnRequest> encode_spawn_request(FlatBufferBuilder& fbb,
                                                const sim::SpawnRequest& request) {
    const auto key = fbb.CreateString(request.template_key);
    const auto locations = encode_points(fbb, request.locations);
    const auto ground = fbb.CreateVector(request.ground_object_types);
    const auto obstacles = fbb.CreateVector(request.obstacle_object_types);
    const auto uids = fbb.CreateVector(request.accumulated_uids);
    wire::SpawnRequestBuilder out(fbb);
    out.add_template_key(key);
    out.add_locations(locations);
    out.add_quantity(request.quantity);
    out.add_team(request.team);
    out.add_launch_velocity_x(request.launch_velocity.x);
    out.add_launch_velocity_y(request.launch_velocity.y);
    out.add_initial_rotation(static_cast<std::uint8_t>(request.initial_rotation));
    out.add_custom_pitch(request.custom_rotation.pitch);
    out.add_custom_yaw(request.custom_rotation.yaw);
    out.add_custom_roll(request.custom_rotation.roll);
    out.add_health(request.multipliers.health);
    out.add_damage(request.multipliers.damage);
    out.add_speed(request.multipliers.speed);
    out.add_scale(request.multipliers.scale);
    out.add_count(request.multipliers.count);
    out.add_ground_trace_channel(request.ground_trace_channel);
    out.add_ground_trace_top(request.ground_trace_height_range.x);
    out.add_ground_trace_bottom(request.ground_trace_height_range.y);
    out.add_ground_object_types(ground);
    out.add_obstacle_object_types(obstacles);
    out.add_max_slope_cosine(request.max_slope_cosine);
    out.add_auto_activated(request.auto_activated);
    out.add_substeps(request.substeps);
    out.add_first_tick_pending(request.first_tick_pending);
    out.add_current_substep_index(request.current_substep_index);
    out.add_next_location_index(request.next_location_index);
    out.add_accumulated_uids(uids);
    out.add_issuer_slot(request.issuer_slot);
    return out.Finish();
}

// implements: SNAP-005, SNAP-034, VAR-032
std::vector<Offset<wire::VarStore>> encode_var_stores(FlatBufferBuilder& fbb,
                                                      const sim::GameDefinition& definition,
                                                      const sim::WorldState& state) {
    std::vector<Offset<wire::VarStore>> stores;
    for (std::size_t i = 0; i < state.variables.size(); ++i) {
        const sim::VariableStore& store = definition.variables()[i];
        if (!store.layout->has_synced_fields()) continue;
        std::vector<sim::VarEntry> entries;
        sim::serialize_variables(*store.layout, store.address(state.variables[i]),
                                 definition.names(), entries);
        std::vector<Offset<wire::Variable>> fields;
        for (const sim::VarEntry& entry : entries) {
            const auto name = fbb.CreateString(entry.name);
            const auto data = fbb.CreateVector(entry.data);
            fields.push_back(wire::CreateVariable(fbb, name, entry.tag[0], entry.tag[1], data));
        }
        const auto key = fbb.CreateString(store.key);
        const auto field_vector = fbb.CreateVector(fields);
        stores.push_back(wire::CreateVarStore(fbb, key, field_vector));
    }
    return stores;
}

}  // namespace maniple::snapshot
