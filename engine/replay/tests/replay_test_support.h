#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/replay/replay_array.h"

namespace maniple::replay {

inline std::string to_hex(core::ByteSpan bytes) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : bytes) {
        hex += kDigits[byte >> 4];
        hex += kDigits[byte & 15];
    }
    return hex;
}

inline core::Bytes from_hex(std::string_view hex) {
    core::Bytes bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(
            static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

inline std::vector<std::uint32_t> index_of(const ReplayArray& array) {
    return {array.index().begin(), array.index().end()};
}

/// Collects the codes of the warnings in order.
struct WarningList {
    std::vector<int> codes;
    [[nodiscard]] core::LogSink sink() {
        return [this](const core::LogEntry& entry) { codes.push_back(entry.code); };
    }
    /// The codes since the last call.
    [[nodiscard]] std::vector<int> take() { return std::exchange(codes, {}); }
};

using ParamList = std::vector<Param>;

/// Three steps with one small number each: codes 1, 2, 3 with 10, 20, 30.
inline ReplayArray three_steps(CommandWidth width, core::LogSink log = core::null_log()) {
    ReplayArray array(width, std::move(log));
    array.append(1, 10);
    array.append(2, 20);
    array.append(3, 30);
    return array;
}

}  // namespace maniple::replay
