#pragma once

#include <bit>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "maniple/sim/tick_history.h"

/// What two computations of one state's hash tree must agree in.
namespace maniple::tests {

using Hashed = sim::TickHistory::Entry;

inline void expect_same_column(const sim::ColumnHash& warm, const sim::ColumnHash& cold) {
    EXPECT_EQ(warm.hash, cold.hash);
    EXPECT_EQ(warm.blocks, cold.blocks);
}

inline void expect_same_nodes(const sim::HashTree& warm, const sim::HashTree& cold) {
    EXPECT_EQ(warm.tick, cold.tick);
    EXPECT_EQ(warm.root, cold.root);
    EXPECT_EQ(warm.sections, cold.sections);
    ASSERT_EQ(warm.groups.size(), cold.groups.size());
    for (std::size_t g = 0; g < warm.groups.size(); ++g) {
        SCOPED_TRACE("group " + std::to_string(g));
        expect_same_column(warm.groups[g].identity, cold.groups[g].identity);
        ASSERT_EQ(warm.groups[g].columns.size(), cold.groups[g].columns.size());
        for (std::size_t c = 0; c < warm.groups[g].columns.size(); ++c) {
            SCOPED_TRACE("column " + std::to_string(c));
            expect_same_column(warm.groups[g].columns[c], cold.groups[g].columns[c]);
        }
    }
}

/// The rows that a peer would send, of every address there is.
inline void expect_same_rows(const sim::GameDefinition& definition, const Hashed& warm,
                             const Hashed& cold) {
    const auto expect_same_at = [&](const sim::DifferenceAddress& at) {
        const sim::BlockRows kept = block_rows(definition, warm.columns, at);
        const sim::BlockRows fresh = block_rows(definition, cold.columns, at);
        const std::string where = std::string(hash_section_name(at.section)) + ", group " +
                                  std::to_string(at.group) + ", column " +
                                  std::to_string(at.column) + ", block " + std::to_string(at.block);
        EXPECT_EQ(kept.uids, fresh.uids) << where;
        EXPECT_EQ(kept.rows, fresh.rows) << where;
    };
    for (std::size_t s = 0; s < cold.tree.sections.size(); ++s) {
        expect_same_at({static_cast<sim::HashSection>(s)});
    }
    ASSERT_EQ(warm.columns.groups.size(), cold.columns.groups.size());
    for (std::size_t g = 0; g < cold.tree.groups.size(); ++g) {
        EXPECT_EQ(identity_rows(warm.columns.groups[g]), identity_rows(cold.columns.groups[g]));
        const sim::GroupHash& group = cold.tree.groups[g];
        const auto index = static_cast<std::int32_t>(g);
        for (const sim::BlockHash& block : group.identity.blocks) {
            expect_same_at({sim::HashSection::kIdentity, index, -1, block.block});
        }
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            for (const sim::BlockHash& block : group.columns[c].blocks) {
                expect_same_at({sim::HashSection::kFragments, index, static_cast<std::int32_t>(c),
                                block.block});
            }
        }
    }
}

inline void expect_same_hashed(const sim::GameDefinition& definition, const Hashed& warm,
                               const Hashed& cold) {
    expect_same_nodes(warm.tree, cold.tree);
    if (!testing::Test::HasFatalFailure()) expect_same_rows(definition, warm, cold);
}

/// Equal to the bit, so that a NaN equals itself.
inline bool is_same_value(const sim::Value& a, const sim::Value& b) {
    const auto* left = std::get_if<double>(&a);
    const auto* right = std::get_if<double>(&b);
    if (left == nullptr || right == nullptr) return a == b;
    return std::bit_cast<std::uint64_t>(*left) == std::bit_cast<std::uint64_t>(*right);
}

/// What a desync report says of `other` is the same against both.
inline void expect_same_difference(const sim::GameDefinition& definition, const Hashed& other,
                                   const Hashed& warm, const Hashed& cold) {
    const auto against = [&](const Hashed& server) {
        return name_difference(definition, server.tree, server.columns, other.tree, other.columns);
    };
    const std::optional<sim::FieldDifference> kept = against(warm);
    const std::optional<sim::FieldDifference> fresh = against(cold);
    ASSERT_EQ(kept.has_value(), fresh.has_value());
    if (!fresh) return;
    EXPECT_EQ(kept->fragment, fresh->fragment);
    EXPECT_EQ(kept->uid, fresh->uid);
    EXPECT_EQ(kept->field, fresh->field);
    EXPECT_TRUE(is_same_value(kept->server_value, fresh->server_value)) << fresh->field;
    EXPECT_TRUE(is_same_value(kept->client_value, fresh->client_value)) << fresh->field;
}

}  // namespace maniple::tests
