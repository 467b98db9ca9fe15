#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "maniple/core/result.h"

namespace maniple::cli {

/// `{"code","at_byte","message"}`, with `at_byte` null where no byte is to blame.
[[nodiscard]] nlohmann::json error_json(const Error& error);

/// The refusal as people read it, one line on stderr: `base.ffs: byte 45: 7 cells declared`. With
/// `json`, stdout gets `{"error": …}` as well.
void report_refusal(const Error& error, const std::string& source, bool json);

}  // namespace maniple::cli
