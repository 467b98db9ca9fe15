#include "print_object.h"

#include <algorithm>
#include <fmt/core.h>
#include <string>

#include "json_text.h"
#include "printable.h"

namespace maniple::cli {

void print_object(const nlohmann::ordered_json& object, bool json) {
    if (json) {
        fmt::print("{}\n", json_text(object));
        return;
    }
    std::size_t width = 0;
    for (const auto& [key, value] : object.items()) width = std::max(width, key.size());
    for (const auto& [key, value] : object.items()) {
        fmt::print("{:<{}}  {}\n", key, width,
                   printable(value.is_string() ? value.get<std::string>() : json_text(value)));
    }
}

}  // namespace maniple::cli
