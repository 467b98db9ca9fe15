#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/core/random.h"
#include "maniple/sim/hash_tree.h"
#include "maniple/sim/remove_rows.h"

#include "hash_tree_compare.h"

/// What is kept from tick to tick to save work is what a first computation gives, whatever came
/// before.
namespace maniple::sim {
namespace warm {

/// Rows that are their wire bytes.
struct Spot {
    std::array<float, 3> at{};
};
BOOST_DESCRIBE_STRUCT(Spot, (), (at))
/// Rows that are not.
struct Mixed {
    bool is_up = false;
    double reach = 0;
    std::int16_t strain = 0;
    float bend = 0;
};
BOOST_DESCRIBE_STRUCT(Mixed, (), (is_up, reach, strain, bend))
struct Mark {};
BOOST_DESCRIBE_STRUCT(Mark, (), ())
struct Kit {
    float range = 1;
    std::uint8_t kind = 0;
};
BOOST_DESCRIBE_STRUCT(Kit, (), (range, kind))
struct Badge {};
BOOST_DESCRIBE_STRUCT(Badge, (), ())
struct Plan {
    float heat = 0;
    std::string chant;
    std::vector<float> heats;
};
BOOST_DESCRIBE_STRUCT(Plan, (), (heat, chant, heats))
struct Haul {
    float force = 0;
};
BOOST_DESCRIBE_STRUCT(Haul, (), (force))

}  // namespace warm

namespace {

using namespace warm;

using tests::Hashed;

std::shared_ptr<GameDefinition> make_definition() {
    auto definition = std::make_shared<GameDefinition>("warm test");
    definition->add_fragment<Spot>("Spot");
    definition->add_fragment<Mixed>("Mixed");
    definition->add_fragment<Mark>("Mark");
    definition->add_shared_fragment<Kit>("Kit");
    definition->add_shared_fragment<Badge>("Badge");
    TemplateBuilder(*definition, "walker")
        .with(Spot{})
        .with(Mixed{})
        .with(Mark{})
        .with(Kit{})
        .with(Badge{})
        .add();
    TemplateBuilder(*definition, "post", EntityType::kObstacle).with(Spot{}).with(Kit{}).add();
    TemplateBuilder(*definition, "ghost").with(Mark{}).add();
    definition->add_task_type({"haul", TaskKind::kOther, {}, {}, {}, variables_layout<Haul>()});
    definition->add_variables<Plan>("plan");
    definition->seal();
    return definition;
}

/// A state that changes at random, more often than not back and forth between a few values.
class History {
  public:
    History(const GameDefinition& definition, std::int32_t seed)
        : state_(empty_state(definition)), random_(seed) {}

    void edit() {
        ++state_.tick;
        for (std::uint32_t i = below(4); i > 0; --i) edit_once();
    }
    [[nodiscard]] const WorldState& state() const { return state_; }
    [[nodiscard]] const std::vector<FieldFingerprint>& fields() const { return fields_; }

    /// A copy in which one thing more has changed.
    [[nodiscard]] History perturbed() const {
        History other = *this;
        other.edit_once();
        return other;
    }

  private:
    std::uint32_t below(std::uint32_t bound) { return random_.next_below(bound); }

    /// Numbers that the hash takes for the same, and others.
    float number() {
        const std::array<float, 6> pool{0.0F,
                                        -0.0F,
                                        1.5F,
                                        std::bit_cast<float>(0x7FC00001U),
                                        std::bit_cast<float>(0xFFC12345U),
                                        std::numeric_limits<float>::infinity()};
        return pool[below(pool.size())];
    }
    EntityGroup& group() { return state_.groups[below(3)]; }

    void edit_once() {
        switch (below(11)) {
            case 0:
            case 1: spawn(group(), below(4) == 0 ? 600 : 1 + below(20)); break;
            case 2: remove(group()); break;
            case 3:
            case 4: write_rows(group()); break;
            case 5:
            case 6: share(group()); break;
            case 7: set_flags(group()); break;
            case 8: edit_lists(); break;
            case 9: edit_counters(); break;
            default: change_back();
        }
    }

    void spawn(EntityGroup& group, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            state_.uid_cursor += 1 + static_cast<std::int32_t>(below(20) == 0 ? below(400) : 0);
            group.uids.push_back({state_.uid_cursor});
            group.tags.push_back(0);
            for (SharedColumn& column : group.shared_columns) {
                const Kit kit;
                const Badge badge;
                const void* value = column.row_bytes() == sizeof(Kit)
                                        ? static_cast<const void*>(&kit)
                                        : static_cast<const void*>(&badge);
                column.push_back(static_cast<const std::byte*>(value));
            }
        }
        group.flags_low.resize(group.size());
        group.flags_high.resize(group.size());
        for (Column& column : group.columns) column.resize_rows(group.size());
    }

