#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/log.h"
#include "maniple/nav/flow_field.h"
#include "maniple/sim/entity_index.h"
#include "maniple/sim/hash_tree.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/tick_history.h"
#include "maniple/sim/world_state.h"
#include "maniple/substrate/played_field.h"

namespace maniple::sim {

inline constexpr std::int32_t kDefaultTickRateHz = 20;

/// What every peer of a match agrees on before tick 1.
struct MatchConfig {
    std::int32_t seed = 1;
    std::int32_t tick_rate_hz = kDefaultTickRateHz;
};

/// Hooks into one step, for tests and for the injected corruption of `maniple battle`.
struct StepHooks {
    /// After the systems, structural changes and tasks, before the hash.
    std::function<void(World&)> before_hash;
};

/// One peer's simulation: executes commands tick by tick and nothing else. Owns the lockstep state,
/// the played navigation fields, the derived state of the game and the last ticks' hashes.
/// Not thread-safe; `step` uses the executor inside.
class World {
  public:
    /// `definition` is sealed. `executor` outlives the world.
    World(std::shared_ptr<const GameDefinition> definition, MatchConfig config,
          core::Executor& executor, core::LogSink log = core::null_log());
    /// A world that continues from `state` (a restore). Substrates must be imported, then
    /// `finish_restore` called, before the first step.
    World(std::shared_ptr<const GameDefinition> definition, MatchConfig config, WorldState state,
          core::Executor& executor, core::LogSink log = core::null_log());
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Adds a command to the pending queue: tick > tick(), sequence ≥ 1, not queued yet (a
    /// duplicate sequence is ignored, NET-015). @return kBadValue otherwise.
    Result<void> queue(Command command);
    /// Executes tick() + 1: commands, serial window, systems, structural changes, tasks, hash.
    /// @return the tick's root hash. A refused substrate command (NET-009, NET-021) leaves the
    /// world unstepped and gives its error: the peer must be repaired before it goes on.
    Result<std::uint64_t> step(const StepHooks& hooks = {});

    // --- state, read ---
    [[nodiscard]] Tick tick() const { return state_.tick; }
    [[nodiscard]] const WorldState& state() const { return state_; }
    [[nodiscard]] const MatchConfig& config() const { return config_; }
    [[nodiscard]] const GameDefinition& definition() const { return *definition_; }
    [[nodiscard]] std::shared_ptr<const GameDefinition> shared_definition() const {
        return definition_;
    }
    [[nodiscard]] core::Executor& executor() const { return executor_; }
    [[nodiscard]] std::optional<EntityRow> find(Uid uid) const { return index_.find(uid); }
    /// The trees and hashed rows of the last 32 ticks.
    [[nodiscard]] const TickHistory& history() const { return history_; }
    /// Recomputes the hash of the state as it stands (restore validation, debug guard).
    [[nodiscard]] std::uint64_t compute_hash();

    // --- state, written by systems, commands and tasks inside a tick ---
    [[nodiscard]] EntityGroup& group(TemplateId id) { return state_.groups[id.index]; }
    [[nodiscard]] const EntityGroup& group(TemplateId id) const { return state_.groups[id.index]; }
    /// The rows of fragment T in a group; the template must have it.
    template <typename T>
    [[nodiscard]] std::span<T> column(TemplateId id) {
        Column* found = group(id).find_column(definition_->fragment_id<T>());
        MANIPLE_ASSERT(found != nullptr);
        return {reinterpret_cast<T*>(found->data()), group(id).size()};
    }
    template <typename T>
    [[nodiscard]] std::span<const T> column(TemplateId id) const {
        const Column* found = group(id).find_column(definition_->fragment_id<T>());
        MANIPLE_ASSERT(found != nullptr);
        return {reinterpret_cast<const T*>(found->data()), group(id).size()};
    }
    /// One entity's fragment, or nullptr.
    template <typename T>
    [[nodiscard]] T* fragment(Uid uid) {
        const std::optional<EntityRow> at = find(uid);
        if (!at) return nullptr;
        Column* found = state_.groups[at->group].find_column(definition_->fragment_id<T>());
        return found == nullptr ? nullptr : reinterpret_cast<T*>(found->row(at->row));
    }

    /// Mints a UID and appends an entity with the template's defaults. Steps 1 and 4 only.
    /// @return kNoUid with an Error log when the UIDs are exhausted (O-UID-04).
    Uid spawn(TemplateId id);
    /// Removes the entity in step 4 of this tick, in (system, UID) order. Serial code only.
    void queue_destroy(Uid uid);

    // --- random streams, serial steps only ---
    [[nodiscard]] core::RandomStream& agent_stream() { return state_.agent_stream; }
    [[nodiscard]] core::RandomStream& hash_grid_stream() { return state_.hash_grid_stream; }

    // --- tasks ---
    /// Starts a task with the next id of its kind; only task-creation commands do (SNAP-052).
    TaskRecord& create_task(std::string_view type_key, Int32List agent_uids,
                            std::vector<Vec3d> goals);
    [[nodiscard]] TaskRecord* find_task(TaskKind kind, TaskId id);
    [[nodiscard]] std::span<TaskRecord> tasks() { return state_.tasks; }

    // --- navigation ---
    [[nodiscard]] nav::FlowField* find_field(std::string_view name);
    [[nodiscard]] const nav::FlowField* find_field(std::string_view name) const;
    /// Imports a full or delta stream into the played field and floods (step 1, or before a start
    /// or restore). The field is untouched on failure.
    Result<void> import_substrate(std::string_view field_name, core::ByteSpan stream);
    /// The full stream the field stands on, empty before its first import.
    [[nodiscard]] core::ByteSpan substrate_stream(std::string_view field_name) const;

    // --- derived state ---
    template <typename T>
    [[nodiscard]] T& derived(DerivedHandle<T> handle) {
        return *static_cast<T*>(derived_[handle.index].get());
    }
    template <typename T>
    [[nodiscard]] const T& derived(DerivedHandle<T> handle) const {
        return *static_cast<const T*>(derived_[handle.index].get());
    }

    /// Ends a restore (O-SNAP-08): the recomputed hash must equal `expected`, then tasks are
    /// rebuilt with layer flushes suppressed. @return kStateMismatch, after which the world must be
    /// dropped.
    Result<void> finish_restore(std::uint64_t expected_hash);

    void log(core::Severity severity, int code, std::string message) const;

  private:
    Result<void> run_commands();
    void execute(const Command& command);
    void run_serial_window();
    void run_systems();
    void apply_structural_changes();
    void run_tasks();
    void update_hash();
    [[nodiscard]] substrate::PlayedField* find_played(std::string_view name);
    [[nodiscard]] const substrate::PlayedField* find_played(std::string_view name) const;
    [[nodiscard]] std::vector<FieldFingerprint> field_fingerprints() const;

    std::shared_ptr<const GameDefinition> definition_;
    MatchConfig config_;
    core::Executor& executor_;
    core::LogSink log_;
    WorldState state_;
    EntityIndex index_;
    TickHistory history_;
    std::vector<substrate::PlayedField> fields_;  ///< In FieldName order.
    std::vector<std::shared_ptr<void>> derived_;
    struct QueuedDestroy {
        std::size_t system;
        Uid uid;
    };
    std::vector<QueuedDestroy> destroy_queue_;
    std::size_t running_system_ = 0;
};

}  // namespace maniple::sim
