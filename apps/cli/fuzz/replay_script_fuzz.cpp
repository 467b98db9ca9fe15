#include "replay_script.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "maniple/replay/replay_array.h"

namespace {

using namespace maniple;

core::Bytes of_hex(const std::string& text) {
    core::Bytes bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

}  // namespace

/// Any bytes: no scripts, refused inside the file, or replays whose regions decode to the steps and
/// the index that the script is told.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<nlohmann::json> done = cli::run_replay_scripts({data, size});
    if (!done) {
        const Error& error = done.error();
        if (error.at_byte != Error::kNoOffset && error.at_byte > size) std::abort();
        return 0;
    }
    for (const nlohmann::json& result : (*done)["results"]) {
        const auto width = static_cast<replay::CommandWidth>(result["width_bits"].get<int>());
        const core::Bytes commands = of_hex(result["commands_hex"]);
        const core::Bytes params = of_hex(result["params_hex"]);
        const auto array = replay::ReplayArray::from_regions(width, commands, params);
        if (!array || array->size() != result["length"].get<std::size_t>()) std::abort();
        if (nlohmann::json(array->index()) != result["index"]) std::abort();
    }
    return 0;
}
