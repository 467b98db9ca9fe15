#include "maniple/sim/hash_tree.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>

#include "maniple/core/hash.h"

namespace maniple::sim {

struct Place {
    double x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Place, (), (x, y))

struct Body {
    bool is_alive = true;
    std::int16_t health = 100;
    std::array<float, 2> charge{};
    std::uint64_t owner = 0;
};
BOOST_DESCRIBE_STRUCT(Body, (), (is_alive, health, charge, owner))

struct Marked {};
BOOST_DESCRIBE_STRUCT(Marked, (), ())

namespace {

constexpr std::size_t kTowers = 1;  ///< Template index in key order: archer, tower, wagon.

std::shared_ptr<GameDefinition> make_definition() {
    auto definition = std::make_shared<GameDefinition>("hash test");
    definition->add_fragment<Place>("Place");
    definition->add_fragment<Body>("Body");
    definition->add_fragment<Marked>("Marked");
    TemplateBuilder(*definition, "tower", EntityType::kObstacle).with(Place{}).with(Body{}).add();
    TemplateBuilder(*definition, "archer").with(Place{}).with(Body{}).with(Marked{}).add();
    TemplateBuilder(*definition, "wagon").with(Place{}).add();
    definition->seal();
    return definition;
}

/// Archers have even UIDs, towers odd ones, wagons none.
WorldState make_state(const GameDefinition& definition, std::int32_t entities) {
    WorldState state;
    state.tick = 40;
    state.uid_cursor = entities;
    for (std::size_t g = 0; g < definition.templates().size(); ++g) {
        EntityGroup& group = state.groups.emplace_back();
        group.template_id = {static_cast<std::uint16_t>(g)};
        const std::int32_t step = 2;
        const auto first = static_cast<std::int32_t>(g);
        for (std::int32_t uid = first; g < 2 && uid < entities; uid += step) {
            group.uids.push_back({uid});
        }
        group.tags.resize(group.size());
        group.flags_low.resize(group.size());
        group.flags_high.resize(group.size());
        for (const TemplateFragment& part : definition.templates()[g].fragments) {
            const FieldLayout& layout = definition.fragment(part.fragment).layout;
            Column& column = group.columns.emplace_back(part.fragment, layout.memory_bytes);
            column.resize_rows(group.size());
            for (std::size_t row = 0; row < group.size(); ++row) {
                std::copy(part.default_value.begin(), part.default_value.end(), column.row(row));
            }
        }
    }
    state.tasks.push_back(
        {"march", TaskKind::kMoveTo, 1, {0, 2}, {{1, 2, 3}}, 9, 4, TaskState::kRunning, {1, 2}, 0});
    return state;
}

template <typename T>
T& row(WorldState& state, std::size_t group, std::size_t column, std::size_t index) {
    return *reinterpret_cast<T*>(state.groups[group].columns[column].row(index));
}

struct Hashed {
    HashTree tree;
    HashedColumns columns;
};

class HashTreeTest : public testing::Test {
  protected:
    static constexpr std::int32_t kEntities = 3000;

    Hashed hash(const WorldState& world, int threads = 1) const {
        Hashed result;
        const auto executor = core::make_executor(threads);
        compute_hash_tree(*definition_, world, fields_, *executor, result.tree, result.columns);
        return result;
    }
    /// What a desync report says about the first difference of two states.
    std::optional<FieldDifference> name_difference(const WorldState& server,
                                                   const WorldState& client) const {
        const Hashed a = hash(server);
        const Hashed b = hash(client);
        EXPECT_NE(a.tree.root, b.tree.root);
        const std::optional<DifferenceAddress> at = first_difference(a.tree, b.tree);
        if (!at || at->group < 0) return std::nullopt;
        std::size_t row_bytes = kIdentityRowBytes;
        if (at->column >= 0) {
            const EntityGroup& group = server.groups[static_cast<std::size_t>(at->group)];
            const Column& column = group.columns[static_cast<std::size_t>(at->column)];
            row_bytes = definition_->fragment(column.fragment()).layout.wire_bytes;
        }
        return compare_block_rows(*definition_, block_rows(a.columns, *at, row_bytes),
                                  block_rows(b.columns, *at, row_bytes));
    }
    void expect_named(const std::function<void(WorldState&)>& change, const char* fragment,
                      std::int32_t uid, const char* field, const Value& was,
                      const Value& is) const {
        WorldState client = state_;
        change(client);
        const std::optional<FieldDifference> found = name_difference(state_, client);
        ASSERT_TRUE(found) << fragment << "." << field;
        EXPECT_EQ(found->fragment, fragment);
        EXPECT_EQ(found->uid.value, uid);
        EXPECT_EQ(found->field, field);
        EXPECT_EQ(found->server_value, was);
        EXPECT_EQ(found->client_value, is);
    }

