#include "maniple/sim/world.h"

#include <algorithm>
#include <tuple>

#include "maniple/core/hash.h"

namespace maniple::sim {
namespace {

WorldState start_state(const GameDefinition& definition, const MatchConfig& config) {
    WorldState state = empty_state(definition);
    state.agent_stream = core::RandomStream(config.seed);
    state.hash_grid_stream = core::RandomStream(config.seed);
    return state;
}

}  // namespace

World::World(std::shared_ptr<const GameDefinition> definition, MatchConfig config,
             core::Executor& executor, core::LogSink log, core::Background* background)
    : definition_(std::move(definition)),
      config_(config),
      executor_(executor),
      log_(std::move(log)),
      state_(start_state(*definition_, config)),
      background_(background == nullptr ? inline_background_ : *background),
      async_updates_(background_) {
    for (const std::string& name : definition_->field_names()) {
        live_fields_.add(
            fields_.emplace_back(name, nav::FieldConfig{}, definition_->make_navmesh(name))
                .field());
    }
    for (const DerivedType& type : definition_->derived()) derived_.push_back(type.make());
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
    prepare_substrate(command);
    const auto at = std::upper_bound(state_.pending.begin(), state_.pending.end(), command, before);
    state_.pending.insert(at, std::move(command));
    return {};
}

Result<std::uint64_t> World::step(const StepHooks& hooks) {
    if (must_wait()) {
        return refuse(ErrorCode::kNotReady, "what a field will stand on is not computed yet");
    }
    const core::FloatEnvironment environment;
    if (auto executed = run_commands(); !executed) return refuse(std::move(executed.error()));
    run_serial_window();
    phase_ = Phase::kSystems;
    run_systems();
    phase_ = Phase::kStructure;
    apply_structural_changes();
    phase_ = Phase::kTasks;
    run_tasks();
    apply_structural_changes();
    phase_ = Phase::kIdle;
    if (hooks.before_hash) hooks.before_hash(*this);
    return rehash().root;
}

Result<void> World::run_commands() {
    const Tick tick = state_.tick + 1;
    std::size_t due = 0;
    while (due < state_.pending.size() && state_.pending[due].tick == tick) ++due;
    auto imported = import_due_substrates(std::span(state_.pending).first(due));
    if (!imported) return imported;
    state_.tick = tick;
    std::vector<Command> commands(
        std::make_move_iterator(state_.pending.begin()),
        std::make_move_iterator(state_.pending.begin() + static_cast<std::ptrdiff_t>(due)));
    state_.pending.erase(state_.pending.begin(),
                         state_.pending.begin() + static_cast<std::ptrdiff_t>(due));
    phase_ = Phase::kCommands;
    running_system_ = 0;
    for (const Command& command : commands) execute(command);
    run_deferred_spawns();
    return {};
}

void World::execute(const Command& command) {
    if (command.type == kCommandRebuildFlowField) return;
    const CommandType* type = definition_->find_command(command.type);
    if (type == nullptr) {
        log(core::Severity::kError, 1201,
            "command type " + std::to_string(command.type) + " is not registered");
        return;
    }
    issuer_slot_ = command.issuer_slot;
    if (auto done = type->execute(*this, command); !done) {
        log(core::Severity::kWarning, 1202, describe(done.error(), type->name));
    }
}

// implements: LAY-022, NET-019
void World::run_serial_window() {
    live_fields_.flush_pending_destroys();
    for (substrate::PlayedField& played : fields_) {
        if (played.mesh() != nullptr) played.mesh()->flush_pending_destroys();
    }
    async_updates_.on_tick(state_.tick);
}

void World::run_systems() {
    SystemContext context{*this, executor_, state_.tick};
    for (const System& system : definition_->systems()) {
        ++running_system_;
        system.run(context);
    }
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
    std::erase_if(agent_uids,
                  [&](std::int32_t uid) { return uid < 0 || uid >= state_.uid_cursor; });
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
const HashTree& World::rehash() {
    TickHistory::Entry& entry = history_.slot(state_.tick);
    if (const TickHistory::Entry* last = history_.find(state_.tick - 1); last != nullptr) {
        entry.tree.sections = last->tree.sections;
        entry.columns.sections = last->columns.sections;
    }
    compute_tree(entry.tree, entry.columns);
    return entry.tree;
}

void World::compute_tree(HashTree& tree, HashedColumns& columns) const {
    compute_hash_tree(*definition_, state_, field_fingerprints(), executor_, tree, columns);
}

std::uint64_t World::compute_hash() {
    HashTree tree;
    HashedColumns columns;
    compute_tree(tree, columns);
    return tree.root;
}

std::vector<FieldFingerprint> World::field_fingerprints() const {
    std::vector<FieldFingerprint> prints;
    for (const substrate::PlayedField& played : fields_) {
        prints.push_back(
            {played.field().name(), played.config_digest(), played.synced(), played.version()});
    }
    return prints;
}

// implements: UID-002, UID-004, UID-006, SNAP-043
void World::adopt_state(WorldState state) {
    MANIPLE_ASSERT(state.groups.size() == definition_->templates().size());
    MANIPLE_ASSERT(state.variables.size() == definition_->variables().size());
    MANIPLE_ASSERT(state.modifiers.size() == modifiers_.size());
    state_ = std::move(state);
    index_.rebuild(state_.groups);
    count_spawns();
}

// implements: LAY-022, SNAP-046, SNAP-050, SNAP-052, VAR-003, VAR-035, O-SNAP-08
void World::recover(std::span<const AgentComponent> components) {
    phase_ = Phase::kRecovery;
    live_fields_.set_suppressed(true);
    for (TaskRecord& task : state_.tasks) {
        const TaskType* type = definition_->find_task_type(task.template_key);
        if (type->rebuild) type->rebuild(*this, task);
    }
    live_fields_.set_suppressed(false);
    std::vector<std::pair<std::int32_t, std::size_t>> in_slot_order;
    for (std::size_t i = 0; i < components.size(); ++i) {
        in_slot_order.emplace_back(components[i].slot, i);
    }
    std::sort(in_slot_order.begin(), in_slot_order.end());
    for (const auto& [slot, index] : in_slot_order) {
        components[index].rebind_to_entity(*this, player_agent(slot));
    }
    for (std::size_t i = 0; i < state_.variables.size(); ++i) {
        const VariableStore& store = definition_->variables()[i];
        if (store.on_resync_recovered) store.on_resync_recovered(*this, state_.variables[i]);
    }
    phase_ = Phase::kIdle;
    rehash();
}

}  // namespace maniple::sim
