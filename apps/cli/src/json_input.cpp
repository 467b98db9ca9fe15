#include "json_input.h"

#include <nlohmann/json.hpp>
#include <string>

namespace maniple::cli {
namespace {

using nlohmann::json;

constexpr int kJsonDepthMax = 64;

}  // namespace

Result<json> read_json(core::ByteSpan text) {
    bool is_too_deep = false;
    const auto keep = [&](int levels_above, json::parse_event_t event, json&) {
        const bool opens =
            event == json::parse_event_t::array_start || event == json::parse_event_t::object_start;
        is_too_deep |= opens && levels_above >= kJsonDepthMax;
        return !is_too_deep;
    };
    try {
        json value = json::parse(text.begin(), text.end(), keep);
        if (is_too_deep) {
            return refuse(ErrorCode::kBadText,
                          "JSON of more than " + std::to_string(kJsonDepthMax) + " levels");
        }
        return value;
    } catch (const json::parse_error& error) {
        return refuse(ErrorCode::kBadText, error.byte > 0 ? error.byte - 1 : 0, "not JSON");
    } catch (const json::exception& error) {  // a number that no double holds
        return refuse(ErrorCode::kBadText,
                      std::string("JSON that cannot be read: ") + error.what());
    }
}

}  // namespace maniple::cli
