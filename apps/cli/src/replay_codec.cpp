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
#include "replay_script.h"

namespace maniple::cli {
namespace {

using nlohmann::json;
using replay::CommandWidth;
using replay::ReplayArray;

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

Result<json> encode(const std::string& path) {
    return read_file(path).and_then(
        [](const core::Bytes& text) { return run_replay_scripts(text); });
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
