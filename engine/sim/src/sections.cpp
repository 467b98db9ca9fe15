#include "sections.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "maniple/core/hash.h"
#include "maniple/sim/record.h"

#include "hash_tree_fold.h"

namespace maniple::sim {

namespace {

struct StreamRecord {
    std::int32_t initial_seed = 0;
    std::uint32_t seed = 0;
};
BOOST_DESCRIBE_STRUCT(StreamRecord, (), (initial_seed, seed))
struct StreamsRecord {
    StreamRecord agent;
    StreamRecord hash_grid;
};
BOOST_DESCRIBE_STRUCT(StreamsRecord, (), (agent, hash_grid))
struct IdCounters {
    std::int32_t next_move_to_task_id = 1;
    std::int32_t next_chase_attack_task_id = 1;
    std::int32_t next_other_task_id = 1;
};
BOOST_DESCRIBE_STRUCT(IdCounters, (),
                      (next_move_to_task_id, next_chase_attack_task_id, next_other_task_id))
/// One store of variables as its section holds it, values in their coding.
struct VariableRecord {
    std::string name;
    std::vector<std::uint8_t> data;
};
BOOST_DESCRIBE_STRUCT(VariableRecord, (), (name, data))
struct StoreRecord {
    std::string key;
    std::vector<VariableRecord> variables;
};
BOOST_DESCRIBE_STRUCT(StoreRecord, (), (key, variables))

StreamRecord record_of(const core::RandomStream& stream) {
    return {stream.initial_seed, stream.seed};
}

/// A task's variables stand last, so that they are canonicalised where they were written.
// implements: O-SNAP-02
void write_tasks(const GameDefinition& definition, const std::vector<TaskRecord>& tasks,
                 core::Bytes& bytes) {
    core::ByteWriter out(bytes);
    out.i32(static_cast<std::int32_t>(tasks.size()));
    for (const TaskRecord& task : tasks) {
        write_record(task, out);
        const TaskType* type = definition.find_task_type(task.template_key);
        if (type == nullptr || type->variables.wire_bytes != task.variables.size()) continue;
        canonicalise_wire(type->variables, 1, bytes.data() + bytes.size() - task.variables.size());
    }
}

// implements: VAR-024, VAR-025, VAR-030, VAR-031, VAR-032, HASH-002, O-HASH-03
/// Writes the stores that have variables, in key order, and returns the fold over them.
std::uint64_t write_variables(const GameDefinition& definition, const WorldState& state,
                              core::Bytes& bytes) {
    std::vector<StoreRecord> records;
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < state.variables.size(); ++i) {
        const VariableStore& store = definition.variables()[i];
        if (!store.layout->has_synced_fields()) continue;
        const void* object = store.address(state.variables[i]);
        hash = core::mix_text(hash, store.key);
        hash = fold_variables(*store.layout, object, definition.names(), hash);
        StoreRecord& record = records.emplace_back(StoreRecord{store.key, {}});
        for (const VarField& field : store.layout->fields) {
            core::ByteWriter data(
                record.variables.emplace_back(VariableRecord{field.name, {}}).data);
            field.write(object, definition.names(), true, data);
        }
    }
    core::ByteWriter out(bytes);
    write_record(records, out);
    return hash;
}

}  // namespace

// implements: HASH-004, HASH-006, O-HASH-02, O-HASH-04, O-HASH-05
void hash_sections(const GameDefinition& definition, const WorldState& state,
                   const std::vector<FieldFingerprint>& fields, HashTree& tree,
                   SectionBytes& kept) {
    // `hash_of` writes a section and returns its hash. Those of tasks are large and change in most
    // ticks: their bytes are written once, into what is kept.
    const auto take = [&](HashSection section, const auto& hash_of) {
        auto& there = kept[section_index(section)];
        core::Bytes bytes;
        if (there != nullptr) bytes.reserve(there->size());
        const std::uint64_t hash = hash_of(bytes);
        std::uint64_t& known = tree.sections[section_index(section)];
        if (there == nullptr || known != hash || there->size() != bytes.size()) {
            there = std::make_shared<const core::Bytes>(std::move(bytes));
        }
        known = hash;
    };
    const auto take_record = [&](HashSection section, const auto& record) {
        take(section, [&](core::Bytes& bytes) {
            core::ByteWriter out(bytes);
            write_record(record, out);
            return core::xxh3_64(bytes);
        });
    };
    take_record(HashSection::kOccupiedCount, state.occupied_count());
    take_record(HashSection::kUidCursor, state.uid_cursor);
    take_record(HashSection::kRandomStreams,
                StreamsRecord{record_of(state.agent_stream), record_of(state.hash_grid_stream)});
    take_record(HashSection::kIdCounters,
                IdCounters{state.next_move_to_task_id, state.next_chase_attack_task_id,
                           state.next_other_task_id});
    take_record(HashSection::kDeferredSpawns, state.deferred_spawns);
    take(HashSection::kTasks, [&](core::Bytes& bytes) {
        write_tasks(definition, state.tasks, bytes);
        return core::xxh3_64(bytes);
    });
    take(HashSection::kVariables,
         [&](core::Bytes& bytes) { return write_variables(definition, state, bytes); });
    take_record(HashSection::kModifiers, state.modifiers);
    take_record(HashSection::kFields, fields);
}

