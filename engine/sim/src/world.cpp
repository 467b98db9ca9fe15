#include "maniple/sim/world.h"

#include <algorithm>
#include <tuple>

#include "maniple/core/hash.h"

namespace maniple::sim {
namespace {

std::vector<EntityGroup> empty_groups(const GameDefinition& definition) {
    std::vector<EntityGroup> groups;
    for (std::size_t i = 0; i < definition.templates().size(); ++i) {
        EntityGroup group;
        group.template_id = {static_cast<std::uint16_t>(i)};
        for (const TemplateFragment& part : definition.templates()[i].fragments) {
            group.columns.emplace_back(part.fragment,
                                       definition.fragment(part.fragment).layout.memory_bytes);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

WorldState start_state(const GameDefinition& definition, const MatchConfig& config) {
    WorldState state;
    state.groups = empty_groups(definition);
    state.agent_stream = core::RandomStream(config.seed);
    state.hash_grid_stream = core::RandomStream(config.seed);
    return state;
}

}  // namespace

World::World(std::shared_ptr<const GameDefinition> definition, MatchConfig config,
             core::Executor& executor, core::LogSink log)
    : World(definition, config, start_state(*definition, config), executor, std::move(log)) {}

World::World(std::shared_ptr<const GameDefinition> definition, MatchConfig config, WorldState state,
             core::Executor& executor, core::LogSink log)
    : definition_(std::move(definition)),
      config_(config),
      executor_(executor),
      log_(std::move(log)),
      state_(std::move(state)) {
    MANIPLE_ASSERT(state_.groups.size() == definition_->templates().size());
    for (const std::string& name : definition_->field_names()) {
        fields_.emplace_back(name, nav::FieldConfig{});
    }
    for (const DerivedType& type : definition_->derived()) derived_.push_back(type.make());
    index_.rebuild(state_.groups);
}

World::~World() = default;

void World::log(core::Severity severity, int code, std::string message) const {
    log_({severity, code, std::move(message)});
}

// implements: NET-014, NET-015, O-NET-12
Result<void> World::queue(Command command) {
    if (command.tick <= state_.tick) {
        return refuse(ErrorCode::kBadValue, "a command for tick " + std::to_string(command.tick) +
                                                " at tick " + std::to_string(state_.tick));
    }
    if (command.server_exec_sequence < 1) {
        return refuse(ErrorCode::kBadValue, "a command without a sequence");
    }
    const auto before = [](const Command& a, const Command& b) {
        return std::tie(a.tick, a.server_exec_sequence) < std::tie(b.tick, b.server_exec_sequence);
    };
    for (const Command& queued : state_.pending) {
        if (queued.server_exec_sequence == command.server_exec_sequence) return {};
    }
    const auto at = std::upper_bound(state_.pending.begin(), state_.pending.end(), command, before);
    state_.pending.insert(at, std::move(command));
    return {};
}

Result<std::uint64_t> World::step(const StepHooks& hooks) {
    const core::FloatEnvironment environment;
    if (auto executed = run_commands(); !executed) return refuse(std::move(executed.error()));
    run_serial_window();
    run_systems();
    apply_structural_changes();
    run_tasks();
    if (hooks.before_hash) hooks.before_hash(*this);
    update_hash();
    return history_.find(state_.tick)->tree.root;
}

/// Substrate commands come first in their tick's order and are the only ones that can stop a step:
/// they are tried before the tick counter moves, so a refused one leaves the world unstepped.
// implements: NET-001, NET-008, NET-021
Result<void> World::run_commands() {
    const Tick tick = state_.tick + 1;
    std::size_t due = 0;
    while (due < state_.pending.size() && state_.pending[due].tick == tick) ++due;
    for (std::size_t i = 0; i < due; ++i) {
        const Command& command = state_.pending[i];
        if (command.type != kCommandRebuildFlowField) continue;
        auto imported = import_substrate(command.target, command.byte_payload);
        if (!imported) return imported;
    }
    state_.tick = tick;
    std::vector<Command> commands(
        std::make_move_iterator(state_.pending.begin()),
        std::make_move_iterator(state_.pending.begin() + static_cast<std::ptrdiff_t>(due)));
    state_.pending.erase(state_.pending.begin(),
                         state_.pending.begin() + static_cast<std::ptrdiff_t>(due));
    for (const Command& command : commands) execute(command);
    return {};
}

void World::execute(const Command& command) {
    if (command.type == kCommandRebuildFlowField) return;
    const CommandType* type = definition_->find_command(command.type);
    if (type == nullptr) {
        log(core::Severity::kError, 1001,
            "command type " + std::to_string(command.type) + " is not registered");
        return;
    }
    if (auto done = type->execute(*this, command); !done) {
        log(core::Severity::kWarning, 1002, describe(done.error(), type->name));
    }
}

// implements: LAY-022, NET-019
void World::run_serial_window() {
    for (substrate::PlayedField& played : fields_) played.field().flush_pending_destroys();
}

void World::run_systems() {
    SystemContext context{*this, executor_, state_.tick};
    for (running_system_ = 0; running_system_ < definition_->systems().size(); ++running_system_) {
        definition_->systems()[running_system_].run(context);
    }
}

// implements: UID-001, UID-005, O-UID-01, O-UID-03, O-UID-04
Uid World::spawn(TemplateId id) {
    if (state_.uid_cursor == INT32_MAX) {
        log(core::Severity::kError, 1003, "the UIDs are exhausted");
        return kNoUid;
    }
    const EntityTemplate& source = definition_->templates()[id.index];
    EntityGroup& target = group(id);
    const Uid uid{state_.uid_cursor++};
    const std::size_t row = target.size();
    target.uids.push_back(uid);
    target.tags.push_back(source.initial_tags);
    target.flags_low.push_back(0);
    target.flags_high.push_back(0);
    for (std::size_t i = 0; i < target.columns.size(); ++i) {
        target.columns[i].resize_rows(row + 1);
        std::copy(source.fragments[i].default_value.begin(),
                  source.fragments[i].default_value.end(), target.columns[i].row(row));
    }
    index_.insert(uid, {id.index, row});
    return uid;
}

void World::queue_destroy(Uid uid) { destroy_queue_.push_back({running_system_, uid}); }

namespace {

/// Removes the rows whose `gone` byte is set, keeping the order of the others.
void compact(EntityGroup& group, const std::vector<std::uint8_t>& gone) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < gone.size(); ++row) {
        if (gone[row] != 0) continue;
        if (kept != row) {
            group.uids[kept] = group.uids[row];
            group.tags[kept] = group.tags[row];
            group.flags_low[kept] = group.flags_low[row];
            group.flags_high[kept] = group.flags_high[row];
            for (Column& column : group.columns) {
                std::copy_n(column.row(row), column.row_bytes(), column.row(kept));
            }
        }
        ++kept;
    }
    group.uids.resize(kept);
    group.tags.resize(kept);
    group.flags_low.resize(kept);
    group.flags_high.resize(kept);
    for (Column& column : group.columns) column.resize_rows(kept);
}

}  // namespace

void World::apply_structural_changes() {
    if (destroy_queue_.empty()) return;
    std::sort(destroy_queue_.begin(), destroy_queue_.end(),
              [](const QueuedDestroy& a, const QueuedDestroy& b) {
                  return std::tie(a.system, a.uid) < std::tie(b.system, b.uid);
              });
    std::vector<std::vector<std::uint8_t>> gone(state_.groups.size());
    for (const QueuedDestroy& queued : destroy_queue_) {
        const std::optional<EntityRow> at = find(queued.uid);
        if (!at) continue;
        gone[at->group].resize(state_.groups[at->group].size());
        gone[at->group][at->row] = 1;
    }
    destroy_queue_.clear();
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i].empty()) compact(state_.groups[i], gone[i]);
    }
    index_.rebuild(state_.groups);
}

