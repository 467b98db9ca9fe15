#include "number_list.h"

#include <charconv>
#include <cmath>
#include <fmt/core.h>

namespace maniple::cli {
namespace {

template <typename T>
std::vector<T> parse_list(const std::string& option, const std::string& text, std::size_t count_min,
                          std::size_t count_max, const char* what) {
    std::vector<T> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    bool valid = !text.empty();
    while (valid && values.size() < count_max) {
        T value{};
        const std::from_chars_result read = std::from_chars(at, end, value);
        valid = read.ec == std::errc{};
        if (!valid) break;
        values.push_back(value);
        at = read.ptr;
        if (at == end || *at != ',') break;
        ++at;
    }
    if (!valid || at != end || values.size() < count_min || text.back() == ',') {
        const std::string count =
            count_min == count_max ? std::to_string(count_min)
                                   : std::to_string(count_min) + " to " + std::to_string(count_max);
        throw CLI::ValidationError(option, "`" + text + "`: " + count + " " + what +
                                               " with commas between "
                                               "expected");
    }
    return values;
}

}  // namespace

std::vector<double> parse_numbers(const std::string& option, const std::string& text,
                                  std::size_t count_min, std::size_t count_max) {
    return parse_list<double>(option, text, count_min, count_max, "numbers");
}

std::vector<std::int32_t> parse_integers(const std::string& option, const std::string& text,
                                         std::size_t count_min, std::size_t count_max) {
    return parse_list<std::int32_t>(option, text, count_min, count_max, "whole numbers");
}

Place parse_place(const std::string& option, const std::string& text) {
    constexpr double kFarthestCm = 1e9;  // 10,000 km: what is finite and beyond is a slip
    const std::vector<double> numbers = parse_numbers(option, text, 2, 3);
    for (const double cm : numbers) {
        if (!std::isfinite(cm)) {
            throw CLI::ValidationError(option, "`" + text + "` is no place in centimetres");
        }
        if (std::abs(cm) > kFarthestCm) {
            throw CLI::ValidationError(option, "`" + text + "` is over 10,000 km away");
        }
    }
    const bool has_z = numbers.size() == 3;
    return {{numbers[0], numbers[1], has_z ? numbers[2] : 0.0}, has_z};
}

CLI::Validator finite_range(double low, double high) {
    const auto check = [low, high](const std::string& text) -> std::string {
        double value = 0;
        const bool valid = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return valid ? "" : text + " is no number in " + fmt::format("{} to {}", low, high);
    };
    return CLI::Validator(check, fmt::format("FLOAT in [{} - {}]", low, high));
}

}  // namespace maniple::cli
