#include "maniple/sim/value_check.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/sim/hash_tree.h"
#include "maniple/sim/record.h"
#include "maniple/sim/world_state.h"

#include "hash_tree_fold.h"

namespace maniple::sim {
namespace {

std::string number(auto value) {
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), value).ptr;
    return {std::begin(text), end};
}

std::string text_of(const Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return number(*integer);
    if (const auto* real = std::get_if<double>(&value)) return number(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
    return "a list";
}

/// " is 7", or nothing for a name that stands for more than one value.
std::string value_of(std::string_view field, const std::vector<NamedValue>& leaves) {
    const auto found = std::ranges::find(leaves, field, &NamedValue::name);
    return found == leaves.end() ? "" : " is " + text_of(found->value);
}

void flatten_wire(const GameDefinition& definition, const FieldLayout& layout,
                  const std::uint8_t* wire, std::vector<NamedValue>& leaves) {
    for (const FieldLeaf& leaf : layout.leaves) {
        leaves.push_back({leaf.name, scalar_value(definition, leaf.type, wire + leaf.wire_offset)});
    }
}

Result<void> refuse_row(const GameDefinition& definition, const FragmentType& fragment, Uid uid,
                        const std::byte* row, const char* field) {
    core::Bytes wire(fragment.layout.wire_bytes);
    rows_to_wire(fragment.layout, row, 1, wire.data());
    std::vector<NamedValue> leaves;
    flatten_wire(definition, fragment.layout, wire.data(), leaves);
    return refuse(ErrorCode::kBadValue, fragment.name + "." + field + " of entity " +
                                            number(uid.value) + value_of(field, leaves));
}

Result<void> check_column(const GameDefinition& definition, const EntityGroup& group,
                          const Column& column) {
    const FragmentType& fragment = definition.fragment(column.fragment());
    if (!fragment.check) return {};
    const std::optional<Misfit> misfit = fragment.check(column.data(), group.size());
    if (!misfit) return {};
    return refuse_row(definition, fragment, group.uids[misfit->row], column.row(misfit->row),
                      misfit->field);
}

Result<void> check_shared_column(const GameDefinition& definition, const EntityGroup& group,
                                 const SharedColumn& column) {
    const FragmentType& fragment = definition.fragment(column.fragment());
    if (!fragment.check) return {};
    for (std::size_t slot = 0; slot < column.slot_count(); ++slot) {
        const std::optional<Misfit> misfit = fragment.check(column.slot_value(slot), 1);
        if (!misfit) continue;
        for (std::size_t row = 0; row < group.size(); ++row) {
            if (column.slot(row) != slot) continue;
            return refuse_row(definition, fragment, group.uids[row], column.row(row),
                              misfit->field);
        }
    }
    return {};
}

Result<void> check_groups(const GameDefinition& definition, const WorldState& state) {
    for (const EntityGroup& group : state.groups) {
        for (const Column& column : group.columns) {
            if (auto checked = check_column(definition, group, column); !checked) return checked;
        }
        for (const SharedColumn& column : group.shared_columns) {
            auto checked = check_shared_column(definition, group, column);
            if (!checked) return checked;
        }
    }
    return {};
}

Result<void> check_tasks(const GameDefinition& definition, const WorldState& state) {
    for (const TaskRecord& task : state.tasks) {
        const TaskType* type = definition.find_task_type(task.template_key);
        const char* field = type->check == nullptr ? nullptr : type->check(task);
        if (field == nullptr) continue;
        std::vector<NamedValue> leaves;
        flatten_record(task, "", leaves);
        if (task.variables.size() == type->variables.wire_bytes) {
            flatten_wire(definition, type->variables, task.variables.data(), leaves);
        }
        return refuse(ErrorCode::kBadValue, "task " + task.template_key + " " + number(task.id) +
                                                ": " + field + value_of(field, leaves));
    }
    return {};
}

Result<void> check_spawns(const GameDefinition& definition, const WorldState& state) {
    for (std::size_t i = 0; i < state.deferred_spawns.size(); ++i) {
        const SpawnRequest& request = state.deferred_spawns[i];
        const TemplateId id = *definition.find_template(request.template_key);
        const auto check = definition.templates()[id.index].check_spawn;
        const char* field = check == nullptr ? nullptr : check(request);
        if (field == nullptr) continue;
        std::vector<NamedValue> leaves;
        flatten_record(request, "", leaves);
        return refuse(ErrorCode::kBadValue, "deferred spawn " + number(i) + " of " +
                                                request.template_key + ": " + field +
                                                value_of(field, leaves));
    }
    return {};
}

Result<void> check_variables(const GameDefinition& definition, const WorldState& state) {
    for (std::size_t i = 0; i < state.variables.size(); ++i) {
        const VariableStore& store = definition.variables()[i];
        const void* object = store.address(state.variables[i]);
        const char* field = store.check ? store.check(object) : nullptr;
        if (field == nullptr) continue;
        std::vector<NamedValue> leaves;
        for (const VarField& variable : store.layout->fields) {
            variable.flatten(object, definition.names(), leaves);
        }
        return refuse(ErrorCode::kBadValue,
                      "variable " + store.key + "." + field + value_of(field, leaves));
    }
    return {};
}

}  // namespace

Result<void> check_values(const GameDefinition& definition, const WorldState& state) {
    if (auto checked = check_groups(definition, state); !checked) return checked;
    if (auto checked = check_tasks(definition, state); !checked) return checked;
    if (auto checked = check_spawns(definition, state); !checked) return checked;
    return check_variables(definition, state);
}

}  // namespace maniple::sim
