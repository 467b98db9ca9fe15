#pragma once

#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
#include "maniple/sim/names.h"
#include "maniple/sim/spawn_request.h"
#include "maniple/sim/value_check.h"
#include "maniple/sim/variables.h"
#include "maniple/substrate/navmesh_side.h"

namespace maniple::sim {

/// A registered fragment: a struct every entity of some templates carries, one column per template.
/// Of a shared one, entities of equal value hold one value in common (SNAP-007).
struct FragmentType {
    std::string name;
    FieldLayout layout;
    bool is_shared = false;
    RowsCheck check = {};
};

/// A registered tag: one bit of every entity's flags, 0 to 63 in flags_low, then flags_high.
struct TagId {
    std::uint8_t bit = 0;
    friend constexpr auto operator<=>(const TagId&, const TagId&) = default;
};
inline constexpr std::size_t kTagsMax = 128;

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
    std::int64_t initial_flags_low = 0;
    std::int64_t initial_flags_high = 0;
    std::vector<TemplateFragment> fragments;
    std::vector<TemplateFragment> shared_fragments;
    /// Applies a spawn request to one of its agents: place, team, velocity, multipliers, rotation,
    /// activation (SNAP-053). Serial, in step 1.
    std::function<void(World&, Uid, const SpawnRequest&, const Vec3d& location)> place = {};
    /// Of the requests that a snapshot holds for it.
    ValueCheck<SpawnRequest> check_spawn = nullptr;
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
    /// Layout of TaskRecord::variables, so that its floats are canonicalised and its fields named:
    /// `variables_layout<T>()`. Empty: opaque bytes.
    FieldLayout variables = {};
    /// Of the records that a snapshot holds; names a field of the record or of the variables.
    ValueCheck<TaskRecord> check = nullptr;
};
/// For TaskType::variables; read and written by task_variables and set_task_variables.
template <typename T>
[[nodiscard]] FieldLayout variables_layout() {
    return layout_of<T>();
}

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

    /// `check` refuses restored values that the game cannot bear (value_check.h), here and below.
    template <typename T>
    FragmentId add_fragment(std::string name, ValueCheck<T> check = nullptr) {
        return add_fragment_type({std::move(name), layout_of<T>(), false, check_of_rows<T>(check)},
                                 typeid(T));
    }
    /// A fragment whose equal values are stored once a template (copy on write, SNAP-042).
    template <typename T>
    FragmentId add_shared_fragment(std::string name, ValueCheck<T> check = nullptr) {
        return add_fragment_type({std::move(name), layout_of<T>(), true, check_of_rows<T>(check)},
                                 typeid(T));
    }
    /// A tag: T is an empty struct that stands for it in code. At most kTagsMax.
    template <typename T>
    TagId add_tag(std::string name) {
        static_assert(std::is_empty_v<T>, "a tag has no fields");
        return add_tag_type(std::move(name), typeid(T));
    }
    /// A store of lockstep variables: one object of the described class T, known by `key`. Members
    /// that cannot be synced, and those in a static T::kTransient list, are left out and named in
    /// warnings(). `recovered` runs after a restore and may recompute what is derivable (VAR-003).
    template <typename T>
    void add_variables(std::string key, T initial = {},
                       std::function<void(World&, T&)> recovered = {},
                       ValueCheck<T> check = nullptr) {
        VariableStore store{
            std::move(key),
            &variable_layout<T>(),
            std::any(std::move(initial)),
            [](const std::any& object) -> const void* { return std::any_cast<T>(&object); },
            {},
            {}};
        if (check != nullptr) {
            store.check = [check](const void* object) {
                return check(*static_cast<const T*>(object));
            };
        }
        if (recovered) {
            store.on_resync_recovered = [recovered](World& world, std::any& object) {
                recovered(world, *std::any_cast<T>(&object));
            };
        }
        add_variable_store(std::move(store));
    }
    /// Adds a template; keys are unique. Fragment defaults are given by TemplateBuilder.
    void add_template(EntityTemplate entity_template);
    void add_command(CommandType command);
    void add_system(System system);
    void add_task_type(TaskType task_type);
    /// Makes the navmesh half of a field, given its name.
    using MakeNavMesh =
        std::function<std::unique_ptr<substrate::NavMeshSide>(const std::string& field_name)>;
    /// A navigation field the game plays on, by name; without `navmesh` on a grid only.
    void add_field(std::string field_name, MakeNavMesh navmesh = nullptr);
    template <typename T>
    DerivedHandle<T> add_derived() {
        derived_.push_back({[] { return std::shared_ptr<void>(std::make_shared<T>()); }});
        return {static_cast<std::uint16_t>(derived_.size() - 1)};
    }
    /// Sorts templates by key and fixes the digest; nothing can be added afterwards. Logs what is
    /// not synced as warnings (kLogNotSynced).
    void seal(const core::LogSink& log = core::null_log());

    [[nodiscard]] const std::string& game_id() const { return game_id_; }
    [[nodiscard]] const std::vector<FragmentType>& fragments() const { return fragments_; }
    [[nodiscard]] const std::vector<EntityTemplate>& templates() const { return templates_; }
    [[nodiscard]] const std::vector<System>& systems() const { return systems_; }
    [[nodiscard]] const std::vector<TaskType>& task_types() const { return task_types_; }
    [[nodiscard]] const std::vector<CommandType>& commands() const { return commands_; }
    [[nodiscard]] const std::vector<std::string>& field_names() const { return field_names_; }
    /// Null for a field on a grid only.
    [[nodiscard]] std::unique_ptr<substrate::NavMeshSide> make_navmesh(
        const std::string& field_name) const;
    [[nodiscard]] const std::vector<DerivedType>& derived() const { return derived_; }
    [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }
    /// In ascending order of their keys, bytewise (VAR-031).
    [[nodiscard]] const std::vector<VariableStore>& variables() const { return variables_; }
    /// What was declared but is not synced, by name, once a class (VAR-021). seal() logs it.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
    /// The texts of all names, shared by the worlds of this game.
    [[nodiscard]] NameTable& names() const { return *names_; }
    [[nodiscard]] const FragmentType& fragment(FragmentId id) const { return fragments_[id.index]; }
    template <typename T>
    [[nodiscard]] FragmentId fragment_id() const {
        return fragment_id_of(typeid(T));
    }
    /// The fragment registered for T, if any.
    template <typename T>
    [[nodiscard]] std::optional<FragmentId> find_fragment_of() const {
        const auto found = std::find(fragment_cpp_types_.begin(), fragment_cpp_types_.end(),
                                     std::type_index(typeid(T)));
        if (found == fragment_cpp_types_.end()) return std::nullopt;
        return FragmentId{static_cast<std::uint16_t>(found - fragment_cpp_types_.begin())};
    }
    template <typename T>
    [[nodiscard]] TagId tag_id() const {
        return tag_id_of(typeid(T));
    }
    /// By name; kUnknownName names what is missing.
    [[nodiscard]] Result<FragmentId> find_fragment(std::string_view name) const;
    [[nodiscard]] Result<TemplateId> find_template(std::string_view key) const;
    /// The store's position in variables(); kUnknownName.
    [[nodiscard]] Result<std::size_t> find_variables(std::string_view key) const;
    [[nodiscard]] const CommandType* find_command(std::uint32_t id) const;
    [[nodiscard]] const TaskType* find_task_type(std::string_view key) const;
    /// XXH3 over game id, fragments (names, leaves), tags, templates (keys, defaults), commands,
    /// systems, task types, field names and variables: equal on two peers exactly when they can
    /// play together.
    [[nodiscard]] std::uint64_t registry_digest() const { return digest_; }

  private:
    FragmentId add_fragment_type(FragmentType type, std::type_index cpp_type);
    [[nodiscard]] FragmentId fragment_id_of(std::type_index cpp_type) const;
    TagId add_tag_type(std::string name, std::type_index cpp_type);
    [[nodiscard]] TagId tag_id_of(std::type_index cpp_type) const;
    void add_variable_store(VariableStore store);

    std::string game_id_;
    bool sealed_ = false;
    std::vector<FragmentType> fragments_;
    std::vector<std::type_index> fragment_cpp_types_;
    std::vector<EntityTemplate> templates_;
    std::vector<System> systems_;
    std::vector<TaskType> task_types_;
    std::vector<CommandType> commands_;
    std::vector<std::string> field_names_;
    std::map<std::string, MakeNavMesh> navmesh_of_;  ///< By field name.
    std::vector<DerivedType> derived_;
    std::vector<std::string> tags_;
    std::vector<std::type_index> tag_cpp_types_;
    std::vector<VariableStore> variables_;
    std::vector<std::string> warnings_;
    std::shared_ptr<NameTable> names_ = std::make_shared<NameTable>();
    std::uint64_t digest_ = 0;
};

/// Warning: a declared variable is not synced; the message names it.
inline constexpr int kLogNotSynced = 1010;

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
        const FragmentId id = definition_.fragment_id<T>();
        auto& fragments =
            definition_.fragment(id).is_shared ? template_.shared_fragments : template_.fragments;
        fragments.push_back({id, std::vector<std::byte>(bytes, bytes + sizeof(T))});
        return *this;
    }
    /// Entities start with the registered tag T.
    template <typename T>
    TemplateBuilder& tagged() {
        const std::uint8_t bit = definition_.tag_id<T>().bit;
        auto& flags = bit < 64 ? template_.initial_flags_low : template_.initial_flags_high;
        flags |= static_cast<std::int64_t>(std::uint64_t{1} << bit % 64);
        return *this;
    }
    TemplateBuilder& place(decltype(EntityTemplate::place) apply) {
        template_.place = std::move(apply);
        return *this;
    }
    TemplateBuilder& check_spawn(ValueCheck<SpawnRequest> check) {
        template_.check_spawn = check;
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
