#pragma once

#include <algorithm>
#include <string>

namespace maniple::cli {

/// Names and messages come from files of strangers: control characters, which a terminal would
/// obey, become question marks.
[[nodiscard]] inline std::string printable(std::string text) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    };
    std::replace_if(text.begin(), text.end(), is_control, '?');
    return text;
}

}  // namespace maniple::cli
