#include "maniple/terrain/scenario.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace maniple::terrain {
namespace {

constexpr std::size_t kFields = 9;

/// The blank-separated words of a line; more than kFields count as none.
std::size_t split(std::string_view line, std::array<std::string_view, kFields>& words) {
    constexpr std::string_view kBlanks = " \t\r";
    std::size_t count = 0;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
         at = line.find_first_not_of(kBlanks, at)) {
        const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
        if (count == kFields) return 0;
        words[count++] = line.substr(at, end - at);
        at = end;
    }
    return count;
}

template <typename T>
bool parse(std::string_view word, T& value) {
    const auto [rest, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    return problem == std::errc{} && rest == word.data() + word.size();
}

Result<ScenarioQuery> read_query(std::string_view line, std::size_t at, std::int32_t x_num,
                                 std::int32_t y_num) {
    std::array<std::string_view, kFields> words;
    std::array<std::int32_t, 6> numbers{};
    ScenarioQuery query;
    bool valid = split(line, words) == kFields && parse(words[8], query.length);
    for (std::size_t i = 0; valid && i < numbers.size(); ++i)
        valid = parse(words[i + 2], numbers[i]);
    if (!valid) {
        return refuse(ErrorCode::kBadText, at,
                      "bucket, map, width, height, start, goal and length expected");
    }
    if (numbers[0] != x_num || numbers[1] != y_num) {
        return refuse(ErrorCode::kMapMismatch, at,
                      "a query of a map of " + std::to_string(numbers[0]) + " x " +
                          std::to_string(numbers[1]) + " cells, this one has " +
                          std::to_string(x_num) + " x " + std::to_string(y_num));
    }
    query.start = {numbers[2], numbers[3]};
    query.goal = {numbers[4], numbers[5]};
    for (const nav::GridCoord& cell : {query.start, query.goal}) {
        if (cell.x < 0 || cell.y < 0 || cell.x >= x_num || cell.y >= y_num) {
            return refuse(ErrorCode::kBadValue, at, "a cell off the map");
        }
    }
    if (!std::isfinite(query.length) || query.length < 0) {
        return refuse(ErrorCode::kBadValue, at, "a length that is none");
    }
    return query;
}

}  // namespace

Result<std::vector<ScenarioQuery>> read_scenario(core::ByteSpan bytes, std::int32_t x_num,
                                                 std::int32_t y_num, std::size_t limit) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
    if (first != "version 1" && first != "version 1.0") {
        return refuse(ErrorCode::kBadText, 0, "a line `version 1` expected in a scenario");
    }
    std::vector<ScenarioQuery> queries;
    std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1;
    while (at < text.size() && queries.size() < limit) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            if (queries.size() == kScenarioQueriesMax) {
                return refuse(ErrorCode::kOverCap, at, "more than 1000000 queries");
            }
            auto query = read_query(line, at, x_num, y_num);
            if (!query) return refuse(std::move(query.error()));
            queries.push_back(*query);
        }
        at = end + 1;
    }
    return queries;
}

}  // namespace maniple::terrain
