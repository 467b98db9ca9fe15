#pragma once

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/replay/replay_array.h"

namespace maniple::replay {

/// The saved form of a replay, "RPL1" (docs/formats/replay.md §4; O-REPA-06).
[[nodiscard]] core::Bytes encode_container(const ReplayArray& array);

/// Reads a saved replay and rebuilds its index. The bytes are untrusted.
/// @return kBadMagic, kBadMode, kBadValue, kTruncated, kTrailing or kBadHash with the byte offset.
[[nodiscard]] Result<ReplayArray> decode_container(core::ByteSpan bytes,
                                                   core::LogSink log = core::null_log());

}  // namespace maniple::replay
