#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "maniple/sim/world.h"

/// Entities coming and going: spawns, deferred spawns and the structural changes of step 4.
namespace maniple::sim {

// implements: UID-001, UID-005, O-UID-01, O-UID-03, O-UID-04, O-UID-06
Uid World::spawn(TemplateId id) {
    if (state_.uid_cursor == INT32_MAX) {
        log(core::Severity::kError, 1203, "the UIDs are exhausted");
        return kNoUid;
    }
    const EntityTemplate& source = definition_->templates()[id.index];
    EntityGroup& target = group(id);
    const Uid uid{state_.uid_cursor++};
    const std::size_t row = target.size();
    target.uids.push_back(uid);
    target.tags.push_back(source.initial_tags);
    target.flags_low.push_back(source.initial_flags_low);
    target.flags_high.push_back(source.initial_flags_high);
    for (std::size_t i = 0; i < target.columns.size(); ++i) {
        target.columns[i].resize_rows(row + 1);
        std::copy(source.fragments[i].default_value.begin(),
                  source.fragments[i].default_value.end(), target.columns[i].row(row));
    }
    for (std::size_t i = 0; i < target.shared_columns.size(); ++i) {
        target.shared_columns[i].push_back(source.shared_fragments[i].default_value.data());
    }
    index_.insert(uid, {id.index, row});
    return uid;
}

void World::queue_destroy(Uid uid) {
    queue_change({running_system_, uid, Change::kDestroy, {}, false, {}, {}});
}

void World::queue_spawn(TemplateId id, Uid source, std::function<void(World&, Uid)> fill) {
    MANIPLE_ASSERT(phase_ != Phase::kTasks);
    queue_change({running_system_, source, Change::kSpawn, {}, false, id, std::move(fill)});
}

namespace {

/// Removes the rows `gone`, ascending; the others keep their order.
void compact(EntityGroup& group, std::span<const std::size_t> gone) {
    const std::size_t row_count = group.size();
    remove_rows(group.uids, gone);
    remove_rows(group.tags, gone);
    group.flags_low.remove_rows(gone);
    group.flags_high.remove_rows(gone);
    for (Column& column : group.columns) column.remove_rows(gone, row_count);
    for (SharedColumn& column : group.shared_columns) column.remove_rows(gone);
}

}  // namespace

// implements: O-SNAP-24
void World::apply_structural_changes() {
    if (changes_.empty()) return;
    std::vector<Change> changes = std::exchange(changes_, {});
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i].call = i;
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tie(a.system, a.uid, a.call) < std::tie(b.system, b.uid, b.call);
    });
    std::vector<Uid> destroyed;
    for (const Change& change : changes) {
        if (change.kind == Change::kSpawn) {
            const Uid uid = spawn(change.spawned);
            if (uid.valid() && change.fill) change.fill(*this, uid);
        } else if (const std::optional<EntityRow> at = find(change.uid)) {
            if (change.kind == Change::kTag) {
                state_.groups[at->group].set_tag(at->row, change.tag, change.on);
            } else {
                destroyed.push_back(change.uid);
            }
        }
    }
    remove_entities(destroyed);
}

void World::remove_entities(const std::vector<Uid>& destroyed) {
    std::vector<std::vector<std::size_t>> gone(state_.groups.size());
    for (const Uid uid : destroyed) {
        const std::optional<EntityRow> at = find(uid);
        if (!at) continue;  // destroyed twice
        gone[at->group].push_back(at->row);
        index_.erase(uid);
    }
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (gone[i].empty()) continue;
        std::sort(gone[i].begin(), gone[i].end());
        compact(state_.groups[i], gone[i]);
        index_.renumber(i, state_.groups[i].uids, gone[i].front());
    }
}

