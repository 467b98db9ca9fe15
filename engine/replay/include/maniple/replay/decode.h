#pragma once

#include <array>
#include <cstdint>

#include "maniple/replay/encode.h"
#include "maniple/replay/param.h"

namespace maniple::replay {

/// Finds single parameters in a Region, whose slack makes a whole-word load at the last type code
/// legal. Sizes come from a table, not from branches on the type: mixed parameters would mispredict
/// every other time.
class ParamDecoder {
  public:
    /// Bytes of the parameter at `in`, 0 if its type code is reserved. They may reach beyond the
    /// region: the caller compares before it uses `out`.
    static std::uint64_t decode(const std::uint8_t* in, ParamView& out) {
        return decode_small(in, out) ? 2 : decode_other(in, out);
    }

    /// The same for a parameter that is known to be whole. @return its end.
    static const std::uint8_t* decode_whole(const std::uint8_t* in, ParamView& out) {
        return decode_small(in, out) ? in + 2 : in + decode_other(in, out);
    }

  private:
    /// An int8 by a predicted branch which, unlike the table, lets the next parameter start at
    /// once; @return false for other types.
    static bool decode_small(const std::uint8_t* in, ParamView& out) {
        if (*in != encode::kTypeInt8) [[unlikely]]
            return false;
        out = ParamView(in + 1, head(1, encode::kTypeInt8));
        return true;
    }
    static std::uint64_t decode_other(const std::uint8_t* in, ParamView& out) {
        const std::uint8_t type = *in;
        const std::uint8_t bytes = kBytes[type];
        if (bytes == 0) [[unlikely]]
            return decode_prefixed(in, out);
        out = ParamView(in + 1, head(bytes - 1U, type));
        return bytes;
    }
    /// Strings of code 9 and bigints only; 0 for every other type code.
    static std::uint64_t decode_prefixed(const std::uint8_t* in, ParamView& out);
    static constexpr std::uint64_t head(std::uint32_t payload_bytes, std::uint8_t type) {
        return type | std::uint64_t{payload_bytes} << 8;
    }
    /// Bytes of type code and payload by type code; 0 for prefixed and reserved codes.
    static const std::array<std::uint8_t, 256> kBytes;
};

namespace detail {
constexpr std::array<std::uint8_t, 256> make_param_bytes() {
    std::array<std::uint8_t, 256> table{2, 2, 3, 5, 9, 9, 9};
    for (unsigned type = encode::kTypeShortString; type < 256; ++type) {
        table[type] = static_cast<std::uint8_t>(type - encode::kTypeShortString + 1);
    }
    return table;
}
}  // namespace detail

inline constexpr std::array<std::uint8_t, 256> ParamDecoder::kBytes = detail::make_param_bytes();

}  // namespace maniple::replay
