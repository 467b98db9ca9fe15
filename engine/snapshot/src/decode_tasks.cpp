#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "decode_state.h"

namespace maniple::snapshot {
namespace {

sim::TaskId next_id(const sim::WorldState& state, sim::TaskKind kind) {
    switch (kind) {
        case sim::TaskKind::kMoveTo: return state.next_move_to_task_id;
        case sim::TaskKind::kChaseAttack: return state.next_chase_attack_task_id;
        case sim::TaskKind::kOther: break;
    }
    return state.next_other_task_id;
}

/// A task may name an agent twice, and agents that have died (O-SNAP-20).
bool sorted_below(const sim::Int32List& uids, std::int32_t cursor) {
    return uids.empty() ||
           (std::is_sorted(uids.begin(), uids.end()) && uids.front() >= 0 && uids.back() < cursor);
}

/// Unset, or rows of the layout with bools of 0 and 1.
bool has_variables_of(const sim::TaskType& type, const core::Bytes& variables) {
    const sim::FieldLayout& layout = type.variables;
    if (layout.leaves.empty() || variables.empty()) return true;
    if (variables.size() != layout.wire_bytes) return false;
    return std::ranges::none_of(layout.leaves, [&](const sim::FieldLeaf& leaf) {
        return leaf.type == sim::ScalarType::kBool && variables[leaf.wire_offset] > 1;
    });
}

bool decode_task(const wire::Task& stored, sim::TaskRecord& task, DecodeState& state) {
    if (!state.read_name(*stored.template_key(), task.template_key)) return false;
    const sim::TaskType* type = state.definition.find_task_type(task.template_key);
    if (type == nullptr) {
        return state.fail(ErrorCode::kUnknownName, "no task type " + task.template_key);
    }
    const auto wrong = [&](const char* what) {
        return state.fail(ErrorCode::kBadValue, "a task of " + task.template_key + ": " + what);
    };
    if (stored.kind() != static_cast<std::uint8_t>(type->kind)) return wrong("another kind");
    task.kind = type->kind;
    task.id = stored.id();
    if (task.id < 1 || task.id >= next_id(state.out.state, task.kind)) return wrong("its id");
    if (stored.state() > static_cast<std::uint8_t>(sim::TaskState::kCancelled)) {
        return wrong("its state");
    }
    task.state = static_cast<sim::TaskState>(stored.state());
    task.agent_uids.assign(stored.agent_uids()->begin(), stored.agent_uids()->end());
    if (!sorted_below(task.agent_uids, state.out.state.uid_cursor)) return wrong("its agents");
    if (!state.check_alignment(*stored.goals(), "a task's goals")) return false;
    for (const wire::Goal* goal : *stored.goals()) {
        task.goals.push_back({goal->x(), goal->y(), goal->z()});
    }
    task.goal_hash = stored.goal_hash();
    task.start_tick = stored.start_tick();
    if (task.start_tick < 0) return wrong("its start tick");
    task.variables.assign(stored.variables()->begin(), stored.variables()->end());
    return has_variables_of(*type, task.variables) || wrong("its variables");
}

/// A type's variables must be those of this build: a record of bytes carries no names.
bool check_task_type(const wire::TaskType& stored, std::vector<std::string>& seen,
                     DecodeState& state) {
    std::string key;
    if (!state.read_name(*stored.key(), key)) return false;
    seen.push_back(key);
    const sim::TaskType* type = state.definition.find_task_type(key);
    if (type == nullptr) {
        return state.differ(ErrorCode::kRegistryMismatch, "no task type " + key + ", skipped");
    }
    const std::vector<sim::FieldLeaf>& leaves = type->variables.leaves;
    const auto is_same = [](const wire::Leaf* leaf, const sim::FieldLeaf& local) {
        return leaf->type() == static_cast<std::uint8_t>(local.type) &&
               leaf->name()->string_view() == local.name;
    };
    if (stored.leaves()->size() == leaves.size()) {
        std::size_t i = 0;
        while (i < leaves.size() &&
               is_same(stored.leaves()->Get(static_cast<std::uint32_t>(i)), leaves[i])) {
            ++i;
        }
        if (i == leaves.size()) return true;
    }
    return state.fail(ErrorCode::kRegistryMismatch,
                      "the variables of task type " + key + " differ");
}

bool check_task_types(const wire::Snapshot& in, DecodeState& state) {
    std::vector<std::string> seen;
    for (const wire::TaskType* stored : *in.task_types()) {
        if (!check_task_type(*stored, seen, state)) return false;
    }
    for (const sim::TaskType& type : state.definition.task_types()) {
        if (std::ranges::find(seen, type.key) == seen.end() &&
            !state.differ(ErrorCode::kRegistryMismatch,
                          "the snapshot knows no task type " + type.key)) {
            return false;
        }
    }
    return true;
}

}  // namespace

// implements: O-SNAP-02, SNAP-032
bool decode_tasks(const wire::Snapshot& in, DecodeState& state) {
    if (!check_task_types(in, state)) return false;
    if (in.tasks()->size() > kTasksMax) return state.fail(ErrorCode::kOverCap, "too many tasks");
    // Tables of the wire form may share a vector: what comes out is held to what went in.
    std::uint64_t list_bytes = 0;
    std::vector<sim::TaskRecord>& tasks = state.out.state.tasks;
    for (const wire::Task* stored : *in.tasks()) {
        list_bytes += std::uint64_t{stored->agent_uids()->size()} * sizeof(std::int32_t) +
                      std::uint64_t{stored->goals()->size()} * sizeof(wire::Goal) +
                      stored->variables()->size();
        if (list_bytes > state.content.size())
            return state.fail(ErrorCode::kOverCap, "shared task lists");
        sim::TaskRecord task;
        if (!decode_task(*stored, task, state)) return false;
        if (!tasks.empty() &&
            std::tie(tasks.back().kind, tasks.back().id) >= std::tie(task.kind, task.id)) {
            return state.fail(ErrorCode::kBadValue, "tasks that do not ascend by kind and id");
        }
        tasks.push_back(std::move(task));
    }
    return true;
}

}  // namespace maniple::snapshot