// implements: SNAP-014, SNAP-016, O-GEN-09
Result<void> World::request_spawn(SpawnRequest request) {
    if (auto known = definition_->find_template(request.template_key); !known) {
        return refuse(std::move(known.error()));
    }
    if (request.quantity < 0 || request.quantity > kSpawnQuantityMax || request.substeps < 0 ||
        (request.quantity > 0 && request.locations.empty())) {
        return refuse(ErrorCode::kBadValue, "a spawn request out of range or nowhere");
    }
    // No snapshot would be read that holds more.
    if (state_.deferred_spawns.size() >= kSpawnRequestsMax ||
        spawns_asked_ + request.quantity > kSpawnQuantityMax) {
        return refuse(ErrorCode::kOverCap, "too many agents to spawn at once");
    }
    if (!request.ground_object_types.empty() || !request.obstacle_object_types.empty()) {
        log(core::Severity::kWarning, 1204,
            "ground traces and obstacle tests are not lockstep, the location's height is used");
    }
    if (phase_ == Phase::kCommands) request.issuer_slot = issuer_slot_;
    request.current_substep_index = 0;
    request.next_location_index = 0;
    request.accumulated_uids.clear();
    spawns_asked_ += request.quantity;
    state_.deferred_spawns.push_back(std::move(request));
    return {};
}

// implements: SNAP-018, O-SNAP-24
void World::run_deferred_spawns() {
    std::vector<SpawnRequest>& requests = state_.deferred_spawns;
    // What the placing of an agent asks for comes behind what is there, and waits.
    for (std::size_t i = 0, due = requests.size(); i < due; ++i) {
        if (requests[i].first_tick_pending) {
            requests[i].first_tick_pending = false;
            continue;
        }
        SpawnRequest request = std::move(requests[i]);  // Others may move the list meanwhile.
        emit_batch(request);
        requests[i] = std::move(request);
    }
    std::erase_if(requests, [](const SpawnRequest& request) {
        return !request.first_tick_pending &&
               request.next_location_index >= std::ssize(request.locations) &&
               request.current_substep_index > 0;
    });
    count_spawns();
}

void World::count_spawns() {
    spawns_asked_ = 0;
    for (const SpawnRequest& request : state_.deferred_spawns) spawns_asked_ += request.quantity;
}

// implements: SNAP-017, SNAP-019, SNAP-053, O-SNAP-19, O-SNAP-20
void World::emit_batch(SpawnRequest& request) {
    const TemplateId id = *definition_->find_template(request.template_key);
    issuer_slot_ = request.issuer_slot;  // what the placing asks for is asked in its name
    const EntityTemplate& source = definition_->templates()[id.index];
    const auto location_count = static_cast<std::int64_t>(request.locations.size());
    const std::int64_t remaining = location_count - request.next_location_index;
    const std::int64_t substeps_left =
        std::int64_t{request.substeps} - request.current_substep_index;
    const std::int64_t end =
        request.next_location_index + batch_locations(remaining, substeps_left);
    for (std::int64_t i = request.next_location_index; i < end; ++i) {
        const Vec3d location = request.locations[static_cast<std::size_t>(i)];
        for (std::int64_t n = agents_at(i, location_count, request.quantity); n > 0; --n) {
            const Uid uid = spawn(id);
            if (!uid.valid()) break;
            request.accumulated_uids.push_back(uid.value);
            if (source.place) source.place(*this, uid, request, location);
        }
    }
    request.next_location_index = static_cast<std::int32_t>(end);
    ++request.current_substep_index;
}

// implements: SNAP-047, SNAP-050
Uid World::player_agent(std::int32_t slot) const {
    Uid found = kNoUid;
    const std::optional<FragmentId> id = definition_->find_fragment_of<Controller>();
    if (!id || slot < 0) return found;
    for (const EntityGroup& group : state_.groups) {
        const Column* column = group.find_column(*id);
        for (std::size_t row = 0; column != nullptr && row < group.size(); ++row) {
            const auto& value = *reinterpret_cast<const Controller*>(column->row(row));
            if (value.owning_player_slot != slot) continue;
            if ((group.tags[row] & (kTagDying | kTagDestroying)) != 0) continue;
            if (!found.valid() || group.uids[row] < found) found = group.uids[row];
        }
    }
    return found;
}

}  // namespace maniple::sim
