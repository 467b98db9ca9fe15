#include "maniple/sim/registry.h"

#include <algorithm>

#include "maniple/core/hash.h"

namespace maniple::sim {

FragmentId GameDefinition::add_fragment_type(FragmentType type, std::type_index cpp_type) {
    MANIPLE_ASSERT(!sealed_);
    MANIPLE_ASSERT(fragments_.size() < 0xFFFF);
    MANIPLE_ASSERT(!find_fragment(type.name));
    fragments_.push_back(std::move(type));
    fragment_cpp_types_.push_back(cpp_type);
    return {static_cast<std::uint16_t>(fragments_.size() - 1)};
}

FragmentId GameDefinition::fragment_id_of(std::type_index cpp_type) const {
    const auto found = std::find(fragment_cpp_types_.begin(), fragment_cpp_types_.end(), cpp_type);
    MANIPLE_ASSERT(found != fragment_cpp_types_.end());
    return {static_cast<std::uint16_t>(std::distance(fragment_cpp_types_.begin(), found))};
}

TagId GameDefinition::add_tag_type(std::string name, std::type_index cpp_type) {
    MANIPLE_ASSERT(!sealed_);
    MANIPLE_ASSERT(tags_.size() < kTagsMax);
    tags_.push_back(std::move(name));
    tag_cpp_types_.push_back(cpp_type);
    return {static_cast<std::uint8_t>(tags_.size() - 1)};
}

TagId GameDefinition::tag_id_of(std::type_index cpp_type) const {
    const auto found = std::find(tag_cpp_types_.begin(), tag_cpp_types_.end(), cpp_type);
    MANIPLE_ASSERT(found != tag_cpp_types_.end());
    return {static_cast<std::uint8_t>(std::distance(tag_cpp_types_.begin(), found))};
}

// implements: VAR-001, VAR-010, VAR-021, VAR-031, O-VAR-16
void GameDefinition::add_variable_store(VariableStore store) {
    MANIPLE_ASSERT(!sealed_);
    MANIPLE_ASSERT(!find_variables(store.key));
    const bool is_new_class =
        std::none_of(variables_.begin(), variables_.end(),
                     [&](const VariableStore& known) { return known.layout == store.layout; });
    for (const std::string& warning : store.layout->warnings) {
        if (is_new_class) warnings_.push_back(store.key + ": variable " + warning);
    }
    const auto at = std::upper_bound(
        variables_.begin(), variables_.end(), store,
        [](const VariableStore& a, const VariableStore& b) { return a.key < b.key; });
    variables_.insert(at, std::move(store));
}

void GameDefinition::add_template(EntityTemplate entity_template) {
    MANIPLE_ASSERT(!sealed_);
    for (auto* fragments : {&entity_template.fragments, &entity_template.shared_fragments}) {
        std::sort(fragments->begin(), fragments->end(),
                  [](const TemplateFragment& a, const TemplateFragment& b) {
                      return a.fragment < b.fragment;
                  });
    }
    templates_.push_back(std::move(entity_template));
}

void GameDefinition::add_command(CommandType command) {
    MANIPLE_ASSERT(!sealed_);
    MANIPLE_ASSERT(command.id >= kFirstGameCommand);
    MANIPLE_ASSERT(find_command(command.id) == nullptr);
    commands_.push_back(std::move(command));
}

void GameDefinition::add_system(System system) {
    MANIPLE_ASSERT(!sealed_);
    systems_.push_back(std::move(system));
}

void GameDefinition::add_task_type(TaskType task_type) {
    MANIPLE_ASSERT(!sealed_);
    MANIPLE_ASSERT(find_task_type(task_type.key) == nullptr);
    task_types_.push_back(std::move(task_type));
}

void GameDefinition::add_field(std::string field_name, MakeNavMesh navmesh) {
    MANIPLE_ASSERT(!sealed_);
    if (navmesh) navmesh_of_[field_name] = std::move(navmesh);
    field_names_.push_back(std::move(field_name));
}

std::unique_ptr<substrate::NavMeshSide> GameDefinition::make_navmesh(
    const std::string& field_name) const {
    const auto found = navmesh_of_.find(field_name);
    return found == navmesh_of_.end() ? nullptr : found->second(field_name);
}

namespace {

std::uint64_t mix_layout(std::uint64_t hash, const FieldLayout& layout) {
    hash = core::mix(hash, static_cast<std::uint32_t>(layout.leaves.size()));
    for (const FieldLeaf& leaf : layout.leaves) {
        hash = core::mix_text(hash, leaf.name);
        hash = core::mix(hash, static_cast<std::uint8_t>(leaf.type));
    }
    return hash;
}

std::uint64_t mix_defaults(std::uint64_t hash, const GameDefinition& definition,
                           const std::vector<TemplateFragment>& fragments) {
    for (const TemplateFragment& part : fragments) {
        const FieldLayout& layout = definition.fragment(part.fragment).layout;
        core::Bytes wire(layout.wire_bytes);
        rows_to_canonical_wire(layout, part.default_value.data(), 1, wire.data());
        hash = core::mix(hash, part.fragment.index);
        hash = core::xxh3_64(wire, hash);
    }
    return hash;
}

std::uint64_t mix_variables(std::uint64_t hash, const VariableStore& store,
                            const NameTable& names) {
    hash = core::mix_text(hash, store.key);
    for (const VarField& field : store.layout->fields) {
        hash = core::mix_text(hash, field.name);
        hash = core::xxh3_64(field.tag(), hash);
    }
    return fold_variables(*store.layout, store.address(store.initial), names, hash);
}

}  // namespace

void GameDefinition::seal(const core::LogSink& log) {
    MANIPLE_ASSERT(!sealed_);
    sealed_ = true;
    for (const std::string& warning : warnings_) {
        log({core::Severity::kWarning, kLogNotSynced, warning});
    }
    std::sort(templates_.begin(), templates_.end(),
              [](const EntityTemplate& a, const EntityTemplate& b) { return a.key < b.key; });
    std::sort(field_names_.begin(), field_names_.end());
    std::uint64_t hash = core::mix_text(0, game_id_);
    for (const FragmentType& fragment : fragments_) {
        hash = core::mix_text(hash, fragment.name);
        hash = core::mix(hash, static_cast<std::uint8_t>(fragment.is_shared ? 1 : 0));
        hash = mix_layout(hash, fragment.layout);
    }
    for (const std::string& tag : tags_) hash = core::mix_text(hash, tag);
    for (const EntityTemplate& entity : templates_) {
        hash = core::mix_text(hash, entity.key);
        hash = core::mix(hash, static_cast<std::uint8_t>(entity.entity_type));
        hash = core::mix(hash, entity.initial_tags);
        hash = core::mix(hash, entity.initial_flags_low);
        hash = core::mix(hash, entity.initial_flags_high);
        hash = mix_defaults(hash, *this, entity.fragments);
        hash = mix_defaults(hash, *this, entity.shared_fragments);
    }
    for (const CommandType& command : commands_) {
        hash = core::mix(hash, command.id);
        hash = core::mix_text(hash, command.name);
    }
    for (const System& system : systems_) hash = core::mix_text(hash, system.name);
    for (const TaskType& task : task_types_) {
        hash = core::mix_text(hash, task.key);
        hash = core::mix(hash, static_cast<std::uint8_t>(task.kind));
        hash = mix_layout(hash, task.variables);
    }
    for (const std::string& name : field_names_) hash = core::mix_text(hash, name);
    for (const VariableStore& store : variables_) hash = mix_variables(hash, store, *names_);
    digest_ = hash;
}

Result<FragmentId> GameDefinition::find_fragment(std::string_view name) const {
    for (std::size_t i = 0; i < fragments_.size(); ++i) {
        if (fragments_[i].name == name) return FragmentId{static_cast<std::uint16_t>(i)};
    }
    return refuse(ErrorCode::kUnknownName, "no fragment is named '" + std::string(name) + "'");
}

Result<TemplateId> GameDefinition::find_template(std::string_view key) const {
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        if (templates_[i].key == key) return TemplateId{static_cast<std::uint16_t>(i)};
    }
    return refuse(ErrorCode::kUnknownName, "no template is named '" + std::string(key) + "'");
}

Result<std::size_t> GameDefinition::find_variables(std::string_view key) const {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        if (variables_[i].key == key) return i;
    }
    return refuse(ErrorCode::kUnknownName, "no variables are named '" + std::string(key) + "'");
}

const CommandType* GameDefinition::find_command(std::uint32_t id) const {
    for (const CommandType& command : commands_) {
        if (command.id == id) return &command;
    }
    return nullptr;
}

const TaskType* GameDefinition::find_task_type(std::string_view key) const {
    for (const TaskType& task : task_types_) {
        if (task.key == key) return &task;
    }
    return nullptr;
}

}  // namespace maniple::sim
