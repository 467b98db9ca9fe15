#include "json_input.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace maniple::cli {
namespace {

using nlohmann::json;

constexpr int kJsonDepthMax = 64;

/// What JSON itself lets pass; asked at every event of the parser.
class Watch {
  public:
    /// Whether parsing may go on.
    bool allows(int levels_above, json::parse_event_t event, const json& parsed) {
        using Event = json::parse_event_t;
        const bool opens = event == Event::array_start || event == Event::object_start;
        if (opens && levels_above >= kJsonDepthMax) {
            problem_ = "JSON of more than " + std::to_string(kJsonDepthMax) + " levels";
        }
        if (event == Event::object_start) keys_.emplace_back();
        if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            problem_ = "an object has the key `" + parsed.get<std::string>() + "` twice";
        }
        if (event == Event::object_end) keys_.pop_back();
        return !problem_;
    }
    [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

  private:
    std::vector<std::set<std::string>> keys_;  ///< Of the objects that are open.
    std::optional<std::string> problem_;
};

}  // namespace

Result<json> read_json(core::ByteSpan text) {
    Watch watch;
    const auto keep = [&](int levels_above, json::parse_event_t event, const json& parsed) {
        return !watch.problem() && watch.allows(levels_above, event, parsed);
    };
    try {
        json value = json::parse(text.begin(), text.end(), keep);
        if (watch.problem()) return refuse(ErrorCode::kBadText, *watch.problem());
        return value;
    } catch (const json::parse_error& error) {
        return refuse(ErrorCode::kBadText, error.byte > 0 ? error.byte - 1 : 0, "not JSON");
    } catch (const json::exception& error) {  // a number that no double holds
        return refuse(ErrorCode::kBadText,
                      std::string("JSON that cannot be read: ") + error.what());
    }
}

}  // namespace maniple::cli
