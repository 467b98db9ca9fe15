#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "maniple/core/assert.h"
#include "maniple/core/bytes.h"
#include "maniple/core/math.h"
#include "maniple/core/random.h"
#include "maniple/sim/command.h"
#include "maniple/sim/flag_column.h"
#include "maniple/sim/ids.h"
#include "maniple/sim/modifier_record.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/remove_rows.h"

namespace maniple::sim {

/// One fragment of one group: rows of the fragment's memory form, aligned to 64 bytes.
/// Copy-assignment reuses the target's buffer, so a warm copy allocates nothing.
class Column {
  public:
    Column(FragmentId fragment, std::uint32_t row_bytes)
        : fragment_(fragment), row_bytes_(row_bytes) {}
    [[nodiscard]] FragmentId fragment() const { return fragment_; }
    [[nodiscard]] std::uint32_t row_bytes() const { return row_bytes_; }
    [[nodiscard]] std::byte* row(std::size_t i) { return data() + i * row_bytes_; }
    [[nodiscard]] const std::byte* row(std::size_t i) const { return data() + i * row_bytes_; }
    [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(lines_.data()); }
    [[nodiscard]] const std::byte* data() const {
        return reinterpret_cast<const std::byte*>(lines_.data());
    }
    /// Bytes beyond the old end are zero.
    void resize_rows(std::size_t rows);
    /// Of `row_count` rows.
    void remove_rows(std::span<const std::size_t> gone, std::size_t row_count);

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    FragmentId fragment_;
    std::uint32_t row_bytes_;
    std::size_t used_bytes_ = 0;
    std::vector<Line> lines_;
};

// implements: SNAP-007, O-SNAP-21
/// One shared fragment of one group: each distinct value once, and which value every row has.
/// Equal values are interned by their bytes; a value nobody holds any more makes room for the next.
/// The slots are a matter of history, so neither hash nor snapshot knows them.
class SharedColumn {
  public:
    SharedColumn(FragmentId fragment, std::uint32_t row_bytes) : values_(fragment, row_bytes) {}
    [[nodiscard]] FragmentId fragment() const { return values_.fragment(); }
    [[nodiscard]] std::uint32_t row_bytes() const { return values_.row_bytes(); }
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    [[nodiscard]] const std::byte* row(std::size_t i) const { return values_.row(slots_[i]); }
    [[nodiscard]] std::uint32_t slot(std::size_t row) const { return slots_[row]; }
    [[nodiscard]] std::size_t slot_count() const { return uses_.size(); }
    [[nodiscard]] const std::byte* slot_value(std::size_t slot) const { return values_.row(slot); }
    [[nodiscard]] bool has_one_value() const {
        return !slots_.empty() && uses_[slots_.front()] == slots_.size();
    }
    /// Appends a row, or gives a row another value; the old one stays as it is for its other users.
    void push_back(const std::byte* value);
    void set(std::size_t row, const std::byte* value);
    /// Replaces everything: `slots` index the rows of `values`.
    void assign(Column values, std::vector<std::uint32_t> slots);
    /// `gone` ascends; the others keep their order.
    void remove_rows(std::span<const std::size_t> gone);

  private:
    std::uint32_t intern(const std::byte* value);

    Column values_;
    std::vector<std::uint32_t> uses_;  ///< Rows that hold the slot.
    std::vector<std::uint32_t> slots_;
};

/// All entities of one template as parallel columns, rows in ascending UID: iteration order is a
/// function of content, never of history.
struct EntityGroup {
    TemplateId template_id;
    std::vector<Uid> uids;
    std::vector<std::uint16_t> tags;  ///< TagDelta bits (ids.h).
    FlagColumn flags_low;
    FlagColumn flags_high;
    std::vector<Column> columns;               ///< In registry order.
    std::vector<SharedColumn> shared_columns;  ///< In registry order.

