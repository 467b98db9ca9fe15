#pragma once

#include <nlohmann/json_fwd.hpp>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::cli {

/// Runs the scripts of `maniple replay encode`: a JSON list of replays, each a command width and a
/// list of edits. The bytes are untrusted.
/// @return `{"results":[…]}` with the regions in hex, index and warnings of each, or kBadText
/// naming the replay and the op.
[[nodiscard]] Result<nlohmann::json> run_replay_scripts(core::ByteSpan text);

}  // namespace maniple::cli