namespace {

template <typename Record>
bool flatten_as(core::ByteSpan bytes, std::vector<NamedValue>& out) {
    Record record{};
    core::ByteReader in(bytes);
    read_record(in, record);
    in.expect_end();
    if (in.ok()) flatten_record(record, "", out);
    return in.ok();
}

/// Task variables are named by the fields of their type.
bool flatten_tasks(const GameDefinition& definition, core::ByteSpan bytes,
                   std::vector<NamedValue>& out) {
    std::vector<TaskRecord> tasks;
    core::ByteReader in(bytes);
    read_record(in, tasks);
    in.expect_end();
    if (!in.ok()) return false;
    out.push_back({"count", static_cast<std::int64_t>(tasks.size())});
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string name = "[" + std::to_string(i) + "]";
        core::Bytes variables;
        const TaskType* type = definition.find_task_type(tasks[i].template_key);
        const bool has_layout =
            type != nullptr && type->variables.wire_bytes == tasks[i].variables.size();
        if (has_layout) variables = std::exchange(tasks[i].variables, {});
        flatten_record(tasks[i], name, out);
        if (!has_layout) continue;
        for (const FieldLeaf& leaf : type->variables.leaves) {
            out.push_back(
                {name + ".variables." + leaf.name,
                 scalar_value(definition, leaf.type, variables.data() + leaf.wire_offset)});
        }
    }
    return true;
}

/// Variables are named by their store; their values are read by the layout into a fresh object.
bool flatten_variables(const GameDefinition& definition, core::ByteSpan bytes,
                       std::vector<NamedValue>& out) {
    std::vector<StoreRecord> records;
    core::ByteReader in(bytes);
    read_record(in, records);
    in.expect_end();
    if (!in.ok()) return false;
    for (const StoreRecord& record : records) {
        const Result<std::size_t> index = definition.find_variables(record.key);
        if (!index) return false;
        const VariableStore& store = definition.variables()[*index];
        std::any object = store.initial;
        for (const VariableRecord& variable : record.variables) {
            const auto field =
                std::find_if(store.layout->fields.begin(), store.layout->fields.end(),
                             [&](const VarField& known) { return known.name == variable.name; });
            if (field == store.layout->fields.end()) return false;
            core::ByteReader data(variable.data);
            field->read(store.address_of(object), definition.names(), data);
            if (!data.ok()) return false;
            const std::size_t first = out.size();
            field->flatten(store.address(object), definition.names(), out);
            for (std::size_t i = first; i < out.size(); ++i) {
                out[i].name.insert(0, record.key + ".");
            }
        }
    }
    return true;
}

bool flatten_section(const GameDefinition& definition, HashSection section, core::ByteSpan bytes,
                     std::vector<NamedValue>& out) {
    switch (section) {
        case HashSection::kOccupiedCount:
        case HashSection::kUidCursor: return flatten_as<std::int32_t>(bytes, out);
        case HashSection::kModifiers: return flatten_as<std::vector<ModifierRecord>>(bytes, out);
        case HashSection::kRandomStreams: return flatten_as<StreamsRecord>(bytes, out);
        case HashSection::kIdCounters: return flatten_as<IdCounters>(bytes, out);
        case HashSection::kDeferredSpawns: return flatten_as<std::vector<SpawnRequest>>(bytes, out);
        case HashSection::kTasks: return flatten_tasks(definition, bytes, out);
        case HashSection::kVariables: return flatten_variables(definition, bytes, out);
        case HashSection::kFields: return flatten_as<std::vector<FieldFingerprint>>(bytes, out);
        default: return false;
    }
}

/// Equal bits, so that a NaN equals itself.
bool is_same(const NamedValue& a, const NamedValue& b) {
    const auto* left = std::get_if<double>(&a.value);
    const auto* right = std::get_if<double>(&b.value);
    if (left != nullptr && right != nullptr) {
        return a.name == b.name &&
               std::bit_cast<std::uint64_t>(*left) == std::bit_cast<std::uint64_t>(*right);
    }
    return a.name == b.name && a.value == b.value;
}

}  // namespace

// implements: O-HASH-02
std::optional<FieldDifference> compare_sections(const GameDefinition& definition,
                                                HashSection section, core::ByteSpan server,
                                                core::ByteSpan client) {
    std::vector<NamedValue> left;
    std::vector<NamedValue> right;
    if (!flatten_section(definition, section, server, left)) return std::nullopt;
    if (!flatten_section(definition, section, client, right)) return std::nullopt;
    const char* name = hash_section_name(section);
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (is_same(left[i], right[i])) continue;
        // Lists of other lengths differ in their count first, so the names are equal here.
        return FieldDifference{name, kNoUid, left[i].name, left[i].value, right[i].value};
    }
    return std::nullopt;
}

}  // namespace maniple::sim
