#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/executor.h"
#include "maniple/core/log.h"
#include "maniple/nav/async_updates.h"
#include "maniple/nav/field_registry.h"
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

/// The values of a shared fragment in one group, by row.
template <typename T>
class SharedView {
  public:
    explicit SharedView(const SharedColumn& column) : column_(&column) {}
    [[nodiscard]] const T& operator[](std::size_t row) const {
        return *reinterpret_cast<const T*>(column_->row(row));
    }

  private:
    const SharedColumn* column_;
};

/// A host object bound to the agent of a player slot, which it finds again after a restore.
struct AgentComponent {
    std::int32_t slot = -1;
    std::function<void(World&, Uid)> rebind_to_entity;  ///< kNoUid: the slot has no living agent.
};

/// The registered fragment that ties an agent to its player (SNAP-047, SNAP-050). A game registers
/// it with add_fragment<Controller>("Controller") for the templates that players own.
struct Controller {
    std::int32_t owning_player_slot = -1;  ///< −1 = none.
};
BOOST_DESCRIBE_STRUCT(Controller, (), (owning_player_slot))

/// One peer's simulation: executes commands tick by tick and nothing else. Owns the lockstep state,
/// the played navigation fields, the derived state of the game and the last ticks' hashes.
/// Not thread-safe; `step` uses the executor inside.
class World {
  public:
    /// `definition` is sealed. `executor` and `background` outlive the world; without a background
    /// asynchronous updates of fields and navmeshes to come are computed where they start.
    World(std::shared_ptr<const GameDefinition> definition, MatchConfig config,
          core::Executor& executor, core::LogSink log = core::null_log(),
          core::Background* background = nullptr);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Adds a command to the pending queue: tick > tick(), sequence ≥ 1, not queued yet (a
    /// duplicate sequence is ignored, NET-015). @return kBadValue otherwise.
    Result<void> queue(Command command);
    /// Executes tick() + 1: commands, serial window, systems, structural changes, tasks, hash.
    /// @return the tick's root hash; kNotReady, with nothing run, while must_wait(). A refused
    /// substrate command (NET-009, NET-021), or a field that has no substrate yet (kNotReady,
    /// NET-011), leaves the world unstepped: the peer must be repaired before it goes on, by
    /// repair_substrate() and another step() or by a snapshot.
    Result<std::uint64_t> step(const StepHooks& hooks = {});
    /// The field whose substrate the last step() was refused for; empty if it was not.
    [[nodiscard]] const std::string& refused_field() const { return refused_field_; }
    /// True while the next tick is the one in which an asynchronous update of a field or a navmesh
    /// is due, and it is not computed yet: the host waits and tries again (ASY-013, O-SYNC-13).
    [[nodiscard]] bool must_wait() const;

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

    /// A shared fragment of a group, read only; the template must have it.
    template <typename T>
    [[nodiscard]] SharedView<T> shared(TemplateId id) const {
        const SharedColumn* found = group(id).find_shared(definition_->fragment_id<T>());
        MANIPLE_ASSERT(found != nullptr);
        return SharedView<T>(*found);
    }
    /// Gives one entity another value of a shared fragment; the others keep theirs (SNAP-042).
    /// Serial steps only. @return false if the entity is gone or its template lacks the fragment.
    template <typename T>
    bool set_shared(Uid uid, const T& value) {
        const std::optional<EntityRow> at = find(uid);
        if (!at) return false;
        SharedColumn* found = state_.groups[at->group].find_shared(definition_->fragment_id<T>());
        if (found != nullptr) found->set(at->row, reinterpret_cast<const std::byte*>(&value));
        return found != nullptr;
    }
    template <typename T>
    [[nodiscard]] bool has_tag(Uid uid) const {
        const std::optional<EntityRow> at = find(uid);
        return at && state_.groups[at->group].has_tag(at->row, definition_->tag_id<T>());
    }

    /// Mints a UID and appends an entity with the template's defaults. Steps 1 and 4 only.
    /// @return kNoUid with an Error log when the UIDs are exhausted (O-UID-04).
    Uid spawn(TemplateId id);

    // Structural changes: queued by serial code and carried out in (system, UID, order of the
    // calls) order: those of commands and systems in step 4, those of tasks at the end of step 5.
    /// Removes the entity.
    void queue_destroy(Uid uid);
    /// Sets or clears the registered tag T.
    template <typename T>
    void queue_tag(Uid uid, bool on) {
        queue_change({running_system_, uid, Change::kTag, definition_->tag_id<T>(), on, {}, {}});
    }
    /// Spawns an entity and hands it to `fill`. `source` is whose doing it is, for the order. Not
    /// for tasks, which mint no UID: they request_spawn (O-SNAP-24).
    void queue_spawn(TemplateId id, Uid source, std::function<void(World&, Uid)> fill);

    /// Takes on a batched spawn; its batches are emitted at the end of the command step, from this
    /// tick's on when a command asks, from the next one's when a task does (O-SNAP-24).
    /// @return kUnknownName for an unknown template, kBadValue for a negative number or agents
    /// without locations, kOverCap when all requests together are over kSpawnRequestsMax or
    /// ask for over kSpawnQuantityMax.
    Result<void> request_spawn(SpawnRequest request);
    /// The living agent whose Controller names `slot`, lowest UID first; kNoUid without.
    [[nodiscard]] Uid player_agent(std::int32_t slot) const;

    // --- lockstep variables ---
    /// The store's variables, to read.
    template <typename T>
    [[nodiscard]] const T& variables(std::string_view key) const {
        const T* found = std::any_cast<T>(&state_.variables[*definition_->find_variables(key)]);
        MANIPLE_ASSERT(found != nullptr);
        return *found;
    }
    // implements: VAR-002
    /// To write: in commands and task ticks, and what is derivable while a restore recovers
    /// (VAR-002, VAR-003). Asserted.
    template <typename T>
    [[nodiscard]] T& edit_variables(std::string_view key) {
        MANIPLE_ASSERT(may_write_variables());
        return const_cast<T&>(std::as_const(*this).template variables<T>(key));
    }

    // --- random streams, serial steps only ---
    [[nodiscard]] core::RandomStream& agent_stream() { return state_.agent_stream; }
    [[nodiscard]] core::RandomStream& hash_grid_stream() { return state_.hash_grid_stream; }

    // --- tasks ---
    /// Starts a task with the next id of its kind; only task-creation commands do (SNAP-052). Of
    /// the agents, which may come from a command as it is, those that never lived are left out: no
    /// snapshot would be accepted with them.
    TaskRecord& create_task(std::string_view type_key, Int32List agent_uids,
                            std::vector<Vec3d> goals);
    [[nodiscard]] TaskRecord* find_task(TaskKind kind, TaskId id);
    [[nodiscard]] std::span<TaskRecord> tasks() { return state_.tasks; }

    // --- navigation ---
    [[nodiscard]] nav::FlowField* find_field(std::string_view name);
    [[nodiscard]] const nav::FlowField* find_field(std::string_view name) const;
    /// The navmesh half of a field; null for an unknown name and for a field on a grid only.
    [[nodiscard]] substrate::NavMeshSide* find_navmesh(std::string_view name);
    [[nodiscard]] const substrate::NavMeshSide* find_navmesh(std::string_view name) const;
    /// The fields whose unused layers go in every tick's serial window: the world's own, and those
    /// a host adds.
    [[nodiscard]] nav::FieldRegistry& live_fields() { return live_fields_; }
    /// Starts the asynchronous update of the field, cells or navmesh as it stands, in commands;
    /// every peer applies it `delay_ticks` (≥ 1) after this tick, in the serial window. @return
    /// false for a field that is not there or refuses.
    bool start_field_update(std::string_view field_name, bool full, std::int32_t delay_ticks);
    /// Whether such an update is under way, which no capture can hold (O-SNAP-23).
    [[nodiscard]] bool field_update_in_flight() const { return !async_updates_.empty(); }
    /// Imports a full or delta stream into the played field and floods (step 1, or before a start
    /// or restore). The field is untouched on failure.
    Result<void> import_substrate(std::string_view field_name, core::ByteSpan stream);
    /// What the field's next command will bring is computed beside the ticks from now on, not only
    /// from when that command is queued (O-SYNC-13). It holds a second ground until then: announce
    /// one stream a field, and queue it. A field that is not there is passed over.
    void announce_substrate(std::string_view field_name, core::ByteSpan stream);
    /// Brings a field to the full stream it will stand on once tick() + 1 is executed; that step
    /// then passes over its substrate commands for the field (O-NET-04). The field is untouched on
    /// failure. @return as import_substrate, and kBadMagic for a delta.
    Result<void> repair_substrate(std::string_view field_name, core::ByteSpan stream);
    /// True of a substrate command that names the version its field stands on: the step can do
    /// without its payload (O-NET-05).
    [[nodiscard]] bool holds_substrate(const Command& command) const;
    /// The full stream the field stands on, empty before its first import.
    [[nodiscard]] core::ByteSpan substrate_stream(std::string_view field_name) const;
    /// Name, configuration and substrate of every field, in the registry's order.
    [[nodiscard]] std::vector<FieldFingerprint> field_fingerprints() const;

    /// Registers a modifier that is lockstep state, in commands; direction modifiers show at once
    /// on every solved layer, so that directions are a function of the state.
    /// @return as check_modifier; kUnknownName for its field, kBadValue for an id that is taken,
    /// kOverCap beyond kModifiersMax.
    Result<void> register_modifier(ModifierRecord record);
    /// False for an id that is not registered.
    bool unregister_modifier(std::int64_t id);
    bool enable_modifier(std::int64_t id, bool enabled);

    // --- derived state ---
    template <typename T>
    [[nodiscard]] T& derived(DerivedHandle<T> handle) {
        return *static_cast<T*>(derived_[handle.index].get());
    }
    template <typename T>
    [[nodiscard]] const T& derived(DerivedHandle<T> handle) const {
        return *static_cast<const T*>(derived_[handle.index].get());
    }

    // --- restore, into a world of its own before its first step (O-SNAP-08) ---
    /// Registers a captured state's modifiers, before its substrates are imported.
    Result<void> restore_modifiers(const std::vector<ModifierRecord>& records);
    /// Takes over a captured state, whose modifiers were restored: entities, counters, records,
    /// variables. The substrates are imported before, so that no entity ever stands without them.
    void adopt_state(WorldState state);
    /// Ends a restore whose hash was validated: tasks are rebuilt with layer flushes suppressed,
    /// `components` rebound in slot order, then every store's recovery hook runs.
    void recover(std::span<const AgentComponent> components = {});
    /// The hash tree of the state as it stands, with the hashed rows.
    void compute_tree(HashTree& tree, HashedColumns& columns) const;
    /// The same into the history, as the tick's last step does it.
    const HashTree& rehash();

    void log(core::Severity severity, int code, std::string message) const;

  private:
    /// What may be written when; see architecture.md, the life of a tick.
    enum class Phase : std::uint8_t { kIdle, kCommands, kSystems, kStructure, kTasks, kRecovery };
    struct Change {
        enum Kind : std::uint8_t { kDestroy, kTag, kSpawn };
        std::size_t system;
        Uid uid;
        Kind kind;
        TagId tag;
        bool on;
        TemplateId spawned;
        std::function<void(World&, Uid)> fill;
        std::size_t call = 0;  ///< Order of the calls.
    };

    [[nodiscard]] bool may_write_variables() const {
        return phase_ == Phase::kCommands || phase_ == Phase::kTasks ||
               phase_ == Phase::kRecovery || state_.tick == 0;
    }
    void queue_change(Change change) { changes_.push_back(std::move(change)); }
    void run_deferred_spawns();
    void count_spawns();
    void emit_batch(SpawnRequest& request);
    void prepare_substrate(const Command& command);
    void drop_preparation(const Command& command);
    Result<void> run_commands();
    Result<void> import_due_substrates(std::span<const Command> due);
    Result<void> refuse_field(const std::string& field, Error error);
    void execute(const Command& command);
    void run_serial_window();
    void run_systems();
    void apply_structural_changes();
    void remove_entities(const std::vector<Uid>& destroyed);
    void run_tasks();
    /// The index of a modifier, or their number.
    [[nodiscard]] std::size_t find_modifier(std::int64_t id) const;
    [[nodiscard]] substrate::PlayedField* find_played(std::string_view name);
    [[nodiscard]] const substrate::PlayedField* find_played(std::string_view name) const;

    std::shared_ptr<const GameDefinition> definition_;
    MatchConfig config_;
    core::Executor& executor_;
    core::LogSink log_;
    WorldState state_;
    std::int64_t spawns_asked_ = 0;  ///< Agents of all deferred spawns.
    EntityIndex index_;
    TickHistory history_;
    std::vector<substrate::PlayedField> fields_;  ///< In FieldName order.
    nav::FieldRegistry live_fields_;
    core::InlineBackground inline_background_;
    core::Background& background_;
    nav::AsyncUpdates async_updates_;
    std::vector<std::shared_ptr<nav::Modifier>> modifiers_;  ///< Of state_.modifiers.
    std::string refused_field_;
    std::vector<std::string> repaired_fields_;  ///< For the next step.
    std::int64_t imported_sequence_ = 0;        ///< Of the last substrate command carried out.
    std::vector<std::shared_ptr<void>> derived_;
    std::vector<Change> changes_;
    std::size_t running_system_ = 0;  ///< 0 in commands, then 1, 2, …
    Phase phase_ = Phase::kIdle;
    std::int32_t issuer_slot_ = -1;  ///< Of the command that is being executed.
};

}  // namespace maniple::sim
