#pragma once

#include <nlohmann/json_fwd.hpp>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::cli {

/// JSON of an outside file. Deeper nesting than 64 is refused: copying and printing a value take
/// stack for each level. So is an object with a key twice: which of them counts nobody can tell.
/// @return the value, or kBadText with the byte where that is known.
[[nodiscard]] Result<nlohmann::json> read_json(core::ByteSpan text);

}  // namespace maniple::cli
