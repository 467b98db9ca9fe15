#pragma once

#include <nlohmann/json.hpp>

namespace maniple::cli {

/// A subcommand's result on stdout: one JSON object, or for people one `key  value` a line.
void print_object(const nlohmann::ordered_json& object, bool json);

}  // namespace maniple::cli
