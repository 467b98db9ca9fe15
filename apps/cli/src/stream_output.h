#pragma once

#include <string>

#include "maniple/substrate/checked_stream.h"

namespace maniple::cli {

/// Writes a full stream of this version to `file` and prints `{"file","bytes","content_hash"}`, or
/// the refusal.
/// @return the exit status.
[[nodiscard]] int write_stream(core::ByteSpan stream, std::uint32_t version,
                               const std::string& file, bool json);
[[nodiscard]] int write_stream(const substrate::CheckedStream& stream, const std::string& file,
                               bool json);

}  // namespace maniple::cli
