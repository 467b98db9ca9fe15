#include "maniple/replay/text.h"

#include "maniple/core/bytes.h"

namespace maniple::replay {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
    std::size_t length;  ///< Bytes to consume.
    bool well_formed;
};

/// The well-formed sequence at the front of `s`, or the maximal ill-formed part there.
Sequence front_sequence(std::string_view s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {1, true};
    std::size_t tails = 0;
    unsigned char second_min = 0x80;
    unsigned char second_max = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        tails = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        tails = 2;
        if (lead == 0xE0) second_min = 0xA0;  // overlong
        if (lead == 0xED) second_max = 0x9F;  // surrogate
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        tails = 3;
        if (lead == 0xF0) second_min = 0x90;  // overlong
        if (lead == 0xF4) second_max = 0x8F;  // above U+10FFFF
    } else {
        return {1, false};
    }
    for (std::size_t i = 1; i <= tails; ++i) {
        const unsigned char low = i == 1 ? second_min : 0x80;
        const unsigned char high = i == 1 ? second_max : 0xBF;
        if (i >= s.size() || byte(i) < low || byte(i) > high) return {i, false};
    }
    return {tails + 1, true};
}

constexpr bool is_high_surrogate(std::uint16_t unit) { return (unit & 0xFC00) == 0xD800; }
constexpr bool is_low_surrogate(std::uint16_t unit) { return (unit & 0xFC00) == 0xDC00; }

}  // namespace

bool is_ascii(std::string_view text) {
    std::uint64_t seen = 0;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) seen |= core::load_le<std::uint64_t>(bytes + i);
    for (; i < text.size(); ++i) seen |= bytes[i];
    return (seen & 0x8080'8080'8080'8080) == 0;
}

// implements: O-REPA-12
std::string replace_ill_formed_utf8(std::string_view text) {
    if (is_ascii(text) || core::is_utf8(text)) return std::string(text);
    std::string out;
    out.reserve(text.size() + 16);
    while (!text.empty()) {
        const Sequence front = front_sequence(text);
        out.append(front.well_formed ? text.substr(0, front.length) : kReplacement);
        text.remove_prefix(front.length);
    }
    return out;
}

std::string utf8_from_utf16(std::span<const std::uint16_t> units) {
    std::string out;
    out.reserve(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::uint16_t unit = units[i];
        if (is_high_surrogate(unit) && i + 1 < units.size() && is_low_surrogate(units[i + 1])) {
            const std::uint32_t high = unit & 0x3FFU;
            const std::uint32_t low = units[++i] & 0x3FFU;
            core::append_utf8(0x10000 + (high << 10 | low), out);
        } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
            out.append(kReplacement);
        } else {
            core::append_utf8(unit, out);
        }
    }
    return out;
}

}  // namespace maniple::replay
