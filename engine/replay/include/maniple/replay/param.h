#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "maniple/replay/big_int.h"
#include "maniple/replay/encode.h"

namespace maniple::replay {

/// Stands for a host value of a kind the format does not have (an object, undefined …). Writers
/// drop it with warning 148; readers never give it (REPA-004).
struct Unsupported {
    friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

/// One parameter: boolean, number, string or bigint, and nothing else (REPA-003, O-REPA-16). The
/// type decides the kind, never the value: `true` is a boolean, 1.0 a number (O-REPA-17).
// implements: O-REPA-16, O-REPA-17
using Param = std::variant<bool, double, std::string, BigInt, Unsupported>;

/// A whole number as a number parameter.
[[nodiscard]] inline Param number(std::int32_t value) { return static_cast<double>(value); }
// implements: O-REPA-16
/// The same for 64 bits: nullopt beyond ±2^53, where a number could not hold it exactly. Use
/// BigInt.
[[nodiscard]] inline std::optional<Param> exact_number(std::int64_t value) {
    constexpr std::int64_t kExactMax = std::int64_t{1} << 53;
    if (value < -kExactMax || value > kExactMax) return std::nullopt;
    return static_cast<double>(value);
}

enum class ParamKind : std::uint8_t { kBool, kNumber, kString, kBigInt };

/// A decoded parameter that points into the replay's parameter region: valid until the next write.
/// Values are computed when asked for.
class ParamView {
  public:
    ParamView() = default;

    [[nodiscard]] ParamKind kind() const;
    /// The boolean; false for other kinds.
    [[nodiscard]] bool boolean() const { return type_code() == 0 && *payload_ != 0; }
    /// The number; 0 for other kinds. Magnitudes above 2^53 are rounded to nearest.
    [[nodiscard]] double number() const;
    /// The string's stored bytes, which may be ill-formed UTF-8; empty for other kinds.
    [[nodiscard]] std::string_view text() const;
    /// The bigint; 0 for other kinds.
    [[nodiscard]] BigInt big_int() const;
    /// An owning copy, ill-formed UTF-8 replaced.
    [[nodiscard]] Param to_param() const;

    /// Type code of docs/formats/replay.md §2.
    [[nodiscard]] std::uint8_t type_code() const { return static_cast<std::uint8_t>(head_); }
    /// Payload of codes 0 to 6 as a big-endian number, sign-extended; 0 for other codes.
    [[nodiscard]] std::int64_t payload_bits() const;
    /// Payload bytes without type code and length prefix.
    [[nodiscard]] core::ByteSpan payload() const {
        return {payload_, static_cast<std::size_t>(head_ >> 8)};
    }

  private:
    friend class ParamDecoder;
    ParamView(const std::uint8_t* payload, std::uint64_t head) : payload_(payload), head_(head) {}

    const std::uint8_t* payload_;
    std::uint64_t head_;  ///< Type code, and payload bytes from bit 8 on: one store.
};

inline std::int64_t ParamView::payload_bits() const {
    // By type code: brings the payload from the top of a big-endian word to its low bits.
    static constexpr std::array<std::uint8_t, 7> kShifts = {56, 56, 48, 32, 0, 0, 0};
    const std::uint8_t type = type_code();
    if (type > encode::kTypeFloat64) return 0;
    // The word may reach into the region's slack; the shift drops those bytes.
    return static_cast<std::int64_t>(encode::load_be<std::uint64_t>(payload_)) >> kShifts[type];
}

}  // namespace maniple::replay
