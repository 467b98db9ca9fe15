#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace maniple::cli {

/// One line of JSON. Paths and names come from outside: what is not UTF-8 in them is replaced.
[[nodiscard]] inline std::string json_text(const nlohmann::json& object) {
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace maniple::cli
