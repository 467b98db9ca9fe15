#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace maniple::core {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };

// implements: O-GEN-04
/// One diagnostic. Codes below 1000 are fixed by the replay documents (72, 73, 148, 152 to 157,
/// 163, 179, 194); all others are the library's, numbered from 1000 and listed in
/// docs/log-codes.md.
struct LogEntry {
    Severity severity = Severity::kInfo;
    int code = 0;
    std::string message;
};

/// Where diagnostics go: a callback owned by the host. Called on the simulation thread only.
using LogSink = std::function<void(const LogEntry&)>;

/// Drops everything.
[[nodiscard]] LogSink null_log();

}  // namespace maniple::core
