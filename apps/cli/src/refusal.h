#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "maniple/core/result.h"

namespace maniple::cli {

/// A refusal and the file it is about.
struct FileError {
    Error error;
    std::string source;
};
template <class T>
using FileResult = tl::expected<T, FileError>;

/// `{"code","at_byte","message"}`, with `at_byte` null where no byte is to blame.
[[nodiscard]] nlohmann::json error_json(const Error& error);

/// The refusal as people read it, one line on stderr: `base.ffs: byte 45: 7 cells declared`. With
/// `json`, stdout gets `{"error": …}` as well.
void report_refusal(const Error& error, const std::string& source, bool json);
inline void report_refusal(const FileError& refused, bool json) {
    report_refusal(refused.error, refused.source, json);
}

}  // namespace maniple::cli
