#include "print_object.h"

#include <algorithm>
#include <fmt/core.h>
#include <string>

namespace maniple::cli {

void print_object(const nlohmann::ordered_json& object, bool json) {
    if (json) {
        fmt::print("{}\n", object.dump());
        return;
    }
    std::size_t width = 0;
    for (const auto& [key, value] : object.items()) width = std::max(width, key.size());
    for (const auto& [key, value] : object.items()) {
        fmt::print("{:<{}}  {}\n", key, width,
                   value.is_string() ? value.get<std::string>() : value.dump());
    }
}

}  // namespace maniple::cli
