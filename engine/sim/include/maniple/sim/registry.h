#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/sim/describe.h"
#include "maniple/sim/ids.h"

namespace maniple::sim {

class World;

/// A registered fragment: a struct every entity of some templates carries, one column per template.
struct FragmentType {
    std::string name;
    FieldLayout layout;
};

/// Position of a template in key order; also the index of its entity group.
struct TemplateId {
    std::uint16_t index = 0;
    friend constexpr auto operator<=>(const TemplateId&, const TemplateId&) = default;
};

struct TemplateFragment {
    FragmentId fragment;
    std::vector<std::byte> default_value;  ///< layout.memory_bytes bytes
};

/// What a spawn starts from: fragments in registry order with their default values.
struct EntityTemplate {
    std::string key;
    EntityType entity_type = EntityType::kAgent;
    std::uint16_t initial_tags = 0;
    std::vector<TemplateFragment> fragments;
};

/// A handler runs in step 1 of a tick, serially. A refusal is logged and changes nothing.
struct CommandType {
    std::uint32_t id = 0;
    std::string name;
    std::function<Result<void>(World&, const Command&)> execute;
};

struct SystemContext {
    World& world;
    core::Executor& executor;
    Tick tick;
};
/// Runs in step 3 in registration order. It may run blocks of rows on the executor; each block
/// writes its own rows only.
struct System {
    std::string name;
    std::function<void(SystemContext&)> run;
};

struct TaskRecord;
/// What a task does: `tick` in step 5; `rebuild` after a restore (re-acquire layers); `end` when it
/// finishes or is cancelled (release layers). All serial.
struct TaskType {
    std::string key;
    TaskKind kind = TaskKind::kOther;
    std::function<void(World&, TaskRecord&)> tick;
    std::function<void(World&, TaskRecord&)> rebuild;
    std::function<void(World&, TaskRecord&)> end;
};

/// Game-owned derived state (spatial grid, scratch): never hashed, never saved, made anew with
/// every World, so that nothing survives a restore.
template <typename T>
struct DerivedHandle {
    std::uint16_t index = 0;
};
struct DerivedType {
    std::function<std::shared_ptr<void>()> make;
};

/// Everything a game registers, once, before any World exists. Immutable afterwards and shared by
/// all worlds of the process. The order of calls is part of the game (registry_digest).
class GameDefinition {
  public:
    explicit GameDefinition(std::string game_id) : game_id_(std::move(game_id)) {}

    template <typename T>
    FragmentId add_fragment(std::string name) {
        return add_fragment_type({std::move(name), layout_of<T>()}, typeid(T));
    }
    /// Adds a template; keys are unique. Fragment defaults are given by TemplateBuilder.
    void add_template(EntityTemplate entity_template);
    void add_command(CommandType command);
    void add_system(System system);
    void add_task_type(TaskType task_type);
    /// A navigation field the game plays on, by name.
    void add_field(std::string field_name);
    template <typename T>
    DerivedHandle<T> add_derived() {
        derived_.push_back({[] { return std::shared_ptr<void>(std::make_shared<T>()); }});
        return {static_cast<std::uint16_t>(derived_.size() - 1)};
    }
    /// Sorts templates by key and fixes the digest; nothing can be added afterwards.
    void seal();

    [[nodiscard]] const std::string& game_id() const { return game_id_; }
    [[nodiscard]] const std::vector<FragmentType>& fragments() const { return fragments_; }
    [[nodiscard]] const std::vector<EntityTemplate>& templates() const { return templates_; }
    [[nodiscard]] const std::vector<System>& systems() const { return systems_; }
    [[nodiscard]] const std::vector<TaskType>& task_types() const { return task_types_; }
    [[nodiscard]] const std::vector<CommandType>& commands() const { return commands_; }
    [[nodiscard]] const std::vector<std::string>& field_names() const { return field_names_; }
    [[nodiscard]] const std::vector<DerivedType>& derived() const { return derived_; }
    [[nodiscard]] const FragmentType& fragment(FragmentId id) const { return fragments_[id.index]; }
    template <typename T>
    [[nodiscard]] FragmentId fragment_id() const {
        return fragment_id_of(typeid(T));
    }
    /// By name; kUnknownName names what is missing.
    [[nodiscard]] Result<FragmentId> find_fragment(std::string_view name) const;
    [[nodiscard]] Result<TemplateId> find_template(std::string_view key) const;
    [[nodiscard]] const CommandType* find_command(std::uint32_t id) const;
    [[nodiscard]] const TaskType* find_task_type(std::string_view key) const;
    /// XXH3 over game id, fragments (names, leaves), templates (keys, defaults), commands, systems,
    /// task types and field names: equal on two peers exactly when they can play together.
    [[nodiscard]] std::uint64_t registry_digest() const { return digest_; }

  private:
    FragmentId add_fragment_type(FragmentType type, std::type_index cpp_type);
    [[nodiscard]] FragmentId fragment_id_of(std::type_index cpp_type) const;

    std::string game_id_;
    bool sealed_ = false;
    std::vector<FragmentType> fragments_;
    std::vector<std::type_index> fragment_cpp_types_;
    std::vector<EntityTemplate> templates_;
    std::vector<System> systems_;
    std::vector<TaskType> task_types_;
    std::vector<CommandType> commands_;
    std::vector<std::string> field_names_;
    std::vector<DerivedType> derived_;
    std::uint64_t digest_ = 0;
};

/// Builds one template: `TemplateBuilder(def, "melee").with(Health{100}).with(Position{}).add();`
class TemplateBuilder {
  public:
    TemplateBuilder(GameDefinition& definition, std::string key,
                    EntityType type = EntityType::kAgent)
        : definition_(definition) {
        template_.key = std::move(key);
        template_.entity_type = type;
    }
    template <typename T>
    TemplateBuilder& with(const T& default_value = {}) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&default_value);
        template_.fragments.push_back(
            {definition_.fragment_id<T>(), std::vector<std::byte>(bytes, bytes + sizeof(T))});
        return *this;
    }
    TemplateBuilder& tags(std::uint16_t initial_tags) {
        template_.initial_tags = initial_tags;
        return *this;
    }
    void add() { definition_.add_template(std::move(template_)); }

  private:
    GameDefinition& definition_;
    EntityTemplate template_;
};

}  // namespace maniple::sim
