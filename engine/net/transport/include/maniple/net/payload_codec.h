#pragma once

#include <cstddef>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::net {

/// One zstd frame at level 1 (O-NET-16).
[[nodiscard]] core::Bytes pack_payload(core::ByteSpan raw);
/// Unpacks one zstd frame to exactly `raw_bytes`; allocates no more. The bytes are untrusted.
/// @return kBadValue if the frame states another size, is malformed or is followed by bytes.
[[nodiscard]] Result<core::Bytes> unpack_payload(core::ByteSpan packed, std::size_t raw_bytes);

}  // namespace maniple::net
