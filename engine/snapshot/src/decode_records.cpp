#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "maniple/sim/record.h"

#include "decode_state.h"

/// Deferred spawns, modifiers and variable stores.
namespace maniple::snapshot {
namespace {

bool decode_spawn_request(const wire::SpawnRequest& stored, sim::SpawnRequest& request,
                          DecodeState& state) {
    if (!state.read_name(*stored.template_key(), request.template_key)) return false;
    if (!state.definition.find_template(request.template_key)) {
        return state.fail(ErrorCode::kUnknownName, "no template " + request.template_key);
    }
    if (!state.check_alignment(*stored.locations(), "a spawn's locations")) return false;
    for (const wire::Goal* at : *stored.locations()) {
        request.locations.push_back({at->x(), at->y(), at->z()});
    }
    request.quantity = stored.quantity();
    request.team = stored.team();
    request.launch_velocity = {stored.launch_velocity_x(), stored.launch_velocity_y()};
    request.initial_rotation = static_cast<sim::InitialRotation>(stored.initial_rotation());
    request.custom_rotation = {stored.custom_pitch(), stored.custom_yaw(), stored.custom_roll()};
    request.multipliers = {stored.health(), stored.damage(), stored.speed(), stored.scale(),
                           stored.count()};
    request.ground_trace_channel = stored.ground_trace_channel();
    request.ground_trace_height_range = {stored.ground_trace_top(), stored.ground_trace_bottom()};
    request.ground_object_types.assign(stored.ground_object_types()->begin(),
                                       stored.ground_object_types()->end());
    request.obstacle_object_types.assign(stored.obstacle_object_types()->begin(),
                                         stored.obstacle_object_types()->end());
    request.max_slope_cosine = stored.max_slope_cosine();
    request.auto_activated = stored.auto_activated();
    request.substeps = stored.substeps();
    request.first_tick_pending = stored.first_tick_pending();
    request.current_substep_index = stored.current_substep_index();
    request.next_location_index = stored.next_location_index();
    request.accumulated_uids.assign(stored.accumulated_uids()->begin(),
                                    stored.accumulated_uids()->end());
    request.issuer_slot = stored.issuer_slot();
    return true;
}

/// What is wrong with a request, or nullptr. Its agents may have died (O-SNAP-20).
const char* misfit(const sim::SpawnRequest& request, std::int32_t cursor) {
    const auto minted = [&](std::int32_t uid) { return uid >= 0 && uid < cursor; };
    if (request.initial_rotation > sim::InitialRotation::kCustom) return "its rotation";
    if (request.quantity < 0 || request.quantity > sim::kSpawnQuantityMax) return "its quantity";
    if (request.quantity > 0 && request.locations.empty()) return "no locations";
    if (request.current_substep_index < 0 || request.current_substep_index > request.substeps) {
        return "its substeps";
    }
    if (request.next_location_index < 0 ||
        request.next_location_index > std::ssize(request.locations)) {
        return "its next location";
    }
    return std::ranges::all_of(request.accumulated_uids, minted) ? nullptr : "its agents";
}

std::uint64_t list_bytes_of(const wire::SpawnRequest& stored) {
    return std::uint64_t{stored.locations()->size()} * sizeof(wire::Goal) +
           stored.ground_object_types()->size() + stored.obstacle_object_types()->size() +
           std::uint64_t{stored.accumulated_uids()->size()} * sizeof(std::int32_t);
}

}  // namespace

// implements: SNAP-014, SNAP-016, SNAP-019, SNAP-028, O-SNAP-20
bool decode_spawn_requests(const wire::Snapshot& in, DecodeState& state) {
    if (in.deferred_spawns()->size() > sim::kSpawnRequestsMax) {
        return state.fail(ErrorCode::kOverCap, "too many spawn requests");
    }
    // Tables of the wire form may share a vector: what comes out is held to what went in.
    std::uint64_t list_bytes = 0;
    std::int64_t quantity = 0;
    for (const wire::SpawnRequest* stored : *in.deferred_spawns()) {
        list_bytes += list_bytes_of(*stored);
        if (list_bytes > state.content.size()) {
            return state.fail(ErrorCode::kOverCap, "shared spawn lists");
        }
        sim::SpawnRequest& request = state.out.state.deferred_spawns.emplace_back();
        if (!decode_spawn_request(*stored, request, state)) return false;
        if (const char* what = misfit(request, state.out.state.uid_cursor)) {
            return state.fail(ErrorCode::kBadValue,
                              "a spawn of " + request.template_key + ": " + what);
        }
        quantity += request.quantity;
        if (quantity > sim::kSpawnQuantityMax) {
            return state.fail(ErrorCode::kOverCap, "too many agents to spawn");
        }
    }
    return true;
}

// implements: SNAP-049
bool decode_modifiers(const wire::Snapshot& in, DecodeState& state) {
    if (in.modifiers() == nullptr) return true;
    std::vector<sim::ModifierRecord>& modifiers = state.out.state.modifiers;
    core::ByteReader bytes({in.modifiers()->data(), in.modifiers()->size()});
    sim::read_record(bytes, modifiers);
    bytes.expect_end();
    if (!bytes.ok()) return state.fail(bytes.error().code, "modifiers: " + bytes.error().message);
    if (modifiers.size() > sim::kModifiersMax) {
        return state.fail(ErrorCode::kOverCap, "too many modifiers");
    }
    std::set<std::int64_t> ids;
    const auto& fields = state.definition.field_names();
    for (const sim::ModifierRecord& record : modifiers) {
        if (const auto checked = sim::check_modifier(record); !checked) {
            return state.fail(checked.error().code, checked.error().message);
        }
        if (std::ranges::find(fields, record.field_name) == fields.end()) {
            return state.fail(ErrorCode::kUnknownName, "a modifier of no registered field");
        }
        if (!ids.insert(record.id).second) {
            return state.fail(ErrorCode::kBadValue, "a modifier's id twice");
        }
    }
    return true;
}

namespace {

bool decode_var_store(const wire::VarStore& stored, std::vector<bool>& seen, bool& is_whole,
                      DecodeState& state) {
    std::string key;
    if (!state.read_name(*stored.template_key(), key)) return false;
    const Result<std::size_t> index = state.definition.find_variables(key);
    if (!index) return state.fail(ErrorCode::kUnknownName, "no variables " + key);
    if (seen[*index]) return state.fail(ErrorCode::kBadValue, "variables " + key + " twice");
    seen[*index] = true;
    const sim::VariableStore& store = state.definition.variables()[*index];
    std::vector<sim::VarEntry> entries;
    for (const wire::Variable* field : *stored.fields()) {
        sim::VarEntry& entry = entries.emplace_back();
        if (!state.read_name(*field->name(), entry.name)) return false;
        entry.tag = {field->category(), field->size()};
        entry.data.assign(field->data()->begin(), field->data()->end());
        const bool is_known = std::ranges::any_of(
            store.layout->fields,
            [&](const sim::VarField& local) { return local.name == entry.name; });
        if (is_known) continue;
        is_whole = false;
        if (!state.differ(ErrorCode::kRegistryMismatch,
                          key + " has no variable " + entry.name + ", skipped")) {
            return false;
        }
    }
    std::vector<std::string> missing;
    void* object = store.address_of(state.out.state.variables[*index]);
    const Result<void> read = sim::deserialize_variables(*store.layout, entries,
                                                         state.definition.names(), object, missing);
    if (!read) return state.fail(read.error().code, key + ": " + read.error().message);
    for (const std::string& name : missing) {
        is_whole = false;
        if (!state.differ(ErrorCode::kRegistryMismatch,
                          key + ": variable " + name + " is missing, the initial value stays")) {
            return false;
        }
    }
    return true;
}

}  // namespace

// implements: SNAP-034, SNAP-044, VAR-033, O-VAR-09, O-VAR-10, O-VAR-14, O-VAR-15
bool decode_var_stores(const wire::Snapshot& in, DecodeState& state) {
    const std::vector<sim::VariableStore>& stores = state.definition.variables();
    std::vector<bool> seen(stores.size(), false);
    bool is_whole = true;
    std::uint64_t data_bytes = 0;
    for (const wire::VarStore* stored : *in.var_stores()) {
        for (const wire::Variable* field : *stored->fields()) data_bytes += field->data()->size();
        if (data_bytes > state.content.size()) {
            return state.fail(ErrorCode::kOverCap, "shared variables");
        }
        if (!decode_var_store(*stored, seen, is_whole, state)) return false;
    }
    for (std::size_t i = 0; i < stores.size(); ++i) {
        if (!seen[i] && stores[i].layout->has_synced_fields()) {
            return state.fail(ErrorCode::kRegistryMismatch,
                              "the snapshot lacks the variables " + stores[i].key);
        }
    }
    if (!is_whole) {
        state.out.part_hashes.sections[static_cast<std::size_t>(sim::HashSection::kVariables)] = 0;
    }
    return true;
}

}  // namespace maniple::snapshot
