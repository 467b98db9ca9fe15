#include <algorithm>
#include <bit>
#include <tuple>

#include "maniple/core/hash.h"
#include "maniple/sim/hash_tree.h"

#include "hash_rows.h"
#include "hash_tree_fold.h"
#include "sections.h"

namespace maniple::sim {

namespace {

/// The lowest block whose hash differs or that only one side has.
std::optional<std::int32_t> first_block_difference(const ColumnHash& a, const ColumnHash& b) {
    const std::size_t shared = std::min(a.blocks.size(), b.blocks.size());
    for (std::size_t i = 0; i < shared; ++i) {
        if (a.blocks[i] == b.blocks[i]) continue;
        return std::min(a.blocks[i].block, b.blocks[i].block);
    }
    if (a.blocks.size() == b.blocks.size()) return std::nullopt;
    const ColumnHash& longer = a.blocks.size() > b.blocks.size() ? a : b;
    return longer.blocks[shared].block;
}

std::optional<DifferenceAddress> difference_in_groups(const HashTree& a, const HashTree& b,
                                                      HashSection section) {
    const std::size_t group_count = std::min(a.groups.size(), b.groups.size());
    for (std::size_t g = 0; g < group_count; ++g) {
        const auto address = [&](std::int32_t column, std::int32_t block) {
            return DifferenceAddress{section, static_cast<std::int32_t>(g), column, block};
        };
        const GroupHash& left = a.groups[g];
        const GroupHash& right = b.groups[g];
        if (section == HashSection::kIdentity) {
            if (const auto block = first_block_difference(left.identity, right.identity)) {
                return address(-1, *block);
            }
            continue;
        }
        const std::size_t column_count = std::min(left.columns.size(), right.columns.size());
        for (std::size_t c = 0; c < column_count; ++c) {
            if (const auto block = first_block_difference(left.columns[c], right.columns[c])) {
                return address(static_cast<std::int32_t>(c), *block);
            }
        }
    }
    return std::nullopt;
}

/// What an address names in the registry; nullopt for an address that is not of a column.
struct NamedColumn {
    const std::string& name;
    const FieldLayout& layout;
};
std::optional<NamedColumn> find_column(const GameDefinition& definition,
                                       const DifferenceAddress& at) {
    static const std::string kIdentityName = "(identity)";
    const auto& templates = definition.templates();
    if (at.group < 0 || static_cast<std::size_t>(at.group) >= templates.size()) return std::nullopt;
    if (at.column < 0) return NamedColumn{kIdentityName, identity_layout()};
    const FragmentType* type =
        column_fragment(definition, templates[static_cast<std::size_t>(at.group)],
                        static_cast<std::size_t>(at.column));
    if (type == nullptr) return std::nullopt;
    return NamedColumn{type->name, type->layout};
}

/// The registered tag whose bit is the lowest that differs in a leaf of the flags.
std::optional<FieldDifference> tag_difference(const GameDefinition& definition, Uid uid,
                                              const FieldLeaf& leaf, const std::uint8_t* server,
                                              const std::uint8_t* client) {
    const bool is_high = leaf.name == "flags_high";
    if (!is_high && leaf.name != "flags_low") return std::nullopt;
    const auto left = core::load_le<std::uint64_t>(server);
    const auto right = core::load_le<std::uint64_t>(client);
    const auto bit = static_cast<std::size_t>(std::countr_zero(left ^ right));
    const std::size_t tag = bit + (is_high ? 64 : 0);
    if (tag >= definition.tags().size()) return std::nullopt;
    return FieldDifference{"(identity)", uid, "tag " + definition.tags()[tag],
                           ((left >> bit) & 1) != 0, ((right >> bit) & 1) != 0};
}

}  // namespace

Value scalar_value(const GameDefinition& definition, ScalarType type, const std::uint8_t* at) {
    const auto integer = [&](auto zero) -> Value {
        return static_cast<std::int64_t>(core::load_le<decltype(zero)>(at));
    };
    switch (type) {
        case ScalarType::kBool: return *at != 0;
        case ScalarType::kI8: return integer(std::int8_t{});
        case ScalarType::kU8: return integer(std::uint8_t{});
        case ScalarType::kI16: return integer(std::int16_t{});
        case ScalarType::kU16: return integer(std::uint16_t{});
        case ScalarType::kI32: return integer(std::int32_t{});
        case ScalarType::kU32: return integer(std::uint32_t{});
        case ScalarType::kI64: return integer(std::int64_t{});
        case ScalarType::kU64: return integer(std::uint64_t{});
        case ScalarType::kF32: return static_cast<double>(core::load_le<float>(at));
        case ScalarType::kF64: return core::load_le<double>(at);
        case ScalarType::kName: {
            const Name name{core::load_le<std::uint64_t>(at)};
            return definition.names().text(name).value_or("name " + core::hex16(name.id));
        }
    }
    return false;
}

const FragmentType* column_fragment(const GameDefinition& definition,
                                    const EntityTemplate& entity_template, std::size_t column) {
    const auto& fragments = entity_template.fragments;
    const auto& shared = entity_template.shared_fragments;
    if (column < fragments.size()) return &definition.fragment(fragments[column].fragment);
    if (column - fragments.size() >= shared.size()) return nullptr;
    return &definition.fragment(shared[column - fragments.size()].fragment);
}

std::optional<DifferenceAddress> first_difference(const HashTree& a, const HashTree& b) {
    for (std::size_t s = 0; s < a.sections.size(); ++s) {
        if (a.sections[s] == b.sections[s]) continue;
        const auto section = static_cast<HashSection>(s);
        if (section == HashSection::kIdentity || section == HashSection::kFragments) {
            if (const auto found = difference_in_groups(a, b, section)) return found;
        }
        return DifferenceAddress{section};
    }
    return std::nullopt;
}

std::size_t row_bytes_at(const GameDefinition& definition, const DifferenceAddress& at) {
    const std::optional<NamedColumn> column = find_column(definition, at);
    return column ? column->layout.wire_bytes : 0;
}

namespace {

/// Index among the group's blocks, or their number.
std::size_t find_block(const HashedColumns::Group& group, std::int32_t block) {
    const auto found =
        std::ranges::lower_bound(group.blocks, block, {}, &HashedColumns::Block::block);
    const bool is_there = found != group.blocks.end() && found->block == block;
    return static_cast<std::size_t>((is_there ? found : group.blocks.end()) - group.blocks.begin());
}

bool is_plain_block(const HashedColumns::Group& group, std::int32_t block) {
    const std::size_t at = find_block(group, block);
    return at < group.blocks.size() && group.blocks[at].is_plain;
}

/// Rows of value hashes, or of the `common` one unless it is 0, as rows of the values.
core::Bytes expand_shared(core::ByteSpan hashes, std::uint64_t common,
                          const HashedColumns::SharedValues& shared, std::size_t row_bytes) {
    core::Bytes rows;
    for (std::size_t at = 0; at < hashes.size(); at += kSharedRowBytes) {
        const auto hash = common != 0 ? common : core::load_le<std::uint64_t>(hashes.data() + at);
        const auto found = std::find(shared.hashes.begin(), shared.hashes.end(), hash);
        MANIPLE_ASSERT(found != shared.hashes.end());
        const auto slot = static_cast<std::size_t>(found - shared.hashes.begin());
        const auto* value = shared.values.data() + slot * row_bytes;
        rows.insert(rows.end(), value, value + row_bytes);
    }
    return rows;
}

}  // namespace

core::Bytes identity_rows(const HashedColumns::Group& group) {
    core::Bytes rows = group.identity;
    const std::uint8_t* plain = plain_identity_rows(group.type);
    for (std::size_t row = 0; row < group.uids.size(); ++row) {
        if (!is_plain_block(group, group.uids[row].value / kBlockUids)) continue;
        std::copy_n(plain, kIdentityRowBytes, rows.data() + row * kIdentityRowBytes);
    }
    return rows;
}

BlockRows block_rows(const HashedColumns& columns, const DifferenceAddress& at,
                     std::size_t row_bytes) {
    BlockRows result{at, {}, {}};
    if (at.group < 0) {
        if (at.section < HashSection::kCount) {
            const auto& section = columns.sections[section_index(at.section)];
            if (section != nullptr) result.rows = *section;
        }
        return result;
    }
    if (static_cast<std::size_t>(at.group) >= columns.groups.size()) return result;
    const HashedColumns::Group& group = columns.groups[static_cast<std::size_t>(at.group)];
    if (at.block < 0 || at.block > kBlockMax) return result;
    if (at.column >= 0 && static_cast<std::size_t>(at.column) >= group.columns.size()) {
        return result;
    }
    const core::Bytes& rows =
        at.column < 0 ? group.identity : group.columns[static_cast<std::size_t>(at.column)];
    const std::size_t plain_columns = group.columns.size() - group.shared.size();
    const bool is_shared = at.column >= 0 && static_cast<std::size_t>(at.column) >= plain_columns;
    const std::size_t stored_bytes = is_shared ? kSharedRowBytes : row_bytes;
    MANIPLE_ASSERT(rows.size() == group.uids.size() * stored_bytes);

    const Uid first{at.block * kBlockUids};
    const Uid last{first.value + (kBlockUids - 1)};
    const auto begin = std::lower_bound(group.uids.begin(), group.uids.end(), first);
    const auto end = std::upper_bound(begin, group.uids.end(), last);
    result.uids.assign(begin, end);
    const auto first_row = static_cast<std::size_t>(begin - group.uids.begin());
    const auto* data = rows.data() + first_row * stored_bytes;
    if (at.column < 0 && is_plain_block(group, at.block)) {
        const std::uint8_t* plain = plain_identity_rows(group.type);
        result.rows.assign(plain, plain + result.uids.size() * kIdentityRowBytes);
    } else if (is_shared) {
        const auto& values = group.shared[static_cast<std::size_t>(at.column) - plain_columns];
        const std::size_t index = find_block(group, at.block);
        const std::uint64_t common = index < values.common.size() ? values.common[index] : 0;
        result.rows =
            expand_shared({data, result.uids.size() * stored_bytes}, common, values, row_bytes);
    } else {
        result.rows.assign(data, data + result.uids.size() * row_bytes);
    }
    return result;
}

BlockRows block_rows(const GameDefinition& definition, const HashedColumns& columns,
                     const DifferenceAddress& at) {
    return block_rows(columns, at, row_bytes_at(definition, at));
}

std::optional<FieldDifference> name_difference(const GameDefinition& definition,
                                               const HashTree& server_tree,
                                               const HashedColumns& server,
                                               const HashTree& client_tree,
                                               const HashedColumns& client) {
    const std::optional<DifferenceAddress> at = first_difference(server_tree, client_tree);
    if (!at) return std::nullopt;
    return compare_block_rows(definition, block_rows(definition, server, *at),
                              block_rows(definition, client, *at));
}

std::optional<FieldDifference> compare_block_rows(const GameDefinition& definition,
                                                  const BlockRows& server,
                                                  const BlockRows& client) {
    const auto place = [](const DifferenceAddress& at) {
        return std::tie(at.section, at.group, at.column, at.block);
    };
    if (place(server.address) != place(client.address)) return std::nullopt;
    if (server.address.group < 0) {
        return compare_sections(definition, server.address.section, server.rows, client.rows);
    }
    const std::optional<NamedColumn> column = find_column(definition, server.address);
    if (!column) return std::nullopt;
    const std::size_t row_bytes = column->layout.wire_bytes;
    if (server.rows.size() != server.uids.size() * row_bytes) return std::nullopt;
    if (client.rows.size() != client.uids.size() * row_bytes) return std::nullopt;

    const std::size_t row_count = std::max(server.uids.size(), client.uids.size());
    for (std::size_t row = 0; row < row_count; ++row) {
        const bool on_server = row < server.uids.size();
        const bool on_client = row < client.uids.size();
        if (!on_server || !on_client || server.uids[row] != client.uids[row]) {
            const bool is_servers =
                on_server && (!on_client || server.uids[row] < client.uids[row]);
            const Uid uid = is_servers ? server.uids[row] : client.uids[row];
            return FieldDifference{column->name, uid, "(entity)", is_servers, !is_servers};
        }
        for (const FieldLeaf& leaf : column->layout.leaves) {
            const auto* left = server.rows.data() + row * row_bytes + leaf.wire_offset;
            const auto* right = client.rows.data() + row * row_bytes + leaf.wire_offset;
            if (std::equal(left, left + scalar_bytes(leaf.type), right)) continue;
            if (server.address.column < 0) {
                const auto tag = tag_difference(definition, server.uids[row], leaf, left, right);
                if (tag) return tag;
            }
            return FieldDifference{column->name, server.uids[row], leaf.name,
                                   scalar_value(definition, leaf.type, left),
                                   scalar_value(definition, leaf.type, right)};
        }
    }
    return std::nullopt;
}

}  // namespace maniple::sim
