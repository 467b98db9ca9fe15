#include <algorithm>
#include <cstring>
#include <vector>

#include "decode_state.h"
#include "planes.h"

namespace maniple::snapshot {
namespace {

using ByteVector = flatbuffers::Vector<std::uint8_t>;

template <core::WireScalar T>
bool decode_scalars(const ByteVector& planes, std::size_t row_count, std::vector<T>& values) {
    if (planes.size() != std::uint64_t{row_count} * sizeof(T)) return false;
    core::Bytes rows(planes.size());
    planes_to_rows(planes.data(), sizeof(T), row_count, sizeof(T), rows.data());
    values.resize(row_count);
    for (std::size_t i = 0; i < row_count; ++i) {
        values[i] = core::load_le<T>(rows.data() + i * sizeof(T));
    }
    return true;
}

/// One stored field that has a local counterpart.
struct LeafCopy {
    const sim::FieldLeaf* local;
    std::size_t stored_offset;
};

/// Decodes one stored column into the group's local one, field by field and by name.
class ColumnDecoder {
  public:
    ColumnDecoder(DecodeState& state, const sim::FragmentType& fragment, std::size_t row_count)
        : state_(state), fragment_(fragment), row_count_(row_count) {}

    bool decode(const wire::Column& stored, const std::byte* default_value, sim::Column& column) {
        if (!match_leaves(stored)) return false;
        const sim::FieldLayout& layout = fragment_.layout;
        core::Bytes rows(row_count_ * layout.wire_bytes);
        if (copies_.size() != layout.leaves.size()) fill_rows(default_value, rows);
        for (const LeafCopy& copy : copies_) {
            planes_to_rows(stored.planes()->data() + copy.stored_offset * row_count_,
                           sim::scalar_bytes(copy.local->type), row_count_, layout.wire_bytes,
                           rows.data() + copy.local->wire_offset);
        }
        if (!sim::rows_from_wire(layout, rows.data(), row_count_, column.data())) {
            return state_.fail(ErrorCode::kBadValue, fragment_.name + ": a bool is not 0 or 1");
        }
        return true;
    }

  private:
    bool match_leaves(const wire::Column& stored) {
        std::size_t offset = 0;
        std::vector<bool> matched(fragment_.layout.leaves.size(), false);
        for (const wire::Leaf* leaf : *stored.leaves()) {
            std::string name;
            if (!state_.read_name(*leaf->name(), name)) return false;
            if (leaf->type() > static_cast<std::uint8_t>(sim::ScalarType::kF64)) {
                return state_.fail(ErrorCode::kBadValue, fragment_.name + ": a type over 10");
            }
            const auto type = static_cast<sim::ScalarType>(leaf->type());
            if (!match_leaf(name, type, offset, matched)) return false;
            offset += sim::scalar_bytes(type);
        }
        if (offset != stored.row_bytes() ||
            stored.planes()->size() != std::uint64_t{offset} * row_count_) {
            return state_.fail(ErrorCode::kBadValue, fragment_.name + ": a column of another size");
        }
        for (std::size_t i = 0; i < matched.size(); ++i) {
            if (!matched[i] && !state_.differ(ErrorCode::kRegistryMismatch,
                                              field_name(fragment_.layout.leaves[i].name) +
                                                  " is missing, the template's value stays")) {
                return false;
            }
        }
        return true;
    }

    bool match_leaf(const std::string& name, sim::ScalarType type, std::size_t offset,
                    std::vector<bool>& matched) {
        const std::vector<sim::FieldLeaf>& leaves = fragment_.layout.leaves;
        // Equal builds store the fields in the local order; a search is for builds that differ.
        std::size_t at = copies_.size();
        if (at >= leaves.size() || leaves[at].name != name) {
            at = static_cast<std::size_t>(
                std::find_if(leaves.begin(), leaves.end(),
                             [&](const sim::FieldLeaf& leaf) { return leaf.name == name; }) -
                leaves.begin());
        }
        if (at == leaves.size()) {
            return state_.differ(ErrorCode::kRegistryMismatch,
                                 field_name(name) + " is not registered, skipped");
        }
        if (matched[at]) {
            return state_.fail(ErrorCode::kBadValue, field_name(name) + " is there twice");
        }
        if (leaves[at].type != type) {
            return state_.fail(ErrorCode::kRegistryMismatch,
                               field_name(name) + " is of another type");
        }
        matched[at] = true;
        copies_.push_back({&leaves[at], offset});
        return true;
    }