    std::shared_ptr<GameDefinition> definition_ = make_definition();
    WorldState state_ = make_state(*definition_, kEntities);
    std::vector<FieldFingerprint> fields_ = {{"main", 5, true, 6}};
};

// proves: HASH-001, O-HASH-02
TEST_F(HashTreeTest, IsTheSameForEveryThreadCountAndInWarmBuffers) {
    Hashed serial = hash(state_, 1);
    for (const int threads : {2, 4}) {
        const Hashed parallel = hash(state_, threads);
        EXPECT_EQ(parallel.tree.root, serial.tree.root);
        EXPECT_FALSE(first_difference(parallel.tree, serial.tree));
    }
    core::SerialExecutor executor;
    const WorldState smaller = make_state(*definition_, 700);
    compute_hash_tree(*definition_, smaller, fields_, executor, serial.tree, serial.columns);
    EXPECT_EQ(serial.tree.root, hash(smaller).tree.root);
}

// proves: O-HASH-01, O-HASH-02
TEST_F(HashTreeTest, ALeafIsTheHashOfItsUidsThenItsRows) {
    const Hashed hashed = hash(state_);
    core::Bytes uids;
    core::Bytes rows;
    core::ByteWriter uid_writer(uids);
    core::ByteWriter row_writer(rows);
    for (std::int32_t uid = 257; uid < 512; uid += 2) {  // towers of block 1
        uid_writer.i32(uid);
        row_writer.f64(0);
        row_writer.f64(0);
    }
    const BlockHash expected{1, core::mix(core::xxh3_64(uids), core::xxh3_64(rows))};
    EXPECT_EQ(hashed.tree.groups[kTowers].columns[0].blocks[1], expected);
    EXPECT_EQ(hashed.tree.groups[kTowers].columns[0].blocks.size(), 12U);
}

// proves: HASH-001, O-HASH-02
TEST_F(HashTreeTest, EveryChangedLeafIsNamedWithBothValues) {
    const auto tower = [](std::size_t row) { return static_cast<std::int32_t>(2 * row + 1); };
    expect_named([](WorldState& s) { row<Place>(s, kTowers, 0, 700).y = 2.5; }, "Place", tower(700),
                 "y", 0.0, 2.5);
    expect_named([](WorldState& s) { row<Body>(s, kTowers, 1, 1499).is_alive = false; }, "Body",
                 tower(1499), "is_alive", true, false);
    expect_named([](WorldState& s) { row<Body>(s, kTowers, 1, 0).health = -3; }, "Body", tower(0),
                 "health", std::int64_t{100}, std::int64_t{-3});
    expect_named([](WorldState& s) { row<Body>(s, kTowers, 1, 128).charge[1] = 0.5F; }, "Body",
                 tower(128), "charge[1]", 0.0, 0.5);
    expect_named([](WorldState& s) { row<Body>(s, 0, 1, 127).owner = 8; }, "Body", 254, "owner",
                 std::int64_t{0}, std::int64_t{8});
}

TEST_F(HashTreeTest, IdentityIsNamedBeforeFragments) {
    expect_named(
        [](WorldState& s) {
            row<Place>(s, 0, 0, 0).x = 1;
            s.groups[kTowers].tags[3] = kTagDying;
        },
        "(identity)", 7, "tags", std::int64_t{0}, std::int64_t{kTagDying});
    expect_named([](WorldState& s) { s.groups[0].flags_low.set(5, -1); }, "(identity)", 10,
                 "flags_low", std::int64_t{0}, std::int64_t{-1});
    expect_named([](WorldState& s) { s.groups[0].flags_high.set(5, 1); }, "(identity)", 10,
                 "flags_high", std::int64_t{0}, std::int64_t{1});
}

TEST_F(HashTreeTest, AnEntityOfOneSideOnlyIsNamed) {
    const auto drop_last = [](WorldState& s) {
        EntityGroup& group = s.groups[0];
        group.uids.pop_back();
        group.tags.pop_back();
        group.flags_low.resize(group.size());
        group.flags_high.resize(group.size());
        for (Column& column : group.columns) column.resize_rows(group.size());
    };
    expect_named(drop_last, "(identity)", kEntities - 2, "(entity)", true, false);
    WorldState fewer = state_;
    drop_last(fewer);
    const std::optional<FieldDifference> found = name_difference(fewer, state_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->uid.value, kEntities - 2);
    EXPECT_EQ(found->server_value, Value{false});
    EXPECT_EQ(found->client_value, Value{true});
}

// proves: HASH-004, O-HASH-04, O-HASH-05
TEST_F(HashTreeTest, EverySectionOutsideTheEntitiesIsNamed) {
    const std::vector<std::pair<HashSection, std::function<void(WorldState&)>>> changes = {
        {HashSection::kTick, [](WorldState& s) { ++s.tick; }},
        {HashSection::kUidCursor, [](WorldState& s) { ++s.uid_cursor; }},
        {HashSection::kRandomStreams, [](WorldState& s) { ++s.agent_stream.seed; }},
        {HashSection::kRandomStreams, [](WorldState& s) { ++s.hash_grid_stream.initial_seed; }},
        {HashSection::kIdCounters, [](WorldState& s) { ++s.next_move_to_task_id; }},
        {HashSection::kIdCounters, [](WorldState& s) { ++s.next_chase_attack_task_id; }},
        {HashSection::kIdCounters, [](WorldState& s) { ++s.next_other_task_id; }},
        {HashSection::kTasks, [](WorldState& s) { s.tasks[0].agent_uids[1] = 4; }},
        {HashSection::kTasks, [](WorldState& s) { s.tasks[0].goals[0].z = 4; }},
        {HashSection::kTasks, [](WorldState& s) { s.tasks[0].variables[1] = 4; }},
        {HashSection::kTasks, [](WorldState& s) { s.tasks.clear(); }},
    };
    const Hashed server = hash(state_);
    for (const auto& [section, change] : changes) {
        WorldState client = state_;
        change(client);
        const auto found = first_difference(server.tree, hash(client).tree);
        ASSERT_TRUE(found) << hash_section_name(section);
        EXPECT_STREQ(hash_section_name(found->section), hash_section_name(section));
        EXPECT_EQ(found->group, -1);
    }
    fields_[0].substrate_version = 7;
    const auto found = first_difference(server.tree, hash(state_).tree);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->section, HashSection::kFields);
}

TEST_F(HashTreeTest, WhatIsNotLockstepStateDoesNotEnter) {
    WorldState other = state_;
    other.tasks[0].layer_handle = 7;
    other.tasks[0].goals[0] = {1, 2, 3};
    other.pending.push_back({});
    row<Place>(other, 0, 0, 3).x = -0.0;
    EXPECT_EQ(hash(other).tree.root, hash(state_).tree.root);
}

TEST_F(HashTreeTest, TheByteFormGivesTheTreeBack) {
    const Hashed hashed = hash(state_);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    encode_hash_tree(hashed.tree, out);
    core::ByteReader in(bytes);
    const HashTree back = decode_hash_tree(*definition_, in);
    in.expect_end();
    ASSERT_TRUE(in.ok()) << in.error().message;
    EXPECT_EQ(back.root, hashed.tree.root);
    EXPECT_EQ(back.sections, hashed.tree.sections);
    EXPECT_EQ(back.groups[0].columns[2].blocks, hashed.tree.groups[0].columns[2].blocks);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        core::ByteReader cut({bytes.data(), size});
        static_cast<void>(decode_hash_tree(*definition_, cut));
        ASSERT_EQ(cut.error().code, ErrorCode::kTruncated) << size;
        ASSERT_LE(cut.error().at_byte, size);
    }
}

