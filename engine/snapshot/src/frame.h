#pragma once

#include <cstdint>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::snapshot {

inline constexpr std::uint32_t kFrameMagic = 0x5353504D;  ///< "MPSS"
inline constexpr std::uint32_t kFrameVersion = 3;
inline constexpr std::size_t kFrameHeaderBytes = 33;
enum class Codec : std::uint8_t { kNone = 0, kZstd = 1 };

/// `raw` behind an MPSS header, packed when that is smaller.
[[nodiscard]] core::Bytes pack_frame(core::ByteSpan raw);
/// The raw bytes of a frame, their checksum proved. Never holds more than the stated raw size, and
/// no memory for bytes that do not come out.
[[nodiscard]] Result<core::Bytes> unpack_frame(core::ByteSpan frame);

}  // namespace maniple::snapshot
