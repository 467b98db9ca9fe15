#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::replay {

/// A whole number of any size as sign and magnitude. Always in canonical form: the magnitude is
/// little-endian without zero bytes at its top, zero has no bytes and is not negative.
class BigInt {
  public:
    BigInt() = default;
    explicit BigInt(std::int64_t value);
    /// `little_endian` may have zero bytes at its top.
    BigInt(bool negative, core::ByteSpan little_endian);

    /// `-?[0-9]{1,10000}`. @return kBadText otherwise, with the byte.
    static Result<BigInt> from_decimal(std::string_view text);
    [[nodiscard]] std::string to_decimal() const;
    /// The value, if it fits.
    [[nodiscard]] std::optional<std::int64_t> to_int64() const;

    [[nodiscard]] bool negative() const { return negative_; }
    [[nodiscard]] core::ByteSpan magnitude() const { return magnitude_; }

    friend bool operator==(const BigInt&, const BigInt&) = default;

  private:
    bool negative_ = false;
    core::Bytes magnitude_;
};

}  // namespace maniple::replay
