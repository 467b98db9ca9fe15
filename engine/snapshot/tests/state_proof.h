#pragma once

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "maniple/core/random.h"
#include "maniple/sim/record.h"
#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"

/// Proofs over any game's state, generated from its registry: what a game adds is covered without
/// another line here.
namespace maniple::proof {

/// One changed value and what a desync report must call it.
struct Perturbation {
    std::string fragment;
    std::string field;
    std::function<void(sim::WorldState&)> apply;
};

namespace detail {

/// Calls each(path, change) for every scalar, text and list of a record.
template <typename T, typename Each>
void for_leaves(T& value, const std::string& path, Each&& each) {
    if constexpr (std::is_same_v<T, bool>) {
        each(path, [&] { value = !value; });
    } else if constexpr (std::is_enum_v<T>) {
        using Number = std::underlying_type_t<T>;
        each(path, [&] { value = static_cast<T>(static_cast<Number>(value) ^ 1); });
    } else if constexpr (std::is_arithmetic_v<T>) {
        each(path, [&] { value = static_cast<T>(value + 1); });
    } else if constexpr (std::is_same_v<T, std::string>) {
        each(path, [&] { value += "x"; });
    } else if constexpr (sim::detail::IsVector<T>::value) {
        each(path.empty() ? "count" : path + ".count", [&] { value.emplace_back(); });
        if (value.empty()) return;
        for_leaves(value.back(), path + "[" + std::to_string(value.size() - 1) + "]", each);
    } else {
        sim::detail::for_members(value, [&](const char* name, auto& field) {
            for_leaves(field, path.empty() ? name : path + "." + name, each);
        });
    }
}

/// Every leaf of the record that `get` finds in a state. The state given is a sample for the shape.
template <typename Get>
void add_record(const sim::WorldState& sample, const char* section, const std::string& path,
                Get get, std::vector<Perturbation>& out) {
    sim::WorldState copy = sample;
    std::size_t count = 0;
    for_leaves(get(copy), path, [&](const std::string& field, auto&&) {
        const std::size_t index = count++;
        out.push_back({section, field, [get, path, index](sim::WorldState& state) {
                           std::size_t at = 0;
                           for_leaves(get(state), path, [&](const std::string&, auto&& change) {
                               if (at++ == index) change();
                           });
                       }});
    });
}

/// Another value for one leaf of a fragment's row.
inline void change_leaf(const sim::GameDefinition& definition, const sim::FieldLeaf& leaf,
                        std::byte* row) {
    std::byte& byte = row[leaf.memory_offset];
    if (leaf.type == sim::ScalarType::kName) {
        const sim::Name other = *definition.names().intern("another name");
        std::memcpy(&byte, &other, sizeof(other));
    } else if (leaf.type == sim::ScalarType::kF32 || leaf.type == sim::ScalarType::kF64) {
        // Not the sign of a zero, which the hash does not see.
        row[leaf.memory_offset +
            (std::endian::native == std::endian::little ? scalar_bytes(leaf.type) - 2 : 1)] ^=
            std::byte{0x10};
    } else {
        byte ^= std::byte{1};
    }
}

inline void add_columns(const sim::GameDefinition& definition, const sim::WorldState& sample,
                        std::size_t g, std::vector<Perturbation>& out) {
    const sim::EntityGroup& group = sample.groups[g];
    const std::size_t row = group.size() / 2;
    for (std::size_t c = 0; c < group.columns.size(); ++c) {
        const sim::FragmentType& type = definition.fragment(group.columns[c].fragment());
        for (const sim::FieldLeaf& leaf : type.layout.leaves) {
            out.push_back({type.name, leaf.name, [&definition, g, c, row, leaf](auto& state) {
                               change_leaf(definition, leaf, state.groups[g].columns[c].row(row));
                           }});
        }
    }
    for (std::size_t c = 0; c < group.shared_columns.size(); ++c) {
        const sim::FragmentType& type = definition.fragment(group.shared_columns[c].fragment());
        for (const sim::FieldLeaf& leaf : type.layout.leaves) {
            out.push_back({type.name, leaf.name, [&definition, g, c, row, leaf](auto& state) {
                               sim::SharedColumn& column = state.groups[g].shared_columns[c];
                               std::vector<std::byte> value(column.row(row),
                                                            column.row(row) + column.row_bytes());
                               change_leaf(definition, leaf, value.data());
                               column.set(row, value.data());
                           }});
        }
    }
}

inline void add_identity(const sim::GameDefinition& definition, std::size_t g, std::size_t row,
                         std::vector<Perturbation>& out) {
    const auto add = [&](const char* field, auto change) {
        out.push_back({"(identity)", field,
                       [g, row, change](sim::WorldState& state) { change(state.groups[g], row); }});
    };
    add("tags", [](sim::EntityGroup& group, std::size_t r) { group.tags[r] ^= sim::kTagDying; });
    add("flags_low", [](sim::EntityGroup& group, std::size_t r) {
        group.flags_low.set(r, group.flags_low[r] ^ std::int64_t{1} << 62);
    });
    add("flags_high", [](sim::EntityGroup& group, std::size_t r) {
        group.flags_high.set(r, group.flags_high[r] ^ std::int64_t{1} << 62);
    });
    for (std::size_t t = 0; t < definition.tags().size(); ++t) {
        const sim::TagId tag{static_cast<std::uint8_t>(t)};
        const std::string field = "tag " + definition.tags()[t];
        out.push_back({"(identity)", field, [g, row, tag](sim::WorldState& state) {
                           sim::EntityGroup& group = state.groups[g];
                           group.set_tag(row, tag, !group.has_tag(row, tag));
                       }});
    }
}

/// One change of every variable of a store, through its coding: a byte of each float-free value and
/// of each float leaf, one unit more of a text, one item more of an array.
inline void add_variables(const sim::GameDefinition& definition, std::size_t s,
                          std::vector<Perturbation>& out) {
    const sim::VariableStore& store = definition.variables()[s];
    for (const sim::VarField& field : store.layout->fields) {
        const auto change = [&definition, s, &field](sim::WorldState& state) {
            const sim::VariableStore& known = definition.variables()[s];
            void* object = known.address_of(state.variables[s]);
            core::Bytes bytes;
            core::ByteWriter writer(bytes);
            field.write(object, definition.names(), false, writer);
            const bool is_list = field.category == sim::VarCategory::kText ||
                                 field.category == sim::VarCategory::kArray;
            if (is_list) {
                writer.patch(0, core::load_le<std::int32_t>(bytes.data()) + 1);
                const bool is_text = field.category == sim::VarCategory::kText;
                const std::uint32_t inner_bytes =
                    field.inner_category == sim::VarCategory::kText ? 4 : field.inner_size;
                bytes.resize(bytes.size() + (is_text ? 2 : inner_bytes), 0);
                if (is_text) bytes[bytes.size() - 2] = 'x';
            } else {
                bytes[0] ^= 1;
            }
            core::ByteReader reader(bytes);
            field.read(object, definition.names(), reader);
            EXPECT_TRUE(reader.ok()) << field.name << ": " << reader.error().message;
        };
        out.push_back({"variables", store.key + "." + field.name, change});
    }
}

}  // namespace detail

/// One perturbation for every registered field of every fragment and tag of every group that has
/// entities, every variable, stream, counter, and every field of the first and last task record and
/// deferred spawn. `definition` outlives the result.
inline std::vector<Perturbation> every_perturbation(const sim::GameDefinition& definition,
                                                    const sim::WorldState& state) {
    std::vector<Perturbation> out;
    for (std::size_t g = 0; g < state.groups.size(); ++g) {
        if (state.groups[g].size() == 0) continue;
        detail::add_identity(definition, g, state.groups[g].size() / 2, out);
        detail::add_columns(definition, state, g, out);
    }
    for (std::size_t s = 0; s < state.variables.size(); ++s) {
        detail::add_variables(definition, s, out);
    }
    const auto add = [&](const char* section, const char* path, auto get) {
        detail::add_record(state, section, path, get, out);
    };
    add("UID cursor", "", [](sim::WorldState& s) -> auto& { return s.uid_cursor; });
    add("random streams", "agent.initial_seed",
        [](sim::WorldState& s) -> auto& { return s.agent_stream.initial_seed; });
    add("random streams", "agent.seed",
        [](sim::WorldState& s) -> auto& { return s.agent_stream.seed; });
    add("random streams", "hash_grid.initial_seed",
        [](sim::WorldState& s) -> auto& { return s.hash_grid_stream.initial_seed; });
    add("random streams", "hash_grid.seed",
        [](sim::WorldState& s) -> auto& { return s.hash_grid_stream.seed; });
    add("id counters", "next_move_to_task_id",
        [](sim::WorldState& s) -> auto& { return s.next_move_to_task_id; });
    add("id counters", "next_chase_attack_task_id",
        [](sim::WorldState& s) -> auto& { return s.next_chase_attack_task_id; });
    add("id counters", "next_other_task_id",
        [](sim::WorldState& s) -> auto& { return s.next_other_task_id; });
    add("deferred spawns", "", [](sim::WorldState& s) -> auto& { return s.deferred_spawns; });
    add("tasks", "", [](sim::WorldState& s) -> auto& { return s.tasks; });
    return out;
}

/// Applies each in turn to a copy: the hash differs, and the report names what was changed, with
/// two different values.
inline void expect_every_change_is_named(const sim::World& world) {
    const sim::GameDefinition& definition = world.definition();
    const auto hash = [&](const sim::WorldState& state, sim::HashTree& tree,
                          sim::HashedColumns& columns) {
        sim::compute_hash_tree(definition, state, {}, world.executor(), tree, columns);
    };
    sim::HashTree tree;
    sim::HashTree changed_tree;
    sim::HashedColumns columns;
    sim::HashedColumns changed_columns;
    hash(world.state(), tree, columns);
    const std::vector<Perturbation> all = every_perturbation(definition, world.state());
    EXPECT_GT(all.size(), 30U);
    for (const Perturbation& one : all) {
        sim::WorldState changed = world.state();
        one.apply(changed);
        hash(changed, changed_tree, changed_columns);
        const std::string what = one.fragment + " " + one.field;
        EXPECT_NE(changed_tree.root, tree.root) << what;
        const auto found =
            sim::name_difference(definition, tree, columns, changed_tree, changed_columns);
        ASSERT_TRUE(found) << what;
        EXPECT_EQ(found->fragment, one.fragment) << what;
        // A struct or array is named down to its leaf; task variables by their own fields.
        const bool is_inside = found->field.starts_with(one.field) ||
                               one.field.find(".variables") != std::string::npos;
        EXPECT_TRUE(is_inside) << what << " was named " << found->field;
        EXPECT_NE(found->server_value, found->client_value) << what;
    }
}

/// A run of a game: the root hash of every tick from 1 on, and the frames captured after some.
struct Recording {
    std::vector<std::uint64_t> roots;
    std::map<sim::Tick, core::Bytes> frames;
};

inline core::Bytes frame_of(const sim::World& world) {
    snapshot::Snapshot captured;
    snapshot::capture(world, captured);
    for (const std::string& field : world.definition().field_names()) {
        const core::ByteSpan stream = world.substrate_stream(field);
        if (stream.empty()) continue;
        captured.substrates.push_back({field, core::Bytes(stream.begin(), stream.end())});
    }
    return snapshot::encode_snapshot(world.definition(), captured);
}

/// Steps to `last`, capturing after every tick of `captured`.
inline Recording record(sim::World& world, sim::Tick last, const std::set<sim::Tick>& captured) {
    Recording recording;
    while (world.tick() < last) {
        const Result<std::uint64_t> root = world.step();
        EXPECT_TRUE(root);
        recording.roots.push_back(root ? *root : 0);
        if (captured.contains(world.tick())) {
            recording.frames[world.tick()] = frame_of(world);
        }
    }
    return recording;
}

/// Every 50th tick and `random_count` more, drawn from `seed`, up to `last`.
inline std::set<sim::Tick> proof_ticks(sim::Tick last, int random_count, std::uint64_t seed) {
    std::set<sim::Tick> ticks;
    for (sim::Tick tick = 50; tick <= last; tick += 50) ticks.insert(tick);
    const std::size_t wanted = ticks.size() + static_cast<std::size_t>(random_count);
    for (std::uint32_t site = 0; ticks.size() < wanted; ++site) {
        const std::uint64_t draw = core::site_random(seed, 0, 0, site);
        ticks.insert(static_cast<sim::Tick>(draw % static_cast<std::uint64_t>(last)) + 1);
    }
    return ticks;
}

/// Loads every frame and steps `steps` ticks: each hashes as it did in the recorded run.
inline void expect_load_and_step_equals_step(
    const std::shared_ptr<const sim::GameDefinition>& definition, const Recording& recording,
    core::Executor& executor, std::size_t steps) {
    for (const auto& [tick, frame] : recording.frames) {
        const auto decoded = snapshot::decode_snapshot(*definition, frame, snapshot::Policy::kJoin);
        ASSERT_TRUE(decoded) << decoded.error().message;
        const auto copy = snapshot::restore(definition, *decoded, executor);
        ASSERT_TRUE(copy) << copy.error().message;
        for (std::size_t i = 0; i < steps; ++i) {
            const std::size_t at = static_cast<std::size_t>(tick) + i;
            if (at >= recording.roots.size()) break;
            const Result<std::uint64_t> root = (*copy)->step();
            ASSERT_TRUE(root) << root.error().message;
            ASSERT_EQ(*root, recording.roots[at]) << "saved at " << tick << ", tick " << at + 1;
        }
    }
}

}  // namespace maniple::proof