    void remove(EntityGroup& group) {
        std::vector<std::size_t> gone;
        const std::uint32_t share = 1 + below(6);  // All, or some.
        for (std::size_t row = 0; row < group.size(); ++row) {
            if (below(share) == 0) gone.push_back(row);
        }
        const std::size_t rows = group.size();
        remove_rows(group.uids, gone);
        remove_rows(group.tags, gone);
        group.flags_low.remove_rows(gone);
        group.flags_high.remove_rows(gone);
        for (Column& column : group.columns) column.remove_rows(gone, rows);
        for (SharedColumn& column : group.shared_columns) column.remove_rows(gone);
    }

    void write_rows(EntityGroup& group) {
        if (group.size() == 0) return;
        for (Column& column : group.columns) {
            const std::size_t row = below(static_cast<std::uint32_t>(group.size()));
            if (column.row_bytes() == sizeof(Spot)) {
                Spot spot;
                spot.at[below(3)] = number();
                std::memcpy(column.row(row), &spot, sizeof spot);
            } else if (column.row_bytes() == sizeof(Mixed)) {
                auto& mixed = *reinterpret_cast<Mixed*>(column.row(row));
                mixed.reach = static_cast<double>(number());
                mixed.bend = number();
                mixed.is_up = !mixed.is_up;
            }
        }
    }

    /// One row, one block or all rows get one value: blocks go from common to mixed and back.
    void share(EntityGroup& group) {
        if (group.size() == 0 || group.shared_columns.empty()) return;
        const Kit kit{number(), static_cast<std::uint8_t>(below(2))};
        const std::int32_t block =
            group.uids[below(static_cast<std::uint32_t>(group.size()))].value / kBlockUids;
        const std::size_t one = below(static_cast<std::uint32_t>(group.size()));
        const std::uint32_t reach = below(3);
        SharedColumn& column = group.shared_columns[0];
        for (std::size_t row = 0; row < group.size(); ++row) {
            const bool is_in = reach == 0   ? row == one
                               : reach == 1 ? group.uids[row].value / kBlockUids == block
                                            : true;
            if (is_in) column.set(row, reinterpret_cast<const std::byte*>(&kit));
        }
    }

    void set_flags(EntityGroup& group) {
        if (group.size() == 0) return;
        const std::size_t one = below(static_cast<std::uint32_t>(group.size()));
        switch (below(4)) {
            case 0: group.tags[one] ^= kTagDying; break;
            case 1: group.flags_low.set(one, group.flags_low[one] ^ 4); break;
            case 2: group.flags_high.set(one, group.flags_high[one] ^ 1); break;
            default:  // Plain again.
                std::ranges::fill(group.tags, std::uint16_t{0});
                group.flags_low.assign(std::vector<std::int64_t>(group.size()));
                group.flags_high.assign(std::vector<std::int64_t>(group.size()));
        }
    }

    /// Adds to a list of a section, or takes from it.
    void edit_lists() {
        const auto push_or_pop = [&](auto& list, auto&& value) {
            if (list.empty() || below(2) == 0) {
                list.push_back(std::forward<decltype(value)>(value));
            } else {
                list.pop_back();
            }
        };
        switch (below(4)) {
            case 0: {
                TaskRecord task;
                task.template_key = "haul";
                task.agent_uids = {1, 2};
                set_task_variables(task, Haul{number()});
                push_or_pop(state_.tasks, task);
                break;
            }
            case 1: {
                SpawnRequest request;
                request.locations = {{static_cast<double>(number()), 1, 2}};
                push_or_pop(state_.deferred_spawns, request);
                break;
            }
            case 2: {
                ModifierRecord modifier;
                modifier.centre_cm.x = static_cast<double>(number());
                push_or_pop(state_.modifiers, modifier);
                break;
            }
            default: push_or_pop(fields_, FieldFingerprint{"field", below(3), true, 1});
        }
    }

    void edit_counters() {
        Plan& plan = *std::any_cast<Plan>(&state_.variables.at(0));
        switch (below(5)) {
            case 0: plan.heat = number(); break;
            case 1: plan.chant = below(2) == 0 ? "" : "ho"; break;
            case 2: plan.heats.assign(below(3), number()); break;
            case 3: state_.agent_stream.seed = below(2); break;
            default: state_.next_other_task_id = static_cast<TaskId>(below(2));
        }
    }

    /// To the state of some ticks ago; the tick goes on.
    void change_back() {
        const Tick tick = state_.tick;
        if (!before_.groups.empty() && below(2) == 0) {
            std::swap(state_, before_);
        } else {
            before_ = state_;
        }
        state_.tick = tick;
    }

