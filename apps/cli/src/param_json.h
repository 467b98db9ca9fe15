#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/replay/param.h"

namespace maniple::cli {

/// Replay parameters as JSON. Numbers, strings and booleans stand as they are; what JSON cannot say
/// stands as an object: `{"number":"NaN"|"Infinity"|"-Infinity"|"-0"}`, `{"bigint":"decimal"}`.
[[nodiscard]] nlohmann::json params_json(std::span<const replay::Param> params);

/// The reverse, which also takes `{"number":"decimal"}`, `{"repeat":{"text","count"}}`,
/// `{"utf16":[units]}` (surrogates without a partner become U+FFFD) and `{"unsupported":…}`.
/// Repeats that make more than `repeat_bytes_left` bytes are refused; those made are taken off it.
/// @return kBadText saying what was found instead.
[[nodiscard]] Result<std::vector<replay::Param>> params_of_json(const nlohmann::json& list,
                                                                std::size_t& repeat_bytes_left);

}  // namespace maniple::cli
