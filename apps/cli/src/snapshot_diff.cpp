#include "snapshot_diff.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "maniple/core/executor.h"
#include "maniple/core/hash.h"
#include "maniple/snapshot/diff.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

json value_json(const sim::Value& value) {
    if (const auto* number = std::get_if<double>(&value); number && !std::isfinite(*number)) {
        return std::isnan(*number) ? "NaN" : *number > 0 ? "Infinity" : "-Infinity";
    }
    return std::visit([](const auto& known) { return json(known); }, value);
}

json first_json(const sim::FieldDifference& first) {
    return {{"uid", first.uid.value},
            {"field", first.field},
            {"a", value_json(first.server_value)},
            {"b", value_json(first.client_value)}};
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
    core::SerialExecutor executor;
    const snapshot::SnapshotDifference difference = snapshot::diff(definition, a, b, executor);
    json fragments = json::array();
    json sections = json::array();
    for (const snapshot::FragmentDifference& part : difference.fragments) {
        if (part.entities > 0) {
            fragments.push_back({{"fragment", part.fragment},
                                 {"differing", part.entities},
                                 {"first", first_json(part.first)}});
        } else {
            sections.push_back({{"section", part.fragment}, {"first", first_json(part.first)}});
        }
    }
    json substrates = differing_substrates(a, b);
    const bool equal = difference.equal() && substrates.empty() && a.state.tick == b.state.tick &&
                       a.hash_at_capture == b.hash_at_capture;
    return {{"equal", equal},
            {"tick", {a.state.tick, b.state.tick}},
            {"hash", {core::hex16(a.hash_at_capture), core::hex16(b.hash_at_capture)}},
            {"entities",
             {{"a", a.state.occupied_count()},
              {"b", b.state.occupied_count()},
              {"only_a", difference.only_in_a},
              {"only_b", difference.only_in_b}}},
            {"fragments", std::move(fragments)},
            {"sections", std::move(sections)},
            {"substrates", std::move(substrates)}};
}

}  // namespace maniple::cli
