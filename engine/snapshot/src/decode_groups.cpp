#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "decode_state.h"

namespace maniple::snapshot {
namespace {

const sim::TemplateFragment* find_fragment(const sim::GameDefinition& definition,
                                           const sim::EntityTemplate& entity_template,
                                           const std::string& name) {
    for (const auto* list : {&entity_template.fragments, &entity_template.shared_fragments}) {
        for (const sim::TemplateFragment& fragment : *list) {
            if (definition.fragment(fragment.fragment).name == name) return &fragment;
        }
    }
    return nullptr;
}

void fill_with_default(const std::vector<std::byte>& value, std::size_t row_count,
                       sim::Column& column) {
    for (std::size_t r = 0; r < row_count; ++r) {
        std::memcpy(column.row(r), value.data(), value.size());
    }
}

/// Position of a fragment among the group's columns, shared ones behind the others.
std::size_t column_index(const sim::EntityGroup& group, sim::FragmentId fragment) {
    const sim::Column* column = group.find_column(fragment);
    if (column != nullptr) return static_cast<std::size_t>(column - group.columns.data());
    const sim::SharedColumn* shared = group.find_shared(fragment);
    return group.columns.size() + static_cast<std::size_t>(shared - group.shared_columns.data());
}

bool fill_missing_column(const sim::EntityTemplate& entity_template, std::size_t index,
                         sim::EntityGroup& group, DecodeState& state) {
    const bool is_shared = index >= group.columns.size();
    const std::size_t shared_index = index - group.columns.size();
    const sim::TemplateFragment& local = is_shared ? entity_template.shared_fragments[shared_index]
                                                   : entity_template.fragments[index];
    if (!state.differ(ErrorCode::kRegistryMismatch,
                      entity_template.key + ": fragment " +
                          state.definition.fragment(local.fragment).name +
                          " is missing, the template's values stay")) {
        return false;
    }
    if (!is_shared) {
        fill_with_default(local.default_value, group.size(), group.columns[index]);
        return true;
    }
    for (std::size_t row = 0; row < group.size(); ++row) {
        group.shared_columns[shared_index].push_back(local.default_value.data());
    }
    return true;
}

// implements: O-SNAP-11, O-SNAP-21, SNAP-001, SNAP-002, SNAP-013, SNAP-042
bool decode_columns(const wire::Group& stored, const sim::EntityTemplate& entity_template,
                    sim::EntityGroup& group, PartHashes::Group& hashes, DecodeState& state) {
    std::vector<bool> decoded(group.columns.size() + group.shared_columns.size(), false);
    hashes.columns.resize(decoded.size());
    for (const wire::Column* column : *stored.columns()) {
        std::string name;
        if (!state.read_name(*column->fragment(), name)) return false;
        const sim::TemplateFragment* local = find_fragment(state.definition, entity_template, name);
        if (local == nullptr) {
            if (!state.differ(ErrorCode::kRegistryMismatch,
                              entity_template.key + " has no fragment " + name + ", skipped")) {
                return false;
            }
            continue;
        }
        const std::size_t index = column_index(group, local->fragment);
        if (decoded[index]) return state.fail(ErrorCode::kBadValue, name + " is there twice");
        decoded[index] = true;
        const bool is_shared = index >= group.columns.size();
        if (column->shared() != is_shared) {
            return state.fail(ErrorCode::kRegistryMismatch, name + " is shared on one side only");
        }
        const bool read =
            is_shared ? decode_shared_column(*column, *local,
                                             group.shared_columns[index - group.columns.size()],
                                             group.size(), hashes.columns[index], state)
                      : decode_column(*column, *local, group.columns[index], group.size(),
                                      hashes.columns[index], state);
        if (!read) return false;
    }
    for (std::size_t i = 0; i < decoded.size(); ++i) {
        if (!decoded[i] && !fill_missing_column(entity_template, i, group, state)) return false;
    }
    return true;
}

/// Moves the bits of registered tags to where this build has them.
// implements: O-SNAP-11
void map_tags(const std::vector<int>& tag_map, sim::EntityGroup& group) {
    for (std::size_t row = 0; row < group.size(); ++row) {
        const std::int64_t low = group.flags_low[row];
        const std::int64_t high = group.flags_high[row];
        group.flags_low.set(row, 0);
        group.flags_high.set(row, 0);
        for (std::size_t bit = 0; bit < tag_map.size(); ++bit) {
            const auto flags = static_cast<std::uint64_t>(bit < 64 ? low : high);
            const bool on = ((flags >> bit % 64) & 1) != 0;
            if (on && tag_map[bit] >= 0) {
                group.set_tag(row, {static_cast<std::uint8_t>(tag_map[bit])}, true);
            }
        }
    }
}

bool decode_flags(const flatbuffers::Vector<std::uint8_t>& planes, std::size_t row_count,
                  sim::FlagColumn& flags) {
    std::vector<std::int64_t> words;
    if (!decode_scalars(planes, row_count, words)) return false;
    flags.assign(std::move(words));
    return true;
}

// implements: O-SNAP-17
bool decode_identity(const wire::Group& stored, const std::string& key, sim::EntityGroup& group,
                     DecodeState& state) {
    const std::size_t row_count = stored.row_count();
    std::vector<std::int32_t> uids;
    if (!decode_scalars(*stored.uids(), row_count, uids) ||
        !decode_scalars(*stored.tags(), row_count, group.tags) ||
        !decode_flags(*stored.flags_low(), row_count, group.flags_low) ||
        !decode_flags(*stored.flags_high(), row_count, group.flags_high)) {
        return state.fail(ErrorCode::kBadValue, key + ": identity columns of another size");
    }
    group.uids.reserve(row_count);
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
    PartHashes::Group& hashes = state.out.part_hashes.groups[id->index];
    if (!decode_identity(stored, key, group, state)) return false;
    if (state.tag_map.empty()) {
        hashes.identity = stored.identity_hash();
    } else {
        map_tags(state.tag_map, group);
    }
    for (sim::Column& column : group.columns) column.resize_rows(group.size());
    return decode_columns(stored, entity_template, group, hashes, state);
}

// implements: O-UID-02, O-UID-05, UID-006, UID-007
/// One owner a UID, all below the cursor; a cursor of −1 is derived from the highest.
bool check_uids(DecodeState& state) {
    std::vector<sim::Uid> uids;
    for (const sim::EntityGroup& group : state.out.state.groups) {
        const auto before = static_cast<std::ptrdiff_t>(uids.size());
        uids.insert(uids.end(), group.uids.begin(), group.uids.end());
        std::inplace_merge(uids.begin(), uids.begin() + before, uids.end());
    }
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
    state.out.part_hashes.groups.resize(templates.size());
    for (std::size_t t = 0; t < templates.size(); ++t) {
        state.out.part_hashes.groups[t].columns.resize(templates[t].fragments.size() +
                                                       templates[t].shared_fragments.size());
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
