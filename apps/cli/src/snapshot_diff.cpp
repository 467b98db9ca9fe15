#include "snapshot_diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/sim/hash_tree.h"

namespace maniple::cli {
namespace {

using nlohmann::json;
using sim::HashSection;

/// A state as its hash sees it: canonical rows of every column.
struct HashedState {
    sim::HashTree tree;
    sim::HashedColumns columns;

    HashedState(const sim::GameDefinition& definition, const sim::WorldState& state) {
        core::SerialExecutor executor;
        sim::compute_hash_tree(definition, state, {}, executor, tree, columns);
    }
};

json value_json(const sim::Value& value) {
    if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number)) {
        return std::isnan(*number) ? "NaN" : *number > 0 ? "Infinity" : "-Infinity";
    }
    return std::visit([](const auto& known) { return json(known); }, value);
}

/// Rows of both states that belong to one entity.
struct CommonRow {
    sim::Uid uid;
    std::size_t a;
    std::size_t b;
};
std::vector<CommonRow> common_rows(const std::vector<sim::Uid>& a, const std::vector<sim::Uid>& b) {
    std::vector<CommonRow> rows;
    for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i] == b[k]) {
            rows.push_back({a[i], i, k});
            ++i, ++k;
        } else {
            a[i] < b[k] ? ++i : ++k;
        }
    }
    return rows;
}

/// What is known of one fragment over all groups.
struct FragmentDifference {
    std::int64_t differing = 0;
    std::optional<sim::FieldDifference> first;  ///< Of the smallest UID.
};

struct ColumnPair {
    sim::DifferenceAddress address;
    const core::Bytes& a;
    const core::Bytes& b;
    std::size_t row_bytes;
};

void compare_column(const sim::GameDefinition& definition, const ColumnPair& column,
                    const std::vector<CommonRow>& rows, FragmentDifference& out) {
    const std::size_t bytes = column.row_bytes;
    const auto row_of = [&](const core::Bytes& all, std::size_t row) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * bytes);
        return core::Bytes(begin, begin + static_cast<std::ptrdiff_t>(bytes));
    };
    for (const CommonRow& row : rows) {
        const auto* left = column.a.data() + row.a * bytes;
        if (std::equal(left, left + bytes, column.b.data() + row.b * bytes)) continue;
        ++out.differing;
        if (out.first && out.first->uid < row.uid) continue;
        out.first = sim::compare_block_rows(definition,
                                            {column.address, {row.uid}, row_of(column.a, row.a)},
                                            {column.address, {row.uid}, row_of(column.b, row.b)});
    }
}

/// Differences by fragment name, the identity columns among them.
std::map<std::string, FragmentDifference> compare_entities(const sim::GameDefinition& definition,
                                                           const HashedState& a,
                                                           const HashedState& b) {
    std::map<std::string, FragmentDifference> found;
    for (std::size_t group = 0; group < definition.templates().size(); ++group) {
        const auto& left = a.columns.groups[group];
        const auto& right = b.columns.groups[group];
        const std::vector<CommonRow> rows = common_rows(left.uids, right.uids);
        sim::DifferenceAddress at{HashSection::kIdentity, static_cast<std::int32_t>(group), -1, 0};
        const core::Bytes left_identity = sim::identity_rows(left);
        const core::Bytes right_identity = sim::identity_rows(right);
        compare_column(definition, {at, left_identity, right_identity, sim::kIdentityRowBytes},
                       rows, found["identity"]);
        at.section = HashSection::kFragments;
        const auto& fragments = definition.templates()[group].fragments;
        for (std::size_t i = 0; i < fragments.size(); ++i) {
            const sim::FragmentType& type = definition.fragment(fragments[i].fragment);
            at.column = static_cast<std::int32_t>(i);
            compare_column(
                definition,
                {at, left.columns[i], right.columns[i], std::size_t{type.layout.wire_bytes}}, rows,
                found[type.name]);
        }
    }
    return found;
}

std::int64_t count_common(const HashedState& a, const HashedState& b) {
    std::size_t count = 0;
    for (std::size_t group = 0; group < a.columns.groups.size(); ++group) {
        count += common_rows(a.columns.groups[group].uids, b.columns.groups[group].uids).size();
    }
    return static_cast<std::int64_t>(count);
}

json differing_sections(const HashedState& a, const HashedState& b) {
    json names = json::array();
    for (std::size_t i = 0; i < a.tree.sections.size(); ++i) {
        if (a.tree.sections[i] == b.tree.sections[i]) continue;
        names.push_back(sim::hash_section_name(static_cast<HashSection>(i)));
    }
    return names;
}

json differing_substrates(const snapshot::Snapshot& a, const snapshot::Snapshot& b) {
    std::map<std::string, std::pair<const core::Bytes*, const core::Bytes*>> by_name;
    for (const auto& entry : a.substrates) by_name[entry.field_name].first = &entry.bytes;
    for (const auto& entry : b.substrates) by_name[entry.field_name].second = &entry.bytes;
    json names = json::array();
    for (const auto& [name, streams] : by_name) {
        const bool both = streams.first != nullptr && streams.second != nullptr;
        if (!both || *streams.first != *streams.second) names.push_back(name);
    }
    return names;
}

}  // namespace

json diff_snapshots(const sim::GameDefinition& definition, const snapshot::Snapshot& a,
                    const snapshot::Snapshot& b) {
    const HashedState left(definition, a.state);
    const HashedState right(definition, b.state);
    json fragments = json::array();
    for (const auto& [name, difference] : compare_entities(definition, left, right)) {
        if (difference.differing == 0) continue;
        json entry{{"fragment", name}, {"differing", difference.differing}, {"first", nullptr}};
        if (const auto& first = difference.first) {
            entry["first"] = {{"uid", first->uid.value},
                              {"field", first->field},
                              {"a", value_json(first->server_value)},
                              {"b", value_json(first->client_value)}};
        }
        fragments.push_back(std::move(entry));
    }
    const std::int64_t common = count_common(left, right);
    const std::int64_t count_a = a.state.occupied_count();
    const std::int64_t count_b = b.state.occupied_count();
    json result{{"tick", {a.state.tick, b.state.tick}},
                {"hash", {core::hex16(a.hash_at_capture), core::hex16(b.hash_at_capture)}},
                {"entities",
                 {{"a", count_a},
                  {"b", count_b},
                  {"only_a", count_a - common},
                  {"only_b", count_b - common}}},
                {"fragments", std::move(fragments)},
                {"sections", differing_sections(left, right)},
                {"substrates", differing_substrates(a, b)}};
    result["equal"] = result["sections"].empty() && result["substrates"].empty() &&
                      a.hash_at_capture == b.hash_at_capture;
    return result;
}

}  // namespace maniple::cli