    void fill_rows(const std::byte* default_value, core::Bytes& rows) const {
        core::Bytes row(fragment_.layout.wire_bytes);
        sim::rows_to_wire(fragment_.layout, default_value, 1, row.data());
        for (std::size_t r = 0; r < row_count_; ++r) {
            std::copy(row.begin(), row.end(),
                      rows.begin() + static_cast<std::ptrdiff_t>(r * row.size()));
        }
    }

    [[nodiscard]] std::string field_name(const std::string& leaf) const {
        return fragment_.name + "." + leaf;
    }

    DecodeState& state_;
    const sim::FragmentType& fragment_;
    std::size_t row_count_;
    std::vector<LeafCopy> copies_;
};

const sim::TemplateFragment* find_fragment(const sim::GameDefinition& definition,
                                           const sim::EntityTemplate& entity_template,
                                           const std::string& name) {
    for (const sim::TemplateFragment& fragment : entity_template.fragments) {
        if (definition.fragment(fragment.fragment).name == name) return &fragment;
    }
    return nullptr;
}

void fill_with_default(const std::vector<std::byte>& value, std::size_t row_count,
                       sim::Column& column) {
    for (std::size_t r = 0; r < row_count; ++r) {
        std::memcpy(column.row(r), value.data(), value.size());
    }
}

// implements: O-SNAP-11, SNAP-042
bool decode_columns(const wire::Group& stored, const sim::EntityTemplate& entity_template,
                    sim::EntityGroup& group, DecodeState& state) {
    const sim::GameDefinition& definition = state.definition;
    std::vector<bool> decoded(group.columns.size(), false);
    for (const wire::Column* column : *stored.columns()) {
        std::string name;
        if (!state.read_name(*column->fragment(), name)) return false;
        const sim::TemplateFragment* local = find_fragment(definition, entity_template, name);
        if (local == nullptr) {
            if (!state.differ(ErrorCode::kRegistryMismatch,
                              entity_template.key + " has no fragment " + name + ", skipped")) {
                return false;
            }
            continue;
        }
        sim::Column* target = group.find_column(local->fragment);
        const auto index = static_cast<std::size_t>(target - group.columns.data());
        if (decoded[index]) return state.fail(ErrorCode::kBadValue, name + " is there twice");
        decoded[index] = true;
        ColumnDecoder decoder(state, definition.fragment(local->fragment), group.size());
        if (!decoder.decode(*column, local->default_value.data(), *target)) return false;
    }
    for (std::size_t i = 0; i < decoded.size(); ++i) {
        if (decoded[i]) continue;
        const std::string& name = definition.fragment(group.columns[i].fragment()).name;
        if (!state.differ(ErrorCode::kRegistryMismatch,
                          entity_template.key + ": fragment " + name +
                              " is missing, the template's values stay")) {
            return false;
        }
        const sim::TemplateFragment* local = find_fragment(definition, entity_template, name);
        fill_with_default(local->default_value, group.size(), group.columns[i]);
    }
    return true;
}

bool decode_identity(const wire::Group& stored, const std::string& key, sim::EntityGroup& group,
                     DecodeState& state) {
    const std::size_t row_count = stored.row_count();
    std::vector<std::int32_t> uids;
    if (!decode_scalars(*stored.uids(), row_count, uids) ||
        !decode_scalars(*stored.tags(), row_count, group.tags) ||
        !decode_scalars(*stored.flags_low(), row_count, group.flags_low) ||
        !decode_scalars(*stored.flags_high(), row_count, group.flags_high)) {
        return state.fail(ErrorCode::kBadValue, key + ": identity columns of another size");
    }
    for (std::size_t i = 0; i < row_count; ++i) {
        if (uids[i] < 0 || (i != 0 && uids[i] <= uids[i - 1])) {
            return state.fail(ErrorCode::kBadValue, key + ": UIDs that do not ascend");
        }
        if ((group.tags[i] & ~sim::kTagMask) != 0) {
            return state.fail(ErrorCode::kBadValue, key + ": an unknown tag");
        }
        group.uids.push_back({uids[i]});
    }
    return true;
}

bool decode_group(const wire::Group& stored, std::vector<bool>& seen, DecodeState& state) {
    std::string key;
    if (!state.read_name(*stored.template_key(), key)) return false;
    // implements: O-SNAP-12
    const Result<sim::TemplateId> id = state.definition.find_template(key);
    if (!id) return state.fail(ErrorCode::kUnknownName, "no template " + key);
    if (seen[id->index]) {
        return state.fail(ErrorCode::kBadValue, "template " + key + " is there twice");
    }
    seen[id->index] = true;
    const sim::EntityTemplate& entity_template = state.definition.templates()[id->index];
    if (stored.entity_type() != static_cast<std::uint8_t>(entity_template.entity_type)) {
        return state.fail(ErrorCode::kRegistryMismatch, key + " is of another entity type");
    }
    sim::EntityGroup& group = state.out.state.groups[id->index];
    if (!decode_identity(stored, key, group, state)) return false;
    for (sim::Column& column : group.columns) column.resize_rows(group.size());
    return decode_columns(stored, entity_template, group, state);
}

// implements: O-UID-02, O-UID-05, UID-006, UID-007
/// One owner a UID, all below the cursor; a cursor of −1 is derived from the highest.
bool check_uids(DecodeState& state) {
    std::vector<sim::Uid> uids;
    for (const sim::EntityGroup& group : state.out.state.groups) {
        uids.insert(uids.end(), group.uids.begin(), group.uids.end());
    }
    std::sort(uids.begin(), uids.end());
    if (std::adjacent_find(uids.begin(), uids.end()) != uids.end()) {
        return state.fail(ErrorCode::kBadValue, "two entities with one UID");
    }
    const std::int64_t above = uids.empty() ? 0 : std::int64_t{uids.back().value} + 1;
    std::int32_t& cursor = state.out.state.uid_cursor;
    if (cursor == -1) {
        if (above > INT32_MAX) return state.fail(ErrorCode::kBadValue, "no UID is left");
        cursor = static_cast<std::int32_t>(above);
        return true;
    }
    if (above > cursor) return state.fail(ErrorCode::kBadValue, "a UID at or over the cursor");
    return true;
}

}  // namespace

bool decode_groups(const wire::Snapshot& in, DecodeState& state) {
    const std::vector<sim::EntityTemplate>& templates = state.definition.templates();
    std::vector<sim::EntityGroup>& groups = state.out.state.groups;
    for (std::size_t t = 0; t < templates.size(); ++t) {
        sim::EntityGroup& group = groups.emplace_back();
        group.template_id = {static_cast<std::uint16_t>(t)};
        for (const sim::TemplateFragment& fragment : templates[t].fragments) {
            group.columns.emplace_back(
                fragment.fragment,
                state.definition.fragment(fragment.fragment).layout.memory_bytes);
        }
    }
    std::vector<bool> seen(templates.size(), false);
    std::uint64_t row_count = 0;
    for (const wire::Group* group : *in.groups()) {
        row_count += group->row_count();
        if (row_count > kEntitiesMax) return state.fail(ErrorCode::kOverCap, "too many entities");
        if (!decode_group(*group, seen, state)) return false;
    }
    return check_uids(state);
}

}  // namespace maniple::snapshot
