#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace maniple::replay {

/// `text` with every maximal ill-formed part replaced by U+FFFD, as web text encoders and decoders
/// do (O-REPA-12). Well-formed text comes back unchanged; a byte order mark is kept.
[[nodiscard]] std::string replace_ill_formed_utf8(std::string_view text);

/// UTF-8 of UTF-16 code units; each surrogate without its partner becomes U+FFFD.
[[nodiscard]] std::string utf8_from_utf16(std::span<const std::uint16_t> units);

/// True if every byte is below 0x80.
[[nodiscard]] bool is_ascii(std::string_view text);

}  // namespace maniple::replay