    [[nodiscard]] std::size_t size() const { return uids.size(); }
    [[nodiscard]] bool has_tag(std::size_t row, TagId tag) const {
        const FlagColumn& flags = tag.bit < 64 ? flags_low : flags_high;
        return ((static_cast<std::uint64_t>(flags[row]) >> tag.bit % 64) & 1) != 0;
    }
    void set_tag(std::size_t row, TagId tag, bool on) {
        FlagColumn& flags = tag.bit < 64 ? flags_low : flags_high;
        const std::uint64_t bit = std::uint64_t{1} << tag.bit % 64;
        const auto bits = static_cast<std::uint64_t>(flags[row]);
        flags.set(row, static_cast<std::int64_t>(on ? bits | bit : bits & ~bit));
    }
    [[nodiscard]] SharedColumn* find_shared(FragmentId fragment);
    [[nodiscard]] const SharedColumn* find_shared(FragmentId fragment) const;
    [[nodiscard]] Column* find_column(FragmentId fragment);
    [[nodiscard]] const Column* find_column(FragmentId fragment) const;
};

enum class TaskState : std::uint8_t { kRunning = 0, kDone = 1, kFailed = 2, kCancelled = 3 };

/// A long-running order over a set of agents (O-SNAP-02).
struct TaskRecord {
    std::string template_key;  ///< Names its TaskType, which holds the callbacks.
    TaskKind kind = TaskKind::kOther;
    TaskId id = 0;
    Int32List agent_uids;  ///< Ascending.
    std::vector<Vec3d> goals;
    std::int64_t goal_hash = 0;
    Tick start_tick = 0;
    TaskState state = TaskState::kRunning;
    core::Bytes variables;  ///< Fragment-style wire bytes of the task's own variables.
    // implements: O-LAY-05
    /// Process-local handle of the flow-field layer the task holds a user of; 0 = none. Never
    /// hashed, never saved (O-LAY-05).
    std::int32_t layer_handle = 0;
};
BOOST_DESCRIBE_STRUCT(TaskRecord, (),
                      (template_key, kind, id, agent_uids, goals, goal_hash, start_tick, state,
                       variables))

/// The task's variables as the struct its TaskType names; default values while none are set.
template <typename T>
[[nodiscard]] T task_variables(const TaskRecord& task) {
    static const FieldLayout kLayout = variables_layout<T>();
    T value{};
    if (task.variables.size() != kLayout.wire_bytes) return value;
    const bool read =
        rows_from_wire(kLayout, task.variables.data(), 1, reinterpret_cast<std::byte*>(&value));
    return read ? value : T{};
}
template <typename T>
void set_task_variables(TaskRecord& task, const T& value) {
    static const FieldLayout kLayout = variables_layout<T>();
    task.variables.resize(kLayout.wire_bytes);
    rows_to_wire(kLayout, reinterpret_cast<const std::byte*>(&value), 1, task.variables.data());
}

// implements: SNAP-051
/// All lockstep state as plain data, except the navigation fields' substrate, which travels as
/// streams. A capture is an assignment; a hash and a snapshot read it and nothing else. Its
/// entities are those with the network tag, all of them; what is local to a peer is derived state
/// (GameDefinition::add_derived) and has no UID.
struct WorldState {
    Tick tick = 0;
    std::vector<EntityGroup> groups;  ///< One per template, in key order.
    std::int32_t uid_cursor = 0;      ///< The next UID to mint (UID-005).
    core::RandomStream agent_stream;
    core::RandomStream hash_grid_stream;
    TaskId next_move_to_task_id = 1;
    TaskId next_chase_attack_task_id = 1;
    TaskId next_other_task_id = 1;
    std::vector<SpawnRequest> deferred_spawns;  ///< In request order.
    std::vector<TaskRecord> tasks;              ///< By (kind, id).
    std::vector<ModifierRecord> modifiers;      ///< Of commands, in order of registration.
    std::vector<std::any> variables;            ///< One object a registered store, in its order.
    std::vector<Command> pending;  ///< Commands of later ticks, by (tick, sequence). Not hashed.

    // implements: HASH-004, UID-003
    [[nodiscard]] std::int32_t occupied_count() const {
        std::size_t count = 0;
        for (const EntityGroup& group : groups) count += group.size();
        return static_cast<std::int32_t>(count);
    }
};

/// The empty groups and initial variables of a game: what every state starts from.
[[nodiscard]] WorldState empty_state(const GameDefinition& definition);

}  // namespace maniple::sim
