#pragma once

#include <nlohmann/json_fwd.hpp>

#include "maniple/sim/registry.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::cli {

/// Where two states of one game differ: `{"equal","tick":[a,b],"hash":[a,b],"entities":{"a","b",
/// "only_a","only_b"},"fragments":[{"fragment","differing","first":{"uid","field","a","b"}}],
/// "sections":[{"section","first"}],"substrates":[…]}`. Fragments are compared over the entities
/// that both have; `sections` are the parts of the state outside the entities, `substrates` the
/// fields on other ground.
[[nodiscard]] nlohmann::json diff_snapshots(const sim::GameDefinition& definition,
                                            const snapshot::Snapshot& a,
                                            const snapshot::Snapshot& b);

}  // namespace maniple::cli
