#include "maniple/snapshot/diff.h"

#include <algorithm>

#include "maniple/core/assert.h"

namespace maniple::snapshot {
namespace {

struct Hashed {
    sim::HashTree tree;
    sim::HashedColumns columns;

    Hashed(const sim::GameDefinition& definition, const Snapshot& snapshot,
           core::Executor& executor) {
        sim::compute_hash_tree(definition, snapshot.state, {}, executor, tree, columns);
    }
};

void add_rows(std::vector<FragmentDifference>& out, sim::FieldDifference first,
              std::size_t entities) {
    const auto known = std::ranges::find(out, first.fragment, &FragmentDifference::fragment);
    if (known != out.end()) {
        known->entities += entities;
        return;
    }
    out.push_back({first.fragment, entities, std::move(first)});
}

/// Only the rows of UIDs that both blocks have.
void keep_shared_rows(sim::BlockRows& rows, const std::vector<sim::Uid>& uids,
                      std::size_t row_bytes) {
    std::vector<sim::Uid> kept;
    core::Bytes bytes;
    for (std::size_t i = 0; i < rows.uids.size(); ++i) {
        if (!std::ranges::binary_search(uids, rows.uids[i])) continue;
        kept.push_back(rows.uids[i]);
        const auto* row = rows.rows.data() + i * row_bytes;
        bytes.insert(bytes.end(), row, row + row_bytes);
    }
    rows.uids = std::move(kept);
    rows.rows = std::move(bytes);
}

std::size_t count_differing(const sim::BlockRows& a, const sim::BlockRows& b,
                            std::size_t row_bytes) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.uids.size(); ++i) {
        const auto* left = a.rows.data() + i * row_bytes;
        if (!std::equal(left, left + row_bytes, b.rows.data() + i * row_bytes)) ++count;
    }
    return count;
}

void diff_column(const sim::GameDefinition& definition, const Hashed& a, const Hashed& b,
                 sim::DifferenceAddress at, std::vector<FragmentDifference>& out) {
    const auto group = static_cast<std::size_t>(at.group);
    const auto column_of = [&](const Hashed& side) -> const sim::ColumnHash& {
        const sim::GroupHash& hashes = side.tree.groups[group];
        return at.column < 0 ? hashes.identity
                             : hashes.columns[static_cast<std::size_t>(at.column)];
    };
    const std::vector<sim::BlockHash>& left = column_of(a).blocks;
    const std::vector<sim::BlockHash>& right = column_of(b).blocks;
    const std::size_t row_bytes = sim::row_bytes_at(definition, at);
    for (const sim::BlockHash& block : left) {
        const auto other = std::ranges::lower_bound(right, block.block, {}, &sim::BlockHash::block);
        if (other == right.end() || other->block != block.block || *other == block) continue;
        at.block = block.block;
        sim::BlockRows mine = sim::block_rows(definition, a.columns, at);
        sim::BlockRows theirs = sim::block_rows(definition, b.columns, at);
        const std::vector<sim::Uid> all_mine = mine.uids;
        keep_shared_rows(mine, theirs.uids, row_bytes);
        keep_shared_rows(theirs, all_mine, row_bytes);
        auto first = sim::compare_block_rows(definition, mine, theirs);
        if (first) add_rows(out, std::move(*first), count_differing(mine, theirs, row_bytes));
    }
}

void count_entities(const std::vector<sim::Uid>& a, const std::vector<sim::Uid>& b,
                    SnapshotDifference& out) {
    for (const sim::Uid uid : a) {
        if (!std::ranges::binary_search(b, uid)) ++out.only_in_a;
    }
    for (const sim::Uid uid : b) {
        if (!std::ranges::binary_search(a, uid)) ++out.only_in_b;
    }
}

void diff_section(const sim::GameDefinition& definition, const Hashed& a, const Hashed& b,
                  sim::HashSection section, std::vector<FragmentDifference>& out) {
    const auto index = static_cast<std::size_t>(section);
    if (a.tree.sections[index] == b.tree.sections[index]) return;
    const sim::DifferenceAddress at{section};
    auto first = sim::compare_block_rows(definition, sim::block_rows(definition, a.columns, at),
                                         sim::block_rows(definition, b.columns, at));
    if (first) add_rows(out, std::move(*first), 0);
}

}  // namespace

// implements: O-HASH-02
SnapshotDifference diff(const sim::GameDefinition& definition, const Snapshot& a, const Snapshot& b,
                        core::Executor& executor) {
    MANIPLE_ASSERT(a.state.groups.size() == definition.templates().size());
    MANIPLE_ASSERT(b.state.groups.size() == definition.templates().size());
    const Hashed left(definition, a, executor);
    const Hashed right(definition, b, executor);
    SnapshotDifference out;
    const auto for_columns = [&](sim::HashSection section, auto&& columns_of) {
        for (std::size_t g = 0; g < left.tree.groups.size(); ++g) {
            for (const std::int32_t column : columns_of(g)) {
                diff_column(definition, left, right,
                            {section, static_cast<std::int32_t>(g), column, 0}, out.fragments);
            }
        }
    };
    for (std::size_t g = 0; g < left.columns.groups.size(); ++g) {
        count_entities(left.columns.groups[g].uids, right.columns.groups[g].uids, out);
    }
    for_columns(sim::HashSection::kIdentity, [](std::size_t) { return std::vector{-1}; });
    for_columns(sim::HashSection::kFragments, [&](std::size_t g) {
        std::vector<std::int32_t> columns(left.tree.groups[g].columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = static_cast<std::int32_t>(c);
        return columns;
    });
    for (std::size_t s = static_cast<std::size_t>(sim::HashSection::kUidCursor);
         s < static_cast<std::size_t>(sim::HashSection::kCount); ++s) {
        diff_section(definition, left, right, static_cast<sim::HashSection>(s), out.fragments);
    }
    return out;
}

}  // namespace maniple::snapshot
