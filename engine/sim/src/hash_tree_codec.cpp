#include <algorithm>
#include <limits>

#include "maniple/sim/hash_tree.h"

#include "hash_tree_fold.h"
#include "varint.h"

namespace maniple::sim {

namespace {

/// Stands for the template in an address outside the entities.
constexpr std::uint16_t kOutsideEntities = 0xFFFF;
constexpr std::uint32_t kSectionBytesMax = 16U * 1024U * 1024U;
constexpr std::size_t kFirstSentSection = section_index(HashSection::kOccupiedCount);

/// Reads block numbers that ascend, shared by all columns of a group.
void decode_blocks(core::ByteReader& in, std::uint32_t count, ColumnHash& identity) {
    std::uint64_t block = 0;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        const std::size_t start = in.at();
        const std::uint64_t step =
            get_varint(in, std::uint64_t{kBlockMax}, ErrorCode::kBadValue, "block");
        block = i == 0 ? step : block + step + 1;
        if (block > std::uint64_t{kBlockMax}) {
            in.fail(ErrorCode::kBadValue, start, "block " + std::to_string(block));
            return;
        }
        identity.blocks.push_back({static_cast<std::int32_t>(block), 0});
    }
}

void decode_group(core::ByteReader& in, std::size_t column_count, GroupHash& group) {
    const std::size_t block_bytes_min = 1 + sizeof(std::uint64_t) * (1 + column_count);
    const std::uint32_t block_count =
        in.count(std::uint32_t{kBlockMax} + 1, block_bytes_min, "blocks");
    decode_blocks(in, block_count, group.identity);
    if (!in.ok()) return;
    group.columns.assign(column_count, group.identity);
    for (BlockHash& block : group.identity.blocks) block.hash = in.u64();
    for (ColumnHash& column : group.columns) {
        for (BlockHash& block : column.blocks) block.hash = in.u64();
    }
}

void encode_hashes(const ColumnHash& column, const ColumnHash& identity, core::ByteWriter& out) {
    MANIPLE_ASSERT(column.blocks.size() == identity.blocks.size());
    for (const BlockHash& block : column.blocks) out.u64(block.hash);
}

/// The layout of an address' rows; a refusal at `start` when the registry has no such column.
const FieldLayout* find_layout(const GameDefinition& definition, const DifferenceAddress& at,
                               core::ByteReader& in, std::size_t start) {
    const auto group = static_cast<std::size_t>(at.group);
    if (group >= definition.templates().size()) {
        in.fail(ErrorCode::kBadValue, start, "template " + std::to_string(group));
        return nullptr;
    }
    if (at.column < 0) return &identity_layout();
    const FragmentType* type = column_fragment(definition, definition.templates()[group],
                                               static_cast<std::size_t>(at.column));
    if (type == nullptr) {
        in.fail(ErrorCode::kBadValue, start + sizeof(std::uint16_t),
                "column " + std::to_string(at.column));
        return nullptr;
    }
    return &type->layout;
}

void decode_uids(core::ByteReader& in, BlockRows& rows) {
    const std::uint32_t count = get_varint_count(in, kBlockUids, 1, "entity count");
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        const std::size_t start = in.at();
        const Uid uid{rows.address.block * kBlockUids + in.u8()};
        if (in.ok() && i > 0 && uid <= rows.uids.back()) {
            in.fail(ErrorCode::kBadValue, start, "UIDs do not ascend");
        }
        rows.uids.push_back(uid);
    }
}

void check_bools(core::ByteReader& in, const FieldLayout& layout, core::ByteSpan rows,
                 std::size_t start) {
    for (std::size_t at = 0; at < rows.size(); at += layout.wire_bytes) {
        for (const FieldLeaf& leaf : layout.leaves) {
            if (leaf.type != ScalarType::kBool || rows[at + leaf.wire_offset] <= 1) continue;
            in.fail(ErrorCode::kBadValue, start + at + leaf.wire_offset,
                    "a bool is neither 0 nor 1");
        }
    }
}

