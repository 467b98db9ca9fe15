#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::snapshot {

/// What two snapshots of one game disagree about in one fragment, over all templates. The identity
/// columns (type, tags, flags) count as the fragment "(identity)"; a section outside the entities
/// (tasks, variables, …) counts under its name with no entities.
struct FragmentDifference {
    std::string fragment;
    std::size_t entities = 0;    ///< Entities of both sides whose values differ.
    sim::FieldDifference first;  ///< `server_value` is a's, `client_value` b's.
};

struct SnapshotDifference {
    std::size_t only_in_a = 0;  ///< Entities that b lacks.
    std::size_t only_in_b = 0;
    std::vector<FragmentDifference> fragments;  ///< Identity, registry order, then sections.

    [[nodiscard]] bool equal() const {
        return only_in_a == 0 && only_in_b == 0 && fragments.empty();
    }
};

/// Compares two decoded snapshots of `definition`, value by value as the hash sees them (−0 equals
/// 0). Substrates, pending and gap commands are not state and are not compared.
[[nodiscard]] SnapshotDifference diff(const sim::GameDefinition& definition, const Snapshot& a,
                                      const Snapshot& b, core::Executor& executor);

}  // namespace maniple::snapshot
