#include "replay_script.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "maniple/replay/replay_array.h"

#include "json_input.h"
#include "param_json.h"

namespace maniple::cli {
namespace {

/// Bytes that all repeated texts of a file make together.
constexpr std::size_t kRepeatBytesMax = std::size_t{16} << 20;

using nlohmann::json;
using replay::CommandWidth;
using replay::ReplayArray;

std::string to_hex(core::ByteSpan bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

Result<CommandWidth> width_of(const json& object) {
    const auto at = object.find("width_bits");
    if (at != object.end() && *at == 8) return CommandWidth::k8;
    if (at != object.end() && *at == 16) return CommandWidth::k16;
    return refuse(ErrorCode::kBadText, "\"width_bits\" is not 8 or 16");
}

Result<std::int64_t> integer_of(const json& object, const char* name) {
    const auto at = object.find(name);
    if (at == object.end() || !at->is_number_integer()) {
        return refuse(ErrorCode::kBadText, fmt::format("\"{}\" is not a whole number", name));
    }
    return at->get<std::int64_t>();
}

/// Runs an op that writes a step.
Result<void> write_step(const json& op, const std::string& kind, ReplayArray& array,
                        std::size_t& repeat_bytes_left) {
    const auto command = integer_of(op, "command");
    if (!command) return refuse(command.error());
    const auto listed = op.find("params");
    const auto params =
        params_of_json(listed == op.end() ? json(nullptr) : *listed, repeat_bytes_left);
    if (!params) return refuse(params.error());
    if (kind == "add") {
        array.add(*command, *params);
        return {};
    }
    const auto index = integer_of(op, "index");
    if (!index) return refuse(index.error());
    kind == "set" ? array.set(*index, *command, *params) : array.insert(*index, *command, *params);
    return {};
}

Result<void> run_op(const json& op, ReplayArray& array, std::size_t& repeat_bytes_left) {
    if (!op.is_object()) return refuse(ErrorCode::kBadText, "an op is not an object");
    const std::string kind = op.contains("op") && op["op"].is_string() ? op["op"] : json("");
    if (kind == "add" || kind == "set" || kind == "insert")
        return write_step(op, kind, array, repeat_bytes_left);
    if (kind == "delete") {
        return integer_of(op, "index").map([&](std::int64_t index) { array.remove(index); });
    }
    if (kind == "setCommandWidth") {
        return width_of(op).map([&](CommandWidth width) { array.set_command_width(width); });
    }
    return refuse(ErrorCode::kBadText, fmt::format("no op is called \"{}\"", kind));
}

Result<json> encode_one(const json& script, std::size_t& repeat_bytes_left) {
    if (!script.is_object()) return refuse(ErrorCode::kBadText, "not an object");
    const auto width = width_of(script);
    if (!width) return refuse(width.error());
    std::vector<int> warnings;
    ReplayArray array(*width, [&](const core::LogEntry& entry) { warnings.push_back(entry.code); });
    const auto ops = script.find("ops");
    if (ops == script.end() || !ops->is_array()) {
        return refuse(ErrorCode::kBadText, "\"ops\" is not a list");
    }
    for (std::size_t i = 0; i < ops->size(); ++i) {
        if (const Result<void> done = run_op((*ops)[i], array, repeat_bytes_left); !done) {
            return refuse(done.error().code, fmt::format("op {}: {}", i, done.error().message));
        }
    }
    const auto id = script.find("id");
    return json{{"id", id == script.end() ? json(nullptr) : *id},
                {"width_bits", static_cast<int>(array.command_width())},
                {"length", array.size()},
                {"warnings", warnings},
                {"index", array.index()},
                {"commands_hex", to_hex(array.commands())},
                {"params_hex", to_hex(array.params())}};
}

}  // namespace

Result<json> run_replay_scripts(core::ByteSpan text) {
    const Result<json> scripts = read_json(text);
    if (!scripts) return scripts;
    if (!scripts->is_array()) return refuse(ErrorCode::kBadText, "not a list of replays");
    std::size_t repeat_bytes_left = kRepeatBytesMax;
    json results = json::array();
    for (std::size_t i = 0; i < scripts->size(); ++i) {
        Result<json> result = encode_one((*scripts)[i], repeat_bytes_left);
        if (!result) {
            return refuse(result.error().code,
                          fmt::format("replay {}: {}", i, result.error().message));
        }
        results.push_back(*std::move(result));
    }
    return json{{"results", results}};
}

}  // namespace maniple::cli
