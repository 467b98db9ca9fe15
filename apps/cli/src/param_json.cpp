#include "param_json.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "maniple/replay/text.h"

namespace maniple::cli {
namespace {

using nlohmann::json;
using replay::Param;

/// Whole numbers below this are printed without an exponent.
constexpr double kWholeMax = 9007199254740992.0;

json number_json(double value) {
    if (std::isnan(value)) return {{"number", "NaN"}};
    if (std::isinf(value)) return {{"number", value > 0 ? "Infinity" : "-Infinity"}};
    if (value == 0 && std::signbit(value)) return {{"number", "-0"}};
    if (value == std::floor(value) && std::fabs(value) <= kWholeMax) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

struct ToJson {
    json operator()(bool value) const { return value; }
    json operator()(double value) const { return number_json(value); }
    json operator()(const std::string& value) const { return value; }
    json operator()(const replay::BigInt& value) const { return {{"bigint", value.to_decimal()}}; }
    json operator()(const replay::Unsupported&) const { return {{"unsupported", nullptr}}; }
};

tl::unexpected<Error> not_a_param(const json& value) {
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return refuse(ErrorCode::kBadText, "not a parameter: " + text);
}

std::optional<double> parse_number(const std::string& text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (at != end || text.empty()) return std::nullopt;
    if (error == std::errc() && std::isfinite(value)) return value;
    return std::nullopt;
}

/// Uses up the bytes that it makes.
std::optional<Param> repeated(const json& repeat, std::size_t& bytes_left) {
    if (!repeat.is_object() || !repeat.contains("text") || !repeat.contains("count") ||
        !repeat["text"].is_string() || !repeat["count"].is_number_unsigned()) {
        return std::nullopt;
    }
    const auto text = repeat["text"].get<std::string>();
    const auto count = repeat["count"].get<std::uint64_t>();
    if (text.empty()) return text;
    if (count > bytes_left / text.size()) return std::nullopt;
    bytes_left -= text.size() * count;
    std::string all;
    all.reserve(text.size() * count);
    for (std::uint64_t i = 0; i < count; ++i) all += text;
    return all;
}

std::optional<Param> of_utf16(const json& list) {
    if (!list.is_array()) return std::nullopt;
    std::vector<std::uint16_t> units;
    for (const json& unit : list) {
        if (!unit.is_number_unsigned() || unit.get<std::uint64_t>() > 0xFFFF) return std::nullopt;
        units.push_back(unit.get<std::uint16_t>());
    }
    return replay::utf8_from_utf16(units);
}

/// One of the object forms, which have exactly one member.
std::optional<Param> of_object(const json& object, std::size_t& repeat_bytes_left) {
    if (object.size() != 1) return std::nullopt;
    const std::string& kind = object.begin().key();
    const json& value = object.begin().value();
    if (kind == "unsupported") return replay::Unsupported{};
    if (kind == "repeat") return repeated(value, repeat_bytes_left);
    if (kind == "utf16") return of_utf16(value);
    if (!value.is_string()) return std::nullopt;
    if (kind == "number") {
        if (const auto number = parse_number(value.get<std::string>())) return *number;
    } else if (kind == "bigint") {
        auto big = replay::BigInt::from_decimal(value.get<std::string>());
        if (big) return *std::move(big);
    }
    return std::nullopt;
}

std::optional<Param> param_of_json(const json& value, std::size_t& repeat_bytes_left) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return value.is_object() ? of_object(value, repeat_bytes_left) : std::nullopt;
}

}  // namespace

json params_json(std::span<const Param> params) {
    json list = json::array();
    for (const Param& param : params) list.push_back(std::visit(ToJson{}, param));
    return list;
}

Result<std::vector<Param>> params_of_json(const json& list, std::size_t& repeat_bytes_left) {
    if (!list.is_array()) return refuse(ErrorCode::kBadText, "\"params\" is not a list");
    std::vector<Param> params;
    for (const json& value : list) {
        std::optional<Param> param = param_of_json(value, repeat_bytes_left);
        if (!param) return not_a_param(value);
        params.push_back(*std::move(param));
    }
    return params;
}

}  // namespace maniple::cli