BlockRows decode_section(core::ByteReader& in, std::uint16_t section, std::size_t start) {
    BlockRows rows;
    if (section < kFirstSentSection || section >= section_index(HashSection::kCount)) {
        in.fail(ErrorCode::kBadValue, start + sizeof(std::uint16_t),
                "section " + std::to_string(section));
        return rows;
    }
    rows.address.section = static_cast<HashSection>(section);
    const core::ByteSpan bytes = in.blob(kSectionBytesMax, "section");
    rows.rows.assign(bytes.begin(), bytes.end());
    return rows;
}

}  // namespace

void encode_hash_tree(const HashTree& tree, core::ByteWriter& out) {
    out.i32(tree.tick);
    for (std::size_t s = kFirstSentSection; s < tree.sections.size(); ++s) {
        out.u64(tree.sections[s]);
    }
    for (const GroupHash& group : tree.groups) {
        const std::vector<BlockHash>& blocks = group.identity.blocks;
        out.u32(static_cast<std::uint32_t>(blocks.size()));
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::int32_t step =
                i == 0 ? blocks[0].block : blocks[i].block - blocks[i - 1].block - 1;
            put_varint(out, static_cast<std::uint64_t>(step));
        }
        encode_hashes(group.identity, group.identity, out);
        for (const ColumnHash& column : group.columns) encode_hashes(column, group.identity, out);
    }
}

HashTree decode_hash_tree(const GameDefinition& definition, core::ByteReader& in) {
    HashTree tree;
    tree.tick = in.i32();
    for (std::size_t s = kFirstSentSection; s < tree.sections.size(); ++s) {
        tree.sections[s] = in.u64();
    }
    for (const EntityTemplate& entity_template : definition.templates()) {
        if (!in.ok()) break;
        decode_group(in, entity_template.fragments.size() + entity_template.shared_fragments.size(),
                     tree.groups.emplace_back());
    }
    if (!in.ok()) return {};
    fold_upward(definition, tree);
    return tree;
}

void encode_block_rows(const BlockRows& rows, core::ByteWriter& out) {
    if (rows.address.group < 0) {
        out.u16(kOutsideEntities);
        out.u16(static_cast<std::uint16_t>(rows.address.section));
        out.blob(rows.rows);
        return;
    }
    MANIPLE_ASSERT(rows.address.block >= 0);
    out.u16(static_cast<std::uint16_t>(rows.address.group));
    out.u16(static_cast<std::uint16_t>(rows.address.column + 1));
    out.u32(static_cast<std::uint32_t>(rows.address.block));
    put_varint(out, rows.uids.size());
    for (const Uid uid : rows.uids) {
        out.u8(static_cast<std::uint8_t>(uid.value - rows.address.block * kBlockUids));
    }
    out.bytes(rows.rows);
}

BlockRows decode_block_rows(const GameDefinition& definition, core::ByteReader& in) {
    BlockRows rows;
    const std::size_t start = in.at();
    const std::uint16_t group = in.u16();
    const std::uint16_t column = in.u16();
    if (in.ok() && group == kOutsideEntities) return decode_section(in, column, start);
    rows.address.group = group;
    rows.address.column = column - 1;
    rows.address.section =
        rows.address.column < 0 ? HashSection::kIdentity : HashSection::kFragments;
    const std::size_t block_start = in.at();
    const std::uint32_t block = in.u32();
    if (!in.ok()) return {};
    const FieldLayout* layout = find_layout(definition, rows.address, in, start);
    if (layout != nullptr && block > std::uint32_t{kBlockMax}) {
        in.fail(ErrorCode::kBadValue, block_start, "block " + std::to_string(block));
    }
    if (!in.ok()) return {};
    rows.address.block = static_cast<std::int32_t>(block);
    decode_uids(in, rows);
    const std::size_t rows_start = in.at();
    const core::ByteSpan bytes = in.bytes(rows.uids.size() * layout->wire_bytes);
    if (layout->wire_bytes != 0) check_bools(in, *layout, bytes, rows_start);
    if (!in.ok()) return {};
    rows.rows.assign(bytes.begin(), bytes.end());
    return rows;
}

}  // namespace maniple::sim