    WorldState state_;
    WorldState before_;
    std::vector<FieldFingerprint> fields_;
    core::RandomStream random_;
};

/// Buffers of the last `ticks` ticks that are filled again in turn, as a world's.
class Warm {
  public:
    Warm(std::size_t ticks, int threads) : ring_(ticks), executor_(core::make_executor(threads)) {}
    const Hashed& hash(const GameDefinition& definition, const History& history) {
        Hashed& next = ring_[at_++ % ring_.size()];
        if (last_ != nullptr) {
            next.tree.sections = last_->tree.sections;
            next.columns.sections = last_->columns.sections;
        }
        last_ = &next;
        compute_hash_tree(definition, history.state(), history.fields(), *executor_, next.tree,
                          next.columns);
        return next;
    }

  private:
    std::vector<Hashed> ring_;
    std::unique_ptr<core::Executor> executor_;
    std::size_t at_ = 0;
    const Hashed* last_ = nullptr;
};

Hashed cold_hash(const GameDefinition& definition, const History& history) {
    Hashed cold;
    core::SerialExecutor executor;
    compute_hash_tree(definition, history.state(), history.fields(), executor, cold.tree,
                      cold.columns);
    return cold;
}

/// The leaves of a group's fragments as docs/formats/desync.md has them, one row after the other.
class PlainLeaves {
  public:
    PlainLeaves(const GameDefinition& definition, const EntityGroup& group)
        : definition_(definition), group_(group) {}

    void expect(const GroupHash& hashes) const {
        for (const Column& column : group_.columns) {
            const auto& found =
                hashes.columns.at(static_cast<std::size_t>(&column - group_.columns.data()));
            EXPECT_EQ(found.blocks,
                      leaves([&](std::size_t row) { return wire(column, row); },
                             [](const core::Bytes& rows) { return core::xxh3_64(rows); }));
        }
        for (const SharedColumn& column : group_.shared_columns) {
            const auto place = &column - group_.shared_columns.data();
            const auto& found =
                hashes.columns.at(group_.columns.size() + static_cast<std::size_t>(place));
            const auto value_hash = [&](std::size_t row) {
                core::Bytes bytes;
                core::ByteWriter(bytes).u64(core::xxh3_64(wire(column, row)));
                return bytes;
            };
            EXPECT_EQ(found.blocks, leaves(value_hash, shared_rows_hash));
        }
    }

  private:
    template <class AnyColumn>
    [[nodiscard]] core::Bytes wire(const AnyColumn& column, std::size_t row) const {
        const FieldLayout& layout = definition_.fragment(column.fragment()).layout;
        core::Bytes bytes(layout.wire_bytes);
        rows_to_canonical_wire(layout, column.row(row), 1, bytes.data());
        return bytes;
    }
    /// That of the one value, if all have it.
    static std::uint64_t shared_rows_hash(const core::Bytes& rows) {
        core::ByteReader in(rows);
        const std::uint64_t first = in.u64();
        bool differ = first == 0;
        while (in.at() < rows.size()) differ |= in.u64() != first;
        return differ ? core::xxh3_64(rows) : first;
    }
    template <class Wire, class RowsHash>
    [[nodiscard]] std::vector<BlockHash> leaves(const Wire& wire_of,
                                                const RowsHash& hash_of) const {
        std::vector<BlockHash> blocks;
        for (std::size_t row = 0; row < group_.size();) {
            const std::int32_t block = group_.uids[row].value / kBlockUids;
            core::Bytes uids, rows;
            for (; row < group_.size() && group_.uids[row].value / kBlockUids == block; ++row) {
                core::ByteWriter(uids).i32(group_.uids[row].value);
                core::ByteWriter(rows).bytes(wire_of(row));
            }
            blocks.push_back({block, core::mix(core::xxh3_64(uids), hash_of(rows))});
        }
        return blocks;
    }

    const GameDefinition& definition_;
    const EntityGroup& group_;
};

// proves: HASH-001, HASH-003, O-HASH-02
TEST(WarmHash, AfterAnyHistoryIsAFirstComputationsInEveryNodeAndKeptRow) {
    const auto definition = make_definition();
    for (std::int32_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        History history(*definition, seed);
        Warm rings[] = {Warm(1, 1), Warm(2, 2), Warm(5, 1)};
        for (int tick = 0; tick < 60; ++tick) {
            SCOPED_TRACE("tick " + std::to_string(tick));
            history.edit();
            const Hashed cold = cold_hash(*definition, history);
            const Hashed other = cold_hash(*definition, history.perturbed());
            for (std::size_t g = 0; g < cold.tree.groups.size(); ++g) {
                PlainLeaves(*definition, history.state().groups[g]).expect(cold.tree.groups[g]);
            }
            for (Warm& ring : rings) {
                const Hashed& warm = ring.hash(*definition, history);
                tests::expect_same_hashed(*definition, warm, cold);
                tests::expect_same_difference(*definition, other, warm, cold);
            }
            if (testing::Test::HasFailure()) return;
        }
    }
}

}  // namespace
}  // namespace maniple::sim
