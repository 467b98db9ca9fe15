#include "map_input.h"

#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace maniple::cli {
namespace {

Result<core::Bytes> read_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        const int reason = errno;
        return refuse(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                      reason == 0 ? "cannot be opened" : std::strerror(reason));
    }
    core::Bytes bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) return refuse(ErrorCode::kIo, "cannot be read");
    return bytes;
}

}  // namespace

Result<terrain::GridMap> load_map(const std::string& map) {
    if (terrain::is_builtin_map(map)) return terrain::read_map(map, {});
    auto bytes = read_file(map);
    if (!bytes) return refuse(std::move(bytes.error()));
    return terrain::read_map(map, std::move(*bytes));
}

void report_refusal(const Error& error, const std::string& source, bool json) {
    fmt::print(stderr, "{}\n", describe(error, source));
    if (!json) return;
    nlohmann::json object{
        {"code", error_code_name(error.code)}, {"at_byte", nullptr}, {"message", error.message}};
    if (error.at_byte != Error::kNoOffset) object["at_byte"] = error.at_byte;
    fmt::print("{}\n", nlohmann::json{{"error", object}}.dump());
}

}  // namespace maniple::cli
