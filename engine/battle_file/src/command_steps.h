#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "maniple/battle_file/format.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/replay/replay_array.h"
#include "maniple/sim/command.h"

/// Lockstep commands as replay steps (docs/formats/battle_file.md §4, §5).
namespace maniple::battle_file {

/// Takes bytes into the attachment table and gives their key.
using Attach = std::function<std::uint64_t(core::Bytes bytes)>;
/// Gives the bytes of a key.
using FindAttachment = std::function<Result<core::Bytes>(std::uint64_t key)>;

/// Appends the command as one step.
void append_command(const sim::Command& command, const Attach& attach, replay::ReplayArray& steps);

/// The commands of untrusted steps whose clock starts at `first_tick` − 1 and may reach
/// `last_tick`.
/// @return kBadValue or kBadText naming the step (`at_byte` is left to the caller), or what
/// `find_attachment` refuses.
Result<std::vector<sim::Command>> decode_commands(const replay::ReplayArray& steps,
                                                  sim::Tick first_tick, sim::Tick last_tick,
                                                  const FindAttachment& find_attachment);

/// A list as an attachment's bytes, and back.
[[nodiscard]] core::Bytes encode_list(const sim::Int32List& list);
[[nodiscard]] Result<sim::Int32List> decode_list(core::ByteSpan bytes);

}  // namespace maniple::battle_file
