#pragma once

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
#include "maniple/sim/ids.h"
#include "maniple/sim/registry.h"

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

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    FragmentId fragment_;
    std::uint32_t row_bytes_;
    std::size_t used_bytes_ = 0;
    std::vector<Line> lines_;
};

/// All entities of one template as parallel columns, rows in ascending UID: iteration order is a
/// function of content, never of history.
struct EntityGroup {
    TemplateId template_id;
    std::vector<Uid> uids;
    std::vector<std::uint16_t> tags;  ///< TagDelta bits (ids.h).
    std::vector<std::int64_t> flags_low;
    std::vector<std::int64_t> flags_high;
    std::vector<Column> columns;  ///< In registry order.

    [[nodiscard]] std::size_t size() const { return uids.size(); }
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
    /// Process-local handle of the flow-field layer the task holds a user of; 0 = none. Never
    /// hashed, never saved (O-LAY-05).
    std::int32_t layer_handle = 0;
};

/// All lockstep state as plain data, except the navigation fields' substrate, which travels as
/// streams. A capture is an assignment; a hash and a snapshot read it and nothing else.
struct WorldState {
    Tick tick = 0;
    std::vector<EntityGroup> groups;  ///< One per template, in key order.
    std::int32_t uid_cursor = 0;      ///< The next UID to mint (UID-005).
    core::RandomStream agent_stream;
    core::RandomStream hash_grid_stream;
    TaskId next_move_to_task_id = 1;
    TaskId next_chase_attack_task_id = 1;
    TaskId next_other_task_id = 1;
    std::vector<TaskRecord> tasks;  ///< By (kind, id).
    std::vector<Command> pending;   ///< Commands of later ticks, by (tick, sequence). Not hashed.

    [[nodiscard]] std::int32_t occupied_count() const {
        std::size_t count = 0;
        for (const EntityGroup& group : groups) count += group.size();
        return static_cast<std::int32_t>(count);
    }
};

}  // namespace maniple::sim
