#include "replay_codec.h"

#include <charconv>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maniple/replay/replay_array.h"

#include "exit_status.h"
#include "file_io.h"
#include "param_json.h"
#include "refusal.h"

namespace maniple::cli {
namespace {

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

Result<core::Bytes> of_hex(std::string_view text) {
    if (text.size() % 2 != 0) {
        return refuse(ErrorCode::kBadText, text.size() / 2, "half a byte of hex at the end");
    }
    core::Bytes bytes(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char* const digits = text.data() + 2 * i;
        const auto [end, error] = std::from_chars(digits, digits + 2, bytes[i], 16);
        if (error != std::errc() || end != digits + 2) {
            return refuse(ErrorCode::kBadText, i, "no hex digits");
        }
    }
    return bytes;
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
Result<void> write_step(const json& op, const std::string& kind, ReplayArray& array) {
    const auto command = integer_of(op, "command");
    if (!command) return refuse(command.error());
    const auto listed = op.find("params");
    const auto params = params_of_json(listed == op.end() ? json(nullptr) : *listed);
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

Result<void> run_op(const json& op, ReplayArray& array) {
    if (!op.is_object()) return refuse(ErrorCode::kBadText, "an op is not an object");
    const std::string kind = op.contains("op") && op["op"].is_string() ? op["op"] : json("");
    if (kind == "add" || kind == "set" || kind == "insert") return write_step(op, kind, array);
    if (kind == "delete") {
        return integer_of(op, "index").map([&](std::int64_t index) { array.remove(index); });
    }
    if (kind == "setCommandWidth") {
        return width_of(op).map([&](CommandWidth width) { array.set_command_width(width); });
    }
    return refuse(ErrorCode::kBadText, fmt::format("no op is called \"{}\"", kind));
}

Result<json> encode_one(const json& script) {
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
        if (const Result<void> done = run_op((*ops)[i], array); !done) {
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

Result<json> parse_json(const core::Bytes& bytes) {
    try {
        return json::parse(bytes.begin(), bytes.end());
    } catch (const json::parse_error& error) {
        return refuse(ErrorCode::kBadText, error.byte > 0 ? error.byte - 1 : 0, "not JSON");
    } catch (const json::exception& error) {  // a number that no double holds
        return refuse(ErrorCode::kBadText,
                      std::string("JSON that cannot be read: ") + error.what());
    }
}

Result<json> encode(const std::string& path) {
    const Result<core::Bytes> bytes = read_file(path);
    if (!bytes) return refuse(bytes.error());
    const Result<json> scripts = parse_json(*bytes);
    if (!scripts) return scripts;
    if (!scripts->is_array()) return refuse(ErrorCode::kBadText, "not a list of replays");
    json results = json::array();
    for (std::size_t i = 0; i < scripts->size(); ++i) {
        Result<json> result = encode_one((*scripts)[i]);
        if (!result) {
            return refuse(result.error().code,
                          fmt::format("replay {}: {}", i, result.error().message));
        }
        results.push_back(*std::move(result));
    }
    return json{{"results", results}};
}

struct DecodeOptions {
    int width = 8;
    std::string commands;
    std::string params;
};

Result<json> decode(const DecodeOptions& options) {
    const Result<core::Bytes> commands = of_hex(options.commands);
    if (!commands) return refuse(commands.error());
    const Result<core::Bytes> params = of_hex(options.params);
    if (!params) return refuse(params.error());
    const Result<ReplayArray> array = ReplayArray::from_regions(
        options.width == 8 ? CommandWidth::k8 : CommandWidth::k16, *commands, *params);
    if (!array) {
        Error error = array.error();
        if (error.at_byte >= commands->size()) {
            error.message += fmt::format(" (byte {} of params)", error.at_byte - commands->size());
        }
        return refuse(std::move(error));
    }
    json steps = json::array();
    replay::ReadStream stream = array->create_read_stream();
    while (const std::optional<replay::Step> step = stream.read()) {
        steps.push_back({{"command", step->command}, {"params", params_json(step->params)}});
    }
    return json{{"steps", steps}, {"index", array->index()}};
}

int print(const Result<json>& result, const std::string& source) {
    if (result) {
        fmt::print("{}\n", result->dump(-1, ' ', false, json::error_handler_t::replace));
        return kDone;
    }
    report_refusal(result.error(), source, true);
    return kInputRefused;
}

}  // namespace

void add_replay_codec(CLI::App& replay, int& status) {
    auto path = std::make_shared<std::string>();
    CLI::App* encoder = replay.add_subcommand("encode", "Run edits of replays, print their bytes");
    encoder->add_option("OPS.json", *path, "A list of {\"id\",\"width_bits\",\"ops\"}")->required();
    encoder->add_flag("--json")->description("The output is JSON with it and without");
    encoder->callback([path, &status] { status = print(encode(*path), *path); });

    auto options = std::make_shared<DecodeOptions>();
    CLI::App* decoder = replay.add_subcommand("decode", "Read the two regions of a replay");
    decoder->add_option("--width", options->width, "Bits of a command code, 8 or 16")
        ->check(CLI::IsMember({8, 16}))
        ->required();
    decoder->add_option("--commands", options->commands, "The command region in hex")->required();
    decoder->add_option("--params", options->params, "The parameter region in hex")->required();
    decoder->add_flag("--json")->description("The output is JSON with it and without");
    decoder->callback([options, &status] { status = print(decode(*options), "replay"); });
}

}  // namespace maniple::cli