// implements: SNAP-033, SNAP-052, O-SNAP-02
TaskRecord& World::create_task(std::string_view type_key, Int32List agent_uids,
                               std::vector<Vec3d> goals) {
    const TaskType* type = definition_->find_task_type(type_key);
    MANIPLE_ASSERT(type != nullptr);
    TaskId& next = type->kind == TaskKind::kMoveTo        ? state_.next_move_to_task_id
                   : type->kind == TaskKind::kChaseAttack ? state_.next_chase_attack_task_id
                                                          : state_.next_other_task_id;
    TaskRecord task;
    task.template_key = type->key;
    task.kind = type->kind;
    task.id = next++;
    std::sort(agent_uids.begin(), agent_uids.end());
    task.agent_uids = std::move(agent_uids);
    task.goals = std::move(goals);
    task.start_tick = state_.tick;
    const auto at = std::upper_bound(state_.tasks.begin(), state_.tasks.end(), task,
                                     [](const TaskRecord& a, const TaskRecord& b) {
                                         return std::tie(a.kind, a.id) < std::tie(b.kind, b.id);
                                     });
    return *state_.tasks.insert(at, std::move(task));
}

TaskRecord* World::find_task(TaskKind kind, TaskId id) {
    for (TaskRecord& task : state_.tasks) {
        if (task.kind == kind && task.id == id) return &task;
    }
    return nullptr;
}

void World::run_tasks() {
    for (TaskRecord& task : state_.tasks) {
        const TaskType* type = definition_->find_task_type(task.template_key);
        if (task.state == TaskState::kRunning && type->tick) type->tick(*this, task);
        if (task.state != TaskState::kRunning && type->end) type->end(*this, task);
    }
    std::erase_if(state_.tasks,
                  [](const TaskRecord& task) { return task.state != TaskState::kRunning; });
}

// implements: HASH-001, HASH-003, O-HASH-05
void World::update_hash() {
    TickHistory::Entry& entry = history_.slot(state_.tick);
    compute_hash_tree(*definition_, state_, field_fingerprints(), executor_, entry.tree,
                      entry.columns);
}

std::uint64_t World::compute_hash() {
    HashTree tree;
    HashedColumns columns;
    compute_hash_tree(*definition_, state_, field_fingerprints(), executor_, tree, columns);
    return tree.root;
}

std::vector<FieldFingerprint> World::field_fingerprints() const {
    std::vector<FieldFingerprint> prints;
    for (const substrate::PlayedField& played : fields_) {
        const nav::FlowField& field = played.field();
        prints.push_back(
            {field.name(), field.config().digest(), field.synced(), field.substrate_version()});
    }
    return prints;
}

// implements: SNAP-045, SNAP-052, O-SNAP-08, HASH-007
Result<void> World::finish_restore(std::uint64_t expected_hash) {
    const std::uint64_t restored = compute_hash();
    if (restored != expected_hash) {
        return refuse(ErrorCode::kStateMismatch, "the restored state hashes to " +
                                                     core::hex16(restored) + ", not to " +
                                                     core::hex16(expected_hash));
    }
    for (TaskRecord& task : state_.tasks) {
        const TaskType* type = definition_->find_task_type(task.template_key);
        if (type->rebuild) type->rebuild(*this, task);
    }
    update_hash();
    return {};
}

}  // namespace maniple::sim
