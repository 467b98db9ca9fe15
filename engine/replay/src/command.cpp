#include "maniple/replay/command.h"

#include <charconv>

namespace maniple::replay {
namespace {

const char* kind_name(ParamKind kind) {
    switch (kind) {
        case ParamKind::kBool: return "boolean";
        case ParamKind::kNumber: return "number";
        case ParamKind::kString: return "string";
        case ParamKind::kBigInt: return "bigint";
    }
    return "?";
}

std::optional<ParamKind> kind_of(const Param& param) {
    if (std::holds_alternative<bool>(param)) return ParamKind::kBool;
    if (std::holds_alternative<double>(param)) return ParamKind::kNumber;
    if (std::holds_alternative<std::string>(param)) return ParamKind::kString;
    if (std::holds_alternative<BigInt>(param)) return ParamKind::kBigInt;
    return std::nullopt;
}

std::string number_text(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return {text, end};
}

std::string param_text(const Param& param) {
    constexpr std::size_t kTextMax = 60;
    if (const auto* flag = std::get_if<bool>(&param)) return *flag ? "true" : "false";
    if (const auto* number = std::get_if<double>(&param)) return number_text(*number);
    if (const auto* big = std::get_if<BigInt>(&param)) return big->to_decimal() + "n";
    const auto* text = std::get_if<std::string>(&param);
    if (text == nullptr) return "?";
    return "\"" + text->substr(0, kTextMax) + (text->size() > kTextMax ? "…\"" : "\"");
}

}  // namespace

std::string param_mismatch(std::span<const Param> params, std::span<const ParamKind> types) {
    if (params.size() != types.size()) {
        return std::to_string(params.size()) + " parameters, " + std::to_string(types.size()) +
               " expected";
    }
    for (std::size_t i = 0; i < params.size(); ++i) {
        if (kind_of(params[i]) == types[i]) continue;
        return "parameter " + std::to_string(i) + " is no " + kind_name(types[i]);
    }
    return "";
}

Task BaseReplayCommand::execute(std::span<const Param> params) {
    std::string mismatch = param_mismatch(params, param_types_);
    if (!mismatch.empty()) return Outcome{CommandResult::kFailed, std::move(mismatch)};
    return wrapped_execute(params);
}

std::string describe_step(std::string_view name, std::span<const Param> params) {
    std::string text(name);
    text += '(';
    for (std::size_t i = 0; i < params.size(); ++i) {
        if (i > 0) text += ", ";
        text += param_text(params[i]);
    }
    return text + ')';
}

}  // namespace maniple::replay