TEST_F(HashTreeTest, ATreeRefusesABlockOutOfRange) {
    const auto tree_with_block = [&](const core::Bytes& block) {
        core::Bytes bytes(4 + 9 * 8, 0);
        core::ByteWriter out(bytes);
        out.u32(1);
        out.bytes(block);
        for (int column = 0; column < 4; ++column) out.u64(0);
        out.u32(0);
        out.u32(0);
        core::ByteReader in(bytes);
        static_cast<void>(decode_hash_tree(*definition_, in));
        return std::pair{in.error().code, in.error().at_byte};
    };
    EXPECT_EQ(tree_with_block({0xFF, 0xFF, 0xFF, 0x03}).first, ErrorCode::kNone);
    EXPECT_EQ(tree_with_block({0x80, 0x80, 0x80, 0x04}),
              (std::pair{ErrorCode::kBadValue, std::uint64_t{80}}));
}

TEST_F(HashTreeTest, BlockRowsRoundTripAndRefuseWhatTheRegistryDoesNotHave) {
    const Hashed hashed = hash(state_);
    const DifferenceAddress at{HashSection::kFragments, kTowers, 1, 2};
    const BlockRows rows =
        block_rows(hashed.columns, at, definition_->fragments()[1].layout.wire_bytes);
    ASSERT_EQ(rows.uids.size(), 128U);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    encode_block_rows(rows, out);
    core::ByteReader in(bytes);
    const BlockRows back = decode_block_rows(*definition_, in);
    in.expect_end();
    ASSERT_TRUE(in.ok()) << in.error().message;
    EXPECT_EQ(back.uids, rows.uids);
    EXPECT_EQ(back.rows, rows.rows);
    EXPECT_FALSE(compare_block_rows(*definition_, rows, back));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        core::ByteReader cut({bytes.data(), size});
        EXPECT_TRUE(decode_block_rows(*definition_, cut).uids.empty());
        ASSERT_EQ(cut.error().code, ErrorCode::kTruncated) << size;
    }

    const auto refusal = [&](std::size_t place, std::uint8_t value) {
        core::Bytes changed = bytes;
        changed[place] = value;
        core::ByteReader reader(changed);
        static_cast<void>(decode_block_rows(*definition_, reader));
        return std::pair{reader.error().code, reader.error().at_byte};
    };
    using Refusal = std::pair<ErrorCode, std::uint64_t>;
    const std::size_t first_row = 8 + 2 + rows.uids.size();
    EXPECT_EQ(refusal(0, 3), (Refusal{ErrorCode::kBadValue, 0}));                  // template
    EXPECT_EQ(refusal(2, 3), (Refusal{ErrorCode::kBadValue, 2}));                  // column
    EXPECT_EQ(refusal(7, 1), (Refusal{ErrorCode::kBadValue, 4}));                  // block
    EXPECT_EQ(refusal(9, 3), (Refusal{ErrorCode::kOverCap, 8}));                   // count 384
    EXPECT_EQ(refusal(11, 1), (Refusal{ErrorCode::kBadValue, 11}));                // UID 1 twice
    EXPECT_EQ(refusal(first_row, 2), (Refusal{ErrorCode::kBadValue, first_row}));  // bool
}

TEST_F(HashTreeTest, RowsOfAnAddressThatDoesNotExistAreEmpty) {
    const Hashed hashed = hash(state_);
    for (const DifferenceAddress& at :
         {DifferenceAddress{HashSection::kIdentity, 9, -1, 0},
          DifferenceAddress{HashSection::kFragments, 0, 9, 0},
          DifferenceAddress{HashSection::kIdentity, 0, -1, 0x7FFFFFFF}}) {
        EXPECT_TRUE(block_rows(hashed.columns, at, kIdentityRowBytes).uids.empty());
    }
}

}  // namespace
}  // namespace maniple::sim
